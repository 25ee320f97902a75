package import ThemeInterface
internal import ThemeModel
internal import ThemedSystem

/// An installed theme, as a list or a chooser shows it.
///
/// A theme has a light side, a dark side, or both. Each side has the colours and images for the scheme of that name.
public struct ThemeSummary: Sendable, Hashable {
  package let inner: ThemeListing

  package init(_ inner: ThemeListing) { self.inner = inner }

  /// Creates a theme with this name and path, for your program's tests.
  ///
  /// - Parameters:
  ///   - name: The name to choose the theme by.
  ///   - path: The path of the theme's file.
  ///   - title: The display title.
  ///   - swatches: Some colours of each side that the theme has.
  ///   - problem: Why the theme's file cannot be used.
  public init(
    name: ThemeText, path: ThemeText, title: ThemeText? = nil,
    swatches: [ThemeScheme: [ThemeRole: ThemeColor]] = [:], problem: String? = nil
  ) {
    var inner = ThemeListing(name: name.inner, path: path.inner, problem: problem)
    inner.title = title?.inner
    for (scheme, colors) in swatches {
      let colors = colors.map { ($0.key.rawValue.inner, $0.value.inner) }
      inner[scheme.inner] = Dictionary(uniqueKeysWithValues: colors)
    }
    self.inner = inner
  }

  /// The name to choose the theme by.
  public var name: ThemeText { ThemeText(inner.name) }
  /// The path of the theme's file.
  public var path: ThemeText { ThemeText(inner.path) }
  /// The display title; nil if the theme's file cannot be used.
  public var title: ThemeText? { inner.title.map { ThemeText($0) } }
  /// Why the theme's file cannot be used, in words; nil if the file can be used.
  public var problem: String? { inner.problem }
  /// The sides that the theme has, light first.
  public var schemes: [ThemeScheme] { ThemeScheme.allCases.filter { inner[$0.inner] != nil } }

  /// Some colours of the side for this scheme, by role; nil if the theme does not have that side.
  ///
  /// The roles are ``ThemeRole/background``, ``ThemeRole/text``, ``ThemeRole/primary``, and a few more.
  public func swatch(for scheme: ThemeScheme) -> [ThemeRole: ThemeColor]? {
    inner[scheme.inner].map { colors in
      Dictionary(
        uniqueKeysWithValues: colors.map { (ThemeRole(rawValue: ThemeText($0.key)), ThemeColor($0.value)) })
    }
  }
}

extension ThemeItems<ThemeSummary> {
  package init(_ list: ThemeList) { self.init(list.themes, omitted: list.omitted) { ThemeSummary($0) } }
}

/// An installed theme, in full.
public struct ThemeDescription: Sendable, Hashable {
  package let inner: InstalledTheme

  package init(_ inner: InstalledTheme) { self.inner = inner }

  /// The name to choose the theme by.
  public var name: ThemeText { ThemeText(inner.theme.name) }
  /// The display title.
  public var title: ThemeText { ThemeText(inner.theme.title) }
  /// The author of the theme; nil if the file does not name an author.
  public var author: ThemeText? { inner.theme.author.map { ThemeText($0) } }
  /// The path of the theme's file.
  public var path: ThemeText { ThemeText(inner.path) }
  /// The problem with the file or an image, in words; nil if there is no problem.
  ///
  /// If the file has become invalid, this description comes from the last valid version of the file.
  public var problem: String? { inner.problem }
  /// The sides that the theme has, light first.
  public var schemes: [ThemeScheme] { inner.theme.schemes.map { ThemeScheme($0) } }

  /// The side of the theme for this scheme; nil if the theme does not have that side.
  public func side(for scheme: ThemeScheme) -> Side? {
    inner.theme[scheme.inner].map { Side(inner: $0, scheme: scheme) }
  }

  /// One side of a theme: the colours, images and settings for light, or those for dark.
  public struct Side: Sendable, Hashable {
    fileprivate let inner: ThemeModel.Side
    fileprivate let scheme: ThemeScheme

    /// A colour for every role; colours that the theme does not give are derived from the others.
    ///
    /// The palette is computed at each call.
    public var palette: ThemePalette { ThemePalette(Palette(inner.colors, for: scheme.inner)) }
    /// The colours that the theme gives.
    public var given: [ThemeRole: ThemeColor] {
      Dictionary(uniqueKeysWithValues: inner.colors.map { (ThemeRole($0.key), ThemeColor($0.value)) })
    }
    /// The absolute paths of images, by purpose, such as `wallpaper`.
    public var assets: [ThemeText: ThemeText] { .init(inner.assets) }
    /// Settings for programs, by the name of the program.
    public var values: [ThemeText: ThemeText] { .init(inner.values) }
  }
}
