import ThemedModel
package import ThemedSystem

/// A format of colour schemes: its syntax, and the names that it gives to colours.
///
/// It is read and written by this description alone.
package struct SchemeFormat: Sendable {
  /// The colours of one side by their roles.
  ///
  /// A colour is read from the first of its paths that the file has, and written at the first one.
  struct Side: Sendable {
    /// The side, in a format that has both sides in one file.
    var scheme: ColorScheme?
    let colors: [(role: Role, paths: [Text])]
  }

  /// How a colour is written.
  enum Notation: Sendable {
    /// `#rrggbb`
    case hash
    /// `rrggbb`
    case bare
    /// `255,0,128`
    case decimal
    /// Members for red, green and blue, from 0 to 1.
    case components
  }

  /// The word for it in commands.
  package let word: Text
  /// Its name for people.
  package let title: String
  /// The syntaxes that it occurs in; it is written in the first.
  let syntaxes: [SchemeSyntax]
  /// The ways to name colours: several if the format has several versions, or both sides in one file.
  let sides: [[Side]]
  var notation = Notation.hash
  /// The colours without which a file is not a scheme.
  var required: [Role] = [.background, .text]
  /// The paths of the theme's title, author and variant.
  var titles: [Text] = ["## name"]
  var authors: [Text] = ["## author"]
  var variants: [Text] = []
  var families: [Text] = []
  /// The paths of texts that say which format it is, with their values; they are written as they are.
  var marks: [(path: Text, words: [String])] = []
  /// The paths of colours that programs need but that add nothing when read, with the roles they are written from.
  var writtenOnly: [(path: Text, role: Role)] = []
  /// The list of schemes that is written around a scheme.
  var list: Text?
  /// The paths of other files that a file includes.
  var includes: [Text] = []
  /// The character between the names in a path.
  var separator: Unicode.Scalar = "/"
  /// The first names that the format knows; nil if a file may have other settings too.
  var known: [Text]?

  private init(
    _ word: Text, _ title: String, _ syntaxes: [SchemeSyntax], _ sides: [[Side]],
    _ adjust: (inout SchemeFormat) -> Void = { _ in }
  ) {
    (self.word, self.title, self.syntaxes, self.sides) = (word, title, syntaxes, sides)
    adjust(&self)
  }

  package var isOfOneSide: Bool { list == nil && sides.allSatisfy { $0.count == 1 } }

  /// The first way to name the colours of so many sides.
  func sides(for count: Int) -> [Side] { sides.first { $0.count == count } ?? sides[0] }
}

/// The colours of a terminal and other ones, by paths with `|` between alternatives.
private func side(
  _ others: [(Role, String)], for scheme: ColorScheme? = nil, ansi: (Int) -> String? = { _ in nil }
) -> SchemeFormat.Side {
  let terminal = Role.ansi.enumerated().compactMap { index, role in ansi(index).map { (role, $0) } }
  return .init(scheme: scheme, colors: (others + terminal).map { ($0, Text($1).split("|")) })
}

/// The path of a terminal's colour by its name, such as `red`, with another word before the bright ones.
private func named(_ normal: String = "", _ bright: String, _ names: [String] = colorNames) -> (Int) -> String {
  { $0 < 8 ? normal + names[$0] : bright + names[$0 - 8] }
}

private let colorNames = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"]
private let terminalNames = upperNames.map { $0 == "Magenta" ? "Purple" : $0 }
private let upperNames = ["Black", "Red", "Green", "Yellow", "Blue", "Magenta", "Cyan", "White"]

extension SchemeFormat {
  /// The formats, in the order in which they are preferred if a file has the names of several.
  package static let all: [SchemeFormat] = [
    base16, base24, tinted8, kitty, alacritty, ghostty, foot, iterm2, windowsTerminal, wezterm, xresources, gogh, pywal,
    material, vscode, konsole, ptyxis, base46, zed,
  ]

  private static func slots(_ roles: [Role]) -> [[Side]] {
    ["palette/", ""].map { place in
      [side(roles.map { ($0, "\(place)\($0.rawValue)|\(place)\($0.rawValue.lowercasedASCII)") })]
    }
  }

  private static func base(_ word: Text, _ roles: [Role]) -> SchemeFormat {
    SchemeFormat(word, word.string, [.yaml], slots(roles)) {
      $0.notation = .bare
      $0.required = Role.base16Slots
      ($0.titles, $0.authors, $0.variants) = (["name", "scheme"], ["author"], ["variant"])
      $0.marks = [("system", [word.string])]
      $0.known = ["name", "scheme", "author", "system", "variant", "slug", "description"]
    }
  }

