internal import ThemeInterface
package import ThemeModel
internal import ThemedSystem
internal import ThemedVarlink

/// The whole state as the daemon resolves it; each client gets it when it connects, and again after each change.
public struct ThemeState: Sendable, Hashable {
  package var inner: State

  package init(_ inner: State) { self.inner = inner }

  /// A state with these parts, for your program's tests.
  ///
  /// - Parameters:
  ///   - scheme: The scheme to show.
  ///   - desktop: The desktop's preference.
  ///   - highContrast: Whether to show higher contrast.
  ///   - reducedMotion: Whether to animate less.
  ///   - accentColor: The accent colour.
  ///   - theme: The name of the theme. Without a theme, the state has no title, no details and no fade duration.
  ///   - title: The display title of the theme; nil for its name.
  ///   - details: The colours, images and values that programs draw with.
  ///   - fadeDuration: How long to fade to this state, in whole milliseconds.
  ///   - nextSwitch: When the schedule switches next. Its offset is dropped, because states do not have it.
  ///   - origins: The source of each field's value, by the field's name on the wire.
  ///   - instance: The series of states that this one belongs to.
  ///   - serial: The number of the state in that series.
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

  /// Identifies a series of states.
  ///
  /// A daemon that restarts may begin a new series.
  public var instance: ThemeText { ThemeText(inner.instance) }
  /// Orders the states of one instance; gaps mean nothing.
  public var serial: Int64 { inner.serial }
  /// The scheme to show.
  public var scheme: ThemeScheme { ThemeScheme(inner.resolution.scheme) }
  /// The desktop's preference, which may differ from the scheme that is shown.
  public var desktop: ThemePreference { ThemePreference(inner.resolution.desktop) }
  /// Whether to show higher contrast; nil if no source has a value.
  public var highContrast: Bool? { inner.resolution.highContrast }
  /// Whether to animate less; nil if no source has a value.
  public var reducedMotion: Bool? { inner.resolution.reducedMotion }
  /// The accent colour; nil if no source has a value.
  public var accentColor: ThemeColor? { inner.resolution.accentColor.map { ThemeColor($0) } }
  /// The name of the theme to show; nil if no theme is chosen, or the chosen one cannot be shown.
  public var theme: ThemeText? { inner.resolution.theme.map { ThemeText($0.name) } }
  /// The display title of the theme.
  public var title: ThemeText? { inner.resolution.theme.map { ThemeText($0.title) } }
  /// The theme's colours, images and values; nil without a theme, or if you did not ask for details.
  public var details: Details? { inner.resolution.theme?.details.map { Details($0, inner.resolution.scheme) } }
  /// How long to fade to this state, as configured; zero if motion is reduced, or without a theme.
  public var fadeDuration: Duration { .milliseconds(max(0, inner.resolution.transition ?? 0)) }
  /// The schedule's next switch, even if an override hides it; nil if there is no next switch.
  public var nextSwitch: ThemeSwitch? { inner.resolution.nextSwitch.map { ThemeSwitch($0) } }
  /// The source of each field that is not nil, by the field's name on the wire.
  public var origins: [ThemeText: ThemeOrigin] {
    Dictionary(uniqueKeysWithValues: inner.resolution.origins.map { (ThemeText($0.key), ThemeOrigin($0.value)) })
  }

  /// The source of a field's value; nil if no source has a value.
  ///
  /// For ``ThemeField/lightTheme`` and ``ThemeField/darkTheme``, it is the source of the theme that is shown.
  public func origin(of field: ThemeField) -> ThemeOrigin? {
    let isTheme = field == .lightTheme || field == .darkTheme
    return inner.resolution.origins[isTheme ? "theme" : Text(field.inner.rawValue)].map { ThemeOrigin($0) }
  }
}

extension ThemeState {
  /// The colours, images and values that programs draw with, for one side of a theme.
  public struct Details: Sendable, Hashable {
    package let inner: ThemeDetails
    private let scheme: ColorScheme

    package init(_ inner: ThemeDetails, _ scheme: ColorScheme) { (self.inner, self.scheme) = (inner, scheme) }

    /// Details with these parts.
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

    /// A colour for every role; computed at each call.
    public var palette: ThemePalette { ThemePalette(inner.palette(for: scheme)) }
    /// The absolute paths of images, by purpose.
    public var assets: [ThemeText: ThemeText] { .init(inner.assets) }
    /// Settings for programs, by the name of the program.
    public var values: [ThemeText: ThemeText] { .init(inner.values) }
  }
}

extension ThemeState {
  /// The interface's `State` as one line of JSON.
  public var json: String { inner.json }

  /// Reads the interface's `State` from JSON, and ignores fields that are newer than this version.
  public init(json: String) throws(ThemeClientError) {
    guard case .object(let object)? = try? JSON(parsing: Array(json.utf8)) else {
      throw .violation("the state is not a JSON object")
    }
    do throws(VarlinkError) { inner = try State(Parameters(object, isTolerant: true)) } catch {
      throw ThemeClientError(inReply: error)
    }
  }
}
