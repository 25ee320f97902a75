internal import ThemeInterface
package import ThemeModel
internal import ThemedSystem
internal import ThemedVarlink

/// The whole state as the daemon resolves it.
///
/// A client that follows the state gets it when the client connects, and again after each change.
public struct ThemeState: Sendable, Hashable {
  // A wrapper: the library promises these properties, however the model arranges them.
  package var inner: State

  package init(_ inner: State) { self.inner = inner }

  /// Creates a state with these parts, for your program's tests.
  ///
  /// - Parameters:
  ///   - scheme: The scheme to show.
  ///   - desktop: The desktop's preference.
  ///   - highContrast: Whether to show higher contrast.
  ///   - reducedMotion: Whether to animate less.
  ///   - accentColor: The accent colour.
  ///   - theme: The name of the theme. Without a theme, the state has no title, no details and no fade duration.
  ///   - title: The display title of the theme; if nil, the name of the theme is also its title.
  ///   - details: The theme's colours, images and settings for programs.
  ///   - fadeDuration: How long to fade to this state, in whole milliseconds.
  ///   - nextSwitch: When the schedule switches next. Its ``ThemeSwitch/offset`` is dropped, because states have no
  ///     offset.
  ///   - origins: The source that decided each field, by the field's name in the interface.
  ///   - instance: The series of states that this state belongs to.
  ///   - serial: The number of the state in that series.
  public init(
    scheme: ThemeScheme, desktop: ThemePreference = .unavailable, highContrast: Bool? = nil,
    reducedMotion: Bool? = nil, accentColor: ThemeColor? = nil, theme: ThemeText? = nil, title: ThemeText? = nil,
    details: Details? = nil, fadeDuration: Duration = .zero,
    nextSwitch: ThemeSwitch? = nil, origins: [ThemeText: ThemeOrigin] = [:],
    instance: ThemeText = "", serial: Int64 = 0
  ) {
    let theme = theme.map { name in
      ShownTheme(name: name, title: title ?? name, details: details?.inner)
    }
    let resolution = Resolution(
      scheme: scheme, desktop: desktop.inner, highContrast: highContrast, reducedMotion: reducedMotion,
      accentColor: accentColor, theme: theme,
      transition: theme.map { _ in max(.zero, fadeDuration).milliseconds },
      nextSwitch: nextSwitch?.inner,
      origins: Origins(origins.map { ($0.key, $0.value.inner) }))
    inner = State(instance: instance, serial: serial, resolution: resolution)
  }

  /// The name of the series of states that this state belongs to.
  ///
  /// A daemon that restarts may start a new series.
  public var instance: ThemeText { inner.instance }
  /// The number of the state in its series; the numbers only grow, and gaps mean nothing.
  public var serial: Int64 { inner.serial }
  /// The scheme to show.
  public var scheme: ThemeScheme { inner.resolution.scheme }
  /// The desktop's preference, which may differ from the scheme that is shown.
  public var desktop: ThemePreference { ThemePreference(inner.resolution.desktop) }
  /// Whether to show higher contrast; nil if no source has a value.
  public var highContrast: Bool? { inner.resolution.highContrast }
  /// Whether to animate less; nil if no source has a value.
  public var reducedMotion: Bool? { inner.resolution.reducedMotion }
  /// The accent colour; nil if no source has a value.
  public var accentColor: ThemeColor? { inner.resolution.accentColor }
  /// The name of the theme to show; nil if no theme is chosen, or the chosen theme cannot be shown.
  public var theme: ThemeText? { inner.resolution.theme?.name }
  /// The display title of the theme; nil if no theme is shown.
  public var title: ThemeText? { inner.resolution.theme?.title }
  /// The theme's colours, images and settings for programs; nil without a theme, or if you did not ask for details.
  public var details: Details? { inner.resolution.theme?.details.map { Details($0, inner.resolution.scheme) } }
  /// How long to fade to this state, as the user configured; zero if motion is reduced, or without a theme.
  public var fadeDuration: Duration { .milliseconds(max(0, inner.resolution.transition ?? 0)) }
  /// The schedule's next switch; nil if there is no schedule, or no switch within a year.
  ///
  /// You get the next switch even while an override is in force, although the switch may then change nothing that is
  /// shown.
  public var nextSwitch: ThemeSwitch? { inner.resolution.nextSwitch.map { ThemeSwitch($0) } }
  /// The source that decided each field that is not nil, by the field's name in the interface.
  public var origins: [ThemeText: ThemeOrigin] {
    Dictionary(uniqueKeysWithValues: inner.resolution.origins.map { ($0.key, ThemeOrigin($0.value)) })
  }

