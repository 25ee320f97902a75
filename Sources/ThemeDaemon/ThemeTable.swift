internal import Appearance
internal import ForeignText
internal import ThemeInterface
internal import Themes

/// The sides that can be shown, of the themes that are chosen.
struct ThemeTable: Equatable {
  private var sides: [Text: [ColorScheme: ShownTheme]] = [:]

  /// No theme.
  init() {}

  /// The sides of these themes, whose assets are absolute paths.
  init(_ themes: [Theme]) {
    for theme in themes {
      for scheme in theme.schemes { sides[theme.name, default: [:]][scheme] = theme.shown(scheme) }
    }
  }

  /// One side of a theme; nil where there is none.
  func side(_ name: Text, _ scheme: ColorScheme) -> ShownTheme? { sides[name]?[scheme] }
}

extension Theme {
  fileprivate func shown(_ scheme: ColorScheme) -> ShownTheme? {
    self[scheme].map { side in
      ShownTheme(name: name, title: title, details: ThemeDetails(side, for: scheme) { $0 })
    }
  }
}
