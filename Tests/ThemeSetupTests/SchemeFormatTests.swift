import Testing
import ThemedModel
import ThemedSystem
import ThemedTestSupport

@testable import ThemeSetup

/// Every format is read and written by its one description.
@Suite struct SchemeFormatTests {
  /// A theme of a terminal, with all that most formats have.
  private var theme: Theme {
    var colors: [Role: Color] = [:]
    for (index, role) in Role.ansi.enumerated() {
      colors[role] = Color(red: Double(40 + index * 13) / 255, green: Double(250 - index * 11) / 255, blue: 0.2)
    }
    colors[.background] = Color("#14202c")
    colors[.text] = Color("#d8dee0")
    var light = colors
    (light[.background], light[.text]) = (Color("#fdfcf8"), Color("#20282c"))
    return Theme(
      name: "shore", title: "Shore & \"Sea\"", author: "Some <some@example.org>", light: Side(colors: light),
      dark: Side(colors: colors))
  }

  private func schemes(_ format: Text, of theme: Theme, _ side: ThemedModel.ColorScheme) throws -> [Scheme] {
    let exported = ExportedTheme(theme: theme, path: "x.theme") { $0 }
    let text = try exported.text(as: .scheme(format), side: side)
    return try Scheme.all(in: Array(text.utf8))
  }

  @Test("A theme that is exported and imported has the same colours", arguments: SchemeFormat.all.map(\.word))
  func everyFormat(_ word: Text) throws {
    let format = try #require(SchemeFormat.all.first { $0.word == word })
    let colors = Dictionary(Role.all.map { ($0, theme.palette(for: .dark)?[$0] ?? .black) }) { $1 }
    var whole = theme
    whole.dark?.colors = colors
    for side in ThemedModel.ColorScheme.allCases {
      let read = try schemes(word, of: whole, side)
      #expect(read.count == (format.isOfOneSide ? 1 : 2))
      let scheme = try #require(read.first { $0.variant == side })
      let palette = try #require(whole.palette(for: side))
      for (role, _) in format.sides(for: 2)[0].colors where role != .link || side == .dark {
        #expect(scheme.colors[role] == palette[role], "\(role.rawValue)")
      }
      if let title = scheme.title { #expect(title.hasPrefix("Shore & \"Sea\"")) }
      #expect(scheme.ignored == [])
    }
  }

  @Test("A theme of an editor that says the wrong side is imported for the side of its colours, with a note")
  func wrongSide() throws {
    let text = """
      { "name": "Light", "type": "dark", "colors": { "editor.background": "#e6e7ed", "editor.foreground": "#343b59",
        "terminal.ansiRed": "#8c4351", "terminal.ansiGreen": "#33635c" } }
      """
    let read = try Scheme.all(in: Array(text.utf8))
    #expect(read.map(\.variant) == [.light])
    #expect(
      read[0].ignored.map(\.text) == ["the file says dark, but its colours are light: importing them as such"])
  }

