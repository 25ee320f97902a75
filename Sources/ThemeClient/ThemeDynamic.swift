public import ThemeClientCore

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
  public init(light: ThemeColor, dark: ThemeColor) {
    source = .pair(light: light, dark: dark)
  }

  private init(_ source: Source) {
    self.source = source
  }

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
    self.light = light
    self.dark = dark
    self.role = role
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
