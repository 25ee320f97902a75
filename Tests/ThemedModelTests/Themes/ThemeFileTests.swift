import Testing
import ThemedModel
import ThemedSystem
import ThemedTestSupport

/// A theme's file: what it may say, and what is said of one that is wrong.
@Suite struct ThemeFileTests {
  private typealias Group = ThemeFile.Group
  private typealias Entry = ThemeFile.Entry

  @Test("A file gives a title, an author, and for each side colours, assets and values")
  func whole() throws {
    let file = try ThemeFile(
      name: "mint",
      groups: [
        Group("theme", [Entry("title", "Mint"), Entry("author", "Somebody")]),
        Group("light.palette", [Entry("tint", "26C472"), Entry("base00", "#fff")]),
        Group("light.assets", [Entry("wallpaper", "mint.png")]),
        Group("dark.values", [Entry("bat", "Visual Studio Dark+")]),
      ])
    let mint = try #require(Color(hexadecimal: "#26c472"))
    #expect(
      file.theme
        == Theme(
          name: "mint", title: "Mint", author: "Somebody",
          light: Side(colors: [.primary: mint, .base00: .white], assets: ["wallpaper": "mint.png"]),
          dark: Side(values: ["bat": "Visual Studio Dark+"])))
    #expect(file.unknown == [])
    #expect(file.theme.schemes == [.light, .dark])
  }

  @Test("A theme without a title is called by its name, and one side is enough")
  func least() throws {
    let theme = try ThemeFile(name: "80s", groups: [Group("dark.palette", [])]).theme
    #expect(theme.title == "80s")
    #expect(theme.palette(for: .light) == nil)
    #expect(theme.palette(for: .dark) == Palette([:], for: .dark))
  }

  @Test("Every problem is told, with its group, its key and what was expected")
  func problems() throws {
    let groups = [
      Group("theme", [Entry("title", "")]),
      Group("light.palette", [Entry("text", "blue-ish"), Entry("tint", "#123456"), Entry("primary", "#123456")]),
      Group("light.assets", [Entry("wall paper", "x"), Entry("icon", "")]),
    ]
    let problems = try #require(throws: ThemeFile.Problems.self) { try ThemeFile(name: "mint", groups: groups) }
    #expect(
      problems.list.map(\.description) == [
        "[theme] title is '', but should be 1 to 255 bytes of text without control characters",
        "[light.palette] text is 'blue-ish', but should be a colour such as #3584e4",
        "[light.palette] primary is '#123456', but should be left out, because tint and primary are the same "
          + "role",
        "[light.assets] wall paper should be named with 1 to 64 ASCII letters, digits, '.', '_', '+' or '-'",
        "[light.assets] icon is '', but should be the path of a file",
      ])
  }

  @Test("A group has 256 keys at most, and so has a file groups")
  func many() throws {
    let keys = (0...256).map { Entry("key\($0)", "x") }
    #expect(throws: ThemeFile.Problems.self) { try ThemeFile(name: "n", groups: [Group("dark.values", keys)]) }
    let enough = [Group("dark.values", Array(keys.dropLast()))]
    #expect(try ThemeFile(name: "n", groups: enough).theme.dark?.values.count == 256)
    #expect(throws: ThemeFile.Problems.self) {
      try ThemeFile(name: "n", groups: keys.map { Group($0.key, []) } + enough)
    }
  }

  @Test("A theme without a side is none")
  func noSide() throws {
    let problems = try #require(throws: ThemeFile.Problems.self) {
      try ThemeFile(name: "mint", groups: [Group("theme", [Entry("title", "Mint")])])
    }
    #expect(problems.description == "there should be a side: a group [light.palette] or [dark.palette]")
  }

  @Test("What this version does not know is told and passed over")
  func unknown() throws {
    let groups = [
      Group("dark.palette", [Entry("backgroud", "#000000")]), Group("dim.palette", []), Group("dark.sounds", []),
      Group("theme", [Entry("licence", "MIT")]),
    ]
    let file = try ThemeFile(name: "mint", groups: groups)
    #expect(file.unknown.map(\.group) == ["dark.palette", "dim.palette", "dark.sounds", "theme"])
    #expect(file.unknown.map(\.key) == ["backgroud", nil, nil, "licence"])
  }

  @Test("A colour has a name for both sides or for one, and roles of both or of one are called by it")
  func names() throws {
    let groups = [
      Group("both.palette", [Entry("background", "base"), Entry("tint", "rose"), Entry("text", "#123456")]),
      Group("both.colors", [Entry("rose", "#ebbcba"), Entry("base", "#000000")]),
      Group("light.colors", [Entry("base", "#FFF")]), Group("light.palette", [Entry("text", "rose")]),
      Group("dark.values", [Entry("bat", "Nord")]),
      Group("both.values", [Entry("bat", "Other"), Entry("vim", "x")]),
      Group("both.assets", [Entry("wallpaper", "a.png")]),
    ]
    let file = try ThemeFile(name: "n", groups: groups)
    #expect(file.unknown == [])
    let (rose, text) = (Color("#ebbcba"), Color("#123456"))
    #expect(file.theme.light?.colors == [.background: .white, .primary: rose, .text: rose].compactMapValues(\.self))
    #expect(file.theme.dark?.colors == [.background: .black, .primary: rose, .text: text].compactMapValues(\.self))
    #expect(file.theme.dark?.values == ["bat": "Nord", "vim": "x"])
    #expect(file.theme.light?.values == ["bat": "Other", "vim": "x"])
    #expect(file.theme.light?.assets == ["wallpaper": "a.png"] && file.theme.dark?.assets == ["wallpaper": "a.png"])
    #expect(try ThemeFile(name: "n", groups: ThemeFile.groups(of: file.theme)).theme == file.theme)
  }

  @Test("A name is that of a colour, and no colour itself; what is called by none is told once, with where names are")
  func namesThatAreWrong() throws {
    let groups = [
      Group("both.palette", [Entry("text", "rsoe"), Entry("link", "sea"), Entry("error", "bad")]),
      Group("light.palette", [Entry("info", "sea"), Entry("link", "#fff")]),
      Group("dark.palette", [Entry("link", "red")]),
      Group("both.colors", [Entry("rose", "#ebbcba"), Entry("fade", "rose"), Entry("decade", "#000000")]),
      Group("dark.colors", [Entry("sea", "#0000ff")]),
    ]
    let problems = try #require(throws: ThemeFile.Problems.self) { try ThemeFile(name: "mint", groups: groups) }
    #expect(
      problems.list.map(\.description) == [
        "[both.palette] text is 'rsoe', but should be a colour such as #3584e4, or a name from [both.colors]",
        "[both.palette] link is 'sea', but should be a colour such as #3584e4, or a name from [both.colors]",
        "[light.palette] info is 'sea', but should be a colour such as #3584e4, or a name from [both.colors]",
        "[dark.palette] link is 'red', but should be a colour such as #3584e4, or a name from [dark.colors] or "
          + "[both.colors]",
        "[both.colors] fade is 'rose', but should be a colour such as #3584e4",
        "[both.colors] decade should be named with 1 to 64 ASCII letters, digits, '.', '_', '+' or '-', and not like "
          + "a colour",
      ])
  }

  @Test("What is said of both sides makes no side")
  func bothIsNoSide() {
    #expect(throws: ThemeFile.Problems.self) {
      try ThemeFile(name: "n", groups: [Group("both.palette", [Entry("text", "#fff")])])
    }
  }

  @Test("A message is one line, whatever stands in the file")
  func oneLine() {
    let problem = ThemeFile.Problem(
      group: "a\u{1B}[31m", key: "b\nc", value: Text(String(repeating: "x", count: 900)), expected: "y")
    #expect(!problem.description.unicodeScalars.contains { $0.value < 0x20 })
    #expect(problem.description.utf8.count < 200)
  }

  @Test("A theme's groups are read back as the theme")
  func inverse() throws {
    var random = SeededGenerator(seed: 1)
    for _ in 0..<200 {
      let theme = randomTheme(&random)
      #expect(try ThemeFile(name: theme.name, groups: ThemeFile.groups(of: theme)).theme == theme)
    }
  }

  @Test("A value is escaped as key files have it")
  func escapes() {
    let side = Side(values: ["a": "  x\ty\\z\n ", "b": " ", "c": ""])
    #expect(
      ThemeFile.text(of: Theme(name: "n", dark: side))
        == "[theme]\ntitle=n\n\n[dark.palette]\n\n[dark.values]\na=\\s\\sx\\ty\\\\z\\n\\s\nb=\\s\nc=\n")
  }

  @Test(
    "Names are safe as file names",
    arguments: ["default", "80s", "Gruvbox_Dark-2.1+x", String(repeating: "a", count: 64)])
  func name(_ name: String) {
    #expect(Theme.isValidName(Text(name)))
  }

  @Test(
    "Other names are refused",
    arguments: ["", ".", "..", ".hidden", "-x", "a/b", "a b", "ä", "a\n", String(repeating: "a", count: 65)])
  func badName(_ name: String) {
    #expect(!Theme.isValidName(Text(name)))
    #expect(throws: ThemeFile.Problems.self) { try ThemeFile(name: Text(name), groups: [Group("dark.palette", [])]) }
  }

  @Test("An asset lies beside the theme, in the home directory, or where an absolute path says")
  func assets() {
    #expect(Side.assetPath("/a.png", directory: "/t", home: "/h") == "/a.png")
    #expect(Side.assetPath("a.png", directory: "/t", home: "/h") == "/t/a.png")
    #expect(Side.assetPath("~/a.png", directory: "/t", home: "/h") == "/h/a.png")
    #expect(Side.assetPath("~/a.png", directory: "/t", home: nil) == nil)
  }

  private func randomTheme(_ random: inout SeededGenerator) -> Theme {
    func side() -> Side? {
      guard Bool.random(using: &random) else { return nil }
      var side = Side()
      for role in Role.all where Bool.random(using: &random) {
        side.colors[role] = ColorTests.samples.randomElement(using: &random)
      }
      for name: Text in ["wallpaper", "icon"] where Bool.random(using: &random) { side.assets[name] = "/\(name).png" }
      for name: Text in ["bat", "vim.theme"] where Bool.random(using: &random) {
        side.values[name] = " a\\n\n\t;=\(name) "
      }
      return side
    }
    let (light, dark) = (side(), side())
    return Theme(name: "r", title: "R[1];=\\", light: light ?? (dark == nil ? Side() : nil), dark: dark)
  }
}
