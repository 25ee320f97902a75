import Testing
import ThemedModel
import ThemedDBus
import ThemedSystem
import ThemedTestSupport

@testable import ThemePortal

@Suite struct BackendTests {
  /// A backend that has its name, with the portal there.
  private func named(_ state: State? = nil) -> Backend {
    var backend = Backend()
    _ = backend.handle(.portal(":1.2"))
    _ = backend.handle(.bus)
    if let state { _ = backend.handle(.state(state)) }
    _ = backend.handle(.named)
    for key in Key.allCases { _ = backend.handle(.answered(key, key.neutral)) }
    for key in Key.allCases { _ = backend.handle(.told(key, key.neutral)) }
    return backend
  }

  private let asks = Key.allCases.map { Backend.Effect.ask($0, of: ":1.2") }

  @Test func `the name is taken with the daemon's first state, so that nobody is answered before it is known`() {
    var backend = Backend()
    #expect(backend.handle(.bus) == [.wake(.firstState, afterMilliseconds: Limits.firstState)])
    #expect(backend.handle(.state(state(.dark, by: .override))) == [.sleep(.lastGood), .sleep(.firstState), .own])
  }

  @Test func `without a daemon the name is taken after a moment, and nothing is decided`() {
    var backend = Backend()
    _ = backend.handle(.bus)
    #expect(backend.handle(.woken(.firstState)) == [.own])
    #expect(backend.answers.decided == [:])
  }

  @Test func `with the name comes a word of every key, since whoever had it before may have left one behind`() {
    var backend = Backend()
    _ = backend.handle(.portal(":1.2"))
    _ = backend.handle(.bus)
    _ = backend.handle(.state(state(.dark, by: .override)))
    #expect(backend.handle(.named) == [.emit(.colorScheme, .uint32(1))] + asks.dropFirst())
    #expect(backend.handle(.answered(.contrast, .uint32(1))).first == .emit(.contrast, .uint32(1)))
  }

  @Test func `of a key that nobody knows nothing is said, unless we have decided it`() {
    let override = Origin(.override)
    var backend = named()
    _ = backend.handle(
      .state(State(scheme: .light, desktop: .light, highContrast: true, origins: ["highContrast": override])))
    _ = backend.handle(.told(.contrast, .uint32(1)))
    _ = backend.handle(.state(state(.light, by: .portal)))
    #expect(backend.handle(.answered(.contrast, nil)).first == .emit(.contrast, .uint32(0)))
    var silent = Backend()
    for event in [.portal(":1.2"), .bus, .named] as [Backend.Event] { _ = silent.handle(event) }
    #expect(silent.handle(.answered(.contrast, nil)) == [.wake(.check, afterMilliseconds: Limits.check)])
  }

