import Testing
@testable import ThemeApps
import ThemedSystem
import ThemedTestSupport

/// What is done to a user's own file is undone byte for byte; and the small things that app files are made of.
@Suite struct SetupTests {
  private func block(_ place: App.Setup.Place, _ comment: CommentStyle = .hash, line: Text = "include x") throws
    -> SetupBlock
  {
    let path = try #require(AppPath("/a"))
    return SetupBlock(app: "kitty", App.Setup(file: path, line: line, comment: comment, place: place))
  }

  /// The places that every file has.
  private static let places = App.Setup.Place.allCases.filter { $0 != .blockEnd }

  private let files =
    [
      "", "\n", "a", "a\n", "a\r\nb", "\n\n", "# themed: other begins\nx\n# themed: other ends\n", "include",
      "é\u{0}\u{1B}",
    ].map { Array($0.utf8) } + [[0xFF, 0x00, 0x0A, 0xC3], [0xC3]]

  @Test func `A block that is taken away leaves the file as it was, whatever that was`() throws {
    for place in Self.places {
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

  /// Lines that themed-apply keeps in each block `bar`, but not in one with i3status.
  private func bars() throws -> SetupBlock {
    let path = try #require(AppPath("/a"))
    let setup = App.Setup(
      files: [path], line: "# later", template: "bar.mustache", place: .blockEnd, block: "bar",
      blockExcept: [SettingPattern("*i3status*")])
    return SetupBlock(app: "i3bar", setup)
  }

  private static let twoBars = """
    bar {
        colors {
            background #000000
        }
        status_command while echo '{'; do sleep 5; done
    }
    # bar {
    mode "bar" {
        bindsym x exec y
    }
    bar {
    }
    bar {
        status_command i3status
    }
    """

  @Test func `lines for the end of each block go before its closing brace, and are filled and removed`() throws {
    let (bars, file) = (try bars(), Array(Self.twoBars.utf8))
    let with = bars.inserted(into: file)
    #expect(bars.stands(in: with) && !bars.stands(in: file))
    #expect(bars.removed(from: with) == .bytes(file))
    let filled = try #require(bars.filled(with, with: Array("    colors {\n        background #ffffff\n    }\n".utf8)))
    let text = String(decoding: filled, as: UTF8.self)
    #expect(text.split(separator: "        background #ffffff\n    }\n# themed: i3bar ends, ").count == 3, "\(text)")
    #expect(text.contains("do sleep 5; done\n# themed: i3bar begins\n    colors {\n"), "\(text)")
    #expect(text.hasSuffix("bar {\n    status_command i3status\n}"), "\(text)")
    #expect(bars.stands(in: filled) && bars.removed(from: filled) == .bytes(file))
    #expect(bars.filled(filled, with: Array("x\n".utf8)) == bars.filled(with, with: Array("x".utf8)))
    // A bar that the user has added since has no lines yet.
    #expect(!bars.stands(in: Array("bar {\n}\n".utf8) + filled))
    #expect(bars.lacksPlace(in: Array("bar {\n  status_command i3status\n}\n".utf8)))
  }

  @Test func `lines that the user has changed are not filled`() throws {
    let bars = try bars()
    let with = String(decoding: bars.inserted(into: Array(Self.twoBars.utf8)), as: UTF8.self)
    #expect(bars.filled(Array(with.replacing("# later", with: "# mine").utf8), with: [0x78]) == nil)
    #expect(bars.filled(Array(Self.twoBars.utf8), with: [0x78]) == nil)
    // Nor with lines that would end the block.
    #expect(bars.filled(Array(with.utf8), with: Array("# themed: i3bar begins\n".utf8)) == nil)
    let returned = Array(with.replacing("\n", with: "\r\n").utf8)
    #expect(
      bars.filled(returned, with: Array("x\ny\n".utf8)).map { String(decoding: $0, as: UTF8.self) }?
        .contains("begins\r\nx\r\ny\r\n# themed") == true)
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

  @Test func `a script in Vim9's language is known by its beginning, and gets its comments`() throws {
    for script in [
      "vim9script\n", "\" mine\n\n:vim9s noclear\n",
      "if !has('vim9script')\n  finish\nendif\nvim9script\nset nu\n",
    ] {
      #expect(SetupBlock.isVim9Script(Array(script.utf8)), "\(script)")
    }
    for script in ["", "set nu\nvim9script\n", "vim9\n", "if has('x')\n  set y\nendif\nset z\n"] {
      #expect(!SetupBlock.isVim9Script(Array(script.utf8)), "\(script)")
    }
    var setup = App.Setup(file: try #require(AppPath("/a")), line: "set x")
    let new = SetupBlock(app: "vim", setup)
    setup.comment = CommentStyle(start: "\"")
    let file = SetupBlock(app: "vim", setup).inserted(into: Array("vim9script\n".utf8))
    #expect(!new.stands(in: file) && new.stands(in: new.inserted(into: Array("vim9script\n".utf8))))
  }

  @Test func `a file that was created with more than the block goes with it, unless it was changed`() throws {
    let block = try block(.end)
    let rest = Array("[bar]\nwidth=1".utf8)
    let with = block.inserted(into: rest, isNew: true)
    #expect(block.removed(from: with) == .noFile)
    #expect(block.removed(from: with, keepsCopy: true) == .bytes(rest + [0x0A]))
    #expect(block.removed(from: with + Array("x\n".utf8)) == .bytes(rest + Array("\nx\n".utf8)))
    #expect(block.removed(from: block.inserted(into: rest)) == .bytes(rest))
  }

  @Test func `the first section is found below a line that is not understood`() throws {
    var setup = App.Setup(file: try #require(AppPath("/a.toml")), line: "x = 1")
    setup.place = .beforeSections
    let file = Array("y = 1\n[a.\"x\\\"y\"]\nb = 1\n".utf8)
    let with = String(decoding: SetupBlock(app: "app", setup).inserted(into: file), as: UTF8.self)
    #expect(with.hasPrefix("y = 1\n# themed"), "\(with)")
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

  @Test func `A block that lost one of its comments is taken away if its lines are proven to be ours`() throws {
    for place in Self.places {
      let block = try block(place, line: "include x\ninclude y")
      for file in ["a\n", "a\nb", "[x]\r\nb\r\n", ""].map({ Array($0.utf8) }) + [nil] as [[UInt8]?] {
        let whole = block.inserted(into: file)
        let lines = FileText(whole).lines
        for gone in [lines.first { $0.contains(" begins") }, lines.first { $0.contains(" ends, ") }] {
          let left = Array(lines.filter { $0 != gone }.joined().utf8)
          #expect(block.isMarked(in: left))
          #expect(block.removed(from: left, before: .some(file)) == (file.map { .bytes($0) } ?? .noFile), "\(place)")
          // Without a record, too; only how the file was before is not known then.
          if file == Array("a\n".utf8) { #expect(block.removed(from: left) == .bytes(Array("a\n".utf8))) }
        }
      }
    }
    // The user's own lines, as comments.
    let toml = try self.block("/a.toml", "theme = \"themed\"", ["theme"])
    let own = Array("a = 1\ntheme = [\n 1,\n]\nb = 1\n".utf8)
    let lines = FileText(toml.inserted(into: own)).lines
    for gone in lines where gone.contains("themed: ") {
      let left = Array(lines.filter { $0 != gone || $0.contains(" ends, b9a7564c") }.joined().utf8)
      #expect(toml.removed(from: left, before: own) == .bytes(own), "\(gone)")
    }
  }

  @Test func `What cannot be proven to be ours stays, and the comment that is left is told by its line`() throws {
    let block = try block(.end)
    let lines = FileText(block.inserted(into: Array("a\n".utf8))).lines
    func removed(_ lines: [String], _ before: String? = nil) -> SetupBlock.Removal? {
      block.removed(from: Array(lines.joined().utf8), before: before.map { Array($0.utf8) })
    }
    #expect(removed(["a\n", "include mine\n", lines[3]], "a\n") == .beginningGone(line: 3))
    #expect(removed([lines[3]]) == .beginningGone(line: 1))
    #expect(removed(["a\n", lines[1], "include mine\n"], "a\n") == .changed(lines: [2]))
    let toml = try self.block("/a.toml", "theme = 1", ["theme"])
    let begin = "# themed: a replaced these lines\n# | theme = 2\n"
    #expect(toml.removed(from: Array(begin.utf8)) == .changed(lines: [1]), "a comment of the user's may look so")
    #expect(toml.removed(from: Array(begin.utf8), before: Array("theme = 3\n".utf8)) == .changed(lines: [1]))
  }

  @Test func `Lines of ours end as those of the file only in a language that knows both ends`() throws {
    for (name, isReturned) in [("/.zshrc", false), ("/tmux.conf", false), ("/vimrc", false), ("/a.toml", true)] {
      let block = try block(Text(name), "theme = 1", ["theme"])
      let own = Array("a = 1\r\ntheme = 2\r\n".utf8)
      let with = block.inserted(into: own)
      let ours = FileText(with).lines.filter { $0.contains("themed: ") || $0.hasPrefix("theme = 1") }
      #expect(ours.count == 5 && ours.allSatisfy { $0.utf8.contains(0x0D) == isReturned }, "\(name): \(ours)")
      #expect(block.removed(from: with) == .bytes(own))
    }
  }

  @Test func `A block whose end is gone, or that was changed, is left alone, and its line told`() throws {
    let block = try block(.end)
    let lines = String(decoding: block.inserted(into: Array("a\n".utf8)), as: UTF8.self).split(separator: "\n")
    func removed(_ lines: [Substring]) -> SetupBlock.Removal? {
      block.removed(from: Array(lines.map { $0 + "\n" }.joined().utf8))
    }
    #expect(removed(lines) == .bytes(Array("a\n".utf8)))
    #expect(removed(lines.dropLast()) == .bytes(Array("a\n".utf8)), "it has what is always written")
    #expect(removed(lines.dropLast() + ["mine", lines[3]]) == .changed(lines: [2]))
    #expect(removed(Array(lines[..<2]) + [lines[3]]) == .changed(lines: [2]))
  }

  @Test func `An editor that ends lines otherwise, or a block in another style of comment, does not hide it`() throws {
    let block = try block(.end)
    let with = String(decoding: block.inserted(into: Array("a\nb".utf8)), as: UTF8.self)
    let returned = with.replacing("\n", with: "\r\n")
    #expect(block.removed(from: Array(returned.utf8)) == .bytes(Array("a\r\nb".utf8)))
    let other = try self.block(.end, CommentStyle(start: "/*", end: "*/"), line: "something else")
    #expect(other.removed(from: Array(with.utf8)) == .bytes(Array("a\nb".utf8)))
    #expect(block.inserted(into: Array("a\r\n".utf8)).filter { $0 == 0x0D }.count == 1)
  }

  @Test func `A line that is there already is seen, with blanks around it, and every line of several`() throws {
    let two = try block(.end, line: "a b\nc")
    #expect(two.stands(in: Array("  a b\t\nx\n c\r\n".utf8)))
    #expect(!two.stands(in: Array("a b\n".utf8)))
    #expect(!two.stands(in: Array("# a b\n#c\n".utf8)))
    #expect(!two.stands(in: []))
  }

  private func block(_ file: Text, _ line: Text, _ conflicts: [Text], at place: App.Setup.Place = .start) throws
    -> SetupBlock
  {
    let path = try #require(AppPath(file))
    return SetupBlock(app: "a", App.Setup(file: path, line: line, conflicts: conflicts, place: place))
  }

  /// What a file is with the block; it is what it was without.
  private func inserted(_ block: SetupBlock, _ text: String) -> [String] {
    let with = block.inserted(into: Array(text.utf8))
    #expect(block.removed(from: with) == .bytes(Array(text.utf8)), "\(text)")
    #expect(block.stands(in: with) && block.rival(in: with) == nil, "\(text)")
    return String(decoding: with, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false).map(
      String.init)
  }

  @Test func `A key of the user's that conflicts becomes a comment where it stands, and comes back with the block`()
    throws
  {
    let toml = try block("/a.toml", "theme = \"themed\"", ["theme"])
    #expect(
      inserted(toml, "a = 1\ntheme = \"x\"\n\n[editor]\ntheme = 2\n") == [
        "# themed: a begins", "theme = \"themed\"", "# themed: a ends, b9a7564c", "a = 1",
        "# themed: a replaced these lines", "# | theme = \"x\"", "# themed: a ends, 8c1d6f32", "", "[editor]",
        "theme = 2",
        "",
      ])
    func lines(_ text: String) -> [Int] { toml.replacedLines(in: Array(text.utf8)).map(\.number) }
    for text in ["theme='x'", " \t theme = \"x\"", "\"theme\"=1", "[theme]", "[[ theme ]] # x", "theme.a = 1"] {
      #expect(lines(text) == [1] && lines("a = 1\r\n" + text + "\r\n") == [2], "\(text)")
      _ = inserted(toml, text)
      _ = inserted(toml, "a = 1\r\n" + text + "\r\n")
    }
    #expect(lines("a = [\n  [1],\n]\ntheme = 1") == [4], "a list is no table")
    #expect(lines("theme = [\n  1, # ]\n  \"]\",\n]\nb = 1") == [1, 2, 3, 4])
    #expect(lines("b = \"\"\"\ntheme = 1\n\"\"\"\"\n") == [], "a string is no statement")
    for text in [
      "", "# theme = 1", "themes = 1", "a = \"theme = 1\"", "[editor]\ntheme = 1", "[\"a b\"]\ntheme = 1",
    ] {
      #expect(lines(text) == [], "\(text)")
      _ = inserted(toml, text)
    }
    // The same by another spelling is as good.
    #expect(toml.stands(in: Array("theme=\"themed\" # mine\n".utf8)))
    #expect(!toml.stands(in: Array("theme=\"x\" \n# theme=\"themed\"\n".utf8)))
    // Where no key is named, as of most files, nothing is replaced.
    #expect(try block("/a.toml", "theme = 1", []).replacedLines(in: Array("theme = 2".utf8)) == [])
  }

  @Test func `A table of the user's that conflicts becomes a comment with all that is in it, and others stay`() throws {
    let line: Text = "general.import = [\"~/t.toml\"]"
    let block = try block("/a.toml", line, ["general.import", "import", "colors.primary", "colors.normal"])
    let text = """
      import = ["~/other.toml"]
      [general]
      live = true
      [window]
      opacity = 0.9
      [colors.primary]
      background = "#282830"

      # Normal ones.
      [colors.normal]
      red = "#f00"
      # The last comment.
      [colors.bright]
      red = "#f88"
      [colors]
      transparent = true
      primary.foreground = "#fff"
      """
    let lines = inserted(block, text)
    #expect(block.replacedLines(in: Array(text.utf8)).map(\.number) == [1, 6, 7, 8, 9, 10, 11, 17])
    #expect(
      lines.contains("import = [\"~/other.toml\", \"~/t.toml\"]"), "below its header, with the user's list: \(lines)")
    #expect(lines.contains("# | [colors.primary]") && lines.contains("# |") && lines.contains("# | # Normal ones."))
    #expect(lines.contains("[colors.bright]") && lines.contains("# The last comment.") && lines.contains("live = true"))
    #expect(!block.stands(in: Array("\(line)\n[colors.primary]\n".utf8)), "what is below it wins")
    #expect(block.stands(in: Array("[general]\nimport = [\n  \"~/other.toml\",\n  \"~/t.toml\",\n]\n".utf8)))
    #expect(!block.stands(in: Array("[general]\nimport = [\"~/other.toml\"]\n".utf8)))
  }

  @Test func `What gives more than it should make way for, or is not understood, is told by its line`() throws {
    let list = try block("/a.toml", "general.import = [\"~/t.toml\"]", ["general.import", "colors.primary"])
    func rival(_ text: String) -> String? {
      list.rival(in: Array(text.utf8)).map { "\($0.line) \($0.reason)" }
    }
    #expect(rival("a = 1\ngeneral = {}") == "2 givesMore")
    #expect(rival("colors = { primary = { background = 1 } }") == "1 givesMore")
    #expect(rival("general.import = [{ a = 1 }]") == "1 unclear")
    #expect(rival("a = [\nb = 1\n") == "1 unclear" && rival("a = 1\nhello\n") == "2 unclear")
    #expect(rival("general.x = 1\n[general.y]\n[[colors.x]]\n") == nil)
  }

  @Test func `A setting below a header is another one, and a header takes its settings along`() throws {
    let mako = try block("/config", "include=~/t", ["background-color", "text-color"])
    let text = "font=mono\nbackground-color=#242a38\ntext-color=#cad3e8\n\n[urgency=high]\ntext-color=#f0a880"
    #expect(mako.replacedLines(in: Array(text.utf8)).map(\.number) == [2, 3])
    _ = inserted(mako, text)
    let fuzzel = try block("/fuzzel.ini", "include=~/t", ["colors"])
    let ini = "font=x\r\n[colors]\r\ntext=1\r\n\r\n[border]\r\nwidth=1\r\n[colors]\r\ntext=2"
    #expect(fuzzel.replacedLines(in: Array(ini.utf8)).map(\.number) == [2, 3, 7, 8])
    _ = inserted(fuzzel, ini)
    let btop = try block("/btop.conf", "color_theme = \"themed\"", ["color_theme"], at: .end)
    #expect(
      inserted(btop, "color_theme = \"dark\"").prefix(3)
        == [
          "# themed: a replaced these lines (the last one had no end)", "# | color_theme = \"dark\"",
          "# themed: a ends, 9e940766",
        ])
  }

  @Test func `A key of YAML is replaced with all that is indented below it`() throws {
    let yaml = try block("/a.yml", "import: [~/t.yml]", ["import", "colors"])
    let text = "a:\n  import: x\nimport:\n  - ~/b.yml # b\n- ~/c.yml\n\n# c\ncolors:\n  primary:\n\n    x: 1\nb: 1\n"
    #expect(yaml.replacedLines(in: Array(text.utf8)).map(\.number) == [3, 4, 5, 6, 7, 8, 9, 10, 11])
    #expect(inserted(yaml, text).contains("import: [~/b.yml, ~/c.yml, ~/t.yml]"))
    #expect(yaml.stands(in: Array("import:\n  - ~/t.yml\n".utf8)))
    #expect(yaml.rival(in: Array("a: 1\ncolors: &x\n  y: 1\n".utf8))?.line == 2, "another key may name it")
    #expect(yaml.rival(in: Array("a: 1\ncolors: *x\n".utf8)) == nil)
  }

  @Test func `Nothing is put before what has to be a file's beginning`() throws {
    func line(_ text: String, _ place: App.Setup.Place = .start, _ file: Text = "/a.yml") throws -> Int? {
      try block(file, "import: [b]", ["import"], at: place).rival(in: Array(text.utf8))?.line
    }
    for text in ["---\na: b\n", "--- # x\r\n", "%YAML 1.1\n---\n"] { #expect(try line(text) == 1, "\(text)") }
    #expect(try line("# x\n\n---\na: b\n") == 3, "comments and empty lines begin nothing")
    for text in ["a: b\n---\nc: d\n", "# ---\n", ""] { #expect(try line(text) == nil, "\(text)") }
    // Below it there is room; and only YAML has documents.
    #expect(try line("---\n", .end) == nil && line("---\n", .start, "/a") == nil)
    #expect(
      try block("/a.yml", "import: [b]", ["import"]).stands(in: Array("---\nimport: [b]\n".utf8)), "put there by hand")
  }

  @Test func `A byte order mark stays what the file begins with, and hides nothing`() throws {
    for place in Self.places {
      let block = try block("/a.toml", "theme = \"themed\"", ["theme"], at: place)
      let mark = "\u{FEFF}"
      for text in ["", "theme = 1", "theme = 1\r\na = 1\r\n", "a = 1\n"] {
        let lines = inserted(block, mark + text)
        #expect(lines[0].hasPrefix(mark))
      }
      #expect(block.replacedLines(in: Array("\u{FEFF}theme = 1".utf8)).map(\.number) == [1])
    }
  }

  @Test func `A block that stands twice is taken away twice, and one that was changed keeps both`() throws {
    let block = try block("/a.toml", "theme = \"themed\"", ["theme"])
    let with = block.inserted(into: Array("theme = 1\n".utf8))
    #expect(block.removed(from: with + with) == .bytes(Array("theme = 1\ntheme = 1\n".utf8)))
    let changed = Array(String(decoding: with, as: UTF8.self).replacing("# | theme = 1", with: "# | theme = 2").utf8)
    #expect(block.removed(from: with + changed) == .changed(lines: [10]))
    #expect(block.removed(from: changed + changed) == .changed(lines: [4, 10]))
  }

  @Test func `A file whose program dropped our comments gets the user's lines back from what it was`() throws {
    let btop = try block("/btop.conf", "color_theme = \"themed\"", ["color_theme"], at: .end)
    func restored(_ block: SetupBlock, _ now: String, _ before: String?) -> String? {
      switch block.restored(Array(now.utf8), as: before.map { Array($0.utf8) }) {
      case .bytes(let bytes): String(decoding: bytes, as: UTF8.self)
      case .noFile: "no file"
      case .changed, .beginningGone, nil: nil
      }
    }
    let own = "a = 1\ncolor_theme = \"own\""
    #expect(restored(btop, "#* x\ncolor_theme = \"themed\"\nb = 2\n", own) == "#* x\ncolor_theme = \"own\"\nb = 2\n")
    #expect(restored(btop, "color_theme=themed\n", own) == nil, "another value, or form, is the user's")
    #expect(restored(btop, "color_theme = \"mine\"\n", own) == nil && restored(btop, "b = 2\n", own) == nil)
    #expect(restored(btop, "color_theme = \"themed\"\n", "color_theme = \"themed\"\n") == nil, "it was the user's")
    #expect(restored(btop, "color_theme = \"themed\"\nb = 2\n", "") == "b = 2\n")
    #expect(restored(btop, "color_theme = \"themed\"\n", nil) == "no file")
    // The user's own header of the same name stays.
    let foot = try block("/foot.ini", "[main]\ninclude=x", [], at: .end)
    let plain = "[colors]\na=1\n[main]\nfont=x\n"
    #expect(restored(foot, plain + "[main]\ninclude=x\n", plain) == plain)
    #expect(restored(foot, "[colors]\na=1\n[main]\nfont=x\ninclude=x\n", plain) == plain)
    // A program that has merged our section with the user's leaves one header, and of each key the last value.
    #expect(restored(foot, "[main]\ninclude=x\nfont=x\n", "[main]\nfont=x\n") == "[main]\nfont=x\n")
    #expect(restored(foot, "[main]\ninclude=x\n", "[main]\ninclude=y\n") == "[main]\ninclude=y\n")
    let qt = try block("/qt5ct.conf", "[Appearance]\npath=x\ncustom=true", [], at: .end)
    #expect(
      restored(qt, "[Appearance]\npath=x\ncustom=true\nstyle=k\n\n[Window]\na=1\n", "[Appearance]\npath=y\nstyle=k\n")
        == "[Appearance]\npath=y\nstyle=k\n\n[Window]\na=1\n")
    #expect(
      restored(
        qt, "[Appearance]\ncustom=true\nicons=i\npath=x\n", "[Appearance]\npath=y\ncustom=false\nicons=i\n")
        == "[Appearance]\npath=y\ncustom=false\nicons=i\n")
    #expect(
      restored(qt, "[Appearance]\npath=y\n[Appearance]\npath=x\ncustom=true\n", "[Appearance]\npath=y\n")
        == "[Appearance]\npath=y\n", "not merged")
    #expect(
      restored(btop, String(decoding: btop.inserted(into: []), as: UTF8.self), "") == nil, "the comments are there")
    let line = try block(.end)
    #expect(
      restored(line, "a\ninclude x\nb", "a\n") == "a\nb" && restored(line, "a\ninclude x\n", "include x\n") == nil)
    let toml = try block("/a.toml", "theme = 1", ["theme", "old", "colors"])
    #expect(
      restored(toml, "[x]\ny = 1\n", "theme = 2\n") == nil
        && restored(toml, "theme = 1\n[x]\ny = 1", "old = 2\ntheme = 2\n[colors]\nred = 1")
          == "old = 2\ntheme = 2\n[x]\ny = 1\n[colors]\nred = 1\n"
    )
  }

  /// Lines of files as people have them, with some that are hard to tell apart.
  private static let pieces = [
    "theme = 1", "theme='x' # y", "colors = {}", "[colors.primary]", "[[colors.list]]", "[general]", "[editor]",
    "a = [",
    "  1, # ]", "]", "s = \"\"\"", "\"\"\"", "# note", "", "  ", "import = [\"a\", 'b']", "general.import = [",
    "  \"c\",",
    "colors:", "  - x", "  y: 1", "theme: z", "---", "[colors]", "[x=y]", "theme dark", "\u{FEFF}", "x\r",
    "# | theme = 1",
    "é\u{0}", "# themed: other begins", "# themed: other ends, 00000000", "# themed: ab ends, 00000000",
  ]

  @Test func `Whatever a file says, it is what it was byte for byte when the block was there`() throws {
    var random = SeededGenerator()
    for _ in 0..<6000 {
      let count = Int.random(in: 0...9, using: &random)
      var file: [UInt8] = Bool.random(using: &random) ? [] : [0xEF, 0xBB, 0xBF]
      for _ in 0..<count {
        let piece = Self.pieces.randomElement(using: &random) ?? ""
        file += Array(piece.utf8) + (Int.random(in: 0...3, using: &random) == 0 ? [0x0D, 0x0A] : [0x0A])
      }
      if Bool.random(using: &random), !file.isEmpty { file.removeLast() }
      let form = ["/a.toml", "/a.yml", "/a.ini"].randomElement(using: &random) ?? "/a"
      let line: Text = Bool.random(using: &random) ? "theme = \"themed\"" : "general.import = [\"t\"]"
      let place = Self.places.randomElement(using: &random) ?? .end
      let block = try block(Text(form), line, ["theme", "colors", "general.import", "import"], at: place)
      let with = block.inserted(into: file)
      guard block.removed(from: with) == .bytes(file), block.isMarked(in: with) else {
        Issue.record("\(form) \(place) \(line): \(String(decoding: file, as: UTF8.self).debugDescription)")
        return
      }
      // What somebody writes above and below since stays, and all else comes back.
      let (above, below) = (Array("b = 1\n".utf8), Array("c = 1\n".utf8))
      guard !file.isEmpty, file.last == 0x0A, file.first != 0xEF else { continue }
      guard block.removed(from: above + with + below) == .bytes(above + file + below) else {
        Issue.record("edited: \(form) \(place) \(line): \(String(decoding: file, as: UTF8.self).debugDescription)")
        return
      }
    }
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

  @Test(
    "A comment of XML has no two dashes in it, and its mark is still read", arguments: ["a--b", "a---b", "-a----b-"])
  func dashes(_ name: String) throws {
    let style = try #require(CommentStyle.guessed(from: Array("<!-- x -->".utf8))?.comment)
    let line = BlockMark(subject: Text(name), kind: .begin(.whole)).line(style)
    #expect(line.dropping(prefix: "<!--")?.dropping(suffix: "-->")?.holds("--") == false)
    #expect(BlockMark(line)?.subject == Text(name))
    #expect(!TargetMark(app: Text(name), comment: style).line.string.dropFirst(4).dropLast(3).contains("--"))
  }

  @Test func `an XML declaration gives way to the mark, which has to be the first line`() throws {
    let comment = try #require(CommentStyle.guessed(from: Array("<!-- x -->".utf8))?.comment)
    let mark = TargetMark(app: "bat", comment: comment)
    let marked = mark.marking(Array("<?xml version=\"1.0\"?>\n<plist/>\n".utf8))
    #expect(String(decoding: marked, as: UTF8.self) == "\(mark.line)\n\n<plist/>\n")
    #expect(TargetMark(app: "x", comment: .hash).marking(Array("<?xml?>".utf8)).count > 7)
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
    var directories = AppPath.Directories(home: "/h", configuration: "/h/.c", runtime: "/run/u")
    directories.variables = AppPath.variables(in: directories) { $0 == "WAYBAR_CONFIG_DIR" ? "/bar/" : nil }
    for (written, path): (Text, Text?) in [
      ("/a/b", "/a/b"), ("~/a", "/h/a"), ("$XDG_CONFIG_HOME/a/b", "/h/.c/a/b"), ("$XDG_RUNTIME_DIR/x", "/run/u/x"),
      ("$XDG_STATE_HOME/x", nil), ("$BAT_CONFIG_DIR/x", "/h/.c/bat/x"), ("$WAYBAR_CONFIG_DIR/x", "/bar/x"),
    ] {
      #expect(try #require(AppPath(written)).resolved(in: directories) == path)
    }
    for none: Text in ["", "a", "~a", "~", "$HOME/a", "$BAT_CONFIG_PATH/a", "~/", "$XDG_CONFIG_HOMER/a", "~/a\u{0}b"] {
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

/// A text file by its lines, with what ends them.
private struct FileText {
  let lines: [String]

  init(_ bytes: [UInt8]) {
    var lines: [String] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      let end = rest.firstIndex(of: 0x0A).map { $0 + 1 } ?? rest.endIndex
      lines.append(String(decoding: rest[..<end], as: UTF8.self))
      rest = rest[end...]
    }
    self.lines = lines
  }
}

extension App.Setup {
  /// A line of a file that has one place.
  init(
    file: AppPath, line: Text, otherLine: Text? = nil, conflicts: [Text] = [], comment: CommentStyle = .hash,
    place: Place = .end
  ) {
    self.init(
      files: [file], line: line, otherLine: otherLine, conflicts: conflicts, comment: comment, place: place)
  }
}
