package import ThemeModel

/// A colour for every role: some are given by one side of a theme, and the others are derived from these.
public struct ThemePalette: Sendable, Hashable {
  package let inner: Palette

  package init(_ inner: Palette) { self.inner = inner }

  /// The palette of a side that gives these colours; the colours of all other roles are derived.
  public init(_ given: [ThemeRole: ThemeColor] = [:], for scheme: ThemeScheme) {
    let given = given.map { ($0.key.inner, $0.value.inner) }
    inner = Palette(Dictionary(uniqueKeysWithValues: given), for: scheme.inner)
  }

  /// The colour of a role.
  ///
  /// For a role that this version does not know and that is not given, it is the colour of text.
  public subscript(role: ThemeRole) -> ThemeColor { ThemeColor(inner[role.inner]) }

  /// Every role with its colour: first ``ThemeRole/all``, then other roles that are given, by name.
  public var all: [(role: ThemeRole, color: ThemeColor)] {
    inner.all.map { (ThemeRole($0.role), ThemeColor($0.color)) }
  }

  /// The palette at `fraction` of the way to `other`: 0 is this one, 1 is the other.
  ///
  /// Colours are interpolated in OKLab, so that the change looks even.
  public func interpolated(to other: ThemePalette, fraction: Double) -> ThemePalette {
    ThemePalette(inner.interpolated(to: other.inner, fraction: fraction))
  }
}
