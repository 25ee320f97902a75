public import ThemeClientCore

/// Everything a program draws with: the scheme, a colour for every role, and images.
///
/// A look is made from a ``ThemeState``. During a fade, its colours are between those of two states.
public struct ThemeLook: Sendable, Hashable {
  /// Light or dark; during a fade, the scheme at its end.
  public let scheme: ThemeScheme
  /// The theme's name; nil if no theme is shown.
  public let theme: ThemeText?
  /// The theme's display title.
  public let title: ThemeText?
  /// A colour for every role, given by the theme or derived.
  public let palette: ThemePalette
  /// The absolute paths of the theme's images, by purpose; during a fade, those at its end.
  public let assets: [ThemeText: ThemeText]
  /// The theme's settings for programs, by the name of the program.
  public let values: [ThemeText: ThemeText]
  /// Whether to show higher contrast.
  public let highContrast: Bool
  /// Whether to animate less; then nothing fades.
  public let reducedMotion: Bool
  /// How dark the look is, from 0 (light) to 1 (dark); between the two during a fade from one to the other.
  public let darkness: Double

  /// The look of a state that was requested with `details`.
  ///
  /// Without a theme, the colours are derived for the scheme, and the state's accent colour, if any, becomes
  /// ``ThemeRole/primary``.
  public init(_ state: ThemeState) {
    let details = state.details
    scheme = state.scheme
    theme = state.theme
    title = state.title
    palette = details?.palette ?? ThemePalette(state.accentColor.map { [.primary: $0] } ?? [:], for: state.scheme)
    assets = details?.assets ?? [:]
    values = details?.values ?? [:]
    highContrast = state.highContrast ?? false
    reducedMotion = state.reducedMotion ?? false
    darkness = state.scheme == .dark ? 1 : 0
  }

  /// A look to draw with until the first state arrives: this palette, or the default colours of the scheme.
  public init(_ scheme: ThemeScheme, palette: ThemePalette? = nil) {
    self.scheme = scheme
    theme = nil
    title = nil
    self.palette = palette ?? ThemePalette([:], for: scheme)
    assets = [:]
    values = [:]
    highContrast = false
    reducedMotion = false
    darkness = scheme == .dark ? 1 : 0
  }

  /// The colour of a role.
  public subscript(role: ThemeRole) -> ThemeColor { palette[role] }

  /// The look at `fraction` of the way to `other`: 0 is this one, 1 is the other.
  ///
  /// Colours are interpolated in OKLab, so that the change looks even. Properties that cannot be interpolated are taken
  /// from `other`.
  public func interpolated(to other: ThemeLook, fraction: Double) -> ThemeLook {
    guard fraction > 0 else { return self }
    guard fraction < 1 else { return other }
    return ThemeLook(
      other, palette: palette.interpolated(to: other.palette, fraction: fraction),
      darkness: darkness + (other.darkness - darkness) * fraction)
  }

  private init(_ other: ThemeLook, palette: ThemePalette, darkness: Double) {
    scheme = other.scheme
    theme = other.theme
    title = other.title
    self.palette = palette
    assets = other.assets
    values = other.values
    highContrast = other.highContrast
    reducedMotion = other.reducedMotion
    self.darkness = darkness
  }
}
