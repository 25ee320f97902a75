public import ThemedSystem

/// The side of a theme that is shown: the theme's name and title, and what programs draw with.
public struct ShownTheme: Sendable, Hashable {
  /// The name to choose the theme by.
  public var name: Text
  /// The theme's title for people.
  public var title: Text
  /// The details that programs draw with; nil for a client that did not ask for them.
  public var details: ThemeDetails?

  /// The side of a theme.
  public init(name: Text, title: Text, details: ThemeDetails? = nil) {
    self.name = name
    self.title = title
    self.details = details
  }
}

/// The colours, images and values that programs draw with, for one side of a theme.
public struct ThemeDetails: Sendable, Hashable {
  /// A colour for every role, by the role's name.
  public var palette: [Text: Color]
  /// The absolute paths of images, by purpose.
  public var assets: [Text: Text]
  /// Settings for programs, by the name of the program.
  public var values: [Text: Text]

  /// Details with these parts.
  public init(palette: [Text: Color] = [:], assets: [Text: Text] = [:], values: [Text: Text] = [:]) {
    self.palette = palette
    self.assets = assets
    self.values = values
  }
}

/// Returns a theme's side for a scheme, by the theme's name; nil if there is no such theme or no such side.
public typealias ThemeSides = (_ name: Text, _ scheme: ColorScheme) -> ShownTheme?
