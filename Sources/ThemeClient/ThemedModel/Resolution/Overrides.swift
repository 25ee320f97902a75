public import ThemedSystem

/// A field of the state that can be overridden, by its name on the wire.
public enum Field: String, Sendable, Hashable, CaseIterable {
  /// Whether to show light or dark.
  case scheme
  /// Whether to show higher contrast.
  case highContrast
  /// Whether to animate less.
  case reducedMotion
  /// The accent colour.
  case accentColor
  /// The theme to show while the scheme is light.
  case lightTheme
  /// The theme to show while the scheme is dark.
  case darkTheme

  /// The field for the theme of a side.
  public static func theme(_ side: ColorScheme) -> Field { side == .light ? .lightTheme : .darkTheme }
}

/// The overrides that hold: the rules for all apps, and those of each app.
public struct Overrides: Sendable, Hashable {
  /// The rules for all apps.
  public private(set) var all = OverriddenFields()
  /// The rules of single apps, by name; an app without rules has no entry.
  public private(set) var apps: [Text: OverriddenFields] = [:]

  /// No overrides.
  public init() {}

  /// How many apps have rules; the rules for all apps count as one app.
  public var count: Int { apps.count + (all.isEmpty ? 0 : 1) }

  /// Every override with its end: first those of all apps, then the others by app.
  public var list: [(override: Override, end: End)] {
    all.overrides(for: nil) + apps.sorted { $0.key < $1.key }.flatMap { $0.value.overrides(for: $0.key) }
  }

  /// The rules of `app`, or of all apps if `app` is nil.
  ///
  /// For all apps, `auto` means the same as no override, and is not kept.
  public subscript(app app: Text?) -> OverriddenFields {
    get { app.map { apps[$0] ?? OverriddenFields() } ?? all }
    set {
      var rules = newValue
      if app == nil { rules.removePins() }
      rules.tidy()
      if let app { apps[app] = rules.isEmpty ? nil : rules } else { all = rules }
    }
  }

  /// The themes that the rules name.
  public var themes: Set<Text> {
    var names: Set<Text> = []
    all.addThemes(to: &names)
    for rules in apps.values { rules.addThemes(to: &names) }
    return names
  }

  /// The resolved state for `app`, or for a client without a name if `app` is nil.
  public func resolve(
    app: Text?, schedule: Scheduled = .off, reading: Reading, defaults: Defaults,
    themes: ThemeSides = { _, _ in nil }
  ) -> Resolution {
    ThemedModel.resolve(
      app: app.flatMap { apps[$0] }, all: all, schedule: schedule, reading: reading, defaults: defaults, themes: themes)
  }

  // MARK: Ends

  /// The earliest time at which a rule ends, in seconds since the epoch.
  public var nextExpiry: Int64? {
    apps.values.reduce(all.nextExpiry) { next, rules in
      guard let own = rules.nextExpiry else { return next }
      return min(own, next ?? own)
    }
  }

  /// Removes the rules that have ended by `now`, in seconds since the epoch.
  public mutating func expire(now: Int64) {
    mapEnds { end in end.expiresAt.map { $0 <= now } == true ? nil : end }
  }

  /// Removes the rules that end with the desktop's preference, which has now settled at `desktop`.
  ///
  /// Losing the desktop is not a change, and neither is the first preference after that.
  public mutating func desktopSettled(_ desktop: Preference) {
    guard desktop != .unavailable else { return }
    mapEnds { end in
      guard let was = end.desktopWas else { return end }
      guard was == .unavailable || was == desktop else { return nil }
      return End(expiresAt: end.expiresAt, desktopWas: desktop, turn: end.turn)
    }
  }

  /// The user has switched the desktop, which is kept in step, to `scheme`: the newest wish wins.
  ///
  /// This ends the override for all apps, and every rule that ends with the desktop's preference. A switch against the
  /// schedule holds until `turn`, the schedule's next switch.
  ///
  /// - Parameters:
  ///   - scheme: The scheme that the desktop shows now.
  ///   - schedule: The schedule's scheme.
  ///   - desktop: The preference that the desktop asked for before.
  ///   - turn: The schedule's next switch.
  /// - Returns: Whether the desktop asks for it by itself from now on, because there is no schedule.
  public mutating func desktopSwitched(
    to scheme: ColorScheme, schedule: Scheduled, desktop: Preference, turn: Switch?
  ) -> Bool {
    mapEnds { $0.desktopWas == nil ? $0 : nil }
    self[app: nil].clear(.scheme)
    guard let scheduled = schedule.scheme else { return true }
    if scheduled != scheme {
      self[app: nil].scheme = OverriddenField(scheme, until: End(desktopWas: desktop, turn: turn))
    }
    return false
  }

