import Testing
import ThemedModel
import ThemedSystem
import ThemedVarlink

@testable import ThemeDaemon

/// The schedule's place among the rules, and what ends by it.
@Suite struct ScheduleCoreTests {
  private var core = Core(instance: "test", overrides: Overrides(), reading: Reading(scheme: .light))

  private static func by(_ scheme: ColorScheme, until time: Int64, now: Int64 = 0) -> ScheduleNews {
    ScheduleNews(scheduled: .by(scheme, next: Switch(time: time, scheme: scheme.opposite)), now: now)
  }

  private mutating func schedule(_ news: ScheduleNews) -> [Change] {
    core.handle(.scheduled(news, cause: "the schedule")).compactMap(\.change)
  }

  private var shown: (ColorScheme, Rule?) {
    let resolution = core.state(for: nil).resolution
    return (resolution.scheme, resolution.origins["scheme"]?.rule)
  }

  @Test("it stands below the overrides and above the desktop, which stays to be seen")
  mutating func chain() {
    #expect(schedule(Self.by(.dark, until: 100)).count == 1)
    #expect(shown == (.dark, .schedule))
    let state = core.state(for: nil).resolution
    #expect(state.desktop == .light && state.nextSwitch == Switch(time: 100, scheme: .light))
    _ = core.handle(.set(Override(scheme: .light)))
    #expect(shown == (.light, .override))
    _ = core.handle(.set(Override(app: "editor", auto: [.scheme])))
    #expect(core.state(for: "editor").resolution.origins["scheme"] == Origin(.schedule, isPinned: true))
    _ = core.handle(.clear(everyApp: true))
    _ = schedule(ScheduleNews(scheduled: .off, now: 0))
    #expect(shown == (.light, .portal))
  }

  @Test("a turn is told once, with the one behind it, and the same again tells nobody anything")
  mutating func once() {
    _ = schedule(Self.by(.dark, until: 100))
    #expect(schedule(Self.by(.light, until: 200, now: 100)).count == 1)
    #expect(schedule(Self.by(.light, until: 200, now: 101)).isEmpty)
    #expect(core.handle(.desktop(Reading(scheme: .dark))).compactMap(\.change).map(\.common?.scheme) == [.light])
  }

  @Test("while nothing is known of it, it says what it said last; before that the desktop is shown")
  mutating func unknown() {
    _ = schedule(ScheduleNews(scheduled: .unknown, now: 0))
    #expect(shown == (.light, .portal))
    _ = schedule(Self.by(.dark, until: 100))
    _ = core.handle(.set(Override(highContrast: true, untilDesktopChanges: true)))
    let before = core
    #expect(schedule(ScheduleNews(scheduled: .unknown, now: 1000)).isEmpty)
    #expect(core == before)
  }

  @Test("what lasts until the desktop changes ends at the next switch, also at one that was missed or moved")
  mutating func untilChanged() {
    func begun() -> ScheduleCoreTests {
      var one = ScheduleCoreTests()
      _ = one.schedule(Self.by(.dark, until: 100))
      _ = one.core.handle(.set(Override(scheme: .light, untilDesktopChanges: true)))
      return one
    }
    var one = begun()
    #expect(one.schedule(Self.by(.dark, until: 150, now: 50)).count == 1, "the next switch is another")
    #expect(one.shown == (.light, .override))
    #expect(one.schedule(Self.by(.light, until: 300, now: 150)).map(\.common?.scheme) == [.light])
    #expect(one.shown == (.light, .schedule))
    // Two were slept through.
    one = begun()
    _ = one.schedule(Self.by(.dark, until: 500, now: 400))
    #expect(one.shown == (.dark, .schedule))
    // The times were changed, and so it is light already.
    one = begun()
    _ = one.schedule(Self.by(.light, until: 90, now: 50))
    #expect(one.shown == (.light, .schedule))
    // The desktop's change still ends it; so does nothing else.
    one = begun()
    _ = one.core.handle(.settled)
    _ = one.core.handle(.desktop(Reading(scheme: .dark)))
    #expect(one.shown == (.light, .override))
    _ = one.core.handle(.settled)
    #expect(one.shown == (.dark, .schedule))
    // Without a schedule no switch is awaited any more.
    one = begun()
    _ = one.schedule(ScheduleNews(scheduled: .off, now: 60))
    _ = one.schedule(Self.by(.light, until: 900, now: 500))
    #expect(one.shown == (.light, .override))
  }