  @Test("Files of every format that are broken at random are read as data, or refused in one line")
  func broken() throws {
    var random = SeededGenerator(seed: 52)
    for format in SchemeFormat.all {
      let exported = ExportedTheme(theme: theme, path: "x.theme") { $0 }
      let text = try Array(exported.text(as: .scheme(format.word), side: .dark).utf8)
      for _ in 0..<60 {
        var bytes = text
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          let place = Int.random(in: 0..<bytes.count, using: &random)
          let end = min(bytes.count, place + Int.random(in: 0...40, using: &random))
          bytes.replaceSubrange(place..<end, with: [UInt8.random(in: 0...255, using: &random)])
        }
        do throws(SchemeFile.Problem) {
          for scheme in try Scheme.all(in: bytes) {
            let theme = Theme(name: "x", title: scheme.title, author: scheme.author, dark: Side(colors: scheme.colors))
            let file = Array(ThemeFile.text(of: theme).utf8)
            #expect((try? ThemeFile(name: "x", KeyFile(strict: file)))?.theme == theme)
          }
        } catch {
          #expect(!error.description.isEmpty && Text(error.description).shown() == error.description)
        }
      }
    }
  }

  @Test("The same terminal's colours in twelve formats are one palette")
  func onePalette() throws {
    let words: [Text] = [
      "kitty", "alacritty", "ghostty", "foot", "iterm2", "windows-terminal", "wezterm", "xresources", "gogh", "pywal",
      "konsole", "ptyxis",
    ]
    for side in ThemedModel.ColorScheme.allCases {
      let palettes = try words.map { word in
        try #require(schemes(word, of: theme, side).first { $0.variant == side }.map { Palette($0.colors, for: side) })
      }
      #expect(palettes == Array(repeating: try #require(theme.palette(for: side)), count: words.count))
    }
  }

  @Test("A format with both sides in one file gives both, and with one side, that one")
  func bothSides() throws {
    for word in ["foot", "material", "ptyxis", "zed"] as [Text] {
      #expect(try schemes(word, of: theme, .dark).map(\.variant) == [.light, .dark])
      var half = theme
      half.dark = nil
      #expect(try schemes(word, of: half, .light).map(\.variant) == [.light])
    }
  }

  // MARK: What other programs write

  private func read(_ text: String) throws -> [Scheme] { try Scheme.all(in: Array(text.utf8)) }

  private func colors(_ text: String) throws -> [Role: String] {
    try read(text)[0].colors.mapValues(\.hexadecimal)
  }

  private var lines: [(Int, String)] { (0..<16).map { ($0, "#0000\($0 < 10 ? "0" : "")\($0)") } }

  @Test("JSON may have comments, commas before brackets, repeated names, and colours that shine through")
  func settingsJSON() throws {
    let text = """
      # Add this to your settings.
      // A theme.
      { /* of Code */ "name": "Dusk", "type": "hc-black",
        "colors": {
          "editor.background": "#000000", "editor.foreground": "#eee",
          "editor.selectionBackground": "#ffffff80", "terminal.ansiRed": "#f00", "terminal.ansiRed": "#e00",
        }, "tokenColors": [{"scope": ["a",], "settings": {},},], }
      """
    #expect(
      try colors(text) == [
        .background: "#000000", .text: "#eeeeee", .selection: "#808080", .ansi1: "#ee0000",
      ])
    #expect(throws: SchemeFile.Problem.self) { try read("{\n\"a\": \n}") }
    let signed = try read(
      ##"{"colors": {"editor.background": "#000", "editor.foreground": "#eee", "editor.selectionBackground": "##
        + ##""#ffffff+5"}}"##)[0]
    #expect(signed.colors[.selection] == nil && signed.ignored.count == 1)
  }

  @Test("A file with a list of schemes gives all of them")
  func lists() throws {
    let names = ["black", "red", "green", "yellow", "blue", "purple", "cyan", "white"]
    let bright = names.map { "bright\($0.prefix(1).uppercased())\($0.dropFirst())" }
    let colors = (names + bright).map { "\"\($0)\": \"#123456\"" }.joined(separator: ", ")
    let schemes = ["A", "B"].map {
      "{\"name\": \"\($0)\", \"background\": \"#000\", \"foreground\": \"#fff\", \(colors)}"
    }.joined(separator: ", ")
    #expect(try read("{\"profiles\": {}, \"schemes\": [\(schemes)]}").map(\.title) == ["A", "B"])
    let window = ##"{"name": "W", "tab": {"background": "#123456ff"}, "window": {"applicationTheme": "dark"}}"##
    let settings = try read("{\"schemes\": [\(schemes)], \"themes\": [\(window)]}")
    #expect(settings.map(\.title) == ["A", "B"] && settings.allSatisfy { $0.ignored.isEmpty })
    let empty = Array(repeating: "{}", count: Scheme.maximumCount).joined(separator: ",")
    let long = try read("{\"schemes\": [\(schemes), \(empty)]}")
    #expect(long.count == 2)
    #expect(long[0].ignored.map(\.text) == ["the file lists 2050 schemes; reading only the first 2048"])
    let themes =
      ##"{"name": "F", "author": "Who", "themes": [{"name": "F Dim", "appearance": "dark", "style": "##
      + ##"{"editor.background": "#000", "text": "#fff", "players": [{"cursor": "#0f0", "selection": "#fff3"}]}}]}"##
    let zed = try read(themes)
    #expect(zed.map(\.title) == ["F Dim"] && zed[0].author == "Who")
    #expect(zed[0].colors[.selection]?.hexadecimal == "#333333" && zed[0].colors[.cursor]?.hexadecimal == "#00ff00")
  }

  @Test("A list of something else in a file hides none of its colours, and makes no mistakes of its own")
  func otherLists() throws {
    let entries = Array(repeating: #"{"name": "a"}"#, count: 20).joined(separator: ", ")
    do throws(SchemeFile.Problem) {
      _ = try Scheme.all(in: Array("[\(entries)]".utf8))
      Issue.record("a list of names")
    } catch { #expect(error.kind == .otherFormat) }
    let text = "{\"themes\": [\(entries)], \"special\": {\"background\": \"#000000\", \"foreground\": \"#eeeeee\"}}"
    #expect(try colors(text) == [.background: "#000000", .text: "#eeeeee"])
  }

  @Test("A long list with many texts around it is refused before it takes all memory", .timeLimit(.minutes(10)))
  func longList() throws {
    let entries = Array(repeating: "{}", count: 20_000).joined(separator: ",")
    let texts = (0..<10_000).map { "\"a\($0)\":\"\"" }.joined(separator: ",")
    do throws(SchemeFile.Problem) {
      _ = try Scheme.all(in: Array("{\"themes\":[\(entries)],\(texts)}".utf8))
      Issue.record("a list of nothing")
    } catch { #expect(error.kind == .otherFormat) }
  }

  @Test("Several schemes of one file become no single theme")
  func oneFile() throws {
    let schemes = try ["#aa0000", "#bb0000", "#cc0000"].map {
      ReadScheme(path: "a.json", scheme: try read("background #000000\nforeground #eeeeee\ncolor1 \($0)\n")[0])
    }
    #expect(
      pair(schemes, name: "x").faults.map(\.description) == [
        "cannot make one theme from a.json: the file has 3 schemes; import it without --name"
      ])
  }

  @Test("Files have what their programs require")
  func required() throws {
    var theme = theme
    theme.author = nil
    let exported = ExportedTheme(theme: theme, path: "x.theme") { $0 }
    #expect(try exported.text(as: .scheme("zed"), side: .dark).contains("\"author\": \"\""))
    let lua = try exported.text(as: .scheme("base46"), side: .dark)
    for name in ["black", "darker_black", "white", "statusline_bg", "vibrant_green", "folder_bg"] {
      #expect(lua.contains("  \(name) = \"#"), "\(name)")
    }
    #expect(SchemeFormat.base46.writtenOnly.count == 30)
  }

  @Test("Files of one name get the titles in them if these differ, and common names are replaced")
  func names() throws {
    func scheme(_ path: String, _ title: Text?) throws -> ReadScheme {
      var scheme = try read("background #000000\nforeground #eeeeee\ncolor1 #\(path.utf8.count + 100)\n")[0]
      scheme.title = title
      return ReadScheme(path: path, scheme: scheme)
    }
    func names(_ schemes: [ReadScheme]) -> [Text] { pair(schemes).themes.map(\.theme.name) }
    #expect(try names([scheme("a/kitty.conf", "Dune"), scheme("bb/kitty.conf", nil)]) == ["dune", "bb"])
    #expect(try names([scheme("a/x.conf", "Dune"), scheme("bb/x.conf", "Sea")]) == ["dune", "sea"])
    #expect(try names([scheme("a/tokyo_night.conf", "Tokyo Night")]) == ["tokyo_night"])
    let many = try (1...5).map { try scheme(String(repeating: "a", count: $0) + "/x.conf", "X") }
    #expect(pair(many).faults.count == 1)
    #expect(pair(many).faults.first?.description.hasPrefix("4 files, such as aa/x.conf, are named like") == true)
  }

  @Test("X resources may define words, and those of other programs do not count")
  func resources() throws {
    let text = """
      ! Dusk
      #define ink #eeeeee
      *background: #101010
      URxvt*foreground:\tink
      XTerm.vt100.color1 : rgb:ff/00/00
      Emacs.background: #ffffff
      rofi.color2: #00ff00
      """
    #expect(try colors(text) == [.background: "#101010", .text: "#eeeeee", .ansi1: "#ff0000"])
  }

  @Test("foot's colours are read from its older and newer groups, with the cursor's pair and comments")
  func foot() throws {
    let old = "[cursor]\ncolor=101010 eeeeee\n[colors]\nbackground=101010\nforeground=dddddd # text\nbright7=ffffff\n"
    #expect(
      try colors(old) == [
        .background: "#101010", .text: "#dddddd", .cursorText: "#101010", .cursor: "#eeeeee", .ansi15: "#ffffff",
      ])
    let new =
      "[colors-dark]\nbackground=101010\nforeground=dddddd\n[colors-light]\nbackground=fafafa\nforeground=222222\n"
    #expect(try read(new).map(\.variant) == [.light, .dark])
    let dark = "[colors-dark]\nbackground=101010\nforeground=dddddd\n"
    let shared = try read("[cursor]\ncolor=111111 eeeeee\n\(dark)")
    #expect(shared.map(\.variant) == [.dark] && shared[0].ignored == [])
    let partial = try read("[colors-light]\nbackground=fafafa\n\(dark)")
    #expect(partial.map(\.variant) == [.dark])
    #expect(
      partial[0].ignored.map(\.text) == [
        "colors-light.foreground is missing from these foot colours; ignoring the light side"
      ])
  }

  @Test("iTerm2's colours of Apple's screens become those of sRGB, and no entity is replaced")
  func propertyList() throws {
    func color(_ name: String, _ red: String, _ space: String) -> String {
      "<key>\(name)</key><dict><key>Red Component</key><real>\(red)</real><key>Green Component</key><real>0.5</real>"
        + "<key>Blue Component</key><integer>0</integer><key>Color Space</key><string>\(space)</string></dict>"
    }
    let text =
      "<plist><dict>\(color("Background Color", "0.2", "sRGB"))\(color("Foreground Color", "0.9", "P3"))</dict></plist>"
    #expect(try colors(text) == [.background: "#338000", .text: "#f57900"])
    // If the entity were replaced, this would be the same file.
    let entity = "<!DOCTYPE p [<!ENTITY a '0.2'>]>" + text.replacing("0.2", with: "&a;")
    #expect(
      throws: SchemeFile.Problem(text: "Background Color is not a colour with three components from 0 to 1")
    ) { try read(entity) }
    #expect(throws: SchemeFile.Problem(line: 2, text: "invalid XML: mismatched tag", kind: .unreadable)) {
      try read("<plist>\n<dict></plist>")
    }
  }

  @Test("base46 may name a colour by another one's name")
  func lua() throws {
    let slots = Role.base16Slots.dropFirst(2).map { "\($0.rawValue) = '#123456'," }.joined(separator: "\n")
    let text = """
      ---@type Base46Table
      local M = {}
      M.base_30 = { black = "#101010", white = "#eeeeee", } -- of the editor
      M.base_16 = {
        base00 = M.base_30.black,
        base01 = "#202020",
        \(slots)
      }
      M.polish_hl = { treesitter = { ["@x"] = { fg = M.base_16.base00 } } }
      M.type = "dark"
      return require("base46").override_theme(M, "x")
      """
    let scheme = try read(text)[0]
    #expect(scheme.variant == .dark && scheme.colors[.base00]?.hexadecimal == "#101010")
    #expect(scheme.colors[.base01]?.hexadecimal == "#202020" && scheme.colors[.base0F]?.hexadecimal == "#123456")
  }

  @Test(
    "Material's roles are read as matugen and the Theme Builder write them",
    arguments: [
      ##"{"colors": {"background": {"dark": {"color": "#101010"}}, "on_background": {"dark": {"color": "#eeeeee"}}}}"##,
      ##"{"colors": {"background": {"dark": "#101010"}, "on_background": {"dark": "#eeeeee"}}}"##,
      ##"{"colors": {"dark": {"background": "#101010", "on_background": "#eeeeee"}}}"##,
      ##"{"schemes": {"dark": {"background": "#101010", "onBackground": "#eeeeee"}}}"##,
    ])
  func material(_ text: String) throws {
    #expect(try colors(text) == [.background: "#101010", .text: "#eeeeee"])
  }

  @Test("YAML's references and merges are read")
  func aliases() throws {
    let text = "scheme: &s\n  primary: &p {background: '#000', foreground: '#fff'}\ncolors:\n  <<: *s\n"
    #expect(try colors(text) == [.background: "#000000", .text: "#ffffff"])
  }

  @Test("A file with none of these colours is refused with the formats that are read, and what it looks like")
  func otherFiles() throws {
    for (text, syntax) in [
      ("This is a README.\n", "lines of a name and a value"), ("{\"a\": \"#123456\"}", "JSON"), ("a: b\n", "YAML"),
      ("[colors]\nbackground = '#000'\nforeground = '#fff'\nred = '#f00'\n", "TOML"), ("# nothing\n", "lines of"),
    ] {
      do throws(SchemeFile.Problem) {
        _ = try Scheme.all(in: Array(text.utf8))
        Issue.record("\(text)")
      } catch {
        #expect(error.kind == .otherFormat)
        #expect(error.description.contains("which looks like \(syntax)") && error.description.contains("Ghostty"))
      }
    }
  }

  @Test("The text of a base16 scheme is base05, even if it is hard to read")
  func text() throws {
    let slots = Role.base16Slots.map {
      "\($0.rawValue): '#\($0 == .base00 ? "fbf8f0" : $0 == .base05 ? "8c9c94" : "5c6c74")'\n"
    }
    let scheme = try read(slots.joined())[0]
    #expect(Palette(scheme.colors, for: scheme.variant)[.text].hexadecimal == "#8c9c94")
  }

  @Test("tinted8's missing colours are derived as its specification says")
  func tinted8() throws {
    let names = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"]
    let values = ["131721", "f07178", "b8cc52", "ffb040", "59c2ff", "d2a6ff", "95e6cb", "e6e1cf"]
    let palette = zip(names, values).map { "  \($0): '#\($1)'\n" }.joined()
    let colors = try colors("scheme: {system: tinted8, name: A}\nvariant: dark\npalette:\n\(palette)")
    // Python's colorsys computes the same.
    let bright = [
      "#283249", "#f6a8ad", "#cbda81", "#ffc97d",
      "#96d8ff", "#f1e5fe", "#c7f2e3", "#fbfaf7",
    ]
    #expect(Role.ansi.dropFirst(8).map { colors[$0] } == bright)
    #expect(colors[.base09] == "#ff9040" && colors[.base0F] == "#9a5f0c")
  }
}
