import ThemeModel
import ThemedSystem

/// A theme of two sides, made from one with a single side and the side of an installed theme.
struct CompletedTheme: Hashable {
  let theme: Theme
  /// The theme that the other side comes from.
  let other: Theme
}

extension PairedTheme {
  /// The theme with the other side added from the only theme here that has just that side and the same name but for the
  /// side; with `isNamed`, exactly the same name.
  ///
  /// So sides that are imported one after the other become the same theme as if they were imported together.
  func completed(with installed: [Theme], isNamed: Bool) -> CompletedTheme? {
    guard theme.schemes.count == 1 else { return nil }
    let base = isNamed ? theme.name : withoutSide(theme.name)
    let others = installed.filter {
      $0.schemes == [theme.schemes[0].opposite] && (isNamed ? $0.name : withoutSide($0.name)) == base
    }
    guard others.count == 1, let other = others.first, !base.isEmpty else { return nil }
    var both = theme
    both.name = base
    both[other.schemes[0]] = other[other.schemes[0]]
    let (light, dark) = theme.light == nil ? (other, theme) : (theme, other)
    both.title = title(light: light.title, dark: dark.title) ?? base
    both.author = author(of: [light, dark].compactMap(\.author))
    return CompletedTheme(theme: both, other: other)
  }

  /// The theme of both sides that includes this side, or would include it; nil if there is none.
  func whole(among installed: [Theme]) -> Theme? {
    let base = withoutSide(theme.name)
    guard theme.schemes.count == 1, base != theme.name else { return nil }
    return installed.first { $0.name == base && $0.schemes.count == 2 }
  }

  /// A theme of both sides with this one's side instead of its own.
  func replacing(in whole: Theme) -> Theme {
    var both = whole
    both[theme.schemes[0]] = theme[theme.schemes[0]]
    return both
  }
}