  @Test("an override that ends at a turn, or was slept through with it, is told with it as one change")
  mutating func together() {
    // Dark for two hours in the light, slept through until the night.
    _ = schedule(Self.by(.light, until: 100))
    _ = core.handle(.set(Override(scheme: .dark, expiresAt: 50)))
    let night = Scheduled.by(.dark, next: Switch(time: 200, scheme: .light))
    #expect(core.due == 50)
    let slept = core.handle(.clock(150, schedule: night)).compactMap(\.change)
    #expect(slept.map(\.common?.scheme) == [.dark] && shown == (.dark, .schedule))
    #expect(core.handle(.clock(150, schedule: night)).compactMap(\.change).isEmpty)
    // Light until the turn to light.
    _ = core.handle(.set(Override(scheme: .light, expiresAt: 200)))
    let day = Scheduled.by(.light, next: Switch(time: 300, scheme: .dark))
    let ended = core.handle(.clock(200, schedule: day)).compactMap(\.change)
    #expect(ended.map(\.common?.scheme) == [.light] && shown == (.light, .schedule))
    // So where the zone's change comes first.
    _ = core.handle(.set(Override(scheme: .dark, expiresAt: 310)))
    let changed = schedule(Self.by(.dark, until: 400, now: 310))
    #expect(changed.map(\.common?.scheme) == [.dark] && shown == (.dark, .schedule))
    #expect(core.overrides == Overrides())
  }

  @Test("what is set when a turn is due, and was not told yet, awaits the next one")
  mutating func setWhenDue() {
    _ = schedule(Self.by(.dark, until: 100))
    #expect(core.due == 100)
    // As the daemon does before it acts by what a client wants.
    let day = Scheduled.by(.light, next: Switch(time: 300, scheme: .dark))
    _ = core.handle(.clock(100, schedule: day))
    #expect(core.due == 300)
    _ = core.handle(.set(Override(scheme: .dark, untilDesktopChanges: true)))
    _ = core.handle(.clock(100, schedule: day))
    #expect(shown == (.dark, .override))
    // While a new configuration waits for its themes, that one's turn is awaited.
    _ = core.handle(.configured(Defaults(darkTheme: "mint"), schedule: Self.by(.light, until: 500), cause: "a file"))
    #expect(core.due == 500)
    // What another process goes on with knows when it is due.
    #expect(Core(core.history, overrides: core.overrides).due == 300)
    _ = core.handle(.clock(350, schedule: .by(.light, next: Switch(time: 500, scheme: .dark))))
    _ = core.handle(.set(Override(scheme: .dark, untilDesktopChanges: true)))
    _ = core.handle(.read(ThemeTable(), number: 1))
    #expect(shown == (.dark, .override))
  }

  @Test("what is kept, and comes before the configuration, ends with the switch that was missed")
  mutating func keptBeforeConfiguration() throws {
    _ = schedule(Self.by(.dark, until: 100))
    _ = core.handle(.set(Override(scheme: .light, untilDesktopChanges: true)))
    let kept = try OverrideFile.parse(OverrideFile.content(core.overrides))
    let history = History(instance: "x", serial: 1, reading: Reading(), common: core.state(for: nil), apps: [:])
    for start in [Core(instance: "next", overrides: Overrides()), Core(history, overrides: Overrides())] {
      var next = start
      _ = next.handle(.clock(400, schedule: .unknown))
      _ = next.handle(.loaded(kept, now: 400))
      #expect(next.overrides == kept)
      _ = next.handle(.configured(Defaults(), schedule: Self.by(.light, until: 900, now: 400), cause: "x"))
      _ = next.handle(.read(ThemeTable(), number: 1))
      #expect(next.overrides == Overrides())
    }
    // Where the configuration says that there is none, nothing is awaited.
    var off = Core(instance: "next", overrides: kept)
    _ = off.handle(.configured(Defaults(), schedule: ScheduleNews(scheduled: .off, now: 400), cause: "x"))
    _ = off.handle(.read(ThemeTable(), number: 1))
    #expect(off.overrides.list.map(\.end.turn) == [nil] && off.history.scheduled == .off)
    #expect(try History(Parameters(off.history.parameters)).scheduled == .off)
  }

  @Test("a clock that is not set yet ends nothing that awaits a switch of the right one")
  mutating func unsetClock() {
    let now: Int64 = 1_800_000_000
    _ = schedule(Self.by(.dark, until: now + 100, now: now))
    _ = core.handle(.set(Override(scheme: .light, untilDesktopChanges: true)))
    _ = schedule(Self.by(.light, until: 5000, now: 60))
    #expect(shown == (.light, .override))
    _ = schedule(Self.by(.dark, until: now + 100, now: now + 50))
    #expect(shown == (.light, .override))
    _ = schedule(Self.by(.light, until: now + 900, now: now + 100))
    #expect(shown == (.light, .schedule))
  }

