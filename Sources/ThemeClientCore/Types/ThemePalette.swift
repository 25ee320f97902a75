package import ThemeModel

/// A colour for every role: those that a side of a theme gives, and the others derived from them.
public struct ThemePalette: Sendable, Hashable {
  package let inner: Palette

  package init(_ inner: Palette) { self.inner = inner }

  /// The palette of a side that gives these colours; whatever is given, each role has one.
  public init(_ given: [ThemeRole: ThemeColor] = [:], for scheme: ThemeScheme) {
    let given = given.map { ($0.key.inner, $0.value.inner) }
    inner = Palette(Dictionary(uniqueKeysWithValues: given), for: scheme.inner)
  }

  /// The colour of a role; of one that this version does not know, and nobody gives, the text's.
  public subscript(role: ThemeRole) -> ThemeColor { ThemeColor(inner[role.inner]) }

  /// Every role with its colour: those of ``ThemeRole/all``, and then the others that are given, by name.
  public var all: [(role: ThemeRole, color: ThemeColor)] {
    inner.all.map { (ThemeRole($0.role), ThemeColor($0.color)) }
  }

  /// The palette at `fraction` of the perceptually even way (OKLab) to `other`: 0 is this one, 1 the other.
  public func interpolated(to other: ThemePalette, fraction: Double) -> ThemePalette {
    ThemePalette(inner.interpolated(to: other.inner, fraction: fraction))
  }
}
