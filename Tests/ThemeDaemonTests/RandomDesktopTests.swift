import Foundation
import ThemedModel
import ThemedSystem
import struct ThemedTestSupport.SeededGenerator
import Testing

@testable import ThemeDaemon

/// Tens of thousands of events of portal, bus, overrides and clock, against a model of what has to hold at rest.
///
/// `THEMED_TEST_SEED` repeats a run, `THEMED_RANDOM_SECONDS` makes it longer.
@Suite("A desktop that does anything at any time")
struct RandomDesktopTests {
  @Test("At rest what the portal's read says is shown, merged by the rules, and never what no source gave")
  func anything() throws {
    let seconds = ProcessInfo.processInfo.environment["THEMED_RANDOM_SECONDS"].flatMap(Double.init)
    let end = Date(timeIntervalSinceNow: seconds ?? 0)
    let first = SeededGenerator()
    var (seed, events, rests) = (first.seed, 0, 0)
    repeat {
      var trial = DesktopTrial(SeededGenerator(seed: seed))
      for _ in 0..<2_000 {
        try trial.step()
        if trial.events.isMultiple(of: 25) { try trial.rest() }
      }
      events += trial.events
      rests += trial.rests
      seed &+= 1
    } while seed &- first.seed < 20 || Date() < end
    print("random desktop: \(events) events, \(rests) rests, THEMED_TEST_SEED=\(first.seed)")
    #expect(events >= 40_000)
    #expect(rests >= 1_000)
  }
}

/// A follower and a core in a simulated desktop, and what has to be true of them.
private struct DesktopTrial {
  struct Broken: Error, CustomStringConvertible {
    let description: String
  }

  private(set) var events = 0
  private(set) var rests = 0
  private var desktop: SimulatedDesktop
  private var core = Core(instance: "trial", overrides: Overrides())
  private let seed: UInt64
  /// The wall clock, in seconds.
  private var clock: Int64 = 1_000_000
  /// The model of the override of all apps.
  private var wanted: (scheme: ColorScheme?, expiresAt: Int64?)
  /// What the last toggle put away, to be gone back to.
  private var putAway: (scheme: ColorScheme?, expiresAt: Int64?)?
  /// The desktop as last published, of which the rest follows by the rules.
  private var heard = Reading()
  /// What was shown at the last rest.
  private var atRest = Reading()
  private var former: Text?

  init(_ generator: SeededGenerator) {
    seed = generator.seed
    desktop = SimulatedDesktop(generator)
    desktop.startBus()
  }

  private func broken(_ what: String) -> Broken {
    Broken(description: "\(what) (after \(events) events; run again with THEMED_TEST_SEED=\(seed))")
  }

  // MARK: What happens

  mutating func step() throws {
    events += 1
    switch Int.random(in: 0..<100, using: &desktop.generator) {
    case 0..<35: change()
    case 35..<45: desktop.emit(desktop.newSettings(), from: desktop.owner)
    case 45..<52:
      desktop.emit(desktop.newSettings(), from: [":1.666", former].randomElement(using: &desktop.generator)!)
    case 52..<60: desktop.manner = SimulatedDesktop.Manner.allCases.randomElement(using: &desktop.generator)!
    case 60..<66: replaceOwner(alive: true)
    case 66..<70: replaceOwner(alive: false)
    case 70..<72: desktop.loseBus()
    case 72..<76: desktop.startBus()
    case 76..<86: override()
    case 86..<90: turnClock()
    case 90..<92: desktop.subscribe()
    case 92..<94: desktop.reload()
    default: burst()
    }
    try pass(.random(in: 0...400, using: &desktop.generator))
  }

  /// The desktop's setting changes, and a signal tells of it, soon before or after; often another tells something else.
  private mutating func change() {
    guard desktop.owner != nil, desktop.isBusUp, let owner = desktop.owner else { return }
    let settings = desktop.newSettings()
    let delay = Int.random(in: 0...700, using: &desktop.generator)
    desktop.plan(.changes(settings, epoch: desktop.epoch), after: delay)
    let isKnown = Bool.random(using: &desktop.generator)
    desktop.plan(.says(isKnown ? settings : desktop.newSettings(), sender: owner), after: delay)
    if .random(using: &desktop.generator) {
      let early = Int.random(in: 0...delay, using: &desktop.generator)
      desktop.plan(.says(settings, sender: owner), after: early)
    }
    if .random(using: &desktop.generator) {
      desktop.plan(.says(desktop.newSettings(), sender: owner), after: delay + 50)
    }
  }

