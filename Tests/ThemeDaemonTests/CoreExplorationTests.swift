import Testing
import ThemedInterface
import ThemedModel
import ThemedSystem
import ThemedTestSupport

@testable import ThemeDaemon

/// Every sequence of what may happen to the core, from a small alphabet, and what has to be true after each of them.
@Suite(.ownThreads) struct CoreExplorationTests {
  @Test func `whatever happens in whatever order, what follows is whole, in order, and true`() throws {
    var sequences = 0
    let depth = 5
    try follow(House(), depth: depth, &sequences)
    print("core: \(sequences) sequences of up to \(depth) events, of \(House.alphabet.count) kinds")
    #expect(sequences > 300_000)
  }

  @Test func `whatever happens, what an earlier session has left is told as remembered until the desktop is heard`()
    throws
  {
    var sequences = 0
    try follow(House(Reading(scheme: .dark, highContrast: true, isRemembered: true)), depth: 4, &sequences)
    #expect(sequences > 30_000)
  }

  private func follow(_ house: House, depth: Int, _ sequences: inout Int) throws {
    guard depth > 0 else { return }
    for (name, happens) in House.alphabet {
      var next = house
      next.happened.append(name)
      try next.take(happens(next))
      sequences += 1
      try follow(next, depth: depth - 1, &sequences)
    }
  }
}

/// A core, and all that was done of what it said.
private struct House {
  struct Broken: Error, CustomStringConvertible {
    let description: String
  }

  static let names: [Text?] = [nil, "editor", "other"]
  static let mint = ThemeTable(["mint": [.dark: ShownTheme(name: "mint", title: "Mint")]])

  /// What may happen, and its name in a message.
  static let alphabet: [(name: String, event: @Sendable (House) -> Event)] = [
    ("dark", { _ in .desktop(Reading(scheme: .dark)) }),
    ("light", { _ in .desktop(Reading(scheme: .light, highContrast: true)) }),
    ("settled", { _ in .settled }),
    ("set dark until changed", { _ in .set(Override(scheme: .dark, untilDesktopChanges: true)) }),
    (
      "set editor light, its dark theme pinned, for a time",
      { _ in .set(Override(app: "editor", scheme: .light, auto: [.darkTheme], expiresAt: 10)) }
    ),
    ("set editor mint", { _ in .set(Override(app: "editor", darkTheme: "mint"), mint) }),
    ("clear editor", { _ in .clear(app: "editor") }),
    ("clear all", { _ in .clear(everyApp: true) }),
    ("toggle", { _ in .toggle() }),
    ("ten o'clock", { _ in .clock(10) }),
    ("configured", { _ in .configured(Defaults(noDesktop: .dark, darkTheme: "mint"), cause: "a test") }),
    ("read", { .read(mint, number: $0.asked ?? 0) }),
    ("mint is gone", { _ in .themes(ThemeTable(), cause: "a test") }),
    ("loaded", { _ in .loaded(kept, now: 5) }),
  ]

  private static let kept: Overrides = {
    var kept = Overrides()
    kept[app: nil].set(Override(scheme: .dark, expiresAt: 7), until: End(expiresAt: 7))
    kept[app: "other"].set(Override(scheme: .dark, expiresAt: 4), until: End(expiresAt: 4))
    return kept
  }()

  private(set) var core: Core
  private var isHeard = false
  var happened: [String] = []
  /// What clients of each name were told last.
  private var told: [Text?: State] = [:]
  private var clock: Int64?
  private var disk = Overrides()
  private var listed = Overrides()
  private var read: Set<Text> = []
  private(set) var asked: Int?
  private var remembered: Reading

  /// A core that begins with what was kept.
  init(_ reading: Reading = Reading()) {
    core = Core(instance: "test", overrides: Overrides(), reading: reading)
    remembered = reading
    for name in Self.names { told[name] = core.state(for: name) }
  }

  mutating func take(_ event: Event) throws {
    let before = told
    let effects = core.handle(event)
    if case .loaded(let kept, _) = event { disk = kept }
    if case .desktop = event { isHeard = true }
    var last = 0
    var reported: [Change] = []
    for effect in effects {
      try require(effect.place > last, "effects come in their order, each at most once")
      last = effect.place
      try perform(effect, &reported, event)
    }
    try require(effects.compactMap(\.change) == reported, "what is published is reported, and nothing else")
    for name in Self.names {
      let state = core.state(for: name)
      for origin in state.resolution.origins where origin.value.isRemembered {
        try require(!isHeard && origin.value.rule == .portal, "what is remembered is the desktop's, and not heard")
      }
      if let origin = state.resolution.origins["scheme"], origin.rule == .portal {
        try require(origin.isRemembered != isHeard, "a scheme of the desktop's was heard, or is told as remembered")
      }
      try require(told[name]?.resolution == state.resolution, "everybody was told what is shown to him")
      guard let now = told[name], let then = before[name], now != then else { continue }
      try require(now.resolution != then.resolution, "nobody is told what he knows")
      try require(now.serial > then.serial, "what is told later has a higher serial")
    }
    try require(clock == core.overrides.nextExpiry, "the clock is set to the next end")
    try require(disk == core.overrides, "what holds is on its way to the disk")
    try require(listed == core.overrides, "who follows the list of overrides is told of each change")
    try require(remembered == core.reading, "what the desktop asks for is remembered")
    try require(core.overrides.themes.isSubset(of: read), "the themes of overrides are kept read")
    for name in Self.names {
      guard let theme = core.state(for: name).theme else { continue }
      try require(read.contains(theme), "what is shown is kept read")
    }
  }

  private mutating func perform(_ effect: Effect, _ reported: inout [Change], _ event: Event) throws {
    switch effect {
    case .publish(let change):
      for name in Self.names { told[name] = change.state(for: name) ?? told[name] }
    case .wake(let time): clock = time
    case .read(let names, let number):
      read = names
      asked = number ?? asked
    case .list: listed = core.overrides
    case .keep(let keeping):
      disk = keeping.overrides
      try require((keeping.answer != nil) == event.isOfClient, "clients are answered, and nobody else is")
    case .remember(let reading, _): remembered = reading
    case .readDesktop, .desktopSwitched: break
    case .report(let change): reported.append(change)
    }
  }

  private func require(_ isTrue: Bool, _ sentence: String) throws {
    if !isTrue { throw Broken(description: "\(sentence): not after \(happened)") }
  }
}

extension Effect {
  /// Where it stands in the order.
  fileprivate var place: Int {
    switch self {
    case .publish: 1
    case .wake: 2
    case .read: 3
    case .list: 4
    case .keep: 5
    case .remember: 6
    case .readDesktop: 7
    case .desktopSwitched: 8
    case .report: 9
    }
  }
}

extension Event {
  fileprivate var isOfClient: Bool {
    switch self {
    case .set, .clear, .toggle: true
    default: false
    }
  }
}