  @Test func `an override is said once, and ours again right after another backend's word`() {
    var backend = named()
    let dark = state(.dark, by: .override)
    #expect(backend.handle(.state(dark)) == [.sleep(.lastGood), .emit(.colorScheme, .uint32(1))])
    #expect(backend.handle(.state(dark)) == [.sleep(.lastGood)])
    #expect(backend.handle(.told(.colorScheme, .uint32(1))) == [])
    #expect(
      backend.handle(.told(.colorScheme, .uint32(2))) == [
        .emit(.colorScheme, .uint32(1)), .wake(.calm, afterMilliseconds: Limits.calm),
      ])
    #expect(backend.handle(.told(.colorScheme, .uint32(1))) == [])
    #expect(backend.handle(.told(.contrast, .uint32(1))) == [])
  }

  @Test func `with one who always contradicts it argues so long and no longer, and has the last word in the end`() {
    var backend = named(state(.dark, by: .override))
    _ = backend.handle(.told(.colorScheme, .uint32(1)))
    for _ in 0..<3 {
      var said = 0
      for _ in 0..<1_000 {
        for effect in backend.handle(.told(.colorScheme, .uint32(2))) {
          guard case .emit(let key, let value) = effect else { continue }
          said += 1
          _ = backend.handle(.told(key, value))
        }
      }
      #expect((1...Limits.repeats).contains(said))
      #expect(backend.handle(.woken(.calm)) == [.emit(.colorScheme, .uint32(1))])
      _ = backend.handle(.told(.colorScheme, .uint32(1)))
    }
    #expect(backend.handle(.woken(.calm)) == [])
  }

  @Test func `with one who answers each word it argues ever more seldom, and at once again when that one rests`() {
    var backend = named(state(.dark, by: .override))
    _ = backend.handle(.told(.colorScheme, .uint32(1)))
    var delays: [Int] = []
    /// Tells another's word whenever ours was heard, until ours is said no more.
    func argue(_ effects: [Backend.Effect]) {
      var effects = effects
      while !effects.isEmpty {
        for case .wake(.calm, let delay) in effects { delays.append(delay) }
        guard effects.contains(.emit(.colorScheme, .uint32(1))) else { return }
        _ = backend.handle(.told(.colorScheme, .uint32(1)))
        effects = backend.handle(.told(.colorScheme, .uint32(2)))
      }
    }
    argue(backend.handle(.told(.colorScheme, .uint32(2))))
    for _ in 0..<20 { argue(backend.handle(.woken(.calm))) }
    #expect(delays.count == 21)
    #expect(delays == (0...20).map { Limits.calm << min($0, Limits.doublings) })
    // It rests: the next dispute is short, and the one after that begins anew.
    _ = backend.handle(.woken(.calm))
    _ = backend.handle(.told(.colorScheme, .uint32(1)))
    for _ in 0..<2 {
      delays = []
      let effects = backend.handle(.told(.colorScheme, .uint32(2)))
      for case .wake(.calm, let delay) in effects { delays.append(delay) }
      _ = backend.handle(.told(.colorScheme, .uint32(1)))
      _ = backend.handle(.woken(.calm))
    }
    #expect(delays == [Limits.calm])
  }

  @Test func `a dispute of before the name was ours does not count`() {
    var backend = Backend()
    let before: [Backend.Event] = [
      .portal(":1.2"), .bus, .state(state(.dark, by: .override)), .told(.colorScheme, .uint32(1)),
      .told(.colorScheme, .uint32(2)), .named, .told(.colorScheme, .uint32(1)),
    ]
    for event in before { _ = backend.handle(event) }
    for _ in 0..<40 {
      let effects = backend.handle(.told(.colorScheme, .uint32(2)))
      #expect(effects.first == .emit(.colorScheme, .uint32(1)))
      _ = backend.handle(.told(.colorScheme, .uint32(1)))
      for case .wake(.calm, _) in effects { _ = backend.handle(.woken(.calm)) }
    }
  }

  @Test func `the first word of a daemon that is back is a sign of life, and never taken after a newer one`() {
    let (dark, light) = (state(.dark, by: .override), state(.light, by: .override))
    var backend = named(dark)
    _ = backend.handle(.connected(false))
    _ = backend.handle(.state(light))
    let answers = backend.answers
    #expect(backend.handle(.returned(dark)) == [.sleep(.lastGood)])
    #expect(backend.answers == answers)
    // Said of a daemon that says what it said before: it is waited for no more, or has its word back.
    _ = backend.handle(.connected(false))
    #expect(backend.handle(.returned(light)) == [.sleep(.lastGood)])
    _ = backend.handle(.connected(false))
    _ = backend.handle(.woken(.lastGood))
    #expect(backend.answers == Answers())
    #expect(backend.handle(.returned(light)).contains(.emit(.colorScheme, .uint32(2))))
    #expect(backend.answers == answers)
  }

  @Test func `when an override goes, the programs are told what the portal answers without us`() {
    var backend = named(state(.dark, by: .override))
    _ = backend.handle(.told(.colorScheme, .uint32(1)))
    let effects = backend.handle(.state(state(.light, by: .portal)))
    #expect(backend.answers.value(Key.namespace, "color-scheme") == nil)
    #expect(effects == [.sleep(.lastGood), .ask(.colorScheme, of: ":1.2")])
    #expect(
      backend.handle(.answered(.colorScheme, .uint32(2))) == [
        .emit(.colorScheme, .uint32(2)), .wake(.check, afterMilliseconds: Limits.check),
      ])
  }

  @Test func `nothing is said of a value that programs have heard already`() {
    var backend = named(state(.dark, by: .override))
    _ = backend.handle(.told(.colorScheme, .uint32(1)))
    _ = backend.handle(.state(state(.dark, by: .portal, desktop: .dark)))
    #expect(
      backend.handle(.answered(.colorScheme, .uint32(1))) == [.wake(.check, afterMilliseconds: Limits.check)])
  }

  @Test func `a daemon that has gone is waited for, and forgotten when it does not come back`() {
    var backend = named(state(.dark, by: .override))
    #expect(backend.handle(.connected(false)) == [.wake(.lastGood, afterMilliseconds: Limits.lastGood)])
    #expect(backend.answers.value(Key.namespace, "color-scheme") == .uint32(1))
    #expect(backend.handle(.state(state(.dark, by: .override))) == [.sleep(.lastGood)])
    #expect(backend.handle(.connected(false)) == [.wake(.lastGood, afterMilliseconds: Limits.lastGood)])
    // A connection is no sign of life: systemd accepts it before any daemon runs.
    #expect(backend.handle(.connected(true)) == [])
    #expect(backend.handle(.connected(false)) == [])
    #expect(backend.handle(.woken(.lastGood)) == [.ask(.colorScheme, of: ":1.2")])
    #expect(backend.answers == Answers())
  }

  @Test func `at its end it leaves the programs with what the portal answers without it`() {
    var backend = named(state(.dark, by: .override))
    _ = backend.handle(.told(.colorScheme, .uint32(1)))
    #expect(
      backend.handle(.ending) == [.wake(.end, afterMilliseconds: Limits.end), .ask(.colorScheme, of: ":1.2")])
    #expect(backend.answers.decided == [:])
    #expect(backend.handle(.answered(.colorScheme, .uint32(2))) == [.emit(.colorScheme, .uint32(2)), .finish])
  }

  @Test func `at its end it takes back what it no longer decides, where a slow portal has not told what holds instead`()
  {
    for (isTold, hasFailed) in [(true, false), (true, true), (false, false), (false, true)] {
      var backend = named(state(.dark, by: .override))
      // What it tells last before our word, which is still to come, is what holds without us.
      _ = backend.handle(.told(.colorScheme, .uint32(isTold ? 1 : 2)))
      _ = backend.handle(.state(state(.light, by: .portal)))
      if hasFailed { _ = backend.handle(.failed(.colorScheme)) }
      #expect(
        backend.handle(.ending) == [.wake(.end, afterMilliseconds: Limits.end), .ask(.colorScheme, of: ":1.2")])
      #expect(backend.handle(.answered(.colorScheme, .uint32(2))) == [.emit(.colorScheme, .uint32(2)), .finish])
    }
  }

  @Test func `at its end it waits for nobody where it has decided nothing, or no portal is there`() {
    var silent = named()
    #expect(silent.handle(.ending) == [.finish])
    var alone = named(state(.dark, by: .override))
    _ = alone.handle(.portal(nil))
    #expect(alone.handle(.ending) == [.finish])
    var waiting = named(state(.dark, by: .override))
    _ = waiting.handle(.ending)
    #expect(waiting.handle(.portal(nil)) == [.finish])
    #expect(waiting.handle(.woken(.end)) == [.finish])
  }

  @Test func `what has changed while there was no portal is said when one is there`() {
    var backend = named(state(.dark, by: .override))
    _ = backend.handle(.portal(nil))
    #expect(backend.handle(.state(state(.light, by: .portal))) == [.sleep(.lastGood)])
    #expect(backend.handle(.portal(":1.9")).first == .ask(.colorScheme, of: ":1.9"))
    _ = backend.handle(.answered(.colorScheme, .uint32(2)))
    _ = backend.handle(.told(.colorScheme, .uint32(2)))
    for _ in 0..<Limits.checks {
      _ = backend.handle(.woken(.check))
      for key in Key.allCases { _ = backend.handle(.answered(key, key == .colorScheme ? .uint32(2) : key.neutral)) }
    }
    _ = backend.handle(.portal(nil))
    #expect(backend.handle(.portal(":1.10")).contains(.ask(.colorScheme, of: ":1.10")) == false)
  }

  @Test func `what a portal has not handed on before its end is said to the next`() {
    var spoken = named()
    _ = spoken.handle(.state(state(.dark, by: .override)))
    _ = spoken.handle(.portal(nil))
    #expect(spoken.handle(.portal(":1.9")).first == .emit(.colorScheme, .uint32(1)))

    var asked = named(state(.dark, by: .override))
    _ = asked.handle(.state(state(.light, by: .portal)))
    #expect(asked.handle(.portal(":1.9")).first == .ask(.colorScheme, of: ":1.9"))

    var alone = Backend()
    for event in [.bus, .state(state(.dark, by: .override)), .named] as [Backend.Event] { _ = alone.handle(event) }
    #expect(alone.handle(.portal(":1.9")).first == .emit(.colorScheme, .uint32(1)))
  }

  @Test func `a portal that does not answer is asked again and again, later each time`() {
    var backend = named(state(.dark, by: .override))
    _ = backend.handle(.state(state(.light, by: .portal)))
    var delays: [Int] = []
    for _ in 0..<20 {
      guard case .wake(.retry, let delay)? = backend.handle(.failed(.colorScheme)).first else { break }
      delays.append(delay)
      #expect(backend.handle(.woken(.retry)).contains(.ask(.colorScheme, of: ":1.2")))
    }
    #expect(delays.count == 20)
    #expect(delays == delays.sorted())
    #expect(delays.first == 2 * Limits.check)
    #expect(delays.last == Limits.check << Limits.doublings)
    #expect(backend.handle(.answered(.colorScheme, .uint32(2))).first == .emit(.colorScheme, .uint32(2)))
  }

  @Test func `another's word that crosses ours is looked up as soon as ours has come back`() {
    var backend = named(state(.dark, by: .override))
    _ = backend.handle(.told(.colorScheme, .uint32(1)))
    _ = backend.handle(.state(state(.light, by: .portal)))
    _ = backend.handle(.answered(.colorScheme, .uint32(2)))
    #expect(backend.handle(.told(.colorScheme, .uint32(0))) == [])
    #expect(backend.handle(.told(.colorScheme, .uint32(2))) == [.ask(.colorScheme, of: ":1.2")])
  }

  @Test func `a word of ours that is never handed on does not keep us silent`() {
    var backend = named()
    _ = backend.handle(.state(state(.dark, by: .override)))
    #expect(backend.handle(.told(.colorScheme, .uint32(2))) == [.wake(.check, afterMilliseconds: Limits.check)])
    #expect(backend.handle(.told(.colorScheme, .uint32(0))) == [])
    #expect(backend.handle(.woken(.check)).contains(.emit(.colorScheme, .uint32(1))))
  }

  @Test func `a portal that hands on nothing of ours is not told again and again`() {
    var backend = named(state(.dark, by: .override))
    _ = backend.handle(.state(state(.light, by: .portal)))
    var said = 0
    for _ in 0..<50 {
      for effect in backend.handle(.answered(.colorScheme, .uint32(2))) + backend.handle(.woken(.check)) {
        if case .emit = effect { said += 1 }
      }
    }
    #expect(said == 1 + Limits.checks)
  }

  @Test(arguments: [false, true], 0..<40 as Range<UInt64>)
  func `whatever comes in between, the last word that programs hear is the right one`(filters: Bool, seed: UInt64) {
    var world = World(filters: filters, SeededGenerator(seed: seed))
    for _ in 0..<60 {
      world.step()
      if world.isTimeToRest {
        world.rest()
        #expect(world.belief == world.truth)
      }
    }
  }
}

