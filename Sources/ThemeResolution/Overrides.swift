public import ThemedText

/// When a rule of the user's ends by itself.
public struct End: Sendable, Hashable {
  /// At this time, in seconds since the epoch; nil: not by the clock.
  public var expiresAt: Int64?
  /// When the desktop's settled preference is another than it was: what it was then, ``Preference/unavailable`` until
  /// one is known.
  ///
  /// Nil: not by the desktop.
  public var desktopWas: Preference?
  /// The turn of the schedule at which it ends, too, where it ends by the desktop; nil while there is none.
  public var turn: Switch?

  /// The end of `override`, set while the desktop's settled preference is `desktop`, and the schedule's next turn is
  /// `turn`.
  public init(of override: Override, desktop: Preference, turn: Switch? = nil) {
    let ends = override.untilDesktopChanges == true
    self.init(expiresAt: override.expiresAt, desktopWas: ends ? desktop : nil, turn: ends ? turn : nil)
  }

  /// An end; without arguments, none.
  public init(expiresAt: Int64? = nil, desktopWas: Preference? = nil, turn: Switch? = nil) {
    self.expiresAt = expiresAt
    self.desktopWas = desktopWas
    self.turn = turn
  }
}

/// What the user wants of one field, and until when.
public struct Rule<Value: Sendable & Hashable>: Sendable, Hashable {
  /// What is wanted; nil for `auto`: what lies below the overrides.
  public var value: Value?
  /// Until when.
  public var end: End

  /// A rule that holds until `end`.
  public init(_ value: Value?, until end: End = End()) {
    self.value = value
    self.end = end
  }
}

/// What the user wants for all apps, or for one, field by field; each field has an end of its own.
public struct Rules: Sendable, Hashable {
  /// The scheme.
  public var scheme: Rule<ColorScheme>?
  /// Higher contrast or not.
  public var highContrast: Rule<Bool>?
  /// Less motion or not.
  public var reducedMotion: Rule<Bool>?
  /// The accent colour.
  public var accentColor: Rule<Color>?
  /// The theme of the light side.
  public var lightTheme: Rule<Text>?
  /// The theme of the dark side.
  public var darkTheme: Rule<Text>?
  /// What the last toggle put away, where the scheme is what it left.
  public var toggled: Toggled?

  /// No rule.
  public init() {}

  /// Whether there is none.
  public var isEmpty: Bool { self == Rules() }

  /// The ends of the rules that there are.
  public var ends: [End] {
    [scheme?.end, highContrast?.end, reducedMotion?.end, accentColor?.end, lightTheme?.end, darkTheme?.end]
      .compactMap(\.self)
  }

  /// When the next of these ends by the clock, or of what is put away.
  fileprivate var nextExpiry: Int64? {
    // Without a list of the ends: it is looked at for each change.
    func expiry<Value>(_ rule: Rule<Value>?) -> Int64 { rule?.end.expiresAt ?? .max }
    let next = min(
      min(expiry(scheme), expiry(toggled?.before), expiry(highContrast)), expiry(reducedMotion),
      min(expiry(accentColor), expiry(lightTheme), expiry(darkTheme)))
    return next == .max ? nil : next
  }

  /// Adds the themes that they name.
  fileprivate func addThemes(to names: inout Set<Text>) {
    if let name = lightTheme?.value { names.insert(name) }
    if let name = darkTheme?.value { names.insert(name) }
  }

  /// Puts a rule in the place of each whose field `override` gives, until `end`; the others stay.
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

  /// Changes the end of every rule, and removes those for which `body` returns nil.
  mutating func mapEnds(_ body: (End) -> End?) {
    func map<Value>(_ rule: inout Rule<Value>?) {
      rule = rule.flatMap { rule in body(rule.end).map { Rule(rule.value, until: $0) } }
    }
    let hadScheme = scheme != nil
    map(&scheme)
    if toggled != nil { map(&toggled!.before) }
    // What was toggled for a time was so no longer than that.
    if hadScheme, scheme == nil, let toggled { (scheme, self.toggled) = (toggled.before, nil) }
    map(&highContrast)
    map(&reducedMotion)
    map(&accentColor)
    map(&lightTheme)
    map(&darkTheme)
  }

  /// The rules as overrides of `app`: one for all fields of the same end, with that end.
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
  /// Light or dark.
  case scheme
  /// Higher contrast or not.
  case highContrast
  /// Less motion or not.
  case reducedMotion
  /// The accent colour.
  case accentColor
  /// The theme of the light side.
  case lightTheme
  /// The theme of the dark side.
  case darkTheme

  /// The theme of a side.
  public static func theme(_ side: ColorScheme) -> Field { side == .light ? .lightTheme : .darkTheme }
}

/// The overrides that hold: the rules for all apps, and those of each app.
public struct Overrides: Sendable, Hashable {
  /// The rules for all apps.
  public private(set) var all = Rules()
  /// The rules of single apps, by name; an app without rules is not there.
  public private(set) var apps: [Text: Rules] = [:]

  /// No override.
  public init() {}

  /// For how many there are rules: each app is one, and all apps are one.
  public var count: Int { apps.count + (all.isEmpty ? 0 : 1) }

  /// Every override with its end, those of all apps first, the others by name.
  public var list: [(override: Override, end: End)] {
    all.overrides(for: nil) + apps.sorted { $0.key < $1.key }.flatMap { $0.value.overrides(for: $0.key) }
  }

  /// The rules of `app` alone, or with nil those of all apps.
  ///
  /// For all apps `auto` is what lies below, as without an override, and is not kept.
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

  /// What holds for `app`, or with nil for a client that gave no name.
  public func resolve(
    app: Text?, schedule: Scheduled = .off, reading: Reading, defaults: Defaults,
    themes: ThemeSides = { _, _ in nil }
  ) -> Resolution {
    ThemeResolution.resolve(
      app: app.flatMap { apps[$0] }, all: all, schedule: schedule, reading: reading, defaults: defaults, themes: themes)
  }

  // MARK: Ends

  /// When the next rule ends by the clock, in seconds since the epoch.
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

  /// Removes the rules that end by the desktop's preference, now that it has settled at `desktop`.
  ///
  /// A desktop that cannot be heard has not changed, and the first preference after one is no change either.
  public mutating func desktopSettled(_ desktop: Preference) {
    guard desktop != .unavailable else { return }
    mapEnds { end in
      guard let was = end.desktopWas else { return end }
      guard was == .unavailable || was == desktop else { return nil }
      return End(expiresAt: end.expiresAt, desktopWas: desktop, turn: end.turn)
    }
  }

  /// Has the rules that end by the desktop await another turn of the schedule, which `body` says of the one that they
  /// have awaited; removes those for which it says that they end.
  mutating func awaitTurn(_ body: (Switch?) -> Awaited) {
    mapEnds { end in
      guard end.desktopWas != nil else { return end }
      guard case .turn(let turn) = body(end.turn) else { return nil }
      return End(expiresAt: end.expiresAt, desktopWas: end.desktopWas, turn: turn)
    }
  }

  /// What a rule that ends by the schedule awaits.
  enum Awaited {
    /// This turn; nil: none.
    case turn(Switch?)
    /// Nothing any more: it ends.
    case nothing
  }

  private mutating func mapEnds(_ body: (End) -> End?) {
    self[app: nil].mapEnds(body)
    for app in apps.keys { self[app: app].mapEnds(body) }
  }
}
