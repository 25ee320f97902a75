import Testing
import ThemedModel
import ThemedSystem

@testable import ThemeSetup

/// Schemes whose names do not tell light from dark, and that belong together.
@Suite struct SchemeRelativesTests {
  private func scheme(
    _ path: String, _ side: ThemedModel.ColorScheme, title: Text? = nil, family: Text? = nil,
    as named: ThemedModel.ColorScheme? = nil
  ) -> ReadScheme {
    var scheme = Scheme()
    scheme.title = title
    scheme.family = family
    scheme.variant = side
    scheme.colors = [.background: side == .light ? .white : .black, .text: side == .light ? .black : .white]
    return ReadScheme(path: path, scheme: scheme, side: named)
  }

  private func names(_ schemes: [ReadScheme]) -> [String] {
    pair(schemes).themes.map(\.theme).map { theme in
      "\(theme.name) (\(theme.title)) \(theme.schemes.map(\.rawValue).joined(separator: "+"))"
    }
  }

  @Test(
    "A light scheme and a dark one that are each other's only relatives become one theme, called by what both are called"
  )
  func relatives() {
    #expect(
      names([
        scheme("/x/catppuccin-mocha.yaml", .dark, title: "Catppuccin Mocha"), scheme("sea.yaml", .dark, title: "Sea"),
        scheme("catppuccin-latte.yaml", .light, title: "Catppuccin Latte"),
      ]) == ["catppuccin (Catppuccin) light+dark", "sea (Sea) dark"])
    #expect(
      names([
        scheme("rose-pine.conf", .dark, title: "Rosé Pine"),
        scheme("rose-pine-dawn.conf", .light, title: "Rosé Pine Dawn"),
      ]) == ["rose-pine (Rosé Pine) light+dark"])
    #expect(
      names([scheme("rose-pine-moon.toml", .dark), scheme("rose_pine_dawn.toml", .light)])
        == ["rose-pine (rose-pine) light+dark"])
    #expect(
      names([
        scheme("a.yaml", .dark, title: "Tokyo Night", family: "Tokyo"),
        scheme("b.yaml", .light, title: "Day", family: "Tokyo"),
      ]).count == 1)
  }

  @Test("Who has several relatives, or none of the other side, stays alone; of the first it is told")
  func doubts() {
    let flavours = [
      scheme("latte", .light, title: "Catppuccin Latte"), scheme("frappe", .dark, title: "Catppuccin Frappé"),
      scheme("mocha", .dark, title: "Catppuccin Mocha"),
    ]
    let (themes, faults, doubts) = pair(flavours)
    #expect(themes.map(\.theme.name) == ["latte", "frappe", "mocha"] && faults == [])
    #expect(
      doubts == ["latte: its dark side may be frappe, mocha; use --light and --dark to pair two"])
    for pairs in [
      [scheme("a", .dark, title: "Catppuccin Frappé"), scheme("b", .dark, title: "Catppuccin Mocha")],
      [scheme("a", .light, title: "Day"), scheme("b", .dark, title: "Night")],
      [scheme("a", .light, title: "Tokyo Night Day"), scheme("b", .dark, title: "Tokyo City Dark")],
    ] {
      let pair = pair(pairs)
      #expect(pair.themes.count == 2 && pair.doubts == [])
    }
  }

  @Test(
    "A pair that the files' names make keeps its name: relatives that would be called so stay alone, and that is told")
  func sameName() {
    let black = scheme("selenized-black.yaml", .dark, title: "Selenized black")
    let white = scheme("selenized-white.yaml", .light, title: "Selenized white")
    let pair = pair([
      black, scheme("selenized-dark.yaml", .dark, title: "Selenized dark"),
      scheme("selenized-light.yaml", .light, title: "Selenized light"), white,
    ])
    #expect(pair.faults == [])
    #expect(pair.themes.map(\.theme.name) == ["selenized-black", "selenized", "selenized-white"])
    #expect(pair.themes[1].theme.schemes == [.light, .dark])
    #expect(
      pair.doubts == [
        "selenized-black.yaml, selenized-white.yaml: may be one theme, but 'selenized' is taken; import these two "
          + "with --name to pair them"
      ])
    #expect(names([black, white]) == ["selenized (Selenized) light+dark"])
  }

  @Test("Sides that are named are those, whatever a scheme says, and take nobody else's relatives")
  func named() {
    let named = [
      scheme("latte.yaml", .light, title: "Catppuccin Latte", as: .dark),
      scheme("mocha.yaml", .dark, title: "Catppuccin Mocha", as: .light),
      scheme("frappe.yaml", .dark, title: "Catppuccin Frappé"),
    ]
    let themes = pair(named).themes
    #expect(names(named) == ["catppuccin (Catppuccin) light+dark", "frappe (Catppuccin Frappé) dark"])
    #expect(themes[0].theme.light?.colors[.background] == .black)
    #expect(pair(Array(named.prefix(1)), name: "x").themes.map(\.theme.schemes) == [[.dark]])
    #expect(pair(Array(named.prefix(2)), name: "x").themes.map(\.theme.schemes) == [[.light, .dark]])
    #expect(names([scheme("a.yaml", .light, as: .light), scheme("b.yaml", .light, as: .dark)]) == ["a (a) light+dark"])
  }
}
