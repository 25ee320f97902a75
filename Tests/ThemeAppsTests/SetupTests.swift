import Testing
import ThemeApps
import ThemedTestSupport
import ThemedText

/// What is done to a user's own file is undone byte for byte; and the small things that app files are made of.
@Suite struct SetupTests {
  private func block(_ place: App.Setup.Place, _ comment: CommentStyle = .hash, line: Text = "include x") throws
    -> SetupBlock
  {
    let path = try #require(AppPath("/a"))
    return SetupBlock(app: "kitty", App.Setup(file: path, line: line, comment: comment, place: place))
  }

  private let files =
    [
      "", "\n", "a", "a\n", "a\r\nb", "\n\n", "# themed: other begins\nx\n# themed: other ends\n", "include",
      "é\u{0}\u{1B}",
    ].map { Array($0.utf8) } + [[0xFF, 0x00, 0x0A, 0xC3], [0xC3]]

  @Test func `A block that is taken away leaves the file as it was, whatever that was`() throws {
    for place in App.Setup.Place.allCases {
      for comment in [.hash, CommentStyle(start: "/*", end: "*/")] {
        let block = try block(place, comment)
        for file in files {
          let with = block.inserted(into: file)
          #expect(block.stands(in: with) && block.isMarked(in: with) && !block.isMarked(in: file))
          #expect(block.removed(from: with) == .bytes(file), "\(place) \(file)")
        }
        #expect(block.removed(from: block.inserted(into: Optional<[UInt8]>.none)) == .noFile)
      }
    }
  }

  @Test func `A line that does as well stands for the one that is written, and is taken away as it was`() throws {
    let path = try #require(AppPath("/a"))
    let old = SetupBlock(app: "bash", App.Setup(file: path, line: "b\nc"))
    let new = SetupBlock(app: "bash", App.Setup(file: path, line: "a", otherLine: "b\nc"))
    #expect(new.stands(in: Array("a\n".utf8)) && new.stands(in: Array("c\n b\n".utf8)))
    #expect(!new.stands(in: Array("b\n".utf8)) && !old.stands(in: Array("a\n".utf8)))
    let before = Array("x".utf8)
    #expect(new.stands(in: old.inserted(into: before)))
    #expect(new.removed(from: old.inserted(into: before)) == .bytes(before))
  }

