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

/// A colour that depends on the look: one colour for light and another for dark, or the colour of a role.
///
/// ```swift
/// let paper = ThemeDynamicColor(light: cream, dark: night)
/// let button = ThemeDynamicColor.role(.primary)
/// draw(button.color(in: look), on: paper.color(in: look))
/// ```
public struct ThemeDynamicColor: Sendable, Hashable {
  private enum Source: Sendable, Hashable {
    case pair(light: ThemeColor, dark: ThemeColor)
    case role(ThemeRole)
  }

  private let source: Source

  /// Creates a colour that is `light` in a light look and `dark` in a dark look.
  public init(light: ThemeColor, dark: ThemeColor) { source = .pair(light: light, dark: dark) }

  private init(_ source: Source) { self.source = source }

  /// Creates a colour that is, in each look, the colour of this role.
  public static func role(_ role: ThemeRole) -> ThemeDynamicColor { ThemeDynamicColor(.role(role)) }

  /// The colour to draw with in this look; during a fade between light and dark, the colour in between.
  public func color(in look: ThemeLook) -> ThemeColor {
    switch source {
    case .pair(let light, let dark): light.interpolated(to: dark, fraction: look.darkness)
    case .role(let role): look[role]
    }
  }
}

/// An image or another file that differs between light and dark; a theme can replace it with its own file.
///
/// ```swift
/// let place = "/usr/share/app"
/// let wallpaper = ThemeDynamicAsset(light: place + "/day.jpg", dark: place + "/night.jpg", role: "wallpaper")
/// show(wallpaper.path(in: look))
/// ```
public struct ThemeDynamicAsset: Sendable, Hashable {
  /// The path of the file for light.
  public let light: String
  /// The path of the file for dark.
  public let dark: String
  /// The purpose of the file, such as `wallpaper`; nil if themes cannot replace the file.
  ///
  /// If the look has a file for this purpose in ``ThemeLook/assets``, that file is used. A purpose is not a
  /// ``ThemeRole``, although this property is called `role`.
  public let role: ThemeText?

  /// Creates an asset.
  ///
  /// - Parameters:
  ///   - light: The path of the file for light.
  ///   - dark: The path of the file for dark.
  ///   - role: The purpose of the file, such as `wallpaper`; nil if themes cannot replace it.
  public init(light: String, dark: String, role: ThemeText? = nil) {
    (self.light, self.dark, self.role) = (light, dark, role)
  }

  /// The path of the file to use for a look.
  ///
  /// If the theme has a file for the purpose ``role``, this is the path of that file. Otherwise it is ``light`` or
  /// ``dark``.
  public func path(in look: ThemeLook) -> String {
    if let role, let path = look.assets[role] { return path.string }
    return look.scheme == .light ? light : dark
  }
}
