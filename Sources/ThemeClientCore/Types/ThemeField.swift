package import ThemeModel

// The model's enumerations are closed, so that its switches have no default. The library's types leave room for more.

/// The desktop's preference.
///
/// Later versions may add preferences, so a `switch` needs a default.
public struct ThemePreference: Sendable, Hashable, CustomStringConvertible {
  package let inner: Preference

  package init(_ inner: Preference) { self.inner = inner }

  /// Light.
  public static let light = ThemePreference(.light)
  /// Dark.
  public static let dark = ThemePreference(.dark)
  /// The desktop has no preference, or a preference that this version does not know.
  public static let none = ThemePreference(.none)
  /// The daemon has not heard from a desktop yet.
  ///
  /// With ``none``, by contrast, the desktop has answered.
  public static let unavailable = ThemePreference(.unavailable)

  /// The name of the preference in the interface.
  public var description: String { inner.rawValue }
}

/// A field of the state that can be overridden.
///
/// Later versions may add fields, so a `switch` needs a default.
public struct ThemeField: Sendable, Hashable, CustomStringConvertible {
  package let inner: Field

  package init(_ inner: Field) { self.inner = inner }

  /// Whether to show light or dark.
  public static let scheme = ThemeField(.scheme)
  /// Whether to show higher contrast.
  public static let highContrast = ThemeField(.highContrast)
  /// Whether to animate less.
  public static let reducedMotion = ThemeField(.reducedMotion)
  /// The accent colour.
  public static let accentColor = ThemeField(.accentColor)
  /// The theme to show while the scheme is light.
  public static let lightTheme = ThemeField(.lightTheme)
  /// The theme to show while the scheme is dark.
  public static let darkTheme = ThemeField(.darkTheme)

  /// The fields that this version knows.
  public static let all = Field.allCases.map(ThemeField.init)

  /// The name of the field in the interface.
  public var description: String { inner.rawValue }
}