  @Test func `What the user writes around and below a block stays`() throws {
    let block = try block(.end)
    let with = block.inserted(into: Array("a".utf8))
    #expect(block.removed(from: with + Array("b\n".utf8)) == .bytes(Array("a\nb\n".utf8)))
    #expect(
      block.removed(from: block.inserted(into: Optional<[UInt8]>.none) + Array("b\n".utf8)) == .bytes(Array("b\n".utf8))
    )
    #expect(block.removed(from: Array("a\ninclude x\n".utf8)) == nil)
  }

  @Test func `A block whose end is gone, or that was changed, is left alone, and its line told`() throws {
    let block = try block(.end)
    let lines = String(decoding: block.inserted(into: Array("a\n".utf8)), as: UTF8.self).split(separator: "\n")
    func removed(_ lines: [Substring]) -> SetupBlock.Removal? {
      block.removed(from: Array(lines.map { $0 + "\n" }.joined().utf8))
    }
    #expect(removed(lines) == .bytes(Array("a\n".utf8)))
    #expect(removed(lines.dropLast()) == .changed(line: 2))
    #expect(removed(lines.dropLast() + ["mine", lines[3]]) == .changed(line: 2))
    #expect(removed(Array(lines[..<2]) + [lines[3]]) == .changed(line: 2))
  }

  @Test func `An editor that ends lines otherwise, or a block in another style of comment, does not hide it`() throws {
    let block = try block(.end)
    let with = String(decoding: block.inserted(into: Array("a\nb".utf8)), as: UTF8.self)
    let returned = with.replacing("\n", with: "\r\n")
    #expect(block.removed(from: Array(returned.utf8)) == .bytes(Array("a\r\nb".utf8)))
    let other = try self.block(.end, CommentStyle(start: "/*", end: "*/"), line: "something else")
    #expect(other.removed(from: Array(with.utf8)) == .bytes(Array("a\nb".utf8)))
    #expect(block.inserted(into: Array("a\r\n".utf8)).filter { $0 == 0x0D }.count == 4)
  }

  @Test func `A line that is there already is seen, with blanks around it, and every line of several`() throws {
    let two = try block(.end, line: "a b\nc")
    #expect(two.stands(in: Array("  a b\t\nx\n c\r\n".utf8)))
    #expect(!two.stands(in: Array("a b\n".utf8)))
    #expect(!two.stands(in: Array("# a b\n#c\n".utf8)))
    #expect(!two.stands(in: []))
  }

  @Test func `A key that a file holds once only is not given a second time, however it stands there`() throws {
    let path = try #require(AppPath("/a"))
    func block(_ line: Text, _ rivals: [Text]) -> SetupBlock {
      SetupBlock(app: "a", App.Setup(file: path, line: line, rivals: rivals, place: .start))
    }
    let toml = block("theme = \"themed\"", ["theme"])
    func line(_ text: String) -> Int? { toml.rival(in: Array(text.utf8)) }
    for text in ["theme='x'", " \t theme = \"x\"", "\"theme\"=1", "[theme]", "[[ theme ]] # x", "theme: x"] {
      #expect(line(text) == 1 && line("a = 1\r\n" + text + "\r\n") == 2, "\(text)")
      #expect(!toml.stands(in: Array(text.utf8)))
    }
    #expect(line("a = [\n  [1],\n]\ntheme = 1") == 4, "a list is no table")
    for text in [
      "", "# theme = 1", "themes = 1", "theme.a = 1", "a = \"theme = 1\"", "[editor]\ntheme = 1", "  theme: x",
    ] {
      #expect(line(text) == nil, "\(text)")
    }
    // Its own line is none, and the same by another spelling is as good.
    let with = toml.inserted(into: Array("a = 1\n".utf8))
    #expect(toml.rival(in: with) == nil && toml.rival(in: with + Array("[x]\n".utf8)) == nil)
    #expect(toml.stands(in: Array("theme=\"themed\" # mine\n".utf8)))
    #expect(!toml.stands(in: Array("theme=\"x\" \n# theme=\"themed\"\n".utf8)))
    let list = block("general.import = [\"~/t.toml\"]", ["general.import", "general"])
    for text in ["general.import=[]", "general . import = []", "[general]", "general = {}"] {
      #expect(list.rival(in: Array(text.utf8)) == 1, "\(text)")
    }
    #expect(list.rival(in: Array("general.x = 1\n[general.y]\n".utf8)) == nil)
    #expect(list.stands(in: Array("[general]\nimport = [\n  \"~/other.toml\",\n  \"~/t.toml\",\n]\n".utf8)))
    #expect(!list.stands(in: Array("[general]\nimport = [\"~/other.toml\"]\n".utf8)))
    let yaml = block("import: [~/t.yml]", ["import"])
    #expect(yaml.rival(in: Array("a:\n  import: x\nimport:\n  - ~/t.yml\n".utf8)) == 3)
    #expect(yaml.stands(in: Array("import:\n  - ~/t.yml\n".utf8)))
    // Where no key is named, as of most files, nothing is in the way.
    #expect(block("theme = 1", []).rival(in: Array("theme = 2".utf8)) == nil)
  }

  @Test func `Nothing is put before what has to be a file's beginning`() throws {
    let path = try #require(AppPath("/a"))
    func block(_ place: App.Setup.Place, _ rivals: [Text]) -> SetupBlock {
      SetupBlock(app: "a", App.Setup(file: path, line: "import: [b]", rivals: rivals, place: place))
    }
    func line(_ text: String, _ place: App.Setup.Place = .start, _ rivals: [Text] = ["import"]) -> Int? {
      block(place, rivals).rival(in: Array(text.utf8))
    }
    for text in ["---\na: b\n", "--- # x\r\n", "%YAML 1.1\n---\n", "\u{FEFF}a: b\n"] {
      #expect(line(text) == 1, "\(text)")
    }
    #expect(line("# x\n\n---\na: b\n") == 3, "comments and empty lines begin nothing")
    for text in ["a: b\n---\nc: d\n", "----\n", "# ---\n", ""] { #expect(line(text) == nil, "\(text)") }
    // Below it there is room; and only YAML has documents.
    #expect(line("---\n", .end) == nil && line("\u{FEFF}a\n", .end) == nil)
    #expect(line("---\n", .start, []) == nil && line("\u{FEFF}a\n", .start, []) == 1)
    // What the mark hides is seen all the same.
    #expect(line("\u{FEFF}import: c\n", .end) == 1)
    #expect(block(.end, []).stands(in: Array("\u{FEFF}import: [b]\n".utf8)))
    #expect(block(.start, ["import"]).stands(in: Array("---\nimport: [b]\n".utf8)), "put there by hand")
  }

  @Test func `Only a file that begins with the whole mark of this app is its own`() {
    let mark = TargetMark(app: "kitty", comment: .hash)
    let marked = mark.marking(Array("x".utf8))
    #expect(mark.begins(marked))
    #expect(!mark.begins(Array("x".utf8)) && !mark.begins([]) && !mark.begins(marked.dropFirst()))
    #expect(!mark.begins(Array(mark.line.utf8)), "without its end it may be another's")
    #expect(!TargetMark(app: "kit", comment: .hash).begins(marked))
    #expect(!TargetMark(app: "kitty", comment: CommentStyle(start: "/*", end: "*/")).begins(marked))
  }

  @Test func `The list of enabled apps keeps comments, and each name once`() {
    var list = EnabledApps(Array("# mine\nfoot # the first\n\nfoot\n-x\nkitty".utf8))
    #expect(list.names == ["foot", "kitty"])
    list.insert("bat")
    list.insert("bat")
    #expect(list.names == ["foot", "kitty", "bat"])
    list.remove("foot")
    #expect(String(decoding: list.bytes, as: UTF8.self) == "# mine\n# the first\n\n-x\nkitty\nbat\n")
    #expect(EnabledApps().bytes == [])
    #expect(list.faults.map { "\($0.line) \($0.text)" } == ["4 -x"])
    let odd = EnabledApps([0x23, 0xE9, 0x0A] + Array("bat\t# x\r\nfoot\r\n".utf8))
    #expect(odd.names == ["bat", "foot"])
    #expect(odd.bytes == [0x23, 0xE9, 0x0A] + Array("bat\t# x\r\nfoot\r\n".utf8), "other bytes stay what they are")
  }

  @Test func `Paths begin at the user's directories or the root, and nowhere where those are not known`() throws {
    let directories = AppPath.Directories(home: "/h", configuration: "/h/.c", runtime: "/run/u")
    for (written, path): (Text, Text?) in [
      ("/a/b", "/a/b"), ("~/a", "/h/a"), ("$XDG_CONFIG_HOME/a/b", "/h/.c/a/b"), ("$XDG_RUNTIME_DIR/x", "/run/u/x"),
      ("$XDG_STATE_HOME/x", nil),
    ] {
      #expect(try #require(AppPath(written)).resolved(in: directories) == path)
    }
    for none: Text in ["", "a", "~a", "~", "$HOME/a", "~/", "$XDG_CONFIG_HOMER/a", "~/a\u{0}b"] {
      #expect(AppPath(none) == nil, "\(none)")
    }
  }

  @Test func `Versions are compared number by number, as programs tell them`() throws {
    for (text, version): (Text, String?) in [
      ("kitty 0.26.5 created by Kovid Goyal", "0.26.5"), ("foot version: 1.13.1 -pgo", "1.13.1"), ("tmux 3.3a", nil),
      ("fzf 0.38 (debian)", "0.38"), ("less 590 (GNU)", "590"), ("no number", nil), ("99999999999.1", nil),
    ] {
      if text == "tmux 3.3a" {
        #expect(Version(toldBy: text)?.description == "3.3")
      } else {
        #expect(Version(toldBy: text)?.description == version, "\(text)")
      }
    }
    let (ten, nine) = (try #require(Version("1.10")), try #require(Version("1.9")))
    #expect(ten > nine)
    #expect(Version("1.0") == Version("1"))
    #expect(VersionRange.all.contains(nil))
    #expect(Version("1.") == nil && Version("") == nil && Version("1.-2") == nil)
  }

  @Test func `The user's own files hold before those of the system, and THEMED_APPS takes the place of the system's`() {
    let path = AppSearchPath(configuration: "/c", data: ["/d", "/e"])
    #expect(path.paths(ofApp: "a") == ["/c/themed/apps/a.app", "/d/themed/apps/a.app", "/e/themed/apps/a.app"])
    #expect(path.paths(ofApp: "../a") == [])
    let other = AppSearchPath(configuration: "/c", data: ["/d"], override: "/x::/y:z")
    #expect(other.templateDirectories == ["/c/themed/templates", "/x/templates", "/y/templates"])
    #expect(AppSearchPath(configuration: nil, data: []).appDirectories == [])
  }
}
