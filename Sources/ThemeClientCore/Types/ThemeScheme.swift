package import ThemeResolution

/// What is shown: light or dark, and nothing else ever.
public enum ThemeScheme: String, Sendable, Hashable, CaseIterable, Codable {
  /// Dark text on a light ground.
  case light
  /// Light text on a dark ground.
  case dark

  package init(_ inner: ColorScheme) { self = inner == .light ? .light : .dark }

  package var inner: ColorScheme { self == .light ? .light : .dark }

  /// The other one.
  public var opposite: ThemeScheme { self == .light ? .dark : .light }
}

/// What the desktop asks for; later versions may know more, so a `switch` over it has a default.
public struct ThemePreference: Sendable, Hashable, CustomStringConvertible {
  package let inner: Preference

  package init(_ inner: Preference) { self.inner = inner }

  /// Light.
  public static let light = ThemePreference(.light)
  /// Dark.
  public static let dark = ThemePreference(.dark)
  /// It has no preference, or one that this version does not know.
  public static let none = ThemePreference(.none)
  /// No desktop has been heard yet, which is not the same as ``none``.
  public static let unavailable = ThemePreference(.unavailable)

  /// Its word on the wire.
  public var description: String { inner.rawValue }
}

/// A field of the state that can be overridden; later versions may know more, so a `switch` over it has a default.
public struct ThemeField: Sendable, Hashable, CustomStringConvertible {
  package let inner: Field

  package init(_ inner: Field) { self.inner = inner }

  /// Light or dark.
  public static let scheme = ThemeField(.scheme)
  /// Higher contrast or not.
  public static let highContrast = ThemeField(.highContrast)
  /// Less motion or not.
  public static let reducedMotion = ThemeField(.reducedMotion)
  /// The accent colour.
  public static let accentColor = ThemeField(.accentColor)
  /// The theme of the light side.
  public static let lightTheme = ThemeField(.lightTheme)
  /// The theme of the dark side.
  public static let darkTheme = ThemeField(.darkTheme)

  /// Those that this version knows.
  public static let all = Field.allCases.map(ThemeField.init)

  /// Its name on the wire.
  public var description: String { inner.rawValue }
}