/// A portal, a backend below us, and a program that trusts every signal; what one tells another takes its time.
private struct World {
  private enum Asked { case lower(Value), ours(Value), read }

  private let filters: Bool
  private var generator: SeededGenerator
  private var backend = Backend()
  private var lower = Value.uint32(2)
  private var toPortal: [Asked] = []
  private var toUs: [Backend.Event] = []
  private var isWoken = false
  private(set) var belief = Value.uint32(2)
  private var owner = 2
  private var isPortalThere = true
  private var hasLostLower = false
  private var isResting = false

  var truth: Value { backend.answers.decided[.colorScheme] ?? lower }
  var isTimeToRest: Bool { mutating get { Int.random(in: 0..<8, using: &generator) == 0 } }

  init(filters: Bool, _ generator: SeededGenerator) {
    (self.filters, self.generator) = (filters, generator)
    for event in [.portal(":1.2"), .bus, .state(state(.light, by: .portal)), .named] as [Backend.Event] { tell(event) }
  }

  private mutating func tell(_ event: Backend.Event) {
    for effect in backend.handle(event) {
      switch effect {
      case .emit(.colorScheme, let value): if isPortalThere { toPortal.append(.ours(value)) }
      case .ask(.colorScheme, ":1.\(owner)"): if isPortalThere { toPortal.append(.read) }
      case .wake(.check, _), .wake(.retry, _), .wake(.calm, _): isWoken = true
      default: break
      }
    }
  }

