public import ThemedSystem

/// When a rule ends by itself.
public struct End: Sendable, Hashable {
  /// The time at which the rule ends, in seconds since the epoch; nil: not at a certain time.
  public var expiresAt: Int64?
  /// The desktop's settled preference when the rule was set.
  ///
  /// The rule ends when the preference settles on another value.
  ///
  /// It is ``Preference/unavailable`` until a preference is known. Nil means that the rule does not end with the
  /// desktop's preference.
  public var desktopWas: Preference?
  /// The switch of the schedule at which the rule also ends, if it ends with the desktop's preference; nil without a
  /// schedule.
  public var turn: Switch?

  /// The end of `override`.
  ///
  /// - Parameters:
  ///   - override: The override to be set.
  ///   - desktop: The desktop's settled preference at the moment.
  ///   - turn: The schedule's next switch.
  public init(of override: Override, desktop: Preference, turn: Switch? = nil) {
    let ends = override.untilDesktopChanges == true
    self.init(expiresAt: override.expiresAt, desktopWas: ends ? desktop : nil, turn: ends ? turn : nil)
  }

  /// An end; without arguments, the rule never ends.
  public init(expiresAt: Int64? = nil, desktopWas: Preference? = nil, turn: Switch? = nil) {
    self.expiresAt = expiresAt
    self.desktopWas = desktopWas
    self.turn = turn
  }
}

/// The value that an override gives to a field, and when that ends.
public struct Rule<Value: Sendable & Hashable>: Sendable, Hashable {
  /// The value; nil for `auto`, which skips the overrides.
  public var value: Value?
  /// When the rule ends.
  public var end: End

  /// A rule that holds until `end`.
  public init(_ value: Value?, until end: End = End()) {
    self.value = value
    self.end = end
  }
}

/// The rules for all apps or for one app; each field has its own rule with its own end.
public struct Rules: Sendable, Hashable {
  /// The scheme.
  public var scheme: Rule<ColorScheme>?
  /// Whether to show higher contrast.
  public var highContrast: Rule<Bool>?
  /// Whether to animate less.
  public var reducedMotion: Rule<Bool>?
  /// The accent colour.
  public var accentColor: Rule<Color>?
  /// The theme to show while the scheme is light.
  public var lightTheme: Rule<Text>?
  /// The theme to show while the scheme is dark.
  public var darkTheme: Rule<Text>?
  /// The state that the last toggle replaced; nil once the scheme was set in another way.
  public var toggled: Toggled?

  /// No rules.
  public init() {}

  /// Whether there are no rules.
  public var isEmpty: Bool { self == Rules() }

  /// The ends of all rules.
  public var ends: [End] {
    [scheme?.end, highContrast?.end, reducedMotion?.end, accentColor?.end, lightTheme?.end, darkTheme?.end]
      .compactMap(\.self)
  }

  /// The earliest time at which a rule ends, including the rule that a toggle replaced.
  fileprivate var nextExpiry: Int64? {
    // Does not make an array of the ends, because this runs for each change.
    func expiry<Value>(_ rule: Rule<Value>?) -> Int64 { rule?.end.expiresAt ?? .max }
    let next = min(
      min(expiry(scheme), expiry(toggled?.before), expiry(highContrast)), expiry(reducedMotion),
      min(expiry(accentColor), expiry(lightTheme), expiry(darkTheme)))
    return next == .max ? nil : next
  }

  /// Adds the themes that the rules name.
  fileprivate func addThemes(to names: inout Set<Text>) {
    if let name = lightTheme?.value { names.insert(name) }
    if let name = darkTheme?.value { names.insert(name) }
  }

  /// Replaces the rule of each field that `override` contains, until `end`; other rules stay.
  public mutating func set(_ override: Override, until end: End) {
    if let mode = override.scheme { (scheme, toggled) = (Rule(mode.scheme, until: end), nil) }
    if let value = override.highContrast { highContrast = Rule(value, until: end) }
    if let value = override.reducedMotion { reducedMotion = Rule(value, until: end) }
    if let value = override.accentColor { accentColor = Rule(value, until: end) }
    if let value = override.lightTheme { lightTheme = Rule(value, until: end) }
    if let value = override.darkTheme { darkTheme = Rule(value, until: end) }
    for field in override.auto { pin(field, until: end) }
  }

