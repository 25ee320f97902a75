internal import ThemedClientCore
internal import ThemedInterface
internal import ThemedModel
internal import ThemedSystem
internal import ThemedVarlink

/// The whole state as the daemon resolves it.
///
/// A client that follows the state gets it when the client connects, and again after each change.
///
/// Titles, and messages in words, contain no control characters, so that you can print them in a terminal. Names, paths
/// and values are exactly those of the user's files, and can contain any character.
public struct ThemeState: Sendable, Hashable {
  let inner: State

  init(_ inner: State) { self.inner = inner }

  /// The scheme to show.
  public var scheme: ThemeScheme { ThemeScheme(inner.scheme) }
  /// The desktop's preference, which may differ from the scheme that is shown.
  public var desktop: Preference { Preference(inner.resolution.desktop) }
  /// Whether to show higher contrast; nil if no source has a value.
  public var highContrast: Bool? { inner.highContrast }
  /// Whether to animate less; nil if no source has a value.
  public var reducedMotion: Bool? { inner.reducedMotion }
  /// The accent colour; nil if no source has a value.
  public var accentColor: ThemeColor? { inner.accentColor.map { ThemeColor($0) } }
  /// The name of the theme to show; nil if no theme is chosen, or the chosen theme cannot be shown.
  public var theme: String? { inner.theme?.string }
  /// The display title of the theme; nil if no theme is shown.
  public var title: String? { inner.resolution.theme?.title.shown() }
  /// The colours of the theme; nil without a theme, or if you did not ask for details.
  ///
  /// The palette is computed at each call.
  public var palette: ThemePalette? { details.map { ThemePalette($0.palette(for: inner.scheme)) } }
  /// The absolute paths of the theme's images, by purpose, such as `wallpaper`; empty if you did not ask for details.
  public var assets: [String: String] { details.map { Dictionary($0.assets) } ?? [:] }
  /// The theme's settings for programs, by the name of the program; empty if you did not ask for details.
  public var values: [String: String] { details.map { Dictionary($0.values) } ?? [:] }
  /// How long a fade to this state may take, as the user configured; zero if motion is reduced, or without a theme.
  public var transition: Duration { .milliseconds(max(0, inner.resolution.transition ?? 0)) }
  /// The schedule's next switch; nil if there is no schedule, or no switch within a year.
  ///
  /// You get the next switch even while an override is in force, although the switch may then change nothing that is
  /// shown.
  public var nextSwitch: Switch? { inner.resolution.nextSwitch.map { Switch($0) } }

  /// The source that decided a field; nil if no source has a value.
  ///
  /// For ``Field/lightTheme`` and ``Field/darkTheme``, you get the source that decided the theme that is shown.
  public func origin(of field: Field) -> Origin? {
    inner.origin(of: field.inner).map { Origin($0) }
  }

  /// Whether the daemon follows another daemon in place of the desktop.
  public var isUpstream: Bool { inner.resolution.origins["desktop"]?.rule == .upstream }

  private var details: ThemeDetails? { inner.resolution.theme?.details }

  // The number of a state says nothing about what is shown.
  /// Whether the two states show the same for the same reasons.
  public static func == (one: ThemeState, other: ThemeState) -> Bool {
    one.inner.resolution == other.inner.resolution
  }

  /// Hashes all that ``==(_:_:)`` compares.
  public func hash(into hasher: inout Hasher) { hasher.combine(inner.resolution) }
}

extension ThemeState {
  /// Creates a state with these parts, for your program's tests.
  ///
  /// - Parameters:
  ///   - scheme: The scheme to show.
  ///   - desktop: The desktop's preference.
  ///   - highContrast: Whether to show higher contrast.
  ///   - reducedMotion: Whether to animate less.
  ///   - accentColor: The accent colour.
  ///   - theme: The name of the theme. Without a theme, the state has no title, no details and no transition.
  ///   - title: The display title of the theme; if nil, the name of the theme is also its title.
  ///   - palette: The colours of the theme; if nil, the state has no details.
  ///   - assets: The absolute paths of images, by purpose.
  ///   - values: Settings for programs, by the name of the program.
  ///   - transition: How long to fade to this state, in whole milliseconds.
  ///   - nextSwitch: When the schedule switches next.
  ///   - origins: The source that decided each field.
  public init(
    scheme: ThemeScheme, desktop: Preference = .unavailable, highContrast: Bool? = nil, reducedMotion: Bool? = nil,
    accentColor: ThemeColor? = nil, theme: String? = nil, title: String? = nil, palette: ThemePalette? = nil,
    assets: [String: String] = [:], values: [String: String] = [:], transition: Duration = .zero,
    nextSwitch: Switch? = nil, origins: [Field: Origin] = [:]
  ) {
    let details = palette.map { palette in
      ThemeDetails(
        palette: Dictionary(palette.inner.all.map { ($0.role.rawValue, $0.color) }) { first, _ in first },
        assets: texts(assets), values: texts(values))
    }
    let shown = theme.map { ShownTheme(name: Text($0), title: Text(title ?? $0), details: details) }
    let resolution = Resolution(
      scheme: scheme.inner, desktop: desktop.inner, highContrast: highContrast, reducedMotion: reducedMotion,
      accentColor: accentColor?.inner, theme: shown,
      transition: shown.map { _ in max(.zero, transition).milliseconds }, nextSwitch: nextSwitch?.inner,
      origins: Origins(
        Dictionary(origins.map { ($0.key.inner.origin, $0.value.inner) }) { first, _ in first }.map { ($0, $1) }))
    inner = State(instance: "", serial: 0, resolution: resolution)
  }

