public import ThemedText

/// What holds, and which rule decided it, field by field.
public struct Resolution: Sendable, Hashable {
  /// What to show.
  public var scheme: ColorScheme
  /// What the desktop asks for, whatever is shown.
  public var desktop: Preference
  /// Whether to show higher contrast; nil where nobody says.
  public var highContrast: Bool?
  /// Whether to move less; nil where nobody says.
  public var reducedMotion: Bool?
  /// The accent colour; nil where nobody says.
  public var accentColor: Color?
  /// The theme, on the side of the scheme; nil where none is chosen that can be shown.
  public var theme: ShownTheme?
  /// How long programs may take to fade to it, in milliseconds, 0 where motion is reduced; nil where no theme is shown.
  public var transition: Int?
  /// The schedule's next turn, whatever is shown; nil where there is none.
  public var nextSwitch: Switch?
  /// What decided each field that is not nil, by the field's name on the wire.
  public var origins: Origins

  /// A resolution of these parts.
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

/// The whole resolved state, as every client gets it: at first, and after each change.
public struct State: Sendable, Hashable {
  /// Names one life of the daemon's history.
  public var instance: Text
  /// Orders the states of one instance; gaps mean nothing.
  public var serial: Int64
  /// What holds, and why.
  public var resolution: Resolution

  /// The state of an instance at a serial.
  public init(instance: Text, serial: Int64, resolution: Resolution) {
    self.instance = instance
    self.serial = serial
    self.resolution = resolution
  }

  /// What to show.
  public var scheme: ColorScheme { resolution.scheme }
  /// The name of the theme to show; nil where none is chosen that can be shown.
  public var theme: Text? { resolution.theme?.name }
  /// Whether to show higher contrast; nil where nobody says.
  public var highContrast: Bool? { resolution.highContrast }
  /// Whether to move less; nil where nobody says.
  public var reducedMotion: Bool? { resolution.reducedMotion }
  /// The accent colour; nil where nobody says.
  public var accentColor: Color? { resolution.accentColor }
}

/// The rules of resolution: highest first, those of this app, those of all apps, the schedule, the desktop or the daemon
/// that is followed in its place, the default.
///
/// A rule of this app that is `auto` pins its field to what lies below the overrides: those of all apps are not asked.
///
/// Pure and total. The rules are those that hold now; one that has ended is not among them. First the scheme is
/// decided, then the theme of its side; a rule that names a theme which cannot be shown there decides nothing.
///
/// - Parameters:
///   - app: The app's rules; nil where it has none, or gave no name.
///   - all: The rules for all apps.
///   - schedule: What the schedule says.
///   - reading: What the desktop asks for.
///   - defaults: What the configuration says where nobody else does.
///   - themes: The themes that can be shown.
public func resolve(
  app: Rules?, all: Rules, schedule: Scheduled = .off, reading: Reading, defaults: Defaults,
  themes: ThemeSides = { _, _ in nil }
) -> Resolution {
  let own = app ?? Rules()
  let below = whatLiesBelow(schedule, reading, defaults)
  let scheme = decide(own.scheme, all.scheme, below: below.rule)
  let desktop = reading.rule
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
  // In the order of the names, in which they lie.
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

/// What the overrides say of a field, nil for what lies below them, and what decides it then.
private func decide<Value>(
  _ app: Rule<Value>?, _ all: Rule<Value>?, below: Origin.Rule
) -> (value: Value?, origin: Origin) {
  if let app {
    // `auto` decides too: it is what keeps the rule of all apps from being asked.
    guard let value = app.value else { return (nil, Origin(below, isPinned: true, until: app.end)) }
    return (value, Origin(.appOverride, until: app.end))
  }
  if let all, let value = all.value { return (value, Origin(.override, until: all.end)) }
  return (nil, Origin(below))
}

private func whatLiesBelow(
  _ schedule: Scheduled, _ reading: Reading, _ defaults: Defaults
) -> (scheme: ColorScheme, rule: Origin.Rule) {
  if let scheme = schedule.scheme { return (scheme, .schedule) }
  return switch reading.scheme {
  case .light: (.light, reading.rule)
  case .dark: (.dark, reading.rule)
  case .none: (defaults.noPreference, .default)
  case .unavailable: (defaults.noDesktop, .default)
  }
}

extension Reading {
  /// The rule that decides where it does.
  fileprivate var rule: Origin.Rule { upstream == nil ? .portal : .upstream }

  /// The theme that comes with it, on the side that it came for.
  fileprivate func theme(_ scheme: ColorScheme) -> ShownTheme? {
    switch (self.scheme, scheme) {
    case (.light, .light), (.dark, .dark): upstream?.theme
    default: nil
    }
  }
}

private func resolveTheme(
  _ scheme: ColorScheme, _ app: Rules, _ all: Rules, _ reading: Reading, _ defaults: Defaults, _ themes: ThemeSides
) -> (value: ShownTheme, origin: Origin)? {
  let (own, others, configured) =
    switch scheme {
    case .light: (app.lightTheme, all.lightTheme, defaults.lightTheme)
    case .dark: (app.darkTheme, all.darkTheme, defaults.darkTheme)
    }
  func shown(_ name: Text?) -> ShownTheme? { name.flatMap { themes($0, scheme) } }
  // What another daemon shows comes whole: an installed theme of the same name says nothing of it.
  let below =
    reading.theme(scheme).map { (value: $0, rule: Origin.Rule.upstream) }
    ?? shown(configured).map { (value: $0, rule: .default) }
  if let own, own.value == nil {
    return below.map { ($0.value, Origin($0.rule, isPinned: true, until: own.end)) }
  }
  if let own, let theme = shown(own.value) { return (theme, Origin(.appOverride, until: own.end)) }
  if let others, let theme = shown(others.value) { return (theme, Origin(.override, until: others.end)) }
  return below.map { ($0.value, Origin($0.rule)) }
}
