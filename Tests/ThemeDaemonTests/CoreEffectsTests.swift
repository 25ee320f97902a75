import Testing
import ThemedInterface
import ThemedModel
import ThemedSystem

@testable import ThemeDaemon

/// What follows from what happens, besides what clients are told: an effect for each consequence.
@Suite struct CoreEffectsTests {
  private var core = Core(instance: "test", overrides: Overrides())
  private let mint = ThemeTable(["mint": [.dark: ShownTheme(name: "mint", title: "Mint")]])

  /// The kinds of the effects, in their order.
  ///
  /// But for the list of the overrides, which is another one whenever they are.
  private func kinds(_ effects: [Effect]) -> [String] {
    effects.compactMap { effect in
      switch effect {
      case .publish: "publish"
      case .wake(let time): "wake \(time.map { "\($0)" } ?? "never")"
      case .read(let names, let number): "read \(names.sorted())\(number.map { " as \($0)" } ?? "")"
      case .list: nil
      case .keep(let keeping): keeping.answer == nil ? "keep" : "keep and answer"
      case .remember: "remember"
      case .readDesktop: "readDesktop"
      case .desktopSwitched: "desktopSwitched"
      case .report: "report"
      }
    }
  }

  @Test mutating func `what a client sets is told, waked for, read, kept and reported, in that order`() {
    let override = Override(scheme: .dark, darkTheme: "mint", expiresAt: 100)
    let effects = core.handle(.set(override, mint))
    #expect(kinds(effects) == ["publish", "wake 100", "read [mint]", "keep and answer", "report"])
    #expect(core.state(for: nil).theme == "mint")
  }

  @Test mutating func `what a client sets again is kept again, since he waits for the disk, and that is all`() {
    _ = core.handle(.set(Override(scheme: .dark)))
    #expect(kinds(core.handle(.set(Override(scheme: .dark)))) == ["keep and answer"])
  }

