internal import ThemeResolution
internal import ThemedText

/// The one owner of the truth: what the desktop asks for, what the user overrides, what the configuration says, which
/// themes can be shown, and the states that result.
///
/// A value: ``handle(_:)`` is the only place that changes what clients see, and what follows from that is its result.
struct Core: Hashable {
  private(set) var overrides: Overrides
  private(set) var reading: Reading
  /// What the desktop's preference was when it last was not in the midst of changing.
  private var settled: Preference
  private var defaults = Defaults()
  /// What the schedule says, or said last where nothing is known of it yet.
  private var scheduled = Scheduled.unknown
  /// What the configuration says, while the themes that it names are being read.
  private var configured: Configured?
  private var themes: ThemeTable
  /// The themes that are kept read.
  private var chosen: Set<Text> = []
  /// The number of the last reading of themes whose end was asked for.
  private var readings = 0
  private var serial: Int64 = 1
  /// When the next override ends by the clock; nil: never.
  private var nextExpiry: Int64?
  /// When the next override ends by the clock, or the schedule turns; nil: never.
  ///
  /// From then on what a client wants is to come behind an event that has not been told yet. It is kept, since whoever
  /// asks a core that is somebody else's copies it.
  private(set) var due: Int64?
  private var common: State
  /// The states of the apps that have rules.
  private var apps: [Text: State] = [:]

  private struct Configured: Hashable {
    let defaults: Defaults
    var schedule: ScheduleNews?
    let cause: Text
    /// The reading of themes that it waits for.
    let reading: Int
  }

  /// A core that goes on with a history: what was told holds until something happens.
  init(_ history: History, overrides: Overrides, defaults: Defaults = Defaults(), themes: ThemeTable = ThemeTable()) {
    self.overrides = overrides
    self.defaults = defaults
    self.themes = themes
    (reading, serial, common, apps) = (history.reading, history.serial, history.common, history.apps)
    scheduled = history.scheduled
    settled = reading.scheme
    noteEnds()
  }

  /// A core that has heard of no desktop but what an earlier life of the daemon has kept; `instance` names this one.
  init(instance: Text, overrides: Overrides, reading: Reading = Reading(), themes: ThemeTable = ThemeTable()) {
    self.overrides = overrides
    self.reading = reading
    self.themes = themes
    settled = reading.scheme
    let resolution = overrides.resolve(app: nil, reading: reading, defaults: defaults, themes: themes.side)
    common = State(instance: instance, serial: serial, resolution: resolution)
    for app in overrides.apps.keys {
      let resolution = overrides.resolve(app: app, reading: reading, defaults: defaults, themes: themes.side)
      apps[app] = State(instance: instance, serial: serial, resolution: resolution)
    }
    noteEnds()
  }

  // MARK: What is seen of it

  /// What another process has to know to go on with this history.
  var history: History {
    History(
      instance: common.instance, serial: serial, reading: reading, scheduled: scheduled, common: common, apps: apps)
  }

  /// The state for a client of this name.
  func state(for app: Text?) -> State { app.flatMap { apps[$0] } ?? common }

  /// The serial of that state.
  func serial(for app: Text?) -> Int64 { app.flatMap { apps[$0]?.serial } ?? common.serial }

  /// The schedule's next turn, also while what the configuration says of it waits for the themes.
  private var nextTurn: Switch? { configured?.schedule?.scheduled.next ?? scheduled.next }

  private mutating func noteEnds() {
    nextExpiry = overrides.nextExpiry
    due = nextTurn.map { min($0.time, nextExpiry ?? .max) } ?? nextExpiry
  }

  // MARK: The one door

  /// What follows from an event, in the order in which it is to be done.
  mutating func handle(_ event: Event) -> [Effect] {
    let before = (overrides: overrides, reading: reading, nextExpiry: nextExpiry)
    let reason = apply(event)
    let isOverridden = overrides != before.overrides
    noteEnds()
    var effects: [Effect] = []
    effects.reserveCapacity(6)
    let change = renew(reason, by: event.caller)
    if let change { effects.append(.publish(change)) }
    if let wake = wake(event, before.nextExpiry) { effects.append(wake) }
    if let read = read(event, isOverridden) { effects.append(read) }
    if isOverridden { effects.append(.list) }
    if let keep = keep(event, isOverridden) { effects.append(keep) }
    if reading != before.reading { effects.append(.remember(reading)) }
    if let change { effects.append(.report(change)) }
    return effects
  }

  /// Takes note of an event; what a change of the states would come from, but where a client has wanted it.
  private mutating func apply(_ event: Event) -> Text? {
    switch event {
    case .desktop(let now, let cause):
      reading = now
      return cause
    case .settled:
      settled = reading.scheme
      overrides.desktopSettled(settled)
      return "the desktop's preference changed"
    case .clock(let now, let schedule):
      let before = scheduled
      overrides.expire(now: now)
      if let schedule { take(ScheduleNews(scheduled: schedule, now: now)) }
      return scheduled == before ? "an override expired" : "the schedule"
    case .loaded(let kept, let now):
      overrides = kept
      // What has ended meanwhile is never shown.
      overrides.expire(now: now)
      overrides.desktopSettled(settled)
      overrides.scheduleTurned(scheduled, now: now)
      return "the overrides were read"
    case .configured(let said, let schedule, let cause):
      readings += 1
      configured = Configured(defaults: said, schedule: schedule, cause: cause, reading: readings)
      return cause
    case .scheduled(let news, let cause):
      overrides.expire(now: news.now)
      take(news)
      return cause
    case .read(let table, let number):
      themes = table
      guard let read = configured, read.reading == number else { return "the themes were read" }
      (defaults, configured) = (read.defaults, nil)
      if let schedule = read.schedule { turn(schedule) }
      return read.cause
    case .themes(let table, let cause):
      themes = table
      return cause
    case .set(let override, let cleared, let table, _):
      themes = table
      var rules = overrides[app: override.app]
      for field in cleared { rules.clear(field) }
      rules.set(override, until: end(of: override))
      overrides[app: override.app] = rules
      return nil
    case .clear(let fields, let app, let everyApp, _):
      for app in everyApp ? [nil] + overrides.apps.keys.map(Optional.some) : [app] {
        for field in fields { overrides[app: app].clear(field) }
      }
      return nil
    case .toggle(let app, let ending, _):
      overrides.toggle(
        app: app, until: end(of: ending), schedule: scheduled, reading: reading, defaults: defaults)
      return nil
    }
  }

