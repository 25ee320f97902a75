/// The side of a theme that is shown: the theme's name and title, and what is drawn with.
public struct ShownTheme: Sendable, Hashable {
  /// What the theme is chosen by.
  public var name: String
  /// What people call it.
  public var title: String
  /// What is drawn with; nil for a client that has not asked for it.
  public var details: ThemeDetails?

  /// The side of a theme.
  public init(name: String, title: String, details: ThemeDetails? = nil) {
    self.name = name
    self.title = title
    self.details = details
  }
}

/// What is drawn with on one side of a theme.
public struct ThemeDetails: Sendable, Hashable {
  /// A colour for every role, by the role's name.
  public var palette: [String: Color]
  /// The absolute paths of images, by what they are for.
  public var assets: [String: String]
  /// Values, by the program that they are for.
  public var values: [String: String]

  /// The details of these parts.
  public init(palette: [String: Color] = [:], assets: [String: String] = [:], values: [String: String] = [:]) {
    self.palette = palette
    self.assets = assets
    self.values = values
  }
}

/// The side of a theme for a scheme, by the theme's name; nil where there is no such theme, or it has no such side.
public typealias ThemeSides = (_ name: String, _ scheme: ColorScheme) -> ShownTheme?
