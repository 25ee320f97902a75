import ThemedInterface
package import ThemedModel
package import ThemedSystem
import ThemedVarlink

package enum ExportFormat: Hashable, CaseIterable, Sendable {
  case theme
  /// One object, as `GetTheme` returns it.
  case json
  /// Custom properties of CSS, for both sides by `prefers-color-scheme`.
  case css
  case shell
  case fish
  /// A format of schemes, by its word.
  case scheme(Text)

  package static let allCases =
    [.theme, .json, .css, .shell, .fish] + SchemeFormat.all.map { ExportFormat.scheme($0.word) }

  package init?(word: Text) {
    guard let format = Self.allCases.first(where: { $0.word == word }) else { return nil }
    self = format
  }

  package var word: Text { if case .scheme(let word) = self { word } else { Text("\(self)") } }

  package var scheme: SchemeFormat? { SchemeFormat.all.first { self == .scheme($0.word) } }

  package var isOfOneSide: Bool { scheme?.isOfOneSide ?? [.shell, .fish].contains(self) }
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
    case .json: json
    case .css: css
    case .shell: try variables(side).map { "\($0)=\($1.quotedForShell)\n" }.joined()
    // fish would make a list of a variable whose name ends in PATH.
    case .fish: try variables(side).map { "set --global --unpath \($0) \($1.quotedForFish)\n" }.joined()
    case .scheme: format.scheme.map { scheme(of: side, in: $0) } ?? ""
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

  // MARK: Schemes

  /// The colours of the theme that a scheme in this format loses, each with the colour that is read instead.
  package func lost(of side: ColorScheme, in format: SchemeFormat) -> [(role: Role, color: Color, instead: Color)] {
    let bytes = Array(scheme(of: side, in: format).utf8)
    guard let scheme = try? Scheme.all(in: bytes).first(where: { format.isOfOneSide || $0.variant == side }) else {
      return []
    }
    let (palette, read) = (palette(side), Palette(scheme.colors, for: side))
    let given = theme[side]?.colors ?? [:]
    return Role.all.filter { given[$0] != nil && read[$0] != palette[$0] }.map { ($0, palette[$0], read[$0]) }
  }

  private func scheme(of side: ColorScheme, in format: SchemeFormat) -> String {
    let sides = format.isOfOneSide ? [side] : theme.schemes
    // If the theme has two sides, the scheme's name says which one this is.
    let isHalf = theme.schemes.count > sides.count
    let title: Text = isHalf ? "\(theme.title) \(side == .light ? "Light" : "Dark")" : theme.title
    return format.text(of: theme, title: title, sides: sides.map { ($0, palette($0)) }) { theme[$0]?.colors[$1] != nil }
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
      "\(indent)--theme-asset-\(name.asCSSName): url(\(path.asCSSAddress.quotedForCSS));\n"
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
