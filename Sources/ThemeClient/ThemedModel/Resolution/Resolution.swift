public import ThemedSystem

/// The value of each field, and which rule decided it.
public struct Resolution: Sendable, Hashable {
  /// The scheme to show.
  public var scheme: ColorScheme
  /// The desktop's preference, whatever is shown.
  public var desktop: Preference
  /// Whether to show higher contrast; nil if no source has a value.
  public var highContrast: Bool?
  /// Whether to animate less; nil if no source has a value.
  public var reducedMotion: Bool?
  /// The accent colour; nil if no source has a value.
  public var accentColor: Color?
  /// The theme's side for the scheme; nil if no theme is chosen, or the chosen one cannot be shown.
  public var theme: ShownTheme?
  /// How long programs may take to fade to this state, in milliseconds: 0 if motion is reduced; nil without a theme.
  public var transition: Int?
  /// The schedule's next switch, whatever is shown; nil if there is none.
  public var nextSwitch: Switch?
  /// The source of each field that is not nil, by the field's name on the wire.
  public var origins: Origins

  /// A resolution with these parts.
  public init(
    scheme: ColorScheme, desktop: Preference, highContrast: Bool? = nil, reducedMotion: Bool? = nil,
    accentColor: Color? = nil, theme: ShownTheme? = nil, transition: Int? = nil, nextSwitch: Switch? = nil,
    origins: Origins = Origins()
  ) {
    self.scheme = scheme
    self.desktop = desktop
    self.highContrast = highContrast
    self.reducedMotion = reducedMotion
    self.accentColor = accentColor
    self.theme = theme
    self.transition = transition
    self.nextSwitch = nextSwitch
    self.origins = origins
  }
}

/// The whole resolved state, as every client gets it at first and after each change.
public struct State: Sendable, Hashable {
  /// Identifies a series of states.
  ///
  /// A daemon that restarts may begin a new series.
  public var instance: Text
  /// Orders the states of one instance; gaps mean nothing.
  public var serial: Int64
  /// The value of each field, and why.
  public var resolution: Resolution

  /// The state of an instance at a serial.
  public init(instance: Text, serial: Int64, resolution: Resolution) {
    self.instance = instance
    self.serial = serial
    self.resolution = resolution
  }

  /// The scheme to show.
  public var scheme: ColorScheme { resolution.scheme }
  /// The name of the theme to show; nil if no theme is chosen, or the chosen one cannot be shown.
  public var theme: Text? { resolution.theme?.name }
  /// Whether to show higher contrast; nil if no source has a value.
  public var highContrast: Bool? { resolution.highContrast }
  /// Whether to animate less; nil if no source has a value.
  public var reducedMotion: Bool? { resolution.reducedMotion }
  /// The accent colour; nil if no source has a value.
  public var accentColor: Color? { resolution.accentColor }

  /// The source that decided a field; nil if no source has a value.
  ///
  /// For the theme of either side, this is the source of the theme that is shown.
  public func origin(of field: Field) -> Origin? { resolution.origins[field.origin] }
}

extension Field {
  /// The name that the origin of this field has.
  public var origin: Text {
    switch self {
    case .lightTheme, .darkTheme: "theme"
    default: Text(rawValue)
    }
  }
}

/// Decides each field by the first rule that has a value.
///
/// The order is: the rules of the app, those of all apps, the schedule, the desktop or the daemon that is followed in
/// its place, the default. If a rule of the app is `auto`, the rules of all apps do not apply to that field.
///
/// Pure and total. The rules must be those that still hold at the moment. The scheme is decided first, then the theme
/// of its side. A rule with a theme that cannot be shown decides nothing.
///
/// - Parameters:
///   - app: The app's rules; nil if it has none or gave no name.
///   - all: The rules for all apps.
///   - schedule: The schedule's scheme.
///   - reading: The desktop's preferences.
///   - defaults: The configured values, used if no other source has one.
///   - themes: The themes that can be shown.
public func resolve(
  app: OverriddenFields?, all: OverriddenFields, schedule: Scheduled = .off, reading: Reading, defaults: Defaults,
  themes: ThemeSides = { _, _ in nil }
) -> Resolution {
  let own = app ?? OverriddenFields()
  let below = whatLiesBelow(schedule, reading, defaults)
  let scheme = decide(own.scheme, all.scheme, below: below.origin)
  let desktop = Origin(reading.rule, isRemembered: reading.isRemembered)
  let contrast = decide(own.highContrast, all.highContrast, below: desktop)
  let motion = decide(own.reducedMotion, all.reducedMotion, below: desktop)
  let accent = decide(own.accentColor, all.accentColor, below: desktop)
  var resolution = Resolution(scheme: scheme.value ?? below.scheme, desktop: reading.scheme)
  resolution.highContrast = contrast.value ?? reading.highContrast
  resolution.reducedMotion = motion.value ?? reading.reducedMotion
  resolution.accentColor = accent.value ?? reading.accentColor
  let theme = resolveTheme(resolution.scheme, own, all, reading, defaults, themes)
  resolution.theme = theme?.value
  resolution.transition = theme.map { theme in
    let told = theme.origin.rule == .upstream ? reading.upstream?.transition : nil
    return resolution.reducedMotion == true ? 0 : told ?? defaults.transition
  }
  resolution.nextSwitch = schedule.next
  // Appended in the order of the names, which the collection requires.
  var origins = Origins(reserving: 6)
  if resolution.accentColor != nil { origins.append("accentColor", accent.origin) }
  // An override hides in every other origin that another daemon is followed, and a plugin in an ssh session has to know.
  if reading.upstream != nil { origins.append("desktop", Origin(.upstream)) }
  if resolution.highContrast != nil { origins.append("highContrast", contrast.origin) }
  if resolution.reducedMotion != nil { origins.append("reducedMotion", motion.origin) }
  origins.append("scheme", scheme.origin)
  if let theme { origins.append("theme", theme.origin) }
  resolution.origins = origins
  return resolution
}

