import Testing
import ThemedModel
import ThemedSystem
import ThemedTestSupport

@testable import ThemeSetup

/// Schemes that are written otherwise than base16's: kitty's, Alacritty's and tinted8.
@Suite struct SchemeFormTests {
  private func read(_ text: String) -> Result<Scheme, SchemeFile.Problem> {
    Result { () throws(SchemeFile.Problem) in try Scheme.all(in: Array(text.utf8))[0] }
  }

  private func refusal(_ text: String) -> String? {
    if case .failure(let problem) = read(text) { problem.description } else { nil }
  }

  private static let kitty = """
    # vim:ft=kitty
    ## name: Dusk \u{1}Dawn
    ## author:  Some Body
    ## license: MIT

    foreground\t #E0E0E0
      background   #101010
    selection_foreground none
    selection_background #303030
    cursor #F0F0F0
    cursor_text_color background
    url_color #0080ff
    active_tab_background nonsense
    font_family Fira: "x" '
    map ctrl+c launch sh -c 'rm -rf ~'
    color0 #000000
    color1 #aa0000
    color1 #bb0000
    color15 #fff\r
    color16 #123456
    include other.conf
    """

  @Test("kitty's lines of colours are read, the last of each, and nothing else of them")
  func kitty() throws {
    let scheme = try read(Self.kitty).get()
    #expect(scheme.title == "Dusk Dawn" && scheme.author == "Some Body" && scheme.variant == .dark)
    let expected: [Role: String] = [
      .text: "#e0e0e0", .background: "#101010", .selection: "#303030", .cursor: "#f0f0f0", .link: "#0080ff",
      .ansi0: "#000000", .ansi1: "#bb0000", .ansi15: "#ffffff",
    ]
    #expect(scheme.colors.mapValues(\.hexadecimal) == expected)
    #expect(scheme.ignored.map(\.description) == ["line 21: not reading the file that 'include' names"])
  }

