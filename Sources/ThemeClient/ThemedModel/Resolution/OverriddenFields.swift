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
public struct OverriddenField<Value: Sendable & Hashable>: Sendable, Hashable {
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
public struct OverriddenFields: Sendable, Hashable {
  /// The scheme.
  public var scheme: OverriddenField<ColorScheme>?
  /// Whether to show higher contrast.
  public var highContrast: OverriddenField<Bool>?
  /// Whether to animate less.
  public var reducedMotion: OverriddenField<Bool>?
  /// The accent colour.
  public var accentColor: OverriddenField<Color>?
  /// The theme to show while the scheme is light.
  public var lightTheme: OverriddenField<Text>?
  /// The theme to show while the scheme is dark.
  public var darkTheme: OverriddenField<Text>?
  /// The state that the last toggle replaced; nil once the scheme was set in another way.
  public var toggled: Toggled?

  /// No rules.
  public init() {}

  /// Whether there are no rules.
  public var isEmpty: Bool { self == OverriddenFields() }

  /// The ends of all rules.
  public var ends: [End] {
    [scheme?.end, highContrast?.end, reducedMotion?.end, accentColor?.end, lightTheme?.end, darkTheme?.end]
      .compactMap(\.self)
  }

  /// The earliest time at which a rule ends, including the rule that a toggle replaced.
  var nextExpiry: Int64? {
    // Does not make an array of the ends, because this runs for each change.
    func expiry<Value>(_ rule: OverriddenField<Value>?) -> Int64 { rule?.end.expiresAt ?? .max }
    let next = min(
      min(expiry(scheme), expiry(toggled?.before), expiry(highContrast)), expiry(reducedMotion),
      min(expiry(accentColor), expiry(lightTheme), expiry(darkTheme)))
    return next == .max ? nil : next
  }

  /// Adds the themes that the rules name.
  func addThemes(to names: inout Set<Text>) {
    if let name = lightTheme?.value { names.insert(name) }
    if let name = darkTheme?.value { names.insert(name) }
  }

  /// Replaces the rule of each field that `override` contains, until `end`; other rules stay.
  public mutating func set(_ override: Override, until end: End) {
    if let value = override.scheme { (scheme, toggled) = (OverriddenField(value, until: end), nil) }
    if let value = override.highContrast { highContrast = OverriddenField(value, until: end) }
    if let value = override.reducedMotion { reducedMotion = OverriddenField(value, until: end) }
    if let value = override.accentColor { accentColor = OverriddenField(value, until: end) }
    if let value = override.lightTheme { lightTheme = OverriddenField(value, until: end) }
    if let value = override.darkTheme { darkTheme = OverriddenField(value, until: end) }
    for field in override.auto { pin(field, until: end) }
  }

  private mutating func pin(_ field: Field, until end: End) {
    switch field {
    case .scheme: (scheme, toggled) = (OverriddenField(nil, until: end), nil)
    case .highContrast: highContrast = OverriddenField(nil, until: end)
    case .reducedMotion: reducedMotion = OverriddenField(nil, until: end)
    case .accentColor: accentColor = OverriddenField(nil, until: end)
    case .lightTheme: lightTheme = OverriddenField(nil, until: end)
    case .darkTheme: darkTheme = OverriddenField(nil, until: end)
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
  mutating func removePins() {
    func remove<Value>(_ rule: inout OverriddenField<Value>?) {
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
    func map<Value>(_ rule: inout OverriddenField<Value>?) {
      rule = rule.flatMap { rule in body(rule.end).map { OverriddenField(rule.value, until: $0) } }
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
      func value<Value>(_ rule: OverriddenField<Value>?) -> Value? { rule?.end == end ? rule?.value : nil }
      var auto: Set<Field> = []
      func pin<Value>(_ field: Field, _ rule: OverriddenField<Value>?) {
        if let rule, rule.value == nil, rule.end == end { auto.insert(field) }
      }
      pin(.scheme, scheme)
      pin(.highContrast, highContrast)
      pin(.reducedMotion, reducedMotion)
      pin(.accentColor, accentColor)
      pin(.lightTheme, lightTheme)
      pin(.darkTheme, darkTheme)
      let override = Override(
        app: app, scheme: value(scheme), highContrast: value(highContrast), reducedMotion: value(reducedMotion),
        accentColor: value(accentColor), lightTheme: value(lightTheme), darkTheme: value(darkTheme), auto: auto,
        expiresAt: end.expiresAt, untilDesktopChanges: end.desktopWas.map { _ in true })
      return (override, end)
    }
  }
}

/// The rule of the scheme that a toggle replaced, or that there was none.
///
/// The next toggle restores it. So does the end of a toggle's rule that has an end.
public struct Toggled: Sendable, Hashable {
  /// The rule; nil if there was none.
  public var before: OverriddenField<ColorScheme>?

  /// Remembers the rule that a toggle replaced.
  public init(before: OverriddenField<ColorScheme>?) {
    self.before = before
  }
}

extension OverriddenFields {
  /// Forgets what a toggle replaced if the next toggle would do the same without it.
  mutating func tidy() {
    guard let before = toggled?.before else {
      if scheme.map({ $0.end == End() }) ?? true { toggled = nil }
      return
    }
    // A rule without an end that a toggle removed would be remembered for ever, and its app too. A pin is kept, because
    // no toggle can set one.
    if scheme == nil, before.end == End(), before.value != nil { toggled = nil }
  }
}
