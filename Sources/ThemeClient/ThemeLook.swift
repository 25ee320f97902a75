public import ThemeClientCore

/// How a program is to look at a moment: a color scheme, a colour for every role, and images.
///
/// It is made of a ``ThemeState``; within a fade it lies between two of them, and its colours do, too.
public struct ThemeLook: Sendable, Hashable {
  /// Light or dark; within a fade, where it leads.
  public let scheme: ThemeScheme
  /// The theme's name; nil where none is chosen, or the daemon knows none.
  public let theme: ThemeText?
  /// What people call the theme.
  public let title: ThemeText?
  /// A colour for every role, given by the theme or derived.
  public let palette: ThemePalette
  /// The absolute paths of the theme's images, by what they are for; within a fade, those that it leads to.
  public let assets: [ThemeText: ThemeText]
  /// The theme's values, by the program that they are for.
  public let values: [ThemeText: ThemeText]
  /// Whether to show higher contrast.
  public let highContrast: Bool
  /// Whether to move less: then nothing fades.
  public let reducedMotion: Bool
  /// How dark it is, from 0 (light) to 1 (dark); in between within a fade from one to the other.
  public let darkness: Double

  /// How a program looks in a state that was asked for with `details`.
  ///
  /// Without a theme the colours are derived for the scheme, with the desktop's accent colour, if it has one, as
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

  /// How a program looks before it has heard of a state: the colours that are derived for the scheme.
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

  /// The look at `fraction` of the way to `other`: 0 is this one, 1 the other.
  ///
  /// Colours take the perceptually even way (OKLab); whatever cannot lie in between is the other's.
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