  mutating func step() {
    switch Int.random(in: 0..<9, using: &generator) {
    case 0:
      guard isPortalThere else { return }
      lower = .uint32(.random(in: 0...2, using: &generator))
      toPortal.append(.lower(lower))
    case 1: tell(.state(state(.dark, by: .override)))
    case 2: tell(.state(state(.light, by: .override)))
    case 3: tell(.state(state(.light, by: .portal)))
    case 4..<6: portalTurns()
    case 6 where isPortalThere: portalDies()
    default: ourTurn()
    }
  }

  /// With all that it has not handed on; what it has is still on its way.
  private mutating func portalDies() {
    for case .lower in toPortal { hasLostLower = true }
    (toPortal, isPortalThere) = ([], false)
    toUs.append(.portal(nil))
  }

  private mutating func portalComes() {
    (owner, isPortalThere) = (owner + 1, true)
    toUs.append(.portal(":1.\(owner)"))
    // Of those below us only what was lost of their own is said again.
    if hasLostLower { toPortal.append(.lower(lower)) }
    hasLostLower = false
  }

  private mutating func portalTurns() {
    guard isPortalThere else { return portalComes() }
    guard !toPortal.isEmpty else { return }
    switch toPortal.removeFirst() {
    case .lower(let value): if !filters || backend.answers.decided[.colorScheme] == nil { handOn(value) }
    case .ours(let value): handOn(value)
    case .read:
      let isAnswered = isResting || Bool.random(using: &generator)
      toUs.append(isAnswered ? .answered(.colorScheme, truth) : .failed(.colorScheme))
    }
  }

  private mutating func handOn(_ value: Value) {
    belief = value
    toUs.append(.told(.colorScheme, value))
  }

  private mutating func ourTurn() {
    if !toUs.isEmpty { tell(toUs.removeFirst()) }
  }

  /// Lets everybody come to an end, and time pass.
  mutating func rest() {
    isResting = true
    defer { isResting = false }
    for _ in 0..<10 {
      while !isPortalThere || !toPortal.isEmpty || !toUs.isEmpty {
        portalTurns()
        ourTurn()
      }
      guard isWoken else { return }
      isWoken = false
      tell(.woken(.check))
      tell(.woken(.calm))
    }
  }
}
