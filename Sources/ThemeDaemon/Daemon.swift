internal import Appearance
internal import ForeignText

/// The one owner of the truth: what the desktop asks for, what the user overrides, and the states that result.
///
/// Every cause comes through ``update(_:_:)``, the only place that changes what clients see.
final class Daemon {
  /// Called when states have changed: with the cause, and with those who have to be told.
  var onChange: (Change) -> Void = { _ in }
  /// Called when what is to be kept on the disk has changed by itself.
  var onEnd: () -> Void = {}

  /// A change of what clients see.
  struct Change {
    /// What it came from, for the log.
    let cause: String
    /// The state for clients without a name and for apps without rules, if that has changed.
    let common: State?
    /// The states of the other apps; nil where an app's has not changed.
    let apps: [Text: State?]

    /// What a client of this name has to be told, if anything.
    func state(for app: Text?) -> State? {
      guard let app, let own = apps[app] else { return common }
      return own
    }
  }

  private(set) var overrides: Overrides
  private(set) var reading: Reading
  private var defaults = Defaults()
  private var themes: ThemeTable
  /// What the desktop's preference was when it last was not in the midst of changing.
  private var settled: Preference
  private var serial: Int64 = 1
  private var common: State
  /// The states of the apps that have rules.
  private var apps: [Text: State] = [:]

  /// What another process has to know to go on with this history.
  var history: History {
    History(instance: common.instance, serial: serial, reading: reading, common: common, apps: apps)
  }

  /// A daemon that goes on with a history: what was told holds until a cause comes.
  init(_ history: History, overrides: Overrides, themes: ThemeTable = ThemeTable()) {
    self.overrides = overrides
    self.themes = themes
    (reading, serial, common, apps) = (history.reading, history.serial, history.common, history.apps)
    settled = reading.scheme
  }

  /// A daemon that has heard of no desktop but what an earlier life of it has kept; `instance` names this one.
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
  }

  /// The themes that the overrides and the configuration name.
  var chosenThemes: Set<Text> { overrides.themes.union(defaults.themes) }

  /// The state for a client of this name.
  func state(for app: Text?) -> State { app.flatMap { apps[$0] } ?? common }

  /// The serial of that state.
  func serial(for app: Text?) -> Int64 { app.flatMap { apps[$0]?.serial } ?? common.serial }

  // MARK: Causes

  /// The desktop's preference is this now.
  func take(_ reading: Reading, cause: String) {
    update(cause) { $0.reading = reading }
  }

  /// The desktop's preference has settled: it is what was taken last.
  func settle() {
    settled = reading.scheme
    end("the desktop's preference changed") { overrides.desktopSettled(settled) }
  }

  /// Some time has passed, or the clock was changed: it is `now`, in seconds since the epoch.
  func expire(now: Int64) {
    end("an override expired") { overrides.expire(now: now) }
  }

  /// The configuration says this now; of the themes that it names, `themes` can be shown.
  func take(_ defaults: Defaults, themes: ThemeTable = ThemeTable(), cause: String) {
    update(cause) { daemon in
      daemon.defaults = defaults
      daemon.themes = themes
    }
  }

  /// Of the chosen themes, these can be shown now.
  func take(_ themes: ThemeTable, cause: String) {
    update(cause) { $0.themes = themes }
  }

  /// These overrides hold now, at `now`, since what was kept could be read; of the themes that are chosen then, `themes`
  /// can be shown.
  func take(_ overrides: Overrides, themes: ThemeTable, now: Int64, cause: String) {
    update(cause) { daemon in
      (daemon.overrides, daemon.themes) = (overrides, themes)
      // What has ended meanwhile is never shown.
      daemon.overrides.expire(now: now)
      daemon.overrides.desktopSettled(daemon.settled)
    }
  }

  /// Puts an override in force; of the themes that are chosen then, `themes` can be shown.
  func set(_ override: Override, themes: ThemeTable? = nil, cause: String) {
    update(cause) { daemon in
      daemon.themes = themes ?? daemon.themes
      daemon.overrides[app: override.app].set(override, until: End(of: override, desktop: daemon.settled))
    }
  }

  /// Removes what is overridden of these fields: for all apps, or for one; or for all and for each single one.
  func clear(app: Text?, everyApp: Bool = false, _ fields: [Field], cause: String) {
    update(cause) { daemon in
      let apps = everyApp ? [nil] + daemon.overrides.apps.keys.map(Optional.some) : [app]
      for app in apps {
        for field in fields { daemon.overrides[app: app].clear(field) }
      }
    }
  }

  /// Shows the opposite, where that needs an override until the end that `ending` says.
  func toggle(app: Text?, until ending: Override = Override(), cause: String) {
    update(cause) { daemon in
      let end = End(of: ending, desktop: daemon.settled)
      daemon.overrides.toggle(app: app, until: end, reading: daemon.reading, defaults: daemon.defaults)
    }
  }

  private func end(_ cause: String, _ change: () -> Void) {
    let before = overrides
    update(cause) { _ in change() }
    if overrides != before { onEnd() }
  }

  // MARK: The one door

  private func update(_ cause: String, _ change: (Daemon) -> Void) {
    change(self)
    let previous = (common: common, apps: apps)
    let next = serial + 1
    func renew(_ state: State, _ app: Text?) -> State {
      let resolution = overrides.resolve(app: app, reading: reading, defaults: defaults, themes: themes.side)
      guard resolution != state.resolution else { return state }
      serial = next
      return State(instance: state.instance, serial: next, resolution: resolution)
    }
    common = renew(common, nil)
    apps = [:]
    var told: [Text: State?] = [:]
    for app in overrides.apps.keys {
      let before = previous.apps[app] ?? previous.common
      let state = renew(before, app)
      apps[app] = state
      told[app] = .some(state == before ? nil : state)
    }
    for (app, state) in previous.apps where apps[app] == nil {
      // An app that has lost its rules gets the common state, which must not look older than what the app had.
      let isChanged = common.resolution != state.resolution
      if isChanged || common.serial < state.serial { (serial, common.serial) = (next, next) }
      told[app] = .some(isChanged ? common : nil)
    }
    let commonChange = common.resolution == previous.common.resolution ? nil : common
    guard commonChange != nil || told.values.contains(where: { $0 != nil }) else { return }
    onChange(Change(cause: cause, common: commonChange, apps: told))
  }
}
