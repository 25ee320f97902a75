import ThemeClient
import Varlink

/// A form in which a theme is written for other programs.
enum ExportFormat: String, CaseIterable {
  /// A theme's file, as themed.theme(5) describes it.
  case theme
  /// A scheme of base16, in YAML.
  case base16
  /// A scheme of base24, in YAML.
  case base24
  /// One object, as `GetTheme` returns it.
  case json
  /// Custom properties of CSS, for both sides by `prefers-color-scheme`.
  case css
  /// Variables for a shell.
  case shell
  /// Resources of the X Window System.
  case xresources

  /// Whether it holds one side.
  var isOfOneSide: Bool {
    switch self {
    case .theme, .json, .css: false
    case .base16, .base24, .shell, .xresources: true
    }
  }
}

/// A theme written in a form.
struct ExportedTheme {
  /// The theme as its file has it.
  let theme: Theme
  /// Where its file is.
  let path: String
  /// Where its assets are, by what the theme writes.
  let assetPath: (String) -> String

  /// The theme with the paths of its assets.
  private var located: Theme {
    var located = theme
    for scheme in theme.schemes {
      let assets = theme[scheme]?.assets ?? [:]
      located[scheme]?.assets = assets.mapValues(assetPath)
    }
    return located
  }

  /// The text, which ends with a newline.
  ///
  /// - Parameter side: The side, for a form of one; it is one that the theme has.
  func text(as format: ExportFormat, side: ColorScheme) -> String {
    switch format {
    case .theme: ThemeFile.text(of: theme)
    case .base16: scheme(of: side, system: "base16", Role.base16Slots)
    case .base24: scheme(of: side, system: "base24", Role.base24Slots)
    case .json: JSON.object(InstalledTheme(theme: located, path: path).parameters).text + "\n"
    case .css: css
    case .shell: shell(side)
    case .xresources: xresources(side)
    }
  }

  private func palette(_ side: ColorScheme) -> Palette { theme.palette(for: side) ?? Palette([:], for: side) }

  // MARK: YAML

  private func scheme(of side: ColorScheme, system: String, _ slots: [Role]) -> String {
    // The name of a scheme tells its side, as far as another side exists.
    let title = theme.schemes.count == 2 ? "\(theme.title) \(side == .light ? "Light" : "Dark")" : theme.title
    let palette = palette(side)
    // A string of JSON is one of YAML.
    let head = [
      ("system", system), ("name", title), ("author", theme.author ?? ""), ("variant", side.rawValue),
    ].map { "\($0): \(JSON.string($1).text)\n" }
    let colors = slots.map { "  \($0.rawValue): \"\(palette[$0].hexadecimal.dropFirst())\"\n" }
    return head.joined() + "palette:\n" + colors.joined()
  }

  // MARK: CSS

  private var css: String {
    let schemes = theme.schemes.map(\.rawValue).joined(separator: " ")
    let first = theme.schemes[0]
    var text = ":root {\n  color-scheme: \(schemes);\n" + properties(first, indent: "  ") + "}\n"
    if theme.schemes.count == 2 {
      text += "\n@media (prefers-color-scheme: dark) {\n  :root {\n" + properties(.dark, indent: "    ") + "  }\n}\n"
    }
    return text
  }

  private func properties(_ scheme: ColorScheme, indent: String) -> String {
    let colors = palette(scheme).all.map { "\(indent)--theme-\($0.role.rawValue): \($0.color.hexadecimal);\n" }
    let assets = (theme[scheme]?.assets ?? [:]).sorted { $0.key < $1.key }.map { name, path in
      "\(indent)--theme-asset-\(cssName(name)): url(\(cssString(assetPath(path))));\n"
    }
    return (colors + assets).joined()
  }

  private func cssName(_ name: String) -> String {
    name.map { $0 == "." || $0 == "+" ? "\\\($0)" : String($0) }.joined()
  }

  private func cssString(_ text: String) -> String {
    let escaped = text.unicodeScalars.map { scalar in
      switch scalar {
      case "\"", "\\": "\\" + String(scalar)
      case _ where scalar.value < 0x20: "\\" + String(scalar.value, radix: 16) + " "
      default: String(scalar)
      }
    }
    return "\"\(escaped.joined())\""
  }

  // MARK: Shell

  private func shell(_ side: ColorScheme) -> String {
    var variables = [("NAME", theme.name), ("TITLE", theme.title), ("SIDE", side.rawValue)]
    variables += palette(side).all.map { ($0.role.rawValue, $0.color.hexadecimal) }
    variables += palette(side).terminalColors.enumerated().map { ("COLOR_\($0)", $1.hexadecimal) }
    let given = theme[side] ?? Side()
    variables += given.assets.sorted { $0.key < $1.key }.map { ("ASSET_\($0)", assetPath($1)) }
    variables += given.values.sorted { $0.key < $1.key }.map { ("VALUE_\($0)", $1) }
    return variables.map { "THEME_\(shellName($0))=\(shellQuoted($1))\n" }.joined()
  }

  private func shellName(_ name: String) -> String {
    String(name.uppercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
  }

  // MARK: X

  private func xresources(_ side: ColorScheme) -> String {
    let palette = palette(side)
    var resources = [("background", palette[.background]), ("foreground", palette[.text])]
    resources.append(("cursorColor", palette[.cursor]))
    resources += palette.terminalColors.enumerated().map { ("color\($0)", $1) }
    let lines = resources.map { "*.\($0): \($1.hexadecimal)\n" }
    return "! \(theme.name), \(side.rawValue)\n" + lines.joined()
  }
}

/// A word that a shell takes as this text.
func shellQuoted(_ text: String) -> String {
  "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
}
