public import ThemeClientCore

/// A colour that differs between light and dark, or the colour of a role.
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

  /// One colour for light and one for dark.
  public init(light: ThemeColor, dark: ThemeColor) {
    source = .pair(light: light, dark: dark)
  }

  private init(_ source: Source) {
    self.source = source
  }

  /// The colour of a role in any theme.
  public static func role(_ role: ThemeRole) -> ThemeDynamicColor { ThemeDynamicColor(.role(role)) }

  /// The colour in a look; during a fade between light and dark, the colour in between.
  public func color(in look: ThemeLook) -> ThemeColor {
    switch source {
    case .pair(let light, let dark): light.interpolated(to: dark, fraction: look.darkness)
    case .role(let role): look[role]
    }
  }
}

/// An image or another file that differs between light and dark; a theme can replace it with its own.
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
  /// The name that themes use for such a file; nil if themes cannot replace it.
  public let role: ThemeText?

  /// One path for light and one for dark, and the name under which a theme can replace them.
  public init(light: String, dark: String, role: ThemeText? = nil) {
    self.light = light
    self.dark = dark
    self.role = role
  }

  /// The path to use for a look: the path of the theme's file for this role, if there is one, or else ``light`` or
  /// ``dark``.
  public func path(in look: ThemeLook) -> String {
    if let role, let path = look.assets[role] { return path.string }
    return look.scheme == .light ? light : dark
  }
}
