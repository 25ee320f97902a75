public import ThemedText

/// What is shown: the answer that every client wants.
public enum ColorScheme: String, Sendable, Hashable, CaseIterable {
  /// Dark text on a light ground.
  case light
  /// Light text on a dark ground.
  case dark

  /// The other one.
  public var opposite: ColorScheme { self == .light ? .dark : .light }
}

/// What an override says about the scheme.
public enum Mode: String, Sendable, Hashable, CaseIterable {
  /// What the desktop asks for; for one app, although an override of all says otherwise.
  case auto
  /// Light, whatever the desktop asks for.
  case light
  /// Dark, whatever the desktop asks for.
  case dark

  /// The mode that shows `scheme`; with nil ``auto``.
  public init(_ scheme: ColorScheme?) {
    switch scheme {
    case .light?: self = .light
    case .dark?: self = .dark
    case nil: self = .auto
    }
  }

  /// What it shows, whatever the desktop asks for; nil for ``auto``.
  public var scheme: ColorScheme? {
    switch self {
    case .auto: nil
    case .light: .light
    case .dark: .dark
    }
  }
}

/// What the desktop asks for, by the portal's `color-scheme`.
public enum Preference: String, Sendable, Hashable, CaseIterable {
  /// The portal says 2.
  case light
  /// The portal says 1.
  case dark
  /// The portal says 0, or a value that it does not define: no preference.
  case none
  /// No portal has said anything yet. Not the same as ``none``.
  case unavailable
}

/// An sRGB colour, each component from 0 to 1.
public struct Color: Sendable, Hashable {
  /// Red, 0 to 1.
  public let red: Double
  /// Green, 0 to 1.
  public let green: Double
  /// Blue, 0 to 1.
  public let blue: Double

  /// A colour, or nil where a component lies outside of 0 to 1 or is no number: the portal's way of saying "unset".
  public init?(red: Double, green: Double, blue: Double) {
    guard (0...1).contains(red), (0...1).contains(green), (0...1).contains(blue) else { return nil }
    self.red = red
    self.green = green
    self.blue = blue
  }
}

/// The desktop's whole preference, as last read from the portal, or what another daemon shows in its place.
public struct Reading: Sendable, Hashable {
  /// What the desktop asks for.
  public var scheme: Preference
  /// Whether it asks for higher contrast; nil where it says nothing.
  public var highContrast: Bool?
  /// Whether it asks for less motion; nil where it says nothing.
  public var reducedMotion: Bool?
  /// The accent colour; nil where it has none.
  public var accentColor: Color?
  /// What another daemon shows besides, where one is followed; nil for a desktop.
  public var upstream: Upstream?
  /// Whether it was read in an earlier session, and this session's desktop has not been heard yet.
  public var isRemembered: Bool

  /// What another daemon shows that no desktop asks for.
  public struct Upstream: Sendable, Hashable {
    /// The side of its theme, with what is drawn with; nil where it shows none.
    public var theme: ShownTheme?
    /// How long programs may take to fade to it, in milliseconds.
    public var transition: Int?

    /// What a daemon shows besides the scheme.
    public init(theme: ShownTheme? = nil, transition: Int? = nil) {
      self.theme = theme
      self.transition = transition
    }
  }

  /// A reading; without arguments, that of a desktop which has not been heard.
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

/// What the user wants instead of the desktop's preference, as clients give and get it.
///
/// A field that is nil is not meant.
public struct Override: Sendable, Hashable {
  /// The app that it is for; nil for all.
  public var app: Text?
  /// The scheme.
  public var scheme: Mode?
  /// Higher contrast or not.
  public var highContrast: Bool?
  /// Less motion or not.
  public var reducedMotion: Bool?
  /// The accent colour.
  public var accentColor: Color?
  /// The theme where the scheme is light, by name.
  public var lightTheme: Text?
  /// The theme where the scheme is dark, by name.
  public var darkTheme: Text?
  /// The other fields that are pinned, for an app, to what lies below the overrides; for the scheme there is
  /// ``Mode/auto``.
  public var auto: Set<Field>
  /// When it ends, in seconds since the epoch; nil for never.
  public var expiresAt: Int64?
  /// Whether it ends when the desktop's own preference next changes.
  public var untilDesktopChanges: Bool?

  /// An override of what is given.
  public init(
    app: Text? = nil, scheme: Mode? = nil, highContrast: Bool? = nil, reducedMotion: Bool? = nil,
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
  /// The fields for which it gives a value; of the scheme, ``Mode/auto`` is one.
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

  /// The fields of which it says something.
  public var fields: [Field] { auto.isEmpty ? given : given + Field.allCases.filter(auto.contains) }

  /// Whether it pins a field to what lies below the overrides; for all apps, that is to remove its override.
  public var pins: Bool { scheme == .auto || !auto.isEmpty }
}

/// What the configuration says where neither the user nor the desktop does.
public struct Defaults: Sendable, Hashable {
  /// What "no preference" means.
  public var noPreference: ColorScheme
  /// What is shown while no desktop has been heard.
  public var noDesktop: ColorScheme
  /// The theme where the scheme is light, by name; nil for none.
  public var lightTheme: Text?
  /// The theme where the scheme is dark, by name; nil for none.
  public var darkTheme: Text?
  /// How long programs may take to fade from one theme to another, in milliseconds.
  public var transition: Int

  /// Light in both cases, without a theme, unless said otherwise.
  public init(
    noPreference: ColorScheme = .light, noDesktop: ColorScheme = .light, lightTheme: Text? = nil,
    darkTheme: Text? = nil, transition: Int = 200
  ) {
    self.noPreference = noPreference
    self.noDesktop = noDesktop
    self.lightTheme = lightTheme
    self.darkTheme = darkTheme
    self.transition = transition
  }

  /// The themes that it names.
  public var themes: [Text] { [lightTheme, darkTheme].compactMap(\.self) }
}
