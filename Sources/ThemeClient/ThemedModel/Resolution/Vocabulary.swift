public import ThemedSystem

/// The scheme to show: light or dark.
public enum ColorScheme: String, Sendable, Hashable, CaseIterable {
  /// Dark text on a light background.
  case light
  /// Light text on a dark background.
  case dark

  /// The other scheme.
  public var opposite: ColorScheme { self == .light ? .dark : .light }
}

/// The desktop's preference, by the portal's `color-scheme`.
public enum Preference: String, Sendable, Hashable, CaseIterable {
  /// The portal says 2.
  case light
  /// The portal says 1.
  case dark
  /// The portal says 0, or a value that it does not define: no preference.
  case none
  /// No portal has said anything yet, which is not the same as ``none``.
  case unavailable
}

/// The desktop's whole preference as last read from the portal, or what the followed daemon shows.
public struct Reading: Sendable, Hashable {
  /// The desktop's preference.
  public var scheme: Preference
  /// Whether the desktop asks for higher contrast; nil if it does not say.
  public var highContrast: Bool?
  /// Whether the desktop asks for less motion; nil if it does not say.
  public var reducedMotion: Bool?
  /// The accent colour; nil if the desktop has none.
  public var accentColor: Color?
  /// The fields that only a followed daemon has; nil for a desktop.
  public var upstream: Upstream?
  /// Whether it was read in an earlier session, and this session's desktop has not been heard yet.
  public var isRemembered: Bool

  /// The parts of a followed daemon's state that a desktop cannot ask for.
  public struct Upstream: Sendable, Hashable {
    /// The side of its theme with its details; nil if it shows no theme.
    public var theme: ShownTheme?
    /// How long programs may take to fade to this state, in milliseconds.
    public var transition: Int?

    /// The parts of a followed daemon's state besides the fields of a desktop.
    public init(theme: ShownTheme? = nil, transition: Int? = nil) {
      self.theme = theme
      self.transition = transition
    }
  }

  /// A reading; without arguments, the reading of a desktop that has not been heard from.
  public init(
    scheme: Preference = .unavailable, highContrast: Bool? = nil, reducedMotion: Bool? = nil, accentColor: Color? = nil,
    upstream: Upstream? = nil, isRemembered: Bool = false
  ) {
    self.scheme = scheme
    self.highContrast = highContrast
    self.reducedMotion = reducedMotion
    self.accentColor = accentColor
    self.upstream = upstream
    self.isRemembered = isRemembered
  }
}

/// The user's choices, which win over the desktop's preference, as clients send and receive them.
///
/// A nil field is not part of the override.
public struct Override: Sendable, Hashable {
  /// The app to override; nil for all apps.
  public var app: Text?
  /// Whether to show light or dark.
  public var scheme: ColorScheme?
  /// Whether to show higher contrast.
  public var highContrast: Bool?
  /// Whether to animate less.
  public var reducedMotion: Bool?
  /// The accent colour.
  public var accentColor: Color?
  /// The name of the theme to show while the scheme is light.
  public var lightTheme: Text?
  /// The name of the theme to show while the scheme is dark.
  public var darkTheme: Text?
  /// The fields that are pinned.
  ///
  /// A pinned field of an app skips the overrides of all apps. For all apps, pinning a field removes its override.
  public var auto: Set<Field>
  /// When the override ends, in seconds since the epoch; nil: not at a certain time.
  public var expiresAt: Int64?
  /// Whether the override ends when the desktop's own preference changes, or at the schedule's next switch.
  public var untilDesktopChanges: Bool?

  /// An override of the given fields.
  public init(
    app: Text? = nil, scheme: ColorScheme? = nil, highContrast: Bool? = nil, reducedMotion: Bool? = nil,
    accentColor: Color? = nil, lightTheme: Text? = nil, darkTheme: Text? = nil, auto: Set<Field> = [],
    expiresAt: Int64? = nil, untilDesktopChanges: Bool? = nil
  ) {
    self.app = app
    self.scheme = scheme
    self.highContrast = highContrast
    self.reducedMotion = reducedMotion
    self.accentColor = accentColor
    self.lightTheme = lightTheme
    self.darkTheme = darkTheme
    self.auto = auto
    self.expiresAt = expiresAt
    self.untilDesktopChanges = untilDesktopChanges
  }
}

extension Override {
  /// The fields that have a value.
  public var given: [Field] {
    Field.allCases.filter { field in
      switch field {
      case .scheme: scheme != nil
      case .highContrast: highContrast != nil
      case .reducedMotion: reducedMotion != nil
      case .accentColor: accentColor != nil
      case .lightTheme: lightTheme != nil
      case .darkTheme: darkTheme != nil
      }
    }
  }

  /// The fields that have a value or are pinned.
  public var fields: [Field] { auto.isEmpty ? given : given + Field.allCases.filter(auto.contains) }
}

/// The configured values, used if neither the user nor the desktop has one.
public struct Defaults: Sendable, Hashable {
  /// The scheme to show if the desktop has no preference.
  public var noPreference: ColorScheme
  /// The scheme to show while no desktop has been heard from.
  public var noDesktop: ColorScheme
  /// The name of the theme to show while the scheme is light; nil for none.
  public var lightTheme: Text?
  /// The name of the theme to show while the scheme is dark; nil for none.
  public var darkTheme: Text?
  /// How long programs may take to fade from one theme to another, in milliseconds.
  public var transition: Int
  /// Whether the desktop's own setting is kept in step with what is shown.
  public var keepsDesktopInStep: Bool

  /// The defaults; without arguments, light in both cases and no theme.
  public init(
    noPreference: ColorScheme = .light, noDesktop: ColorScheme = .light, lightTheme: Text? = nil,
    darkTheme: Text? = nil, transition: Int = 200, keepsDesktopInStep: Bool = false
  ) {
    self.noPreference = noPreference
    self.noDesktop = noDesktop
    self.lightTheme = lightTheme
    self.darkTheme = darkTheme
    self.transition = transition
    self.keepsDesktopInStep = keepsDesktopInStep
  }

  /// The themes that the defaults name.
  public var themes: [Text] { [lightTheme, darkTheme].compactMap(\.self) }
}
