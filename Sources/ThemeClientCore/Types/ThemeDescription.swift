package import ThemeInterface
internal import ThemeModel
internal import ThemeResolution
internal import ThemedText

/// A theme that is installed, as much of it as shows it among others.
public struct ThemeSummary: Sendable, Hashable {
  package let inner: ThemeListing

  package init(_ inner: ThemeListing) { self.inner = inner }

  /// A theme of this name, whose file is at this path.
  ///
  /// - Parameters:
  ///   - name: What it is chosen by.
  ///   - path: Where its file is.
  ///   - title: What people call it.
  ///   - swatches: Some colours of each side that it has.
  ///   - problem: Why its file cannot be used.
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

  /// What it is chosen by.
  public var name: ThemeText { ThemeText(inner.name) }
  /// Where its file is.
  public var path: ThemeText { ThemeText(inner.path) }
  /// What people call it; nil where its file cannot be used.
  public var title: ThemeText? { inner.title.map { ThemeText($0) } }
  /// Why its file cannot be used.
  public var problem: String? { inner.problem }
  /// The sides that it has, light first.
  public var schemes: [ThemeScheme] { ThemeScheme.allCases.filter { inner[$0.inner] != nil } }

  /// Some colours of a side, by role: background, text, primary and a few more; nil where it has no such side.
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

/// A theme that is installed, with all that it gives.
public struct ThemeDescription: Sendable, Hashable {
  package let inner: InstalledTheme

  package init(_ inner: InstalledTheme) { self.inner = inner }

  /// What it is chosen by.
  public var name: ThemeText { ThemeText(inner.theme.name) }
  /// What people call it.
  public var title: ThemeText { ThemeText(inner.theme.title) }
  /// Who made it.
  public var author: ThemeText? { inner.theme.author.map { ThemeText($0) } }
  /// Where its file is.
  public var path: ThemeText { ThemeText(inner.path) }
  /// What is wrong with the file, where the theme is what the file said before, or with an image.
  public var problem: String? { inner.problem }
  /// The sides that it has, light first.
  public var schemes: [ThemeScheme] { inner.theme.schemes.map { ThemeScheme($0) } }

  /// One side of it; nil where it has no such side.
  public func side(for scheme: ThemeScheme) -> Side? {
    inner.theme[scheme.inner].map { Side(inner: $0, scheme: scheme) }
  }

  /// One side of a theme.
  public struct Side: Sendable, Hashable {
    fileprivate let inner: ThemeModel.Side
    fileprivate let scheme: ThemeScheme

    /// A colour for every role, given or derived; made at each call.
    public var palette: ThemePalette { ThemePalette(Palette(inner.colors, for: scheme.inner)) }
    /// The colours that the theme gives.
    public var given: [ThemeRole: ThemeColor] {
      Dictionary(uniqueKeysWithValues: inner.colors.map { (ThemeRole($0.key), ThemeColor($0.value)) })
    }
    /// The absolute paths of images, by what they are for.
    public var assets: [ThemeText: ThemeText] { .init(inner.assets) }
    /// Values, by the program that they are for.
    public var values: [ThemeText: ThemeText] { .init(inner.values) }
  }
}
