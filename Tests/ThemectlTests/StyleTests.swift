import Testing
import ThemedModel
import ThemedSystem

@testable import themectl

/// How much of colour goes to whom.
@Suite struct StyleTests {
  private func style(
    _ when: ColorOption.When = .auto, terminal: Bool = true, in variables: [String: String]
  ) -> Style {
    Style(when, isTerminal: terminal) { variables[$0] }
  }

  @Test("A terminal has as many colours as its variables say, and none where it is dumb or nothing is known of it")
  func depths() {
    let depths: [(String?, String?, Style.Depth)] = [
      (nil, nil, .none), ("dumb", nil, .none), ("dumb", "truecolor", .none), ("xterm", nil, .sixteen),
      ("linux", nil, .sixteen), ("screen", "yes", .sixteen), ("xterm-256color", nil, .indexed),
      ("tmux-256color", "", .indexed), ("tmux-256color", "truecolor", .direct), ("xterm", "24bit", .direct),
      ("xterm-kitty", nil, .direct), ("foot", nil, .direct), ("xterm-direct", nil, .direct),
    ]
    for (term, colors, depth) in depths {
      #expect(Style.Depth { ["TERM": term, "COLORTERM": colors][$0] ?? nil } == depth, "\(term ?? "-")")
    }
  }

  @Test("NO_COLOR takes colours, 'never' bold letters too, 'always' brings them, and who reads decides of the rest")
  func choices() {
    let terminal = ["TERM": "xterm-256color"]
    #expect(style(in: terminal).depth == .indexed)
    let never = style(.never, in: terminal)
    #expect(never.isForPeople && !never.isEmphatic && !never.hasColor)
    let plain = style(in: ["TERM": "xterm-256color", "NO_COLOR": "1"])
    #expect(plain.isForPeople && plain.isEmphatic && !plain.hasColor)
    let dumb = style(in: ["TERM": "dumb"])
    #expect(dumb.isForPeople && !dumb.isEmphatic && !dumb.hasColor)
    let pipe = style(terminal: false, in: terminal)
    #expect(!pipe.isForPeople && !pipe.isEmphatic && !pipe.hasColor)
    let asked = style(.always, terminal: false, in: ["NO_COLOR": "1"])
    #expect(asked.isForPeople && asked.isEmphatic && asked.depth == .sixteen)
  }

  @Test(
    "Where there are few colours, the one that looks most like it is taken",
    arguments: [
      ("#000000", "40", "48;5;16"), ("#ffffff", "107", "48;5;231"), ("#ff0000", "101", "48;5;196"),
      ("#808080", "100", "48;5;244"), ("#5f87af", "44", "48;5;67"), ("#00d7ff", "46", "48;5;45"),
    ])
  func nearest(_ color: Text, _ sixteen: String, _ indexed: String) throws {
    let color = try #require(Color(hexadecimal: color))
    #expect(Style(depth: .sixteen).patch("x", on: color) == "\u{1B}[\(sixteen)mx\u{1B}[0m")
    #expect(Style(depth: .indexed).patch("x", on: color) == "\u{1B}[\(indexed)mx\u{1B}[0m")
  }

  @Test(
    "Of sixteen a dull tone stays a colour, and what is nearly black, grey or white stays that",
    arguments: [
      // Nord, Solarized, Catppuccin and Gruvbox: grounds and texts, and then what they draw with.
      ("2e3440 1e1e2e 002b36 073642 282828", "40"), ("d8dee9 cdd6f4 eee8d5 ebdbb2", "47"),
      ("4c566a 586e75 839496 585b70", "100"), ("fdf6e3 fafafa", "107"), ("bf616a f38ba8 fb4934 e45649", "101"),
      ("a3be8c 50a14f 8ec07c 427b58", "42"), ("81a1c1 89b4fa 7f60d7", "104"),
      ("5e81ac 268bd2 0184bc", "44"), ("88c0d0 8fbcbb 83a598 2aa198", "46"),
      ("b48ead cba6f7", "105"), ("ebcb8b b58900 fabd2f 9c6a00", "43"),
    ])
  func dull(_ colors: String, _ sixteen: String) throws {
    for color in Text(colors).split(" ") {
      let color = try #require(Color(hexadecimal: color))
      #expect(Style(depth: .sixteen).patch("x", on: color) == "\u{1B}[\(sixteen)mx\u{1B}[0m", "\(color.hexadecimal)")
    }
  }

  @Test("The locale says whether there is more than ASCII; the first variable that is set decides")
  func locales() {
    let locales: [([String: String], Bool)] = [
      ([:], false), (["LANG": "C.UTF-8"], true), (["LANG": "de_DE.utf8@euro"], true), (["LANG": "de_DE"], false),
      (["LANG": "C.UTF-8", "LC_ALL": "C"], false), (["LANG": "C", "LC_CTYPE": "C.UTF-8", "LC_ALL": ""], true),
    ]
    for (variables, expected) in locales { #expect(style(in: variables).isUTF8 == expected, "\(variables)") }
  }

  @Test("Text is seen on its ground though both are nearest to the same of sixteen")
  func seen() throws {
    let (text, ground) = (try #require(Color(hexadecimal: "#101010")), try #require(Color(hexadecimal: "#000000")))
    #expect(Style(depth: .sixteen).patch("x", text, on: ground) == "\u{1B}[97;40mx\u{1B}[0m")
    #expect(Style(depth: .direct).patch("x", text, on: ground) == "\u{1B}[38;2;16;16;16;48;2;0;0;0mx\u{1B}[0m")
  }
}
