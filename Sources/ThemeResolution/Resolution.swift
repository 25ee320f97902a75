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
  /// Which rule decided each field that is not nil, by the field's name on the wire.
  public var origins: [Text: Origin]
  /// The override that decided the scheme, if one did.
  public var override: Override?

  /// A resolution of these parts.
  public init(
    scheme: ColorScheme, desktop: Preference, highContrast: Bool? = nil, reducedMotion: Bool? = nil,
    accentColor: Color? = nil, theme: ShownTheme? = nil, transition: Int? = nil, origins: [Text: Origin] = [:],
    override: Override? = nil
  ) {
    self.scheme = scheme
    self.desktop = desktop
    self.highContrast = highContrast
    self.reducedMotion = reducedMotion
    self.accentColor = accentColor
    self.theme = theme
    self.transition = transition
    self.origins = origins
    self.override = override
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

/// The rules of resolution: highest first, those of this app, those of all apps, the desktop, the default.
///
/// Pure and total. The rules are those that hold now; one that has ended is not among them. First the scheme is
/// decided, then the theme of its side; a rule that names a theme which cannot be shown there decides nothing.
///
/// - Parameters:
///   - app: The app's name and its rules; nil where it has none, or gave no name.
///   - all: The rules for all apps.
///   - reading: What the desktop asks for.
///   - defaults: What the configuration says where nobody else does.
///   - themes: The themes that can be shown.
public func resolve(
  app: (name: Text, rules: Rules)?, all: Rules, reading: Reading, defaults: Defaults,
  themes: ThemeSides = { _, _ in nil }
) -> Resolution {
  let own = app?.rules ?? Rules()
  let contrast = first(own.highContrast, all.highContrast, reading.highContrast)
  let motion = first(own.reducedMotion, all.reducedMotion, reading.reducedMotion)
  let accent = first(own.accentColor, all.accentColor, reading.accentColor)
  // `auto` decides too: it is what keeps the rules below it from being asked.
  let override = own.scheme.map { $0.override(of: app?.name) } ?? all.scheme.map { $0.override(of: nil) }
  let origin = own.scheme != nil ? Origin.appOverride : .override
  let (scheme, schemeOrigin) = resolve(override?.scheme ?? .auto, origin, reading.scheme, defaults)
  let theme = resolveTheme(scheme, own, all, defaults, themes)
  var origins: [Text: Origin] = ["scheme": schemeOrigin]
  origins["highContrast"] = contrast?.origin
  origins["reducedMotion"] = motion?.origin
  origins["accentColor"] = accent?.origin
  origins["theme"] = theme?.origin
  return Resolution(
    scheme: scheme, desktop: reading.scheme, highContrast: contrast?.value, reducedMotion: motion?.value,
    accentColor: accent?.value, theme: theme?.value,
    transition: theme.map { _ in motion?.value == true ? 0 : defaults.transition }, origins: origins, override: override
  )
}

private func resolveTheme(
  _ scheme: ColorScheme, _ app: Rules, _ all: Rules, _ defaults: Defaults, _ themes: ThemeSides
) -> (value: ShownTheme, origin: Origin)? {
  let rules: [(name: Text?, origin: Origin)] =
    switch scheme {
    case .light:
      [(app.lightTheme?.value, .appOverride), (all.lightTheme?.value, .override), (defaults.lightTheme, .default)]
    case .dark:
      [(app.darkTheme?.value, .appOverride), (all.darkTheme?.value, .override), (defaults.darkTheme, .default)]
    }
  for case (let name?, let origin) in rules {
    if let theme = themes(name, scheme) { return (theme, origin) }
  }
  return nil
}

private func resolve(
  _ mode: Mode, _ origin: Origin, _ desktop: Preference, _ defaults: Defaults
) -> (ColorScheme, Origin) {
  switch (mode, desktop) {
  case (.light, _): (.light, origin)
  case (.dark, _): (.dark, origin)
  case (.auto, .light): (.light, .portal)
  case (.auto, .dark): (.dark, .portal)
  case (.auto, .none): (defaults.noPreference, .default)
  case (.auto, .unavailable): (defaults.noDesktop, .default)
  }
}

private func first<Value>(
  _ app: Rule<Value>?, _ all: Rule<Value>?, _ desktop: Value?
) -> (value: Value, origin: Origin)? {
  if let app { return (app.value, .appOverride) }
  if let all { return (all.value, .override) }
  return desktop.map { ($0, .portal) }
}

extension Rule<Mode> {
  /// The rule as an override, of this field alone.
  fileprivate func override(of app: Text?) -> Override {
    Override(
      app: app, scheme: value, expiresAt: end.expiresAt, untilDesktopChanges: end.desktopWas.map { _ in true })
  }
}