  static let base16 = base("base16", Role.base16Slots)
  static let base24 = base("base24", Role.base24Slots)

  static let tinted8 = SchemeFormat("tinted8", "tinted8", [.yaml], [[tinted8Side]]) {
    $0.separator = "."
    $0.required = Array(Role.ansi.prefix(8))
    ($0.titles, $0.authors, $0.variants) = (["scheme.name"], ["scheme.author"], ["variant"])
    $0.families = ["scheme.family"]
    $0.marks = [("scheme.system", ["tinted8"])]
    $0.known = ["scheme", "variant", "palette", "ui", "syntax"]
  }

  private static let tinted8Side = side(
    [
      (.background, "ui.global.background.normal|ui.background.normal"),
      (.surface, "ui.global.background.dark|ui.background.dark"),
      (.text, "ui.global.foreground.normal|ui.foreground.normal"),
      (.secondaryText, "ui.global.foreground.dark|ui.foreground.dark"), (.separator, "ui.border|ui.border.normal"),
      (.primary, "ui.accent|ui.accent.normal"), (.link, "ui.link|ui.link.normal|ui.link.normal.foreground"),
      (.selection, "ui.selection.background"), (.selectionText, "ui.selection.foreground"),
      (.cursor, "ui.cursor.normal.background|ui.cursor.normal"), (.cursorText, "ui.cursor.normal.foreground"),
      (.error, "ui.status.error"), (.warning, "ui.status.warning"), (.success, "ui.status.success"),
      (.info, "ui.status.info"), (.base03, "syntax.comment"),
      (.base09, "palette.orange|palette.orange-normal|palette.orange.normal"),
      (.base0F, "palette.brown|palette.brown-normal|palette.brown.normal"),
    ],
    ansi: {
      let name = "palette.\(colorNames[$0 % 8])"
      return $0 < 8 ? "\(name)|\(name)-normal|\(name).normal" : "\(name)-bright|\(name).bright"
    })

  static let kitty = SchemeFormat(
    "kitty", "kitty", [.words],
    [
      [
        side(
          [
            (.background, "background"), (.text, "foreground"), (.cursor, "cursor"), (.cursorText, "cursor_text_color"),
            (.selection, "selection_background"), (.selectionText, "selection_foreground"), (.link, "url_color"),
          ], ansi: { "color\($0)" })
      ]
    ]
  ) { $0.includes = ["include", "globinclude", "envinclude", "geninclude"] }

  static let alacritty = SchemeFormat(
    "alacritty", "Alacritty", [.toml, .yaml],
    [
      [
        side(
          [
            (.background, "colors/primary/background"), (.text, "colors/primary/foreground"),
            (.cursor, "colors/cursor/cursor"), (.cursorText, "colors/cursor/text"),
            (.selection, "colors/selection/background"), (.selectionText, "colors/selection/text"),
          ], ansi: named("colors/normal/", "colors/bright/"))
      ]
    ]
  ) { $0.includes = ["import", "general/import"] }

  static let ghostty = SchemeFormat(
    "ghostty", "Ghostty", [.settings],
    [
      [
        side(
          [
            (.background, "background"), (.text, "foreground"), (.cursor, "cursor-color"), (.cursorText, "cursor-text"),
            (.selection, "selection-background"), (.selectionText, "selection-foreground"),
          ], ansi: { "palette=\($0)" })
      ]
    ]
  ) { $0.includes = ["config-file", "theme"] }

  static let foot = SchemeFormat(
    "foot", "foot", [.settings],
    [[footSide(nil, "colors")], [footSide(.light, "colors-light"), footSide(.dark, "colors-dark")]]
  ) {
    $0.notation = .bare
    $0.includes = ["include", "main/include"]
  }

  private static func footSide(_ scheme: ColorScheme?, _ group: String) -> Side {
    side(
      [
        (.background, "\(group)/background"), (.text, "\(group)/foreground"),
        (.cursorText, "\(group)/cursor/0|cursor/color/0"), (.cursor, "\(group)/cursor/1|cursor/color/1"),
        (.selection, "\(group)/selection-background"), (.selectionText, "\(group)/selection-foreground"),
      ], for: scheme, ansi: { $0 < 8 ? "\(group)/regular\($0)" : "\(group)/bright\($0 - 8)" })
  }

