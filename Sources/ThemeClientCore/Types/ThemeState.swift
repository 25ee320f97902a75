internal import ThemeInterface
package import ThemeResolution
internal import ThemedText
internal import ThemedVarlink

/// The whole resolved state, as every client gets it: at first, and after each change.
public struct ThemeState: Sendable, Hashable {
  package var inner: State

  package init(_ inner: State) { self.inner = inner }

  /// A state of these parts, such as for the tests of a program.
  ///
  /// - Parameters:
  ///   - scheme: What to show.
  ///   - desktop: What the desktop asks for.
  ///   - highContrast: Whether to show higher contrast.
  ///   - reducedMotion: Whether to move less.
  ///   - accentColor: The accent colour.
  ///   - theme: The theme, by name; without one there is no title, no detail and no time to fade.
  ///   - title: What people call the theme; nil for its name.
  ///   - details: What the theme draws with.
  ///   - fadeDuration: How long to fade to it, in whole milliseconds.
  ///   - nextSwitch: When the schedule switches next; its offset is not kept, as states do not tell it.
  ///   - origins: What decided each field, by its name on the wire.
  ///   - instance: The life of the daemon's history that it is of.
  ///   - serial: Its place in that.
  public init(
    scheme: ThemeScheme, desktop: ThemePreference = .unavailable, highContrast: Bool? = nil,
    reducedMotion: Bool? = nil, accentColor: ThemeColor? = nil, theme: ThemeText? = nil, title: ThemeText? = nil,
    details: Details? = nil, fadeDuration: Duration = .zero,
    nextSwitch: ThemeSwitch? = nil, origins: [ThemeText: ThemeOrigin] = [:],
    instance: ThemeText = "", serial: Int64 = 0
  ) {
    let theme = theme.map { name in
      ShownTheme(name: name.inner, title: (title ?? name).inner, details: details?.inner)
    }
    let resolution = Resolution(
      scheme: scheme.inner, desktop: desktop.inner, highContrast: highContrast, reducedMotion: reducedMotion,
      accentColor: accentColor?.inner, theme: theme,
      transition: theme.map { _ in max(.zero, fadeDuration).milliseconds },
      nextSwitch: nextSwitch?.inner,
      origins: Origins(origins.map { ($0.key.inner, $0.value.inner) }))
    inner = State(instance: instance.inner, serial: serial, resolution: resolution)
  }

  /// Names one life of the daemon's history.
  public var instance: ThemeText { ThemeText(inner.instance) }
  /// Orders the states of one instance; gaps mean nothing.
  public var serial: Int64 { inner.serial }
  /// What to show.
  public var scheme: ThemeScheme { ThemeScheme(inner.resolution.scheme) }
  /// What the desktop asks for, whatever is shown.
  public var desktop: ThemePreference { ThemePreference(inner.resolution.desktop) }
  /// Whether to show higher contrast; nil where nobody says.
  public var highContrast: Bool? { inner.resolution.highContrast }
  /// Whether to move less; nil where nobody says.
  public var reducedMotion: Bool? { inner.resolution.reducedMotion }
  /// The accent colour; nil where nobody says.
  public var accentColor: ThemeColor? { inner.resolution.accentColor.map { ThemeColor($0) } }
  /// The name of the theme to show; nil where none is chosen that can be shown.
  public var theme: ThemeText? { inner.resolution.theme.map { ThemeText($0.name) } }
  /// What people call the theme.
  public var title: ThemeText? { inner.resolution.theme.map { ThemeText($0.title) } }
  /// What the theme draws with; nil without a theme, and where no details were asked for.
  public var details: Details? { inner.resolution.theme?.details.map { Details($0, inner.resolution.scheme) } }
  /// How long to fade to it, as the configuration suggests: no time where motion is reduced, or without a theme.
  public var fadeDuration: Duration { .milliseconds(max(0, inner.resolution.transition ?? 0)) }
  /// When the schedule switches next, and to what, whatever is shown; nil where there is none.
  public var nextSwitch: ThemeSwitch? { inner.resolution.nextSwitch.map { ThemeSwitch($0) } }
  /// What decided each field that is not nil, by the field's name on the wire.
  public var origins: [ThemeText: ThemeOrigin] {
    Dictionary(uniqueKeysWithValues: inner.resolution.origins.map { (ThemeText($0.key), ThemeOrigin($0.value)) })
  }

  /// What decided a field; nil where nobody says anything of it.
  ///
  /// Of both sides' themes it is the origin of the one that is shown.
  public func origin(of field: ThemeField) -> ThemeOrigin? {
    let isTheme = field == .lightTheme || field == .darkTheme
    return inner.resolution.origins[isTheme ? "theme" : Text(field.inner.rawValue)].map { ThemeOrigin($0) }
  }
}

extension ThemeState {
  /// What is drawn with on one side of a theme.
  public struct Details: Sendable, Hashable {
    package let inner: ThemeDetails
    private let scheme: ColorScheme

    package init(_ inner: ThemeDetails, _ scheme: ColorScheme) { (self.inner, self.scheme) = (inner, scheme) }

    /// The details of these parts.
    public init(
      palette: [ThemeRole: ThemeColor] = [:], assets: [ThemeText: ThemeText] = [:],
      values: [ThemeText: ThemeText] = [:], for scheme: ThemeScheme
    ) {
      var inner = ThemeDetails(assets: .init(assets), values: .init(values))
      for (role, color) in ThemePalette(palette, for: scheme).all {
        inner.palette[role.rawValue.inner] = color.inner
      }
      self.init(inner, scheme.inner)
    }

    /// A colour for every role, made at each call.
    public var palette: ThemePalette { ThemePalette(inner.palette(for: scheme)) }
    /// The absolute paths of images, by what they are for.
    public var assets: [ThemeText: ThemeText] { .init(inner.assets) }
    /// Values, by the program that they are for.
    public var values: [ThemeText: ThemeText] { .init(inner.values) }
  }
}

extension ThemeState {
  /// The interface's `State` as one line of JSON.
  public var json: String { inner.json }

  /// Reads the interface's `State` from JSON; what is newer than this version is passed over.
  public init(json: String) throws(ThemeClientError) {
    guard case .object(let object)? = try? JSON(parsing: Array(json.utf8)) else {
      throw .violation("what is to be a state is no JSON object")
    }
    do throws(VarlinkError) { inner = try State(Parameters(object, isTolerant: true)) } catch {
      throw ThemeClientError(inReply: error)
    }
  }
}