  @Test("kitty's blanks are spaces and tabs, in whatever order")
  func kittyBlanks() throws {
    let scheme = try read("foreground \t #e0e0e0\nbackground\t \t#101010\t \n \tcursor\t\t #f0f0f0 \r\n").get()
    #expect(
      scheme.colors.mapValues(\.hexadecimal) == [.text: "#e0e0e0", .background: "#101010", .cursor: "#f0f0f0"])
  }

  @Test("kitty's file that is wrong says why, and on which line")
  func kittyFaults() {
    #expect(
      refusal("foreground red\nbackground #000\ncolor3 $(id)\n")
        == "line 1: foreground is 'red', but should be a colour such as '#3584e4'")
    #expect(refusal("font_size 12\n")?.hasPrefix("no colours found") == true)
    #expect(refusal("foreground\n")?.hasPrefix("line 1: foreground is empty") == true)
    #expect(refusal("background none\nforeground #fff\n")?.hasPrefix("line 1: background is 'none'") == true)
  }

  @Test("A colour of kitty's that is none is left out and told, but for its text and its background")
  func kittyNotes() throws {
    let scheme = try read("foreground #fff\nbackground #000\ncolor3 $(id)\ncursor\ncolor4 #00f\n").get()
    #expect(scheme.colors.mapValues(\.hexadecimal) == [.text: "#ffffff", .background: "#000000", .ansi4: "#0000ff"])
    #expect(
      scheme.ignored.map(\.description) == [
        "line 3: color3 is '$(id)', but should be a colour such as '#3584e4'; ignoring it",
        "line 4: cursor is empty, but should be a colour such as '#3584e4'; ignoring it",
      ])
  }

  @Test("Of a colour that kitty's file gives twice, the last line that gives one holds")
  func kittyLast() throws {
    let text = """
      foreground red
      foreground #eee
      background #000
      color1 #a00
      color1 none
      cursor #fff
      cursor none
      color2 #0a0
      color2 #00a # blue

      """
    let scheme = try read(text).get()
    #expect(
      scheme.colors.mapValues(\.hexadecimal) == [
        .text: "#eeeeee", .background: "#000000", .ansi1: "#aa0000", .ansi2: "#00aa00",
      ])
    #expect(scheme.ignored.map(\.line) == [1, 5, 9])
    #expect(refusal("background #000\nforeground red\n")?.hasPrefix("line 2: foreground") == true)
  }

  @Test(
    "kitty's colours have the forms of X, too, whose parts have one to four digits",
    arguments: [
      ("rgb:1/8/f", "#1188ff"), ("RGB:3D/aE/E9", "#3daee9"), ("rgb:fff/000/800", "#ff0080"),
      ("rgb:ffff/0000/8080", "#ff0080"), ("rgb:f/00/8080", "#ff0080"), ("#18f", "#1188ff"), ("#3DAEE9", "#3daee9"),
      ("#fff000800", "#ff0080"), ("#ffff00008080", "#ff0080"), ("3daee9", "#3daee9"),
      ("rgb:1/2", nil), ("rgb:1/2/3/4", nil), ("rgb:1//3", nil), ("rgb:1/2/12345", nil), ("rgb:+1/-2/3", nil),
      ("#", nil), ("#12", nil), ("#1234", nil), ("#12345678", nil), ("#fffff00000fffff", nil), ("#+1+1+1", nil),
      ("rgb:", nil),
    ] as [(String, String?)])
  func kittyForms(_ written: String, _ meant: String?) throws {
    let scheme = try read("foreground #fff\nbackground #000\ncolor9 \(written)\n").get()
    #expect(scheme.colors[.ansi9]?.hexadecimal == meant)
    #expect(scheme.colors[.ansi9]?.rounded == scheme.colors[.ansi9])
    #expect(scheme.ignored.isEmpty == (meant != nil))
  }

  @Test("Where colours are missing, the files are named that a terminal's settings include")
  func included() {
    #expect(
      refusal("font_size 12\ninclude  my themes/a.conf \r\nforeground #fff\n")
        == "background is missing from these kitty colours; this file includes my themes/a.conf: if the colours are there, "
        + "import my themes/a.conf instead")
    let four = (1...4).map { "globinclude \($0).conf\n" }.joined()
    #expect(
      refusal(four)?.contains(
        "; this file includes 1.conf, 2.conf, 3.conf and 1 more: import the file that has the colours instead")
        == true)
    let alacritty =
      "colors.primary.background, colors.primary.foreground are missing from these Alacritty colours; this file includes ~/a.toml: if the colours are there, "
      + "import ~/a.toml instead"
    #expect(refusal("[general]\nimport = ['~/a.toml']\n") == alacritty)
    #expect(refusal("import = [\n'~/a.toml', # mine\n]\n[font]\nsize=1\n") == alacritty)
    #expect(refusal("import:\n  - ~/a.toml\nfont: {size: 1}\n") == alacritty)
    #expect(
      refusal("[general]\nimport = ['~/a.toml']\n[colors.primary]\nbackground='#000'\n")
        == "colors.primary.foreground is missing from these Alacritty colours; this file includes ~/a.toml: if the colours are there, "
        + "import ~/a.toml instead")
  }

  private static let alacritty = """
    [general]
    import = ["~/other.toml"]
    [colors.primary]
    background = '0xFAFAFA'
    foreground = "#202020"
    [colors]
    cursor = { text = 'CellBackground', cursor = '#404040' }
    [colors.selection]
    text = "CellForeground"
    background = "#d0d0d0"
    [colors.normal]
    black = '#000000'
    red = '#aa0000'
    [colors.bright]
    white = '#ffffff'
    [[keyboard.bindings]]
    key = 'N'
    command = { program = "sh", args = ["-c", "rm"] }
    """

  @Test("Alacritty's colours are read, of its TOML and of its older YAML")
  func alacritty() throws {
    let expected: [Role: String] = [
      .text: "#202020", .background: "#fafafa", .cursor: "#404040", .selection: "#d0d0d0", .ansi0: "#000000",
      .ansi1: "#aa0000", .ansi15: "#ffffff",
    ]
    let toml = try read(Self.alacritty).get()
    #expect(toml.colors.mapValues(\.hexadecimal) == expected)
    #expect(toml.variant == .light && toml.title == nil)
    #expect(toml.ignored.map(\.text) == ["not reading the file that 'import' names"])
    let yaml = """
      colors:
        primary: {background: '0xfafafa', foreground: '#202020'}
        cursor:
          cursor: '#404040'
        selection:
          text: CellForeground
          background: '#d0d0d0'
        normal: {black: '0x000000', red: '#aa0000'}
        bright: {white: '#fff'}
      font:
        normal: {family: x}
      """
    var same = try read(yaml).get()
    #expect(same.ignored == [])
    same.ignored = toml.ignored
    #expect(same == toml)
    let two = try read("import = ['a', 'b']\n[colors.primary]\nbackground='#000'\nforeground='#fff'\n").get()
    #expect(two.ignored.map(\.text) == ["not reading the files that 'import' names"])
  }

  @Test("Alacritty's file that is wrong says why, and on which line")
  func alacrittyFaults() {
    #expect(
      refusal("[colors.primary]\nbackground='red'\n")
        == "line 2: background is 'red', but should be a colour such as '#3584e4'; colors.primary.foreground is missing "
        + "from these Alacritty colours"
    )
    #expect(refusal("[font]\nsize=1\n")?.hasPrefix("no colours found") == true)
  }

  @Test("A numbered colour of Ghostty's that is invalid is noted with its line")
  func numbered() throws {
    let scheme = try read("# x\nbackground = #000000\nforeground = #eeeeee\npalette = 7=#zz\n").get()
    #expect(scheme.ignored.map(\.line) == [4])
    #expect(scheme.ignored.first?.text.hasPrefix("palette=7 is '#zz'") == true)
  }

  private static let tinted8 = """
    scheme:
      system: "tinted8"
      supports: {styling-spec: "0.2.0"}
      author: "Some Body"
      family: "Dusk"
      style: "Dawn"
    variant: "light"
    palette:
      black: "#101010"
      red: "#aa0000"
      green: "#00aa00"
      yellow: "#aaaa00"
      blue: "#0000aa"
      magenta: "#aa00aa"
      cyan: "#00aaaa"
      white: "#f0f0f0"
      red-bright: "#ff0000"
      orange: "#ff8000"
      red-dim: "#880000"
    syntax:
      comment: "#808080"
      string.quoted: "#123456"
    ui:
      global.background.normal: "#ffffff"
      cursor:
        normal:
          background: "#202020"
          foreground: "#eeeeee"
      status.error: "#cc0000"
    """

  @Test("tinted8 gives a terminal's colours, and what is drawn, dotted or nested")
  func tinted8() throws {
    let scheme = try read(Self.tinted8).get()
    #expect(scheme.title == "Dusk Dawn" && scheme.family == "Dusk" && scheme.author == "Some Body")
    #expect(scheme.variant == .light && scheme.ignored == [])
    var expected: [Role: String] = [
      .background: "#ffffff", .text: "#101010", .primary: "#00aaaa", .cursor: "#202020", .cursorText: "#eeeeee",
      .error: "#cc0000", .base03: "#808080", .base09: "#ff8000", .ansi9: "#ff0000",
      // Derived from the others.
      .ansi8: "#2f2f2f", .ansi10: "#00e700", .ansi11: "#e7e700", .ansi12: "#0000e7", .ansi13: "#e700e7",
      .ansi14: "#00e7e7", .ansi15: "#ffffff", .base0F: "#101001",
    ]
    let names = ["#101010", "#aa0000", "#00aa00", "#aaaa00", "#0000aa", "#aa00aa", "#00aaaa", "#f0f0f0"]
    for (role, color) in zip(Role.ansi, names) { expected[role] = color }
    #expect(scheme.colors.mapValues(\.hexadecimal) == expected)
  }

  @Test("tinted8's file that is wrong says why, and on which line")
  func tinted8Faults() {
    let text = Self.tinted8.replacing("variant: \"light\"\n", with: "").replacing("  cyan: \"#00aaaa\"\n", with: "")
    #expect(refusal(text) == "variant is missing; palette.cyan is missing from these tinted8 colours")
    let noted = try? read(Self.tinted8.replacing("\"#202020\"", with: "red")).get().ignored.map(\.description)
    #expect(noted == ["line 27: background is 'red', but should be a colour such as '#3584e4'; ignoring it"])
    #expect(
      refusal(Self.tinted8.replacing("tinted8", with: "tinted9"))
        == "line 2: system is 'tinted9', but should be tinted8")
  }

  @Test(
    "The content of a file tells its syntax",
    arguments: [
      ("# c\n\n\tscheme: 'x'", SchemeSyntax.yaml), ("---\na: b", .yaml), ("\u{FEFF}a : b", .yaml), ("{a: b}", .yaml),
      ("%YAML 1.2\n---\n- a", .yaml), ("text", .words), ("", .words), ("foreground #ffffff", .words),
      ("#c\n\r\n  color0\t#000", .words), ("a = 'b'", .toml), ("[colors.primary]\nbackground='#000000'", .toml),
      ("[general]\nimport = [\n'a'\n]", .toml),
      ("[keyboard]\nbindings = [\n  { key = \"N\", mods = \"Control\", action = \"CreateNewWindow\" },\n]\n", .toml),
      ("history = 100000\n[colors]\nansi = ['#000']", .toml),
      ("font-family = \"A b\"\npalette = 0=#123456", .settings), ("[colors]\nbackground=1c1c1c", .settings),
      ("# -*- conf -*-\nfont=a:size=8\n[Background]\nColor=1,2,3", .settings), ("{\n  \"a\": 1}", .json),
      ("// c\n{}", .json), ("[\n{\"a\": 1}]", .json), ("[ { } ]", .json), ("<?xml version='1.0'?>", .propertyList),
      ("! c\n*.color0: #000", .xresources), ("URxvt*background : x", .xresources), ("#define a #000", .xresources),
      ("-- c\nlocal M = {}\n", .lua), ("M.base_30 = {\n", .lua),
    ] as [(String, SchemeSyntax)])
  func syntax(_ text: String, _ syntax: SchemeSyntax) throws {
    #expect(SchemeSyntax(of: try SchemeFile.text(of: Array(text.utf8))) == syntax)
  }

  @Test("Files that are broken at random are read as data, or refused in one line")
  func hostile() throws {
    var random = SeededGenerator(seed: 9)
    let words = ["\u{2028}", "\u{202E}", "$(id)", "`id`", "';", "\"\"\"", "*a", "&a"]
    let odd: [[UInt8]] = (0...255).map { [$0] } + words.map { Array($0.utf8) }
    for sample in [Self.kitty, Self.alacritty, Self.tinted8] {
      for _ in 0..<700 {
        var bytes = Array(sample.utf8)
        for _ in 0..<Int.random(in: 1...3, using: &random) {
          let place = Int.random(in: 0..<bytes.count, using: &random)
          let end = min(bytes.count, place + Int.random(in: 0...2, using: &random))
          bytes.replaceSubrange(place..<end, with: odd.randomElement(using: &random) ?? [])
        }
        do throws(SchemeFile.Problem) {
          let scheme = try Scheme.all(in: bytes)[0]
          let theme = Theme(name: "x", title: scheme.title, author: scheme.author, dark: Side(colors: scheme.colors))
          let text = Array(ThemeFile.text(of: theme).utf8)
          #expect((try? ThemeFile(name: "x", KeyFile(strict: text)))?.theme == theme)
        } catch {
          #expect(!error.description.isEmpty && Text(error.description).shown() == error.description)
        }
      }
    }
  }
}