  @Test mutating func `what is set and what is cleared in one call is one change, and kept together`() {
    _ = core.handle(.set(Override(scheme: .dark, highContrast: true, expiresAt: 100)))
    let effects = core.handle(.set(Override(reducedMotion: true), clear: [.scheme, .highContrast]))
    #expect(kinds(effects) == ["publish", "wake never", "keep and answer", "report"])
    #expect(core.overrides.list.map(\.override) == [Override(reducedMotion: true)])
    for case .keep(let keeping) in effects { #expect(keeping.fields == [.reducedMotion, .scheme, .highContrast]) }
  }

  @Test mutating func `what is cleared alone is cleared of its own level`() {
    _ = core.handle(.set(Override(scheme: .dark)))
    _ = core.handle(.set(Override(app: "editor", scheme: .dark, highContrast: true)))
    _ = core.handle(.set(Override(app: "editor"), clear: [.scheme]))
    let overrides = core.overrides.list.map(\.override)
    #expect(overrides == [Override(scheme: .dark), Override(app: "editor", highContrast: true)])
  }

  @Test mutating func `who is answered is told the state that his own call has led to`() throws {
    _ = core.handle(.set(Override(app: "editor", scheme: .dark)))
    for case .keep(let keeping) in core.handle(.set(Override(scheme: .light))) {
      let answer = try #require(keeping.answer)
      #expect(answer == .init(connection: 1, state: core.state(for: nil)))
      #expect(keeping.fields == [.scheme])
      #expect(keeping.overrides == core.overrides)
    }
  }

  @Test
  mutating func `who follows the list of overrides is told when it is another one, whatever the cause, and else not`() {
    #expect(core.handle(.set(Override(scheme: .dark, expiresAt: 100))).contains(.list))
    #expect(!core.handle(.set(Override(scheme: .dark, expiresAt: 100))).contains(.list))
    #expect(!core.handle(.desktop(Reading(scheme: .dark))).contains(.list))
    #expect(core.handle(.clock(100)).contains(.list))
    #expect(core.handle(.loaded(core.overrides, now: 100)).contains(.list) == false)
    var kept = Overrides()
    kept[app: "nvim"].set(Override(scheme: .dark), until: End())
    #expect(core.handle(.loaded(kept, now: 100)).contains(.list))
  }

  @Test mutating func `what ends by itself is kept, and nobody is answered`() {
    _ = core.handle(.set(Override(scheme: .dark, expiresAt: 100)))
    #expect(kinds(core.handle(.clock(100))) == ["publish", "wake never", "keep", "report"])
  }

  @Test mutating func `a clock that is changed is set anew, though nothing has ended`() {
    _ = core.handle(.set(Override(scheme: .dark, expiresAt: 100)))
    #expect(kinds(core.handle(.clock(99))) == ["wake 100"])
  }

  @Test mutating func `what the desktop asks for is remembered once`() {
    #expect(kinds(core.handle(.desktop(Reading(scheme: .dark)))) == ["publish", "remember", "report"])
    #expect(kinds(core.handle(.desktop(Reading(scheme: .dark)))) == [])
  }

  @Test mutating func `a configuration holds once its themes were read, all at once`() {
    let said = Defaults(noDesktop: .dark, darkTheme: "mint")
    #expect(kinds(core.handle(.configured(said, cause: "a file"))) == ["read [mint] as 1"])
    #expect(core.state(for: nil).scheme == .light)
    #expect(kinds(core.handle(.read(mint, number: 1))) == ["publish", "report"])
    #expect(core.state(for: nil).scheme == .dark)
    #expect(core.state(for: nil).theme == "mint")
  }

  @Test mutating func `of two configurations the first never holds where the second comes before its themes`() {
    _ = core.handle(.configured(Defaults(noDesktop: .dark, darkTheme: "mint"), cause: "a file"))
    let second = Defaults(noDesktop: .light, darkTheme: "plum")
    #expect(kinds(core.handle(.configured(second, cause: "a file"))) == ["read [plum] as 2"])
    #expect(kinds(core.handle(.read(mint, number: 1))) == [])
    #expect(kinds(core.handle(.read(mint, number: 2))) == [])
    #expect(core.state(for: nil).scheme == .light)
  }

  @Test mutating func `themes that nothing names any more are kept read no longer`() {
    _ = core.configure(Defaults(darkTheme: "mint"), mint)
    #expect(kinds(core.handle(.configured(Defaults(), cause: "a file"))) == ["read [mint] as 2"])
    #expect(kinds(core.handle(.read(mint, number: 2))) == ["read []"])
  }

  @Test mutating func `what was read late is shown but for what has ended, which is kept as it is`() {
    var kept = Overrides()
    kept[app: nil].set(Override(scheme: .dark, expiresAt: 100), until: End(expiresAt: 100))
    kept[app: "editor"].set(Override(scheme: .dark, darkTheme: "mint"), until: End())
    var other = core
    #expect(kinds(core.handle(.loaded(kept, now: 99))) == ["publish", "wake 100", "read [mint]", "report"])
    #expect(kinds(other.handle(.loaded(kept, now: 100))) == ["publish", "read [mint]", "keep", "report"])
    #expect(other.state(for: nil).scheme == .light)
  }

  @Test mutating func `a theme whose file has changed is told with that cause`() {
    _ = core.handle(.set(Override(scheme: .dark, darkTheme: "mint"), mint))
    let change = core.handle(.themes(ThemeTable(), cause: "theme file changed: mint")).compactMap(\.change).first
    #expect(change?.cause == "theme file changed: mint")
    #expect(change?.common?.theme == nil)
  }
}

/// The core in its shell.
@Suite struct EngineTests {
  @Test func `what happens while something is being done comes after it, whole`() {
    let engine = Engine(Core(instance: "test", overrides: Overrides()))
    let performer = Performer(engine)
    engine.performer = performer
    engine.send(.desktop(Reading(scheme: .dark)))
    #expect(performer.done == ["publish dark", "report dark", "publish light", "report light"])
  }
}

/// Notes what is to be done, and sends another event in the middle.
private final class Performer: EffectPerformer {
  private let engine: Engine
  private(set) var done: [String] = []

  init(_ engine: Engine) { self.engine = engine }

  func perform(_ effect: Effect) {
    switch effect {
    case .publish(let change):
      done.append("publish \(change.common?.scheme.rawValue ?? "")")
      if change.common?.scheme == .dark { engine.send(.desktop(Reading(scheme: .light))) }
    case .report(let change): done.append("report \(change.common?.scheme.rawValue ?? "")")
    default: break
    }
  }
}
