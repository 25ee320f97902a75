package import ThemeInterface
internal import ThemeModel

/// An installed theme, in full.
public struct ThemeDescription: Sendable, Hashable {
  // A wrapper, because the model's theme is for reading and writing files, and can be changed.
  package let inner: InstalledTheme

  package init(_ inner: InstalledTheme) { self.inner = inner }

  /// The name to choose the theme by.
  public var name: ThemeText { inner.theme.name }
  /// The display title.
  public var title: ThemeText { inner.theme.title }
  /// The author of the theme; nil if the file does not name an author.
  public var author: ThemeText? { inner.theme.author }
  /// The path of the theme's file.
  public var path: ThemeText { inner.path }
  /// The problem with the file or an image, in words; nil if there is no problem.
  ///
  /// If the file has become invalid, this description comes from the last valid version of the file.
  public var problem: String? { inner.problem }
  /// The sides that the theme has, light first.
  public var schemes: [ThemeScheme] { inner.theme.schemes }

  /// The side of the theme for this scheme; nil if the theme does not have that side.
  public func side(for scheme: ThemeScheme) -> Side? {
    inner.theme[scheme].map { Side(inner: $0, scheme: scheme) }
  }

  /// One side of a theme: the colours, images and settings for light, or those for dark.
  public struct Side: Sendable, Hashable {
    fileprivate let inner: ThemeModel.Side
    fileprivate let scheme: ThemeScheme

    /// A colour for every role; colours that the theme does not give are derived from the others.
    ///
    /// The palette is computed at each call.
    public var palette: ThemePalette { ThemePalette(inner.colors, for: scheme) }
    /// The colours that the theme gives.
    public var given: [ThemeRole: ThemeColor] { inner.colors }
    /// The absolute paths of images, by purpose, such as `wallpaper`.
    public var assets: [ThemeText: ThemeText] { inner.assets }
    /// Settings for programs, by the name of the program.
    public var values: [ThemeText: ThemeText] { inner.values }
  }
}