  /// Reads a state from JSON in the form of the interface's type `State`, as `themectl status --json --details` prints
  /// it; nil if the JSON is not a state.
  ///
  /// Fields that are newer than this version are ignored.
  public init?(json: String) {
    guard case .object(let object)? = try? JSON(parsing: Array(json.utf8)),
      let inner = try? State(Parameters(object, isTolerant: true))
    else { return nil }
    self.inner = inner
  }

  /// The state as one line of JSON, in the form of the interface's type `State`.
  public var json: String { inner.json }
}

// MARK: The parts

extension ThemeState {
  /// The desktop's preference.
  ///
  /// Later versions will not add cases.
  public enum Preference: Sendable, Hashable {
    /// Light.
    case light
    /// Dark.
    case dark
    /// The desktop has no preference, or a preference that this version does not know.
    case noPreference
    /// The daemon has not heard from a desktop yet.
    ///
    /// With ``noPreference``, by contrast, the desktop has answered.
    case unavailable

    fileprivate init(_ inner: ThemedModel.Preference) {
      self =
        switch inner {
        case .light: .light
        case .dark: .dark
        case .none: .noPreference
        case .unavailable: .unavailable
        }
    }

    fileprivate var inner: ThemedModel.Preference {
      switch self {
      case .light: .light
      case .dark: .dark
      case .noPreference: .none
      case .unavailable: .unavailable
      }
    }
  }

  /// A field of the state that can be overridden.
  ///
  /// Later versions may add fields, so a `switch` needs a default.
  public struct Field: Sendable, Hashable, CustomStringConvertible {
    let inner: ThemedModel.Field

    init(_ inner: ThemedModel.Field) { self.inner = inner }

    /// Whether to show light or dark.
    public static let scheme = Field(.scheme)
    /// Whether to show higher contrast.
    public static let highContrast = Field(.highContrast)
    /// Whether to animate less.
    public static let reducedMotion = Field(.reducedMotion)
    /// The accent colour.
    public static let accentColor = Field(.accentColor)
    /// The theme to show while the scheme is light.
    public static let lightTheme = Field(.lightTheme)
    /// The theme to show while the scheme is dark.
    public static let darkTheme = Field(.darkTheme)

    /// The fields that this version knows.
    public static let all = ThemedModel.Field.allCases.map { Field($0) }

    /// The name of the field in the interface.
    public var description: String { inner.rawValue }
  }

  /// The source that decided a field of the state; if an override decided the field, also the end of that override.
  public struct Origin: Sendable, Hashable {
    let inner: ThemedModel.Origin

    init(_ inner: ThemedModel.Origin) { self.inner = inner }

    /// Creates the origin of a field that this rule decided, for your program's tests.
    public init(
      _ rule: Rule, isPinned: Bool = false, isRemembered: Bool = false, expiresAt: ThemeTime? = nil,
      untilDesktopChanges: Bool = false
    ) {
      inner = ThemedModel.Origin(
        ThemedModel.Rule(rawValue: Text(rule.rawValue)), isPinned: isPinned, isRemembered: isRemembered,
        expiresAt: expiresAt?.secondsSinceEpoch, untilDesktopChanges: untilDesktopChanges)
    }

    /// The rule that decided the field, such as an override or the schedule.
    public var rule: Rule { Rule(rawValue: inner.rule.rawValue.string) }
    /// Whether an override for this app pins the field, so that the override for all apps does not apply to the field.
    public var isPinned: Bool { inner.isPinned }
    /// Whether the field shows the desktop's preference from an earlier session.
    ///
    /// This is so as long as the desktop of this session has not answered yet.
    public var isRemembered: Bool { inner.isRemembered }
    /// When the override that decided or pinned the field ends; nil for no set time.
    public var expiresAt: ThemeTime? { inner.expiresAt.map { ThemeTime(secondsSinceEpoch: $0) } }
    /// Whether the override that decided or pinned the field ends when the desktop's own preference changes, or at the
    /// schedule's next switch.
    public var untilDesktopChanges: Bool { inner.untilDesktopChanges }
  }

  /// A rule: a source that can decide a field.
  ///
  /// Later versions may add rules, so a `switch` needs a default.
  public struct Rule: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// The name of the rule in the interface.
    public let rawValue: String

    /// Creates the rule of this name.
    public init(rawValue: String) { self.rawValue = rawValue }

    private init(_ inner: ThemedModel.Rule) { rawValue = inner.rawValue.string }

    /// The name of the rule in the interface.
    public var description: String { rawValue }

    /// The override for this app.
    public static let appOverride = Rule(.appOverride)
    /// The override for all apps.
    public static let override = Rule(.override)
    /// The schedule.
    public static let schedule = Rule(.schedule)
    /// The desktop's preference, from its settings portal.
    public static let portal = Rule(.portal)
    /// Another daemon, which this daemon follows in place of the desktop.
    public static let upstream = Rule(.upstream)
    /// The configured default.
    public static let `default` = Rule(.default)
  }

  /// A switch of the schedule to light or dark.
  public struct Switch: Sendable, Hashable {
    /// When the schedule switches.
    public let time: ThemeTime
    /// The scheme that the schedule asks for from then on.
    public let scheme: ThemeScheme

    /// Creates a switch to a scheme at a time, for your program's tests.
    public init(time: ThemeTime, scheme: ThemeScheme) { (self.time, self.scheme) = (time, scheme) }

    fileprivate init(_ inner: ThemedModel.Switch) {
      self.init(time: ThemeTime(secondsSinceEpoch: inner.time), scheme: ThemeScheme(inner.scheme))
    }

    fileprivate var inner: ThemedModel.Switch {
      ThemedModel.Switch(time: time.secondsSinceEpoch, scheme: scheme.inner)
    }
  }
}