/// The value that the overrides give to a field, nil for none, and what decides the field.
private func decide<Value>(
  _ app: OverriddenField<Value>?, _ all: OverriddenField<Value>?, below: Origin
) -> (value: Value?, origin: Origin) {
  if let app {
    // `auto` counts as a rule, because it keeps the rule of all apps from applying.
    guard let value = app.value else {
      return (nil, Origin(below.rule, isPinned: true, isRemembered: below.isRemembered, until: app.end))
    }
    return (value, Origin(.appOverride, until: app.end))
  }
  if let all, let value = all.value { return (value, Origin(.override, until: all.end)) }
  return (nil, below)
}

private func whatLiesBelow(
  _ schedule: Scheduled, _ reading: Reading, _ defaults: Defaults
) -> (scheme: ColorScheme, origin: Origin) {
  if let scheme = schedule.scheme { return (scheme, Origin(.schedule)) }
  let (scheme, rule): (ColorScheme, Rule) =
    switch reading.scheme {
    case .light: (.light, reading.rule)
    case .dark: (.dark, reading.rule)
    case .none: (defaults.noPreference, .default)
    case .unavailable: (defaults.noDesktop, .default)
    }
  return (scheme, Origin(rule, isRemembered: reading.isRemembered))
}

extension Reading {
  /// The rule to name if this reading decides a field.
  fileprivate var rule: Rule { upstream == nil ? .portal : .upstream }

  /// The theme that the followed daemon shows, if it is on this side.
  fileprivate func theme(_ scheme: ColorScheme) -> ShownTheme? {
    switch (self.scheme, scheme) {
    case (.light, .light), (.dark, .dark): upstream?.theme
    default: nil
    }
  }
}

private func resolveTheme(
  _ scheme: ColorScheme, _ app: OverriddenFields, _ all: OverriddenFields, _ reading: Reading, _ defaults: Defaults,
  _ themes: ThemeSides
) -> (value: ShownTheme, origin: Origin)? {
  let (own, others, configured) =
    switch scheme {
    case .light: (app.lightTheme, all.lightTheme, defaults.lightTheme)
    case .dark: (app.darkTheme, all.darkTheme, defaults.darkTheme)
    }
  func shown(_ name: Text?) -> ShownTheme? { name.flatMap { themes($0, scheme) } }
  // The followed daemon sends its theme in full. An installed theme of the same name may be a different one.
  let below =
    reading.theme(scheme).map { (value: $0, rule: Rule.upstream) }
    ?? shown(configured).map { (value: $0, rule: .default) }
  if let own, own.value == nil {
    return below.map { ($0.value, Origin($0.rule, isPinned: true, until: own.end)) }
  }
  if let own, let theme = shown(own.value) { return (theme, Origin(.appOverride, until: own.end)) }
  if let others, let theme = shown(others.value) { return (theme, Origin(.override, until: others.end)) }
  return below.map { ($0.value, Origin($0.rule)) }
}

/// The side of a theme that is shown: the theme's name and title, and what programs draw with.
public struct ShownTheme: Sendable, Hashable {
  /// The name to choose the theme by.
  public var name: Text
  /// The theme's title for people.
  public var title: Text
  /// The details that programs draw with; nil for a client that did not ask for them.
  public var details: ThemeDetails?

  /// The side of a theme.
  public init(name: Text, title: Text, details: ThemeDetails? = nil) {
    self.name = name
    self.title = title
    self.details = details
  }
}

/// The colours, images and values that programs draw with, for one side of a theme.
public struct ThemeDetails: Sendable, Hashable {
  /// A colour for every role, by the role's name.
  public var palette: [Text: Color]
  /// The absolute paths of images, by purpose.
  public var assets: [Text: Text]
  /// Settings for programs, by the name of the program.
  public var values: [Text: Text]

  /// Details with these parts.
  public init(palette: [Text: Color] = [:], assets: [Text: Text] = [:], values: [Text: Text] = [:]) {
    self.palette = palette
    self.assets = assets
    self.values = values
  }
}

/// Returns a theme's side for a scheme, by the theme's name; nil if there is no such theme or no such side.
public typealias ThemeSides = (_ name: Text, _ scheme: ColorScheme) -> ShownTheme?
