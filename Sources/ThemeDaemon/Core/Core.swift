internal import ThemedModel
internal import ThemedSystem

/// The single owner of the state: the desktop's preference, the overrides, the configuration, the themes that can be
/// shown, and the states that result.
///
/// It is a value. Only ``handle(_:)`` changes what clients see, and it returns what follows.
struct Core: Hashable {
  private(set) var overrides: Overrides
  private(set) var reading: Reading
  /// Keeps the desktop's own setting in step, if the user wants that; then it decides what the desktop asks for.
  private(set) var sync: DesktopSync
  /// Whether the event that is being handled has switched the desktop.
  private var isSwitched = false
  /// The desktop's preference when it last was not in the middle of a change.
  private var settled: Preference
  private var defaults = Defaults()
  /// The schedule's current scheme, or the last known one if the current one is not known yet.
  private var scheduled = Scheduled.unknown
  /// Whether the configuration is known, and so what has to be shown: until then the desktop is not asked to turn.
  private var isConfigured = false
  /// The configuration, while the themes that it names are being read.
  private var configured: Configured?
  private var themes: ThemeTable
  /// The themes that are kept loaded.
  private var chosen: Set<Text> = []
  /// The number of the last request to read themes that reports its end.
  private var themeRequests = 0
  private var serial: Int64 = 1
  /// When the next override expires; nil: never.
  private var nextExpiry: Int64?
  /// When the next override expires or the schedule switches; nil: never.
  ///
  /// After this time, a client's change must wait for an event that has not arrived yet. It is stored, because
  /// computing it from outside would copy the core.
  private(set) var due: Int64?
  private var common: State
  /// The states of the apps that have rules.
  private var apps: [Text: State] = [:]

  private struct Configured: Hashable {
    let defaults: Defaults
    var schedule: ScheduleNews?
    let cause: Text
    /// The number of the request to read themes that it waits for.
    let reading: Int
  }

  /// A core that continues a history: the states that clients have received hold until something happens.
  init(_ history: History, overrides: Overrides, defaults: Defaults = Defaults(), themes: ThemeTable = ThemeTable()) {
    self.overrides = overrides
    self.defaults = defaults
    self.themes = themes
    (reading, serial, common, apps) = (history.reading, history.serial, history.common, history.apps)
    sync = history.desktop.map(DesktopSync.init) ?? DesktopSync(reported: reading.scheme)
    scheduled = history.scheduled
    isConfigured = true
    settled = reading.scheme
    noteEnds()
  }