  /// Changes the switch of the schedule that rules wait for, or ends these rules.
  ///
  /// This affects the rules that end with the desktop's preference. `body` gets the switch that a rule waits for,
  /// and returns the new one, or that the rule ends.
  mutating func awaitTurn(_ body: (Switch?) -> Awaited) {
    mapEnds { end in
      guard end.desktopWas != nil else { return end }
      guard case .turn(let turn) = body(end.turn) else { return nil }
      return End(expiresAt: end.expiresAt, desktopWas: end.desktopWas, turn: turn)
    }
  }

  /// The event that ends a rule that lasts until the schedule switches.
  enum Awaited {
    /// This switch; nil if there is none.
    case turn(Switch?)
    /// Nothing more: the rule ends.
    case nothing
  }

  private mutating func mapEnds(_ body: (End) -> End?) {
    self[app: nil].mapEnds(body)
    for app in apps.keys { self[app: app].mapEnds(body) }
  }
}

// MARK: The schedule

extension Overrides {
  /// Removes the rules that end at a switch of the schedule, which now says `scheduled`.
  ///
  /// A schedule that is not known yet has not switched, and the first thing that it says is not a switch either.
  public mutating func scheduleTurned(_ scheduled: Scheduled, now: Int64) {
    switch scheduled {
    case .unknown: return
    case .off: awaitTurn { _ in .turn(nil) }
    case .by(let scheme, let next):
      awaitTurn { awaited in
        // No switch can be this far ahead: the machine's clock is not set yet.
        if let awaited, awaited.time > now, awaited.time - max(0, now) > Switch.farthest {
          return .turn(awaited)
        }
        if let awaited, awaited.time <= now || awaited.scheme == scheme { return .nothing }
        return .turn(next ?? Switch(time: now + Switch.farthest, scheme: scheme.opposite))
      }
    }
  }
}

// MARK: Toggling

extension Overrides {
  /// Shows the opposite of what is shown, for `app`, or for all apps if `app` is nil.
  ///
  /// It does the first of these that shows the opposite: restore what the last toggle of these rules replaced, remove
  /// their rule of the scheme, or set a rule.
  ///
  /// A toggle with an end always sets a rule. There is one exception: if the current rule comes from a toggle with an
  /// end, it restores what that one replaced. So a toggle always has an effect, and a second toggle restores what was
  /// shown before, with its end.
  public mutating func toggle(
    app: Text?, until end: End = End(), schedule: Scheduled = .off, reading: Reading, defaults: Defaults
  ) {
    var rules = self[app: app]
    let before = rules.scheme
    let aim = resolve(app: app, schedule: schedule, reading: reading, defaults: defaults).scheme.opposite
    func shows(_ rule: OverriddenField<ColorScheme>?) -> Bool {
      var trial = self
      trial[app: app].scheme = rule
      return trial.resolve(app: app, schedule: schedule, reading: reading, defaults: defaults).scheme == aim
    }
    let lasts = end == End()
    if let toggled = rules.toggled, lasts || before.map({ $0.end != End() }) == true, shows(toggled.before) {
      (rules.scheme, rules.toggled) = (toggled.before, nil)
    } else {
      rules.scheme = lasts && shows(nil) ? nil : OverriddenField(aim, until: end)
      rules.toggled = Toggled(before: before)
    }
    self[app: app] = rules
  }

  /// The rules that toggles have replaced: first for all apps, then by app.
  public var toggled: [(app: Text?, toggled: Toggled)] {
    let apps = apps.sorted { $0.key < $1.key }.map { (app: Text?.some($0.key), rules: $0.value) }
    return ([(app: nil, rules: all)] + apps).compactMap { app, rules in rules.toggled.map { (app, $0) } }
  }
}
