import Foundation
import Testing
import ThemedModel
import ThemedSystem
import ThemedTestSupport

@testable import ThemeSetup

/// A theme, written for other programs: each form as the program that it is for reads it.
@Suite struct ExportTests {
  private let theme = Theme(
    name: "mint", title: "Mint & Co's \"*/\"", author: "Somebody",
    light: Side(colors: [.background: .white], assets: ["wall.paper": "a \"b\"\\c.png"], values: ["bat": "it's $HOME"]),
    dark: Side(colors: [.background: .black]))

  private func text(_ format: ExportFormat, _ side: ThemedModel.ColorScheme = .light) throws -> String {
    try ExportedTheme(theme: theme, path: "x.theme") { "/themes/\($0)" }.text(as: format, side: side)
  }

  @Test("A theme's file is read back as the theme, with each image where it is, but for those below a home")
  func file() throws {
    var theme = theme
    theme.light?.assets["icon"] = "~/icon.png"
    let text = try ExportedTheme(theme: theme, path: "x.theme") { "/themes/\($0)" }.text(as: .theme, side: .light)
    theme.light?.assets["wall.paper"] = "/themes/a \"b\"\\c.png"
    #expect(try ThemeFile(name: "mint", KeyFile(strict: Array(text.utf8))).theme == theme)
  }

  @Test("fish makes a list of no variable, whatever it is called")
  func fish() throws {
    let lines = try text(.fish).split(separator: "\n")
    #expect(lines.allSatisfy { $0.hasPrefix("set --global --unpath THEME_") })
    #expect(lines.contains("set --global --unpath THEME_SIDE 'light'"))
  }

  @Test("JSON has every role, what is given, and where images are")
  func json() throws {
    let object = try #require(JSONSerialization.jsonObject(with: Data(text(.json).utf8)) as? [String: Any])
    #expect(object["title"] as? String == theme.title.string)
    let light = try #require(object["light"] as? [String: Any])
    #expect((light["palette"] as? [String: String])?.count == Role.all.count)
    #expect(light["given"] as? [String] == ["background"])
    #expect(light["assets"] as? [String: String] == ["wall.paper": "/themes/a \"b\"\\c.png"])
    #expect((object["dark"] as? [String: Any])?["palette"] != nil)
  }

  @Test("A shell reads the variables, whatever stands in them, and nothing else happens")
  func shell() throws {
    try withSession { session in
      let script =
        try "set -eu\n" + text(.shell) + #"printf '%s\n' "$THEME_TITLE" "$THEME_VALUE_BAT" "$THEME_ASSET_WALL_PAPER" "#
        + #""$THEME_SECONDARY_TEXT" "$THEME_BASE0A" "$THEME_ANSI15" "$THEME_SIDE""#
      let output = try session.run("sh", ["-c", script])
      #expect(output.errors == "")
      let palette = try #require(theme.palette(for: .light))
      #expect(
        output.lines == [
          theme.title.string, "it's $HOME", "/themes/a \"b\"\\c.png", palette[.secondaryText].hexadecimal,
          palette[.base0A].hexadecimal, palette[.ansi15].hexadecimal, "light",
        ])
    }
  }

  @Test("CSS has both sides, the dark one by prefers-color-scheme")
  func css() throws {
    let css = try text(.css)
    #expect(css.contains("color-scheme: light dark;"))
    #expect(css.components(separatedBy: "--theme-background:").count == 3)
    #expect(css.contains("@media (prefers-color-scheme: dark) {\n  :root {\n    --theme-background: #000000;"))
    #expect(css.contains(#"--theme-asset-wall\.paper: url("/themes/a \"b\"\\c.png");"#))
    // The dark side has no such image, and is not to show the light one's.
    #expect(css.contains("\n    --theme-asset-wall\\.paper: initial;\n  }\n}\n"))
    #expect(css.filter { $0 == "{" }.count == css.filter { $0 == "}" }.count)
    let dark = try ExportedTheme(theme: Theme(name: "d", dark: Side()), path: "x.theme") { $0 }.text(
      as: .css, side: .dark)
    #expect(dark.contains("color-scheme: dark;") && !dark.contains("@media"))
  }

  @Test("X resources have the sixteen colours of a terminal, its text, its background and its cursor")
  func xresources() throws {
    let lines = try text(.scheme("xresources"), .dark).split(separator: "\n")
    #expect(lines.first == "! mint, dark")
    #expect(lines.contains("*.background: #000000"))
    #expect(lines.count == 23)
    #expect(lines.dropFirst().allSatisfy { $0.wholeMatch(of: /\*\.[a-zA-Z]+\d*: #[0-9a-f]{6}/) != nil })
  }
}
