internal import ThemeInterface
internal import ThemeModel
internal import ThemedSystem

/// The sides of the chosen themes that can be shown.
struct ThemeTable: Hashable {
  private var sides: [Text: [ColorScheme: ShownTheme]] = [:]

  /// No theme.
  init() {}

  /// The sides of these themes, by their names.
  init(_ sides: [Text: [ColorScheme: ShownTheme]]) {
    self.sides = sides
  }

  /// One side of a theme; nil if it has none.
  func side(_ name: Text, _ scheme: ColorScheme) -> ShownTheme? { sides[name]?[scheme] }
}

extension Theme {
  /// The sides in the form in which they are shown; assets are absolute paths.
  var shown: [ColorScheme: ShownTheme] {
    var shown: [ColorScheme: ShownTheme] = [:]
    for scheme in schemes {
      shown[scheme] = self[scheme].map { side in
        ShownTheme(name: name, title: title, details: ThemeDetails(side, for: scheme) { $0 })
      }
    }
    return shown
  }
}