  /// The source that decided a field; nil if no source has a value.
  ///
  /// For ``ThemeField/lightTheme`` and ``ThemeField/darkTheme``, you get the source that decided the theme that is
  /// shown.
  public func origin(of field: ThemeField) -> ThemeOrigin? {
    let isTheme = field == .lightTheme || field == .darkTheme
    return inner.resolution.origins[isTheme ? "theme" : Text(field.inner.rawValue)].map { ThemeOrigin($0) }
  }
}

extension ThemeState {
  /// The theme's colours, images and settings for programs, for light or for dark.
  public struct Details: Sendable, Hashable {
    package let inner: ThemeDetails
    private let scheme: ColorScheme

    package init(_ inner: ThemeDetails, _ scheme: ColorScheme) { (self.inner, self.scheme) = (inner, scheme) }

    /// Creates details with these parts, for your program's tests; the colours of all other roles are derived.
    public init(
      palette: [ThemeRole: ThemeColor] = [:], assets: [ThemeText: ThemeText] = [:],
      values: [ThemeText: ThemeText] = [:], for scheme: ThemeScheme
    ) {
      var inner = ThemeDetails(assets: assets, values: values)
      for (role, color) in ThemePalette(palette, for: scheme).all {
        inner.palette[role.rawValue] = color
      }
      self.init(inner, scheme)
    }

    /// A colour for every role; the palette is computed at each call.
    public var palette: ThemePalette { inner.palette(for: scheme) }
    /// The absolute paths of images, by purpose, such as `wallpaper`.
    public var assets: [ThemeText: ThemeText] { inner.assets }
    /// Settings for programs, by the name of the program.
    public var values: [ThemeText: ThemeText] { inner.values }
  }
}

extension ThemeState {
  /// The state as one line of JSON, in the form of the interface's type `State`.
  public var json: String { inner.json }

  init(reading reply: inout Parameters) throws(VarlinkError) {
    inner = try State(reply.require(reply.structure("state"), "state"))
  }

  /// Reads a state from JSON in the form of the interface's type `State`.
  ///
  /// Fields that are newer than this version are ignored.
  public init(json: String) throws(ThemeClientError) {
    guard case .object(let object)? = try? JSON(parsing: Array(json.utf8)) else {
      throw .violation("the state is not a JSON object")
    }
    do throws(VarlinkError) { inner = try State(Parameters(object, isTolerant: true)) } catch {
      throw ThemeClientError(inReply: error)
    }
  }
}

/// The source that decided a field of the state; if an override decided the field, also the end of that override.
public struct ThemeOrigin: Sendable, Hashable {
  // A wrapper, because the model counts seconds where the library has times.
  package let inner: Origin

  package init(_ inner: Origin) { self.inner = inner }

  /// Creates the origin of a field that this rule decided, for your program's tests.
  public init(
    _ rule: ThemeRule, isPinned: Bool = false, isRemembered: Bool = false, expiresAt: ThemeTime? = nil,
    untilDesktopChanges: Bool = false
  ) {
    inner = Origin(
      rule, isPinned: isPinned, isRemembered: isRemembered, expiresAt: expiresAt?.secondsSinceEpoch,
      untilDesktopChanges: untilDesktopChanges)
  }

  /// The rule that decided the field, such as an override or the schedule.
  public var rule: ThemeRule { inner.rule }
  /// Whether an override for this app pins the field, so that the override for all apps does not apply to the field.
  public var isPinned: Bool { inner.isPinned }
  /// Whether the field shows the desktop's preference from an earlier session.
  ///
  /// This is so as long as the desktop of this session has not answered yet.
  public var isRemembered: Bool { inner.isRemembered }
  /// When the override that decided or pinned the field ends; nil for no set time.
  public var expiresAt: ThemeTime? { inner.expiresAt.map(ThemeTime.init(secondsSinceEpoch:)) }
  /// Whether the override that decided or pinned the field ends when the desktop's own preference changes, or at the
  /// schedule's next switch.
  public var untilDesktopChanges: Bool { inner.untilDesktopChanges }
}
