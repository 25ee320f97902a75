public import ThemeClientCore

/// Everything that a program draws with: the scheme, a colour for every role, and images.
///
/// A role is the use of a colour, such as the background or the text; see ``ThemeRole``. You make a look from a
/// ``ThemeState``. During a fade, the colours of a look are between those of two states.
public struct ThemeLook: Sendable, Hashable {
  /// Light or dark; during a fade, the scheme at its end.
  public let scheme: ThemeScheme
  /// The theme's name; nil if no theme is shown.
  public let theme: ThemeText?
  /// The theme's display title; nil if no theme is shown.
  public let title: ThemeText?
  /// A colour for every role; colours that the theme does not give are derived from the others.
  public let palette: ThemePalette
  /// The absolute paths of the theme's images, by purpose, such as `wallpaper`; during a fade, the images at its end.
  public let assets: [ThemeText: ThemeText]
  /// The theme's settings for programs, by the name of the program.
  public let values: [ThemeText: ThemeText]
  /// Whether to show higher contrast.
  public let highContrast: Bool
  /// Whether to animate less; if so, nothing fades.
  public let reducedMotion: Bool
  /// How dark the look is: 0 for light, 1 for dark, and a number in between during a fade between light and dark.
  public let darkness: Double

  /// The look of a state; request the state with `details: true`.
  ///
  /// If the state has no theme, the look has the default colours of the scheme. If the state has an accent colour, this
  /// colour becomes ``ThemeRole/primary``. The same holds if the state has a theme but was requested without details.
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

  /// Creates a look to draw with until the first state arrives.
  ///
  /// - Parameters:
  ///   - scheme: Light or dark.
  ///   - palette: The colours; nil for the default colours of the scheme.
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

  /// The look at `fraction` of the way to `other`: 0 gives this look, and 1 gives the other look.
  ///
  /// Colours are interpolated in OKLab, a colour space in which the change looks even. All other properties except
  /// ``darkness`` are those of `other`.
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
