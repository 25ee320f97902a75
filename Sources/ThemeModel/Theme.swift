public import ThemeResolution
public import ThemedText

/// A theme: colours, images and values for light, for dark, or for both.
public struct Theme: Sendable, Hashable {
  /// What it is chosen by, and the name of its file without `.theme`; see ``isValidName(_:)``.
  public var name: Text
  /// What people call it.
  public var title: Text
  /// Who made it.
  public var author: Text?
  /// What is shown where the scheme is light; nil where the theme has no light side.
  public var light: Side?
  /// What is shown where the scheme is dark; nil where the theme has no dark side.
  public var dark: Side?

  /// A theme of these parts; without a title it is called by its name.
  public init(name: Text, title: Text? = nil, author: Text? = nil, light: Side? = nil, dark: Side? = nil) {
    self.name = name
    self.title = title ?? name
    self.author = author
    self.light = light
    self.dark = dark
  }

  /// One side of it.
  public subscript(scheme: ColorScheme) -> Side? {
    get { scheme == .light ? light : dark }
    set { if scheme == .light { light = newValue } else { dark = newValue } }
  }

  /// The sides that it has, light first.
  public var schemes: [ColorScheme] { ColorScheme.allCases.filter { self[$0] != nil } }

  /// The complete palette of a side; nil where the theme has no such side.
  public func palette(for scheme: ColorScheme) -> Palette? {
    self[scheme].map { Palette($0.colors, for: scheme) }
  }

  /// Whether a theme may be called this, and so a file.
  ///
  /// 1 to 64 bytes of ASCII letters, digits, `.`, `_`, `+` and `-`, of which the first is a letter or a digit.
  public static func isValidName(_ name: Text) -> Bool {
    guard let first = name.utf8.first, first.isLetterOrDigit, name.utf8.count <= 64 else { return false }
    return name.utf8.allSatisfy { $0.isLetterOrDigit || "._+-".utf8.contains($0) }
  }

  /// What ``isValidName(_:)`` expects, for a message.
  public static let nameExpectation =
    "1 to 64 ASCII letters, digits, '.', '_', '+' and '-', of which the first is a letter or a digit"
}

/// One side of a theme: what it gives for light, or for dark.
public struct Side: Sendable, Hashable {
  /// The colours that it gives; ``Palette`` derives the others.
  public var colors: [Role: Color]
  /// Images by what they are for, such as `wallpaper`: paths as the theme's file writes them.
  ///
  /// ``assetPath(_:directory:home:)`` says where they lie.
  public var assets: [Text: Text]
  /// Values by whom they are for, such as `bat`: whatever that program wants to hear.
  public var values: [Text: Text]

  /// A side that gives this.
  public init(colors: [Role: Color] = [:], assets: [Text: Text] = [:], values: [Text: Text] = [:]) {
    self.colors = colors
    self.assets = assets
    self.values = values
  }

  /// Whether an asset or a value may be called this: 1 to 64 bytes of ASCII letters, digits, `.`, `_`, `+` and `-`.
  public static func isValidKey(_ key: Text) -> Bool {
    !key.isEmpty && key.utf8.count <= 64
      && key.utf8.allSatisfy { $0.isLetterOrDigit || "._+-".utf8.contains($0) }
  }

  /// Where an image lies that a theme's file writes as `path`.
  ///
  /// - Parameters:
  ///   - path: An absolute path, one below the home directory (`~/…`), or one relative to the theme's file.
  ///   - directory: Where the theme's file lies.
  ///   - home: The home directory; nil where none is known.
  /// - Returns: The absolute path; nil where it begins with `~/` and no home directory is known.
  public static func assetPath(_ path: Text, directory: Text, home: Text?) -> Text? {
    if path.hasPrefix("/") { return path }
    if let below = path.dropping(prefix: "~/") { return home.map { "\($0)/\(below)" } }
    return "\(directory)/\(path)"
  }
}

extension UInt8 {
  fileprivate var isLetterOrDigit: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }
}