  private mutating func pin(_ field: Field, until end: End) {
    switch field {
    case .scheme: (scheme, toggled) = (Rule(nil, until: end), nil)
    case .highContrast: highContrast = Rule(nil, until: end)
    case .reducedMotion: reducedMotion = Rule(nil, until: end)
    case .accentColor: accentColor = Rule(nil, until: end)
    case .lightTheme: lightTheme = Rule(nil, until: end)
    case .darkTheme: darkTheme = Rule(nil, until: end)
    }
  }

  /// Removes the rule of a field.
  public mutating func clear(_ field: Field) {
    switch field {
    case .scheme: (scheme, toggled) = (nil, nil)
    case .highContrast: highContrast = nil
    case .reducedMotion: reducedMotion = nil
    case .accentColor: accentColor = nil
    case .lightTheme: lightTheme = nil
    case .darkTheme: darkTheme = nil
    }
  }

  /// Removes the rules that are `auto`.
  fileprivate mutating func removePins() {
    func remove<Value>(_ rule: inout Rule<Value>?) {
      if rule?.value == nil { rule = nil }
    }
    remove(&scheme)
    if toggled != nil { remove(&toggled!.before) }
    remove(&highContrast)
    remove(&reducedMotion)
    remove(&accentColor)
    remove(&lightTheme)
    remove(&darkTheme)
  }

  /// Changes the end of every rule, and removes the rules for which `body` returns nil.
  mutating func mapEnds(_ body: (End) -> End?) {
    func map<Value>(_ rule: inout Rule<Value>?) {
      rule = rule.flatMap { rule in body(rule.end).map { Rule(rule.value, until: $0) } }
    }
    let hadScheme = scheme != nil
    map(&scheme)
    if toggled != nil { map(&toggled!.before) }
    // When a toggle's rule ends, the rule that it replaced applies again.
    if hadScheme, scheme == nil, let toggled { (scheme, self.toggled) = (toggled.before, nil) }
    map(&highContrast)
    map(&reducedMotion)
    map(&accentColor)
    map(&lightTheme)
    map(&darkTheme)
  }

  /// The rules as overrides of `app`: one for each distinct end, with all fields that have this end.
  func overrides(for app: Text?) -> [(override: Override, end: End)] {
    var ends: [End] = []
    for end in self.ends where !ends.contains(end) { ends.append(end) }
    return ends.map { end in
      func value<Value>(_ rule: Rule<Value>?) -> Value? { rule?.end == end ? rule?.value : nil }
      let mode = scheme.flatMap { $0.end == end ? Mode($0.value) : nil }
      var auto: Set<Field> = []
      func pin<Value>(_ field: Field, _ rule: Rule<Value>?) {
        if let rule, rule.value == nil, rule.end == end { auto.insert(field) }
      }
      pin(.highContrast, highContrast)
      pin(.reducedMotion, reducedMotion)
      pin(.accentColor, accentColor)
      pin(.lightTheme, lightTheme)
      pin(.darkTheme, darkTheme)
      let override = Override(
        app: app, scheme: mode, highContrast: value(highContrast), reducedMotion: value(reducedMotion),
        accentColor: value(accentColor), lightTheme: value(lightTheme), darkTheme: value(darkTheme), auto: auto,
        expiresAt: end.expiresAt, untilDesktopChanges: end.desktopWas.map { _ in true })
      return (override, end)
    }
  }
}

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
  public private(set) var all = Rules()
  /// The rules of single apps, by name; an app without rules has no entry.
  public private(set) var apps: [Text: Rules] = [:]

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
  public subscript(app app: Text?) -> Rules {
    get { app.map { apps[$0] ?? Rules() } ?? all }
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
    ThemeModel.resolve(
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
