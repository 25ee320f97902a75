internal import ThemedInterface
internal import ThemedModel
internal import ThemedSystem

/// An installed theme, as a list or a chooser shows it.
///
/// A theme has a light side, a dark side, or both. Each side has the colours and images for the scheme of that name.
public struct ThemeSummary: Sendable, Hashable {
  /// The name to choose the theme by.
  public let name: String
  /// The display title; nil if the theme's file cannot be used.
  public let title: String?
  /// The path of the theme's file; nil if the socket is read-only.
  public let path: String?
  /// Why the theme's file cannot be used, in words; nil if the file can be used.
  public let problem: String?
  private let swatches: [ThemeScheme: [ThemeRole: ThemeColor]]

  /// Creates a theme with this name and path, for your program's tests.
  ///
  /// - Parameters:
  ///   - name: The name to choose the theme by.
  ///   - title: The display title.
  ///   - path: The path of the theme's file.
  ///   - swatches: Some colours of each side that the theme has.
  ///   - problem: Why the theme's file cannot be used.
  public init(
    name: String, title: String? = nil, path: String? = nil, swatches: [ThemeScheme: [ThemeRole: ThemeColor]] = [:],
    problem: String? = nil
  ) {
    (self.name, self.title, self.path, self.swatches, self.problem) = (name, title, path, swatches, problem)
  }

  init(_ inner: ThemeListing) {
    let swatches = inner.schemes.map { (ThemeScheme($0), Dictionary(inner.swatch(for: $0) ?? [:])) }
    self.init(
      name: inner.name.string, title: inner.title?.shown(), path: inner.path.isEmpty ? nil : inner.path.string,
      swatches: Dictionary(uniqueKeysWithValues: swatches), problem: inner.problem.map { Text($0).shown() })
  }

  /// The sides that the theme has, light first.
  public var schemes: [ThemeScheme] { ThemeScheme.allCases.filter { swatches[$0] != nil } }

  /// Some colours of the side for this scheme, by role; nil if the theme does not have that side.
  ///
  /// The roles are ``ThemeRole/background``, ``ThemeRole/text``, ``ThemeRole/primary``, and a few more.
  public func swatch(for scheme: ThemeScheme) -> [ThemeRole: ThemeColor]? { swatches[scheme] }
}

/// An installed theme, in full.
public struct ThemeDescription: Sendable, Hashable {
  private let inner: InstalledTheme

  init(_ inner: InstalledTheme) { self.inner = inner }

  /// Creates a theme with these sides, for your program's tests.
  public init(
    name: String, title: String, author: String? = nil, path: String? = nil, problem: String? = nil,
    sides: [ThemeScheme: Side]
  ) {
    var theme = Theme(name: Text(name), title: Text(title), author: author.map { Text($0) })
    for (scheme, side) in sides { theme[scheme.inner] = side.inner }
    inner = InstalledTheme(theme: theme, path: Text(path ?? ""), problem: problem)
  }

  /// The name to choose the theme by.
  public var name: String { inner.theme.name.string }
  /// The display title.
  public var title: String { inner.theme.title.shown() }
  /// The author of the theme; nil if the file does not name an author.
  public var author: String? { inner.theme.author?.shown() }
  /// The path of the theme's file; nil if the socket is read-only.
  public var path: String? { inner.path.isEmpty ? nil : inner.path.string }
  /// The problem with the file or an image, in words; nil if there is no problem.
  ///
  /// If the file has become invalid, this description comes from the last valid version of the file.
  public var problem: String? { inner.problem.map { Text($0).shown() } }
  /// The sides that the theme has, light first.
  public var schemes: [ThemeScheme] { inner.theme.schemes.map { ThemeScheme($0) } }

  /// The side of the theme for this scheme; nil if the theme does not have that side.
  public func side(for scheme: ThemeScheme) -> Side? {
    inner.theme[scheme.inner].map { Side(inner: $0, scheme: scheme) }
  }

  /// One side of a theme: the colours, images and settings for light, or those for dark.
  public struct Side: Sendable, Hashable {
    fileprivate let inner: ThemedModel.Side
    fileprivate let scheme: ThemeScheme

    fileprivate init(inner: ThemedModel.Side, scheme: ThemeScheme) { (self.inner, self.scheme) = (inner, scheme) }

    /// Creates a side that gives these colours, for your program's tests.
    public init(
      _ givenColors: [ThemeRole: ThemeColor], assets: [String: String] = [:], values: [String: String] = [:],
      for scheme: ThemeScheme
    ) {
      let colors = Dictionary(givenColors.map { ($0.key.inner, $0.value.inner) }) { first, _ in first }
      inner = ThemedModel.Side(colors: colors, assets: texts(assets), values: texts(values))
      self.scheme = scheme
    }

    /// A colour for every role; colours that the theme does not give are derived from the others.
    ///
    /// The palette is computed at each call.
    public var palette: ThemePalette { ThemePalette(Palette(inner.colors, for: scheme.inner)) }
    /// The colours that the theme gives.
    public var givenColors: [ThemeRole: ThemeColor] { Dictionary(inner.colors) }
    /// The absolute paths of images, by purpose, such as `wallpaper`.
    public var assets: [String: String] { Dictionary(inner.assets) }
    /// Settings for programs, by the name of the program.
    public var values: [String: String] { Dictionary(inner.values) }
  }
}
