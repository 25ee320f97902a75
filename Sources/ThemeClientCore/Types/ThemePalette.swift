package import ThemeModel

/// A colour for every role, for light or for dark.
///
/// The theme gives some of the colours. The others are derived from these.
public struct ThemePalette: Sendable, Hashable {
  package let inner: Palette

  package init(_ inner: Palette) { self.inner = inner }

  /// Creates a palette with these colours for this scheme; the colours of all other roles are derived.
  public init(_ given: [ThemeRole: ThemeColor] = [:], for scheme: ThemeScheme) {
    let given = given.map { ($0.key.inner, $0.value.inner) }
    inner = Palette(Dictionary(uniqueKeysWithValues: given), for: scheme.inner)
  }

  /// The colour of a role.
  ///
  /// If this version does not know the role and the theme does not give its colour, you get the colour of
  /// ``ThemeRole/text``.
  public subscript(role: ThemeRole) -> ThemeColor { ThemeColor(inner[role.inner]) }

  /// Every role with its colour: first the roles in ``ThemeRole/all``, then the other roles that are given, by name.
  public var all: [(role: ThemeRole, color: ThemeColor)] {
    inner.all.map { (ThemeRole($0.role), ThemeColor($0.color)) }
  }

  /// The palette at `fraction` of the way to `other`: 0 gives this palette, and 1 gives the other palette.
  ///
  /// Colours are interpolated in OKLab, so that the change looks even.
  public func interpolated(to other: ThemePalette, fraction: Double) -> ThemePalette {
    ThemePalette(inner.interpolated(to: other.inner, fraction: fraction))
  }
}