  /// Takes in what the schedule says; what the configuration has changed of it waits for the themes, and so does this.
  private mutating func take(_ news: ScheduleNews) {
    if configured?.schedule == nil { turn(news) } else { configured?.schedule = news }
  }

  /// Acts by what the schedule says.
  private mutating func turn(_ news: ScheduleNews) {
    // While nothing is known of it, what it said last holds.
    if case .unknown = news.scheduled, case .by = scheduled { return }
    scheduled = news.scheduled
    overrides.scheduleTurned(scheduled, now: news.now)
  }

  /// When what a client wants ends, which it wants now.
  ///
  /// While the desktop has not settled, where it settles is what it changes from: whoever asks right after a change does
  /// not mean that one.
  private func end(of override: Override) -> End {
    End(of: override, desktop: reading.scheme == settled ? settled : .unavailable, turn: nextTurn)
  }

  /// Makes the states anew; what has changed of them.
  private mutating func renew(_ reason: Text?, by caller: Caller?) -> Change? {
    let next = serial + 1
    let previous = common
    let commonChange = renewed(previous, nil, next)
    if let commonChange { common = commonChange }
    let told = apps.isEmpty && overrides.apps.isEmpty ? [:] : renewApps(previous, next)
    if common.serial == next || apps.values.contains(where: { $0.serial == next }) { serial = next }
    guard commonChange != nil || told.values.contains(where: { $0 != nil }) else { return nil }
    return Change(caller: caller, reason: reason, common: commonChange, apps: told)
  }

  /// Makes the states of the apps anew that have rules, or have had some; `before` is what the others were told.
  private mutating func renewApps(_ before: State, _ next: Int64) -> [Text: State?] {
    let previous = apps
    apps = [:]
    var told: [Text: State?] = [:]
    for app in overrides.apps.keys {
      let before = previous[app] ?? before
      let state = renewed(before, app, next)
      apps[app] = state ?? before
      told[app] = .some(state)
    }
    for (app, state) in previous where apps[app] == nil {
      // An app that has lost its rules gets the common state, which must not look older than what the app had.
      let isChanged = common.resolution != state.resolution
      if isChanged || common.serial < state.serial { common.serial = next }
      told[app] = .some(isChanged ? common : nil)
    }
    return told
  }

  /// The state of an app, or with nil the common one, where it is another than this; nil where it is the same.
  private func renewed(_ state: State, _ app: Text?, _ next: Int64) -> State? {
    let resolution = overrides.resolve(
      app: app, schedule: scheduled, reading: reading, defaults: defaults, themes: themes.side)
    guard resolution != state.resolution else { return nil }
    return State(instance: state.instance, serial: next, resolution: resolution)
  }

  // MARK: What follows

  private func wake(_ event: Event, _ before: Int64?) -> Effect? {
    // A clock that has struck, or was changed, is set for nothing any more.
    if case .clock = event { return .wake(nextExpiry) }
    return nextExpiry == before ? nil : .wake(nextExpiry)
  }

  private mutating func read(_ event: Event, _ isOverridden: Bool) -> Effect? {
    let number: Int?
    switch event {
    case .configured: number = readings
    case .read: number = nil
    default:
      guard isOverridden else { return nil }
      number = nil
    }
    var wanted = overrides.themes
    for name in defaults.themes { wanted.insert(name) }
    for name in configured?.defaults.themes ?? [] { wanted.insert(name) }
    guard wanted != chosen || number != nil else { return nil }
    chosen = wanted
    return .read(wanted, number: number)
  }

  private func keep(_ event: Event, _ isOverridden: Bool) -> Effect? {
    func keep(_ fields: [Field], of app: Text?, everyApp: Bool = false, for caller: Caller) -> Effect {
      let answer = Keeping.Answer(connection: caller.connection, state: state(for: app))
      return .keep(Keeping(overrides: overrides, fields: fields, app: app, everyApp: everyApp, answer: answer))
    }
    switch event {
    case .set(let override, let cleared, _, let caller):
      return keep(override.fields + cleared, of: override.app, for: caller)
    case .clear(let fields, let app, let everyApp, let caller):
      return keep(fields, of: app, everyApp: everyApp, for: caller)
    case .toggle(let app, _, let caller): return keep([.scheme], of: app, for: caller)
    case .loaded(let kept, _): return overrides == kept ? nil : .keep(Keeping(overrides: overrides))
    default: return isOverridden ? .keep(Keeping(overrides: overrides)) : nil
    }
  }
}