  static let iterm2 = SchemeFormat(
    "iterm2", "iTerm2", [.propertyList],
    [
      [
        side(
          [
            (.background, "Background Color"), (.text, "Foreground Color"), (.cursor, "Cursor Color"),
            (.cursorText, "Cursor Text Color"), (.selection, "Selection Color"),
            (.selectionText, "Selected Text Color"),
          ], ansi: { "Ansi \($0) Color" })
      ]
    ]
  ) { $0.notation = .components }

  static let windowsTerminal = SchemeFormat(
    "windows-terminal", "Windows Terminal", [.json],
    [
      [
        side(
          [
            (.background, "background"), (.text, "foreground"), (.cursor, "cursorColor|cursor"),
            (.selection, "selectionBackground|selection"),
          ], ansi: { $0 < 8 ? terminalNames[$0].lowercased() : "bright\(terminalNames[$0 - 8])" })
      ]
    ]
  ) {
    $0.required += Role.ansi
    $0.titles = ["name"]
  }

  static let wezterm = SchemeFormat(
    "wezterm", "WezTerm", [.toml],
    [
      [
        side(
          [
            (.background, "colors/background"), (.text, "colors/foreground"), (.cursor, "colors/cursor_bg"),
            (.cursorText, "colors/cursor_fg"), (.selection, "colors/selection_bg"),
            (.selectionText, "colors/selection_fg"),
          ], ansi: { $0 < 8 ? "colors/ansi/\($0)" : "colors/brights/\($0 - 8)" })
      ]
    ]
  ) {
    $0.required += Role.ansi
    ($0.titles, $0.authors) = (["metadata/name"], ["metadata/author"])
  }

  static let xresources = SchemeFormat(
    "xresources", "X resources", [.xresources],
    [
      [
        side(
          [
            (.background, "background|Background_Color"), (.text, "foreground|Foreground_Color"),
            (.cursor, "cursorColor|Cursor_Color"), (.cursorText, "cursorColor2|Cursor_Text_Color"),
            (.selection, "highlightColor|Selection_Color"), (.selectionText, "highlightTextColor|Selected_Text_Color"),
          ], ansi: { "color\($0)|Ansi_\($0)_Color" })
      ]
    ]
  ) { $0.includes = ["#include"] }

  static let gogh = SchemeFormat(
    "gogh", "Gogh", [.yaml, .json],
    [
      [
        side(
          [
            (.background, "background"), (.text, "foreground"), (.cursor, "cursor"), (.cursorText, "cursor_text"),
            (.selection, "selection"), (.selectionText, "selection_text"),
          ], ansi: { "color_\($0 < 9 ? "0" : "")\($0 + 1)" })
      ]
    ]
  ) {
    $0.required += Role.ansi
    ($0.titles, $0.authors, $0.variants) = (["name"], ["author"], ["variant"])
  }

  static let pywal = SchemeFormat(
    "pywal", "pywal", [.json],
    [
      [
        side(
          [
            (.background, "special/background"), (.text, "special/foreground"), (.cursor, "special/cursor"),
          ], ansi: { "colors/color\($0)" })
      ]
    ]
  ) { $0.titles = [] }

  static let material = SchemeFormat(
    "material", "Material (matugen)", [.json],
    [
      ColorScheme.allCases.map {
        materialSide($0) { (name, side) in "colors/\(name)/\(side)/color|colors/\(name)/\(side)" }
      },
      ColorScheme.allCases.map { materialSide($0) { (name, side) in "colors/\(side)/\(name)" } },
      ColorScheme.allCases.map { materialSide($0) { (name, side) in "schemes/\(side)/\(name.camelCase)" } },
    ]
  ) { $0.titles = [] }

  private static func materialSide(_ scheme: ColorScheme, _ path: (String, String) -> String) -> Side {
    let names: [(Role, String)] = [
      (.background, "background"), (.text, "on_background"), (.surface, "surface_container"),
      (.secondaryText, "on_surface_variant"), (.separator, "outline_variant"), (.primary, "primary"),
      (.primaryText, "on_primary"), (.secondary, "secondary"), (.selection, "primary_container"),
      (.selectionText, "on_primary_container"), (.error, "error"),
    ]
    return side(names.map { ($0, path($1, scheme.rawValue)) }, for: scheme)
  }

