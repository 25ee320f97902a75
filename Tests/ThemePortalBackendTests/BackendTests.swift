import ThemeClient
import ThemedDBus
import ThemedTestSupport
import ThemedText
import Testing

@testable import ThemePortalBackend

@Suite struct BackendTests {
  /// A backend that has its name, with the portal there.
  private func named(_ state: ThemeState? = nil) -> Backend {
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
    #expect(backend.handle(.answered(.reducedMotion, nil)).first == .emit(.reducedMotion, .uint32(0)))
  }

  @Test func `an override is said once, and ours again right after another backend's word`() {
    var backend = named()
    let dark = state(.dark, by: .override)
    #expect(backend.handle(.state(dark)) == [.sleep(.lastGood), .emit(.colorScheme, .uint32(1))])
    #expect(backend.handle(.state(dark)) == [.sleep(.lastGood)])
    #expect(backend.handle(.told(.colorScheme, .uint32(1))) == [])
    #expect(backend.handle(.told(.colorScheme, .uint32(2))) == [.emit(.colorScheme, .uint32(1))])
    #expect(backend.handle(.told(.colorScheme, .uint32(1))) == [])
    #expect(backend.handle(.told(.contrast, .uint32(1))) == [])
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
    #expect(backend.handle(.connected(true)) == [.sleep(.lastGood)])
    _ = backend.handle(.connected(false))
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
    #expect(backend.handle(.portal(":1.9")) == [.ask(.colorScheme, of: ":1.9")])
    _ = backend.handle(.portal(nil))
    #expect(backend.handle(.portal(":1.10")) == [])
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

  var truth: Value { backend.answers.decided[.colorScheme] ?? lower }
  var isTimeToRest: Bool { mutating get { Int.random(in: 0..<8, using: &generator) == 0 } }

  init(filters: Bool, _ generator: SeededGenerator) {
    (self.filters, self.generator) = (filters, generator)
    for event in [.portal(":1.2"), .bus, .state(state(.light, by: .portal)), .named] as [Backend.Event] { tell(event) }
  }

  private mutating func tell(_ event: Backend.Event) {
    for effect in backend.handle(event) {
      switch effect {
      case .emit(.colorScheme, let value): toPortal.append(.ours(value))
      case .ask(.colorScheme, _): toPortal.append(.read)
      case .wake(.check, _): isWoken = true
      default: break
      }
    }
  }

  mutating func step() {
    switch Int.random(in: 0..<8, using: &generator) {
    case 0:
      lower = .uint32(.random(in: 0...2, using: &generator))
      toPortal.append(.lower(lower))
    case 1: tell(.state(state(.dark, by: .override)))
    case 2: tell(.state(state(.light, by: .override)))
    case 3: tell(.state(state(.light, by: .portal)))
    case 4..<6: portalTurns()
    default: ourTurn()
    }
  }

  private mutating func portalTurns() {
    guard !toPortal.isEmpty else { return }
    switch toPortal.removeFirst() {
    case .lower(let value): if !filters || backend.answers.decided[.colorScheme] == nil { handOn(value) }
    case .ours(let value): handOn(value)
    case .read: toUs.append(.answered(.colorScheme, truth))
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
    for _ in 0..<10 {
      while !toPortal.isEmpty || !toUs.isEmpty {
        portalTurns()
        ourTurn()
      }
      guard isWoken else { return }
      isWoken = false
      tell(.woken(.check))
    }
  }
}