  @Test("where it never switches within a year, what lasts until then lasts")
  mutating func never() {
    _ = schedule(ScheduleNews(scheduled: .by(.light, next: nil), now: 10))
    _ = core.handle(.set(Override(scheme: .dark, untilDesktopChanges: true)))
    #expect(schedule(ScheduleNews(scheduled: .by(.light, next: nil), now: 86_400 * 300)).isEmpty)
    #expect(shown == (.dark, .override))
    #expect(core.state(for: nil).resolution.nextSwitch == nil)
  }

  @Test("toggling aims at the opposite of what the schedule shows, and twice is nothing")
  mutating func toggling() {
    _ = schedule(Self.by(.dark, until: 100))
    _ = core.handle(.toggle())
    #expect(shown == (.light, .override))
    _ = core.handle(.toggle())
    #expect(shown == (.dark, .schedule))
  }

  @Test("what the configuration changes of it is shown together with the themes that it names")
  mutating func withThemes() {
    let effects = core.handle(
      .configured(Defaults(darkTheme: "mint"), schedule: Self.by(.dark, until: 100), cause: "a file"))
    #expect(effects.compactMap(\.change).isEmpty)
    // It turns while they are read.
    #expect(schedule(Self.by(.light, until: 200, now: 100)).isEmpty)
    #expect(schedule(Self.by(.dark, until: 300, now: 200)).isEmpty)
    let shown = core.handle(.read(ThemeTable(), number: 1)).compactMap(\.change)
    #expect(shown.map(\.common?.resolution.nextSwitch?.time) == [300])
    #expect(self.shown == (.dark, .schedule))
  }

  @Test("a process that goes on after another one shows what that did, until the zone is read and says otherwise")
  mutating func handover() throws {
    _ = schedule(Self.by(.dark, until: 100))
    _ = core.handle(.set(Override(app: "editor", highContrast: true, untilDesktopChanges: true)))
    let history = try History(Parameters(core.history.parameters))
    #expect(history == core.history)
    var next = Core(history, overrides: core.overrides)
    let effects =
      next.handle(.configured(Defaults(), schedule: ScheduleNews(scheduled: .unknown, now: 60), cause: "restart"))
      + next.handle(.read(ThemeTable(), number: 1))
    #expect(effects.compactMap(\.change).isEmpty)
    #expect(next.state(for: nil) == core.state(for: nil))
    #expect(next.handle(.scheduled(Self.by(.dark, until: 100, now: 61), cause: "x")).compactMap(\.change).isEmpty)
    #expect(next.overrides == core.overrides)
  }

  @Test("what is awaited is kept on the disk, so that a switch that nobody was there for ends it, too")
  mutating func kept() throws {
    _ = schedule(Self.by(.dark, until: 100))
    _ = core.handle(.set(Override(scheme: .light, untilDesktopChanges: true)))
    let kept = try OverrideFile.parse(OverrideFile.content(core.overrides))
    #expect(kept == core.overrides)
    var next = Core(instance: "next", overrides: kept)
    _ = next.handle(.scheduled(Self.by(.light, until: 900, now: 400), cause: "x"))
    #expect(next.overrides == Overrides())
    let content = String(decoding: OverrideFile.content(core.overrides), as: UTF8.self)
    #expect(content.contains(#""turn":{"time":100,"scheme":"light"}"#))
    let damaged = content.replacing(#""time":100"#, with: #""time":-1"#)
    #expect(throws: OverrideFile.Damage.self) { try OverrideFile.parse(Array(damaged.utf8)) }
  }

  @Test("a desktop in step is not asked to turn before the schedule is known, and its switch meanwhile counts")
  mutating func inStepAtStart() throws {
    let record = DesktopSync.Record(isOn: true, asked: .none, reported: .dark)
    core = Core(instance: "next", overrides: Overrides(), reading: Reading(scheme: .none), desktop: record)
    var defaults = Defaults()
    defaults.keepsDesktopInStep = true
    let effects = core.handle(.configured(defaults, schedule: Self.by(.dark, until: 100), cause: "x"))
    let numbers = effects.compactMap { if case .read(_, let number) = $0 { number } else { nil } }
    #expect(core.sync.pending == nil)
    _ = core.handle(.read(ThemeTable(), number: try #require(numbers.first)))
    #expect(core.sync.pending == nil)
    #expect(shown == (.dark, .schedule))
    _ = core.handle(.desktop(Reading(scheme: .light)))
    #expect(shown == (.dark, .schedule), "a signal has to be confirmed by a read")
    _ = core.handle(.settled)
    #expect(shown == (.light, .override))
  }
}