  /// A core that knows only what an earlier process has saved, and no desktop yet; `instance` is the name of its series
  /// of states.
  init(
    instance: Text, overrides: Overrides, reading: Reading = Reading(), desktop: DesktopSync.Record? = nil,
    themes: ThemeTable = ThemeTable()
  ) {
    self.overrides = overrides
    self.reading = reading
    sync = desktop.map(DesktopSync.init) ?? DesktopSync(reported: reading.scheme)
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

  // MARK: Reading the state

  /// The history that another process needs to continue the series of states.
  var history: History {
    History(
      instance: common.instance, serial: serial, reading: reading, desktop: sync.record, scheduled: scheduled,
      common: common, apps: apps)
  }

  /// The state for a client of this name.
  func state(for app: Text?) -> State { app.flatMap { apps[$0] } ?? common }

  /// The serial of that state.
  func serial(for app: Text?) -> Int64 { app.flatMap { apps[$0]?.serial } ?? common.serial }

  /// The schedule's next switch, even if the configuration that sets it is waiting for themes.
  private var nextTurn: Switch? { configured?.schedule?.scheduled.next ?? scheduled.next }

  private mutating func noteEnds() {
    nextExpiry = overrides.nextExpiry
    due = nextTurn.map { min($0.time, nextExpiry ?? .max) } ?? nextExpiry
  }

  // MARK: Events

  /// Takes an event, and returns the effects in the order in which to carry them out.
  mutating func handle(_ event: Event) -> [Effect] {
    let before = (overrides: overrides, reading: reading, nextExpiry: nextExpiry, desktop: sync.record)
    let readsDesktop = takeWriter(event)
    let reason = apply(event)
    if reading.upstream == nil { reading.scheme = sync.wish }
    let isOverridden = overrides != before.overrides
    noteEnds()
    var effects: [Effect] = []
    effects.reserveCapacity(6)
    let change = renew(reason, by: event.caller)
    if let change { effects.append(.publish(change)) }
    // What was asked in an earlier session may not be what the desktop asks for now.
    if isConfigured, reading.upstream == nil, !reading.isRemembered {
      sync.show(common.scheme, isWish: event.asksForScheme, defaults)
    }
    if let wake = wake(event, before.nextExpiry) { effects.append(wake) }
    if let read = read(event, isOverridden) { effects.append(read) }
    if isOverridden { effects.append(.list) }
    if let keep = keep(event, isOverridden) { effects.append(keep) }
    let desktop = sync.record
    if reading != before.reading || desktop != before.desktop { effects.append(.remember(reading, desktop)) }
    if readsDesktop { effects.append(.readDesktop) }
    if isSwitched { effects.append(.desktopSwitched) }
    isSwitched = false
    if let change { effects.append(.report(change)) }
    return effects
  }

  /// Takes in an event, and returns the cause of a change of the states; nil if a client is the cause.
  private mutating func apply(_ event: Event) -> Text? {
    switch event {
    case .desktop(let now, let cause):
      if now.upstream == nil {
        let isNewSession = reading.isRemembered && !now.isRemembered
        sync.report(now.scheme, isNewSession: isNewSession, defaults)
      }
      reading = now
      return cause
    case .settled:
      if let wish = sync.settled(shown: common.scheme, defaults) { follow(wish) }
      settled = reading.upstream == nil ? sync.wish : reading.scheme
      overrides.desktopSettled(settled)
      return "the desktop's preference changed"
    case .clock(let now, let schedule):
      let before = scheduled
      overrides.expire(now: now)
      if let schedule { take(ScheduleNews(scheduled: schedule, now: now)) }
      return scheduled == before ? "an override expired" : "the schedule"
    case .loaded(let kept, let now):
      overrides = kept
      // What has expired meanwhile is never shown.
      overrides.expire(now: now)
      overrides.desktopSettled(settled)
      overrides.scheduleTurned(scheduled, now: now)
      return "the overrides were read"
    case .configured(let said, let schedule, let cause):
      themeRequests += 1
      configured = Configured(defaults: said, schedule: schedule, cause: cause, reading: themeRequests)
      return cause
    case .scheduled(let news, let cause):
      overrides.expire(now: news.now)
      take(news)
      return cause
    case .read(let table, let number):
      themes = table
      guard let read = configured, read.reading == number else { return "the themes were read" }
      (defaults, configured, isConfigured) = (read.defaults, nil, true)
      if reading.upstream == nil { sync.turn(on: defaults.keepsDesktopInStep, defaults) }
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
    case .desktopWritten, .desktopWriters: return nil
    case .desktopResumed(let record):
      if reading.upstream == nil {
        sync.resume(record)
        if isConfigured { sync.turn(on: defaults.keepsDesktopInStep, defaults) }
      }
      return "the desktop's record was read"
    }
  }

  /// Takes in news of the programs that write the desktop's setting, and returns whether to read the desktop again.
  private mutating func takeWriter(_ event: Event) -> Bool {
    switch event {
    case .desktopWritten(let number, let problem): sync.written(number, problem: problem)
    case .desktopWriters(let count): sync.writers(count)
    default: false
    }
  }

  /// The user has switched the desktop, which is kept in step, to this: everything follows that.
  private mutating func follow(_ wish: Preference) {
    isSwitched = true
    let isAsked = overrides.desktopSwitched(
      to: defaults.scheme(of: wish), schedule: scheduled, desktop: sync.asked, turn: nextTurn)
    if isAsked { sync.accept(wish) }
  }

  /// Takes in news of the schedule; if a configuration that changes the schedule is waiting for themes, the news wait
  /// too.
  private mutating func take(_ news: ScheduleNews) {
    if configured?.schedule == nil { turn(news) } else { configured?.schedule = news }
  }

  /// Acts on the schedule's news.
  private mutating func turn(_ news: ScheduleNews) {
    // While the schedule is not known, its last scheme stays in force.
    if case .unknown = news.scheduled, case .by = scheduled { return }
    scheduled = news.scheduled
    overrides.scheduleTurned(scheduled, now: news.now)
  }

  /// The end of an override that a client sets now.
  ///
  /// While the desktop has not settled, the override ends with a change from the value on which it settles: a client
  /// that acts right after a change does not mean the change itself.
  private func end(of override: Override) -> End {
    End(of: override, desktop: reading.scheme == settled ? settled : .unavailable, turn: nextTurn)
  }

  /// Resolves the states again, and returns what has changed.
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

  /// Resolves the states of apps that have rules or had some; `before` is the earlier state of all other clients.
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
      // An app that has lost its rules gets the common state, which must not look older than the app's last state.
      let isChanged = common.resolution != state.resolution
      if isChanged || common.serial < state.serial { common.serial = next }
      told[app] = .some(isChanged ? common : nil)
    }
    return told
  }

  /// The new state of an app, or of all others with nil, if it differs from this one; nil if it is the same.
  private func renewed(_ state: State, _ app: Text?, _ next: Int64) -> State? {
    let resolution = overrides.resolve(
      app: app, schedule: scheduled, reading: reading, defaults: defaults, themes: themes.side)
    guard resolution != state.resolution else { return nil }
    return State(instance: state.instance, serial: next, resolution: resolution)
  }

  // MARK: Effects

  private func wake(_ event: Event, _ before: Int64?) -> Effect? {
    // A timer that has fired or was cancelled by a change of the clock has to be set again.
    if case .clock = event { return .wake(nextExpiry) }
    return nextExpiry == before ? nil : .wake(nextExpiry)
  }

  private mutating func read(_ event: Event, _ isOverridden: Bool) -> Effect? {
    let number: Int?
    switch event {
    case .configured: number = themeRequests
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