  static let vscode = SchemeFormat(
    "vscode", "Visual Studio Code", [.json],
    ["colors", "workbench.colorCustomizations"].map { group in
      let others: [(Role, String)] = [
        (.background, "editor.background|terminal.background"),
        (.text, "editor.foreground|terminal.foreground|foreground"),
        (.cursor, "editorCursor.foreground|terminalCursor.foreground"),
        (.cursorText, "editorCursor.background|terminalCursor.background"),
        (.selection, "editor.selectionBackground|terminal.selectionBackground"),
        (.selectionText, "editor.selectionForeground|terminal.selectionForeground"), (.link, "textLink.foreground"),
      ]
      return [
        side(
          others.map { ($0, Text($1).split("|").map { "\(group)/\($0)" }.joined(separator: "|").string) },
          ansi: named("\(group)/terminal.ansi", "\(group)/terminal.ansiBright", upperNames))
      ]
    }
  ) { ($0.titles, $0.authors, $0.variants) = (["name"], ["author"], ["type"]) }

  static let konsole = SchemeFormat(
    "konsole", "Konsole", [.settings],
    [
      [
        side(
          [(.background, "Background/Color"), (.text, "Foreground/Color")],
          ansi: { $0 < 8 ? "Color\($0)/Color" : "Color\($0 - 8)Intense/Color" })
      ]
    ]
  ) {
    $0.notation = .decimal
    $0.titles = ["General/Description"]
  }

  static let ptyxis = SchemeFormat(
    "ptyxis", "Ptyxis (GNOME)", [.settings],
    [[ptyxisSide(nil, "Palette")], [ptyxisSide(.light, "Light"), ptyxisSide(.dark, "Dark")]]
  ) { $0.titles = ["Palette/Name"] }

  private static func ptyxisSide(_ scheme: ColorScheme?, _ group: String) -> Side {
    side(
      [
        (.background, "\(group)/Background"), (.text, "\(group)/Foreground"),
        (.cursor, "\(group)/Cursor|\(group)/CursorBackground"), (.cursorText, "\(group)/CursorForeground"),
      ], for: scheme, ansi: { "\(group)/Color\($0)" })
  }

  static let base46 = SchemeFormat(
    "base46", "base46 (NvChad)", [.lua],
    [[side(Role.base16Slots.map { ($0, "base_16/\($0.rawValue)") })]]
  ) {
    $0.required = Role.base16Slots
    ($0.titles, $0.variants) = ([], ["type"])
    $0.writtenOnly = base30.flatMap { role, names in
      Text(names).split(" ").map { (path: "base_30/\($0)" as Text, role: role) }
    }
  }

  /// The names of NvChad's own colours, without which it loads no theme, by the closest roles.
  private static let base30: [(Role, String)] = [
    (.base00, "black darker_black"), (.base01, "black2 one_bg statusline_bg"),
    (.base02, "one_bg2 one_bg3 lightbg line"), (.base03, "grey grey_fg grey_fg2"), (.base04, "light_grey"),
    (.base05, "white"), (.base08, "red baby_pink pink"),
    (.base09, "orange"), (.base0A, "yellow sun"), (.base0B, "green vibrant_green"), (.base0C, "cyan teal"),
    (.base0D, "blue nord_blue pmenu_bg folder_bg"), (.base0E, "purple dark_purple"),
  ]

  static let zed = SchemeFormat(
    "zed", "Zed", [.json],
    [
      [
        side(
          [
            (.background, "style/editor.background|style/background"), (.text, "style/editor.foreground|style/text"),
            (.surface, "style/surface.background"), (.secondaryText, "style/text.muted"),
            (.separator, "style/border.variant|style/border"), (.primary, "style/text.accent"),
            (.cursor, "style/players/0/cursor"), (.selection, "style/players/0/selection"), (.error, "style/error"),
            (.warning, "style/warning"), (.success, "style/success"), (.info, "style/info"),
          ], ansi: named("style/terminal.ansi.", "style/terminal.ansi.bright_"))
      ]
    ]
  ) {
    ($0.titles, $0.authors, $0.variants) = (["name"], ["../author"], ["appearance"])
    $0.list = "themes"
  }
}

extension String {
  /// `onPrimary` for `on_primary`.
  fileprivate var camelCase: String {
    var bytes: [UInt8] = []
    for byte in utf8 {
      if bytes.last == UInt8(ascii: "_") { bytes[bytes.count - 1] = byte & ~0x20 } else { bytes.append(byte) }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
