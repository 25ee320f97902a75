public import ThemedText

/// The side of a theme that is shown: the theme's name and title, and what is drawn with.
public struct ShownTheme: Sendable, Hashable {
  /// What the theme is chosen by.
  public var name: Text
  /// What people call it.
  public var title: Text
  /// What is drawn with; nil for a client that has not asked for it.
  public var details: ThemeDetails?

  /// The side of a theme.
  public init(name: Text, title: Text, details: ThemeDetails? = nil) {
    self.name = name
    self.title = title
    self.details = details
  }
}

/// What is drawn with on one side of a theme.
public struct ThemeDetails: Sendable, Hashable {
  /// A colour for every role, by the role's name.
  public var palette: [Text: Color]
  /// The absolute paths of images, by what they are for.
  public var assets: [Text: Text]
  /// Values, by the program that they are for.
  public var values: [Text: Text]

  /// The details of these parts.
  public init(palette: [Text: Color] = [:], assets: [Text: Text] = [:], values: [Text: Text] = [:]) {
    self.palette = palette
    self.assets = assets
    self.values = values
  }
}

/// The side of a theme for a scheme, by the theme's name; nil where there is no such theme, or it has no such side.
public typealias ThemeSides = (_ name: Text, _ scheme: ColorScheme) -> ShownTheme?
