import ThemeInterface
package import ThemeModel
package import ThemedSystem
import ThemedVarlink

package enum ExportFormat: String, CaseIterable {
  case theme
  case base16
  case base24
  /// One object, as `GetTheme` returns it.
  case json
  /// Custom properties of CSS, for both sides by `prefers-color-scheme`.
  case css
  case shell
  case fish
  case xresources

  package var isOfOneSide: Bool {
    switch self {
    case .theme, .json, .css: false
    case .base16, .base24, .shell, .fish, .xresources: true
    }
  }
}

/// A theme in an export format, with every text quoted so that a program reads the same bytes, and no more.
package struct ExportedTheme {
  package let theme: Theme
  package let path: String
  package let assetPath: (Text) -> Text

  package init(theme: Theme, path: String, assetPath: @escaping (Text) -> Text) {
    (self.theme, self.path, self.assetPath) = (theme, path, assetPath)
  }

  /// The text, which ends with a newline.
  ///
  /// - Parameter side: The side, for a format that has one; the theme has this side.
  package func text(as format: ExportFormat, side: ColorScheme) throws(Refusal) -> String {
    switch format {
    // Images keep their places, wherever the copy is; a path below `~` works in other home directories too.
    case .theme: ThemeFile.text(of: theme.withAssets { $0.hasPrefix("~/") ? $0 : assetPath($0) })
    case .base16: scheme(of: side, system: "base16", Role.base16Slots)
    case .base24: scheme(of: side, system: "base24", Role.base24Slots)
    case .json: json
    case .css: css
    case .shell: try variables(side).map { "\($0)=\($1.quotedForShell)\n" }.joined()
    // fish would make a list of a variable whose name ends in PATH.
    case .fish: try variables(side).map { "set --global --unpath \($0) \($1.quotedForFish)\n" }.joined()
    case .xresources: xresources(side)
    }
  }

  package var json: String {
    JSON.object(InstalledTheme(theme: theme.withAssets(assetPath), path: Text(path)).parameters).text + "\n"
  }

  private func palette(_ side: ColorScheme) -> Palette { theme.palette(for: side) ?? Palette([:], for: side) }

  private typealias Named = [(name: Text, text: Text)]

  private func assets(_ side: ColorScheme) -> Named {
    (theme[side]?.assets ?? [:]).map { ($0, assetPath($1)) }.sorted { $0.name < $1.name }
  }

  private func values(_ side: ColorScheme) -> Named {
    (theme[side]?.values ?? [:]).map { ($0, $1) }.sorted { $0.name < $1.name }
  }

  // MARK: YAML

  /// The colours of the theme that a scheme of these slots loses, each with the colour that is read instead.
  package func lost(of side: ColorScheme, in slots: [Role]) -> [(role: Role, color: Color, instead: Color)] {
    let palette = palette(side)
    let said = slots.map { ($0, palette[$0]) }
    let read = Palette(Dictionary(uniqueKeysWithValues: said), for: side)
    let given = theme[side]?.colors ?? [:]
    return Role.all.filter { given[$0] != nil && read[$0] != palette[$0] }.map { ($0, palette[$0], read[$0]) }
  }

  private func scheme(of side: ColorScheme, system: String, _ slots: [Role]) -> String {
    // If the theme has two sides, the scheme's name says which one this is.
    let title: Text = theme.schemes.count == 2 ? "\(theme.title) \(side == .light ? "Light" : "Dark")" : theme.title
    let palette = palette(side)
    let head = [
      ("system", Text(system)), ("name", title), ("author", theme.author ?? ""), ("variant", Text(side.rawValue)),
    ].map { "\($0): \($1.quotedForYAML)\n" }
    let colors = slots.map { "  \($0.rawValue): \"\(palette[$0].hexadecimal.dropFirst())\"\n" }
    return head.joined() + "palette:\n" + colors.joined()
  }

  // MARK: CSS

  private var css: String {
    let schemes = theme.schemes.map(\.rawValue).joined(separator: " ")
    let first = theme.schemes[0]
    var text = ":root {\n  color-scheme: \(schemes);\n" + properties(first, indent: "  ") + "}\n"
    if theme.schemes.count == 2 {
      // Otherwise, assets of the light side alone would also apply to the dark side.
      let own = Set(assets(.dark).map(\.name))
      let ended = assets(first).filter { !own.contains($0.name) }
        .map { "    --theme-asset-\($0.name.asCSSName): initial;\n" }
      text += "\n@media (prefers-color-scheme: dark) {\n  :root {\n" + properties(.dark, indent: "    ")
      text += ended.joined() + "  }\n}\n"
    }
    return text
  }

  private func properties(_ scheme: ColorScheme, indent: String) -> String {
    let colors = palette(scheme).all.map { "\(indent)--theme-\($0.role.rawValue): \($0.color.hexadecimal);\n" }
    let assets = assets(scheme).map { name, path in
      "\(indent)--theme-asset-\(name.asCSSName): url(\(path.quotedForCSS));\n"
    }
    return (colors + assets).joined()
  }

  // MARK: Shells

  private func variables(_ side: ColorScheme) throws(Refusal) -> [(Text, Text)] {
    var variables: Named = [("NAME", theme.name), ("TITLE", theme.title), ("SIDE", Text(side.rawValue))]
    variables += palette(side).all.map { ($0.role.rawValue, Text($0.color.hexadecimal)) }
    variables += assets(side).map { ("asset \($0)", $1) }
    variables += values(side).map { ("value \($0)", $1) }
    var origins: [Text: Text] = [:]
    var named: [(Text, Text)] = []
    for (name, value) in variables {
      let variable: Text = "THEME_\(name.asShellName)"
      if let other = origins.updateValue(name, forKey: variable) {
        throw Refusal(
          "'\(other)' and '\(name)' would both become the variable \(variable); rename one of them in the theme's file"
        )
      }
      named.append((variable, value))
    }
    return named
  }

  // MARK: X

  private func xresources(_ side: ColorScheme) -> String {
    let palette = palette(side)
    var resources = [("background", palette[.background]), ("foreground", palette[.text])]
    resources.append(("cursorColor", palette[.cursor]))
    resources += Role.ansi.enumerated().map { ("color\($0)", palette[$1]) }
    let lines = resources.map { "*.\($0): \($1.hexadecimal)\n" }
    // A comment ends with its line, unless the line ends with a backslash.
    return "! \(printable(theme.name)), \(side.rawValue)\n" + lines.joined()
  }
}

extension Theme {
  package func withAssets(_ path: (Text) -> Text) -> Theme {
    var theme = self
    for scheme in schemes {
      let assets = self[scheme]?.assets ?? [:]
      theme[scheme]?.assets = assets.mapValues(path)
    }
    return theme
  }
}