  private mutating func burst() {
    for _ in 0..<Int.random(in: 1...60, using: &desktop.generator) {
      desktop.emit(desktop.newSettings(), from: desktop.owner)
    }
  }

  private mutating func replaceOwner(alive: Bool) {
    guard desktop.isBusUp else { return }
    former = desktop.owner ?? former
    desktop.setOwner(alive)
  }

  // MARK: Overrides and the clock

  private mutating func override() {
    let shown = expected().scheme
    switch Int.random(in: 0..<3, using: &desktop.generator) {
    case 0:
      let scheme = [nil, .light, .dark].randomElement(using: &desktop.generator) ?? ColorScheme?.none
      let expiry =
        Bool.random(using: &desktop.generator) ? clock + .random(in: 1...100, using: &desktop.generator) : nil
      _ = core.handle(.set(Override(scheme: scheme, auto: scheme == nil ? [.scheme] : [], expiresAt: expiry)))
      (wanted, putAway) = ((scheme, expiry), nil)
    case 1:
      _ = core.handle(.clear())
      (wanted, putAway) = ((nil, nil), nil)
    default:
      _ = core.handle(.toggle())
      let aim: ColorScheme = shown == .dark ? .light : .dark
      let before = wanted
      wanted = putAway ?? (nil, nil)
      if putAway != nil, expected().scheme == aim { return putAway = nil }
      wanted = (nil, nil)
      if expected().scheme != aim { wanted = (aim, nil) }
      putAway = before.scheme != nil && (wanted.scheme != nil || before.expiresAt != nil) ? before : nil
    }
  }

  /// The wall clock jumps, forth or back; only forth does it end an override.
  private mutating func turnClock() {
    clock += .random(in: -50...100, using: &desktop.generator)
    _ = core.handle(.clock(clock))
    if let end = wanted.expiresAt, end <= clock { wanted = (nil, nil) }
    if let end = putAway?.expiresAt, end <= clock { putAway = nil }
  }

  // MARK: What has to be true

  /// What the rules make of what was heard.
  private func expected() -> (scheme: ColorScheme, desktop: Preference) {
    if let scheme = wanted.scheme { return (scheme, heard.scheme) }
    return (heard.scheme == .dark ? .dark : .light, heard.scheme)
  }

  private mutating func pass(_ duration: Int) throws {
    for _ in 0..<20 {
      desktop.advance(by: duration / 20)
      try check()
    }
  }

  private mutating func check() throws {
    for reading in desktop.published {
      guard reading != heard else { throw broken("the same was published twice") }
      try checkSource(reading)
      heard = reading
      _ = core.handle(.desktop(reading))
    }
    desktop.published = []
    guard desktop.reading == heard else { throw broken("what is read was not published") }
    let (state, expected) = (core.state(for: nil).resolution, expected())
    guard state.scheme == expected.scheme, state.desktop == expected.desktop, state.accentColor == heard.accentColor
    else { throw broken("\(state) is shown, and the rules say \(expected)") }
  }

  /// Each field is what the portal said of it, or what it was.
  private func checkSource(_ reading: Reading) throws {
    guard reading.scheme == heard.scheme || desktop.said.contains(where: { $0.preference == reading.scheme }),
      reading.accentColor == heard.accentColor || desktop.said.contains(where: { $0.color == reading.accentColor })
    else { throw broken("\(reading) was published, which no portal has said") }
  }

  /// Lets everything come to rest, and looks.
  mutating func rest() throws {
    desktop.manner = .prompt
    try pass(6_000)
    // A portal that failed too often is asked again, at the latest when the longest delay is over.
    if desktop.hasFailed { try pass(2 * Limits.portalSlowRetries.upperBound) }
    desktop.hasFailed = false
    try pass(60_000)
    guard desktop.isIdle else { throw broken("it never comes to rest") }
    rests += 1
    let shown = desktop.reading
    if desktop.owner != nil {
      guard shown.scheme == desktop.truth.preference, shown.accentColor == desktop.truth.color else {
        throw broken("at rest \(shown) is shown, and the portal's read says \(desktop.truth)")
      }
    } else {
      // Nobody is there to be read: what was shown stands, or what the portal last said before it went.
      guard shown.scheme == atRest.scheme || desktop.said.contains(where: { $0.preference == shown.scheme }),
        shown.accentColor == atRest.accentColor || desktop.said.contains(where: { $0.color == shown.accentColor })
      else {
        throw broken("\(shown) is shown without a portal, instead of \(atRest)")
      }
    }
    atRest = shown
    desktop.said = []
  }
}
