public import ThemedSystem

/// A theme: colours, images and values for light, for dark, or for both.
public struct Theme: Sendable, Hashable {
  /// The name to choose it by, which is its file's name without `.theme`; see ``isValidName(_:)``.
  public var name: Text
  /// Its title for people.
  public var title: Text
  /// The author of the theme.
  public var author: Text?
  /// The look while the scheme is light; nil if the theme has no light side.
  public var light: Side?
  /// The look while the scheme is dark; nil if the theme has no dark side.
  public var dark: Side?

  /// A theme with these parts; without a title, its name is the title.
  public init(name: Text, title: Text? = nil, author: Text? = nil, light: Side? = nil, dark: Side? = nil) {
    self.name = name
    self.title = title ?? name
    self.author = author
    self.light = light
    self.dark = dark
  }

  /// One side of the theme.
  public subscript(scheme: ColorScheme) -> Side? {
    get { scheme == .light ? light : dark }
    set { if scheme == .light { light = newValue } else { dark = newValue } }
  }

  /// The sides that the theme has, light first.
  public var schemes: [ColorScheme] { ColorScheme.allCases.filter { self[$0] != nil } }

  /// The complete palette of a side; nil if the theme does not have that side.
  public func palette(for scheme: ColorScheme) -> Palette? {
    self[scheme].map { Palette($0.colors, for: scheme) }
  }

  /// Whether this is a valid name for a theme, and so for a file.
  ///
  /// A name has 1 to 64 bytes: ASCII letters, digits, `.`, `_`, `+` and `-`. The first is a letter or a digit.
  public static func isValidName(_ name: Text) -> Bool {
    guard let first = name.utf8.first, first.isLetterOrDigit, name.utf8.count <= 64 else { return false }
    return name.utf8.allSatisfy { $0.isLetterOrDigit || "._+-".utf8.contains($0) }
  }

  /// The names that ``isValidName(_:)`` accepts, described for a message.
  public static let nameExpectation =
    "1 to 64 ASCII letters, digits, '.', '_', '+' or '-', starting with a letter or a digit"
}

/// One side of a theme: what the theme gives for light, or for dark.
public struct Side: Sendable, Hashable {
  /// The colours that the theme gives; ``Palette`` derives the others.
  public var colors: [Role: Color]
  /// Images by purpose, such as `wallpaper`; the paths are written as in the theme's file.
  ///
  /// ``assetPath(_:directory:home:)`` makes them absolute.
  public var assets: [Text: Text]
  /// Settings for programs, by the name of the program, such as `bat`.
  public var values: [Text: Text]

  /// A side with these parts.
  public init(colors: [Role: Color] = [:], assets: [Text: Text] = [:], values: [Text: Text] = [:]) {
    self.colors = colors
    self.assets = assets
    self.values = values
  }

  /// Whether this is a valid name for an asset or a value: 1 to 64 bytes of ASCII letters, digits, `.`, `_`, `+` and
  /// `-`.
  public static func isValidKey(_ key: Text) -> Bool {
    !key.isEmpty && key.utf8.count <= 64
      && key.utf8.allSatisfy { $0.isLetterOrDigit || "._+-".utf8.contains($0) }
  }

  /// The absolute path of an image that a theme's file writes as `path`.
  ///
  /// - Parameters:
  ///   - path: An absolute path, a path in the home directory (`~/…`), or a path relative to the theme's file.
  ///   - directory: The directory of the theme's file.
  ///   - home: The home directory; nil if it is not known.
  /// - Returns: The absolute path; nil if it begins with `~/` and the home directory is not known.
  public static func assetPath(_ path: Text, directory: Text, home: Text?) -> Text? {
    if path.hasPrefix("/") { return path }
    if let below = path.dropping(prefix: "~/") { return home.map { "\($0)/\(below)" } }
    return "\(directory)/\(path)"
  }
}
