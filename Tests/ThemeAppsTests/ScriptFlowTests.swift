import Foundation
import Testing
import ThemedSystem
import ThemedTestSupport

@testable import ThemeApps

/// Which lines of a script run: a line of ours that never does is no success.
@Suite struct ScriptFlowTests {
  private func flow(_ text: String, _ path: Text) throws -> ScriptFlow {
    let bytes = Array(text.utf8)
    return ScriptFlow(bytes, FileLines(bytes).all, try #require(ScriptFlow.Language(of: path)))
  }

  @Test(
    arguments: [
      (".bashrc", "a=1\nexec fish\n", 2, 2), (".bashrc", "a\n[ -z \"$X\" ] && exec fish\n", nil, nil),
      (".bashrc", "if true; then\n  exec fish\nfi\n", nil, nil), (".bashrc", "exec 2> log\nexec 3>&1\n", nil, nil),
      (".bashrc", "case $- in\n  *i*) ;;\n  *) return ;;\nesac\n", nil, nil),
      (".bashrc", "f() {\n  return 1\n}\n", nil, nil),
      (".bashrc", "f() { return; }\nif a; then\n  b\nfi; exit\n", 4, 2),
      (".bashrc", "echo 'a\nexit\n'; return\n", 3, 1),
      (".bashrc", "cat << E\nexit\nE\nexec tmux \\\n  new\nx\n", 4, 4),
      (".bashrc", "x=$(exit 1)\n(exit 2)\nexit | b\n", nil, nil),
      (".bashrc", "true ||\n  exit\nexit & wait\n", nil, nil), (".bashrc", "A=1 exec zsh -l\n", 1, 1),
      (".zshrc", "f() { [[ $x = (#b)(a)* ]] && return 1 }\nfor x (a b) { echo $x }\nreturn\n", nil, nil),
      (".zshrc", "[[ -o interactive ]] || return\nexec fish\n", 2, 2),
      ("config.fish", "if status is-interactive\n  exec tmux\nend\nstatus is-login; and exit\nor return\n", nil, nil),
      ("config.fish", "set x (exit)\nfunction f; return; end\nexec tmux\n", 3, 3),
      ("vimrc", "if has('x')\n  finish\nendif\nnnoremap x :finish<CR>\nfinish\n", 5, 5),
      ("vimrc", "function! F()\n  finish\nendfunction\nlua << EOF\nfinish\nEOF\n\" finish\n", nil, nil),
      ("init.lua", "local f = function() return 1 end\nx = [[\nreturn]]\nreturn {}\n", 4, 4),
      ("init.lua", "if a then return end\ndo return end\nb()\n", 2, 2), (".emacs", "(exit)\n", nil, nil),
      // A function that is not recognized as one: its end has no beginning.
      (".bashrc", "mkcd ( ) {\n  return 0\n}\na\n", nil, nil), (".bashrc", "coproc X {\n  exit\n}\n", nil, nil),
      (".zshrc", "function {\n  return\n}\n", nil, nil), (".zshrc", "function a b {\n  return\n}\n", nil, nil),
      (".zshrc", "{ a } always {\n  exit\n}\n", nil, nil),
      ("vimrc", "if 1 | let x=1 | endif\nset nu\nfinish\n", 3, 3), ("vimrc", "let x = {\nfinish: 1,\n}\n", nil, nil),
    ] as [(String, String, Int?, Int?)])
  func `a script ends at its first statement that ends it whatever happens`(
    name: String, text: String, line: Int?, above: Int?
  ) throws {
    let flow = try flow(text, Text(name))
    #expect(flow.end.map { $0.line + 1 } == line && flow.end.map { $0.above + 1 } == above, "\(flow)")
    #expect(flow.open == nil)
  }

  @Test(
    arguments: [
      (".bashrc", "a\nif b; then\n  c\n", 2), (".bashrc", "a\ncat << 'END'\nb\nEN\n", 2),
      (".bashrc", "echo \"a\nb\n", 1),
      (".zshrc", "f() {\n  a\n", 1), (".bashrc", "x=(a\nb\n", 1), (".bashrc", "while a; do\nif b; then\nfi\n", 1),
      (".zshrc", "if [[ -n $x ]] { echo }\nrepeat 3 echo\n", nil), (".bashrc", "echo ${x:-it's}\n", nil),
      (".bashrc", "if a; then\n  echo ${x//'\"'/}\nfi\n", nil), (".bashrc", "x=$[1 << 2]\n", nil),
      (".zshrc", "while a; do\n  [[ $x = <->#[a] ]] && b\ndone\n", nil),
      (".bashrc", "x=${x/{/}\necho $# \"${x#\\}}\" # \"\n", nil), ("config.fish", "if a\n  b\n", 1),
      ("config.fish", "echo 'a\nb\n", 1), ("config.fish", "for x in a; if b; else if c; end; end\n", nil),
      ("vimrc", "a\nfunction F()\n", 2), ("vimrc", "python3 << EOF\nx\n", 1),
      ("vimrc", "silent! python3 << EOF\ndef f(x):\nEOF\n", nil),
      ("init.el", "(a [?\\M-(] 'b)\n(c ?\\C-()\n", nil), ("vimrc", "if a\n", nil),
      ("init.lua", "a\nlocal t = {\n", 2), ("init.lua", "--[[ a\n", 1),
      ("init.lua", "while a do end repeat until b\n", nil),
      (".emacs", "(a)\n(b (c)\n", 2), ("init.el", "(a ?\\( \"(\" ?\\)) ; (\n'(?( ?a)\n", nil),
    ] as [(String, String, Int?)])
  func `what has no end in a script is seen, and nothing else is taken for it`(
    name: String, text: String, line: Int?
  ) throws {
    #expect(try flow(text, Text(name)).open.map { $0.line + 1 } == line)
  }

  @Test func `scripts that run to their end are not taken for others`() throws {
    let share = Products.package + "/share"
    var count = 0
    for case let name as String in FileManager.default.enumerator(atPath: share) ?? .init() {
      guard ScriptFlow.Language(of: Text(name)) != nil else { continue }
      count += 1
      let flow = try flow(String(contentsOfFile: "\(share)/\(name)", encoding: .utf8), Text(name))
      #expect(flow.open == nil, "\(name)")
      if ![".lua", "vim.vim"].contains(where: name.hasSuffix) { #expect(flow.end == nil, "\(name): \(flow)") }
    }
    #expect(count > 5)
  }

  @Test func `whatever stands in a file, it is gone through to its end`() throws {
    let names: [Text] = ["a.sh", "a.zsh", "a.fish", "a.vim", "a.lua", "a.el"]
    let texts = [
      "f() { case $x in (a) b;; esac; cat << E > \"$(x `y` ${z%'})\"\n$((1<<2)) 'a\\'\nE\n}\nexec a \\\n<(b) &> c\n",
      "function! F()\nlet x =<< trim E\nE\nif a | finish | endif\n(?\\( \"\") [==[ ]] ]==] --[[ ]] do return end {([\n",
    ]
    for name in names {
      for bytes in texts.map({ Array($0.utf8) }) {
        for count in 0...bytes.count {
          for text in [Array(bytes.prefix(count)), Array(bytes.suffix(count))] {
            let string = String(decoding: text, as: UTF8.self)
            #expect(try flow(string, name).quoted.allSatisfy { !$0.isEmpty })
          }
        }
      }
      let deep = String(repeating: "$(\"{(", count: 100_000)
      _ = try flow(deep, name)
    }
  }

  private func block(_ file: String, _ line: Text = "load x", _ comment: CommentStyle = .hash) throws -> SetupBlock {
    SetupBlock(app: "cat", App.Setup(file: try #require(AppPath(Text(file))), line: line, comment: comment))
  }

  @Test func `a line is written above the statement that ends its file, and all comes back byte for byte`() throws {
    for (file, text) in [
      ("~/.bashrc", "a\n# b\nexec fish"), ("~/.zshrc", "return\n"), ("/config.fish", "x\nexit"),
      ("/init.lua", "a()\nreturn {}\n"),
    ] {
      let block = try block(file)
      let with = block.inserted(into: Array(text.utf8))
      #expect(block.stands(in: with) && block.barrier(in: with) == nil)
      #expect(block.removed(from: with) == .bytes(Array(text.utf8)))
      #expect(try #require(block.end(of: with)).line > text.split(separator: "\n").count)
    }
  }

  @Test func `a line that stands where it never runs does not count, and what keeps it from running is told`() throws {
    let block = try block("~/.bashrc")
    func barrier(_ text: String) -> SetupBlock.Barrier? {
      let bytes = Array(text.utf8)
      return block.stands(in: bytes) ? nil : block.barrier(in: bytes)
    }
    #expect(barrier("a\nexec fish\nload x\n") == .init(line: 2, text: "exec fish", reason: .ends))
    #expect(barrier("a\nif b; then\nload x\n") == .init(line: 2, text: "if b; then", reason: .isOpen))
    #expect(barrier("cat << E\nload x\nE\n") == .init(line: 1, text: "cat << E", reason: .quotes))
    #expect(barrier("if b; then\nload x\nfi\n") == nil && barrier("a\n") == nil)
    #expect(block.rival(in: Array("a\ncat << E\n".utf8)) == .init(line: 2, reason: .isOpen))
    // Ours moves above what somebody has added.
    let old = block.inserted(into: Array("a\n".utf8))
    let moved = Array("exec fish\n".utf8) + old
    #expect(!block.stands(in: moved))
    guard case .bytes(let bare)? = block.removed(from: moved) else { return #expect(Bool(false)) }
    #expect(block.stands(in: block.inserted(into: bare)))
  }
}

/// What of the user's own wins over a line.
@Suite struct UserSettingsTests {
  private func setup(_ file: String, _ change: (inout App.Setup) -> Void) throws -> SetupBlock {
    var setup = App.Setup(file: try #require(AppPath(Text(file))), line: "include ours")
    change(&setup)
    return SetupBlock(app: "cat", setup)
  }

  @Test func `settings of files that are included count where those are included`() throws {
    let block = try setup("/a/main.conf") {
      $0.hiddenBy = [SettingPattern("background")]
      $0.includes = ["include"]
    }
    let files: [Text: String] = [
      "/a/one": "include two\n", "/a/two": "x 1\nbackground red\n", "/a/loop": "include loop\n",
    ]
    func read(_ written: Text, _ file: Text?) -> [IncludedFile] {
      files["/a/\(written)"].map { [IncludedFile(path: "/a/\(written)", bytes: Array($0.utf8))] } ?? []
    }
    func winner(_ text: String) -> UserSetting? { block.winners(in: Array(text.utf8), including: read).first }
    let found = winner("include ours\ninclude \"one\"\n")
    #expect(found?.file == "/a/two" && found?.line == 2 && found?.name == "background")
    #expect(winner("include one\ninclude ours\n") == nil && winner("include ours\ninclude loop\ninclude gone\n") == nil)
    let losers = block.losers(in: Array("include one\nbackground blue\n".utf8), including: read)
    #expect(losers.map(\.line) == [2, 2] && losers.map(\.file) == ["/a/two", nil])
  }

  @Test func `what becomes a comment with the line wins only until then, and what stays wins then, too`() throws {
    let block = try setup("/a.ini") {
      $0.conflicts = ["colors"]
      $0.hiddenBy = [SettingPattern("colors.*"), SettingPattern("bar/*.text=#*")]
      $0.hiddenWhere = .anywhere
    }
    func winners(_ text: String, onceWritten: Bool) -> [Int] {
      block.winners(in: Array(text.utf8), onceWritten: onceWritten).map(\.line)
    }
    let own = "[colors]\nred = 1\n[bar/a]\ntext = #fff\n[bar/b]\ntext=${colors.red}\ntext=#000\n"
    #expect(winners(own, onceWritten: true) == [4, 7] && winners(own, onceWritten: false) == [4, 7])
    // Somebody adds them again below the line.
    let again = String(decoding: block.inserted(into: Array(own.utf8)), as: UTF8.self) + "[colors]\nblue = 2\nred = 1\n"
    #expect(winners(again, onceWritten: true) == [6, 9] && winners(again, onceWritten: false) == [14, 15])
  }

  @Test func `a line that is to stand before the sections is overridden only by what is below that place`() throws {
    let block = try setup("/a") {
      $0.hiddenBy = [SettingPattern("*color")]
      $0.place = .beforeSections
    }
    #expect(block.winners(in: Array("color=1\n[a]\ncolor=2\n".utf8), onceWritten: true).map(\.line) == [3])
  }

  @Test func `of a style sheet, rules below the import win, but for those that name the theme's colors`() throws {
    let block = try setup("/style.css") {
      $0.hiddenBy = [SettingPattern("window#waybar.color"), SettingPattern("\\*.background*")]
      $0.place = .start
      $0.comment = CommentStyle(start: "/*", end: "*/")
      $0.line = "@import \"ours\";"
    }
    func winner(_ text: String) -> UserSetting? {
      block.winners(in: Array(("@import \"ours\";\n" + text).utf8)).first
    }
    let found = winner(
      "/* window#waybar { color: x; } */\n* { font: a; }\n\n#clock, window#waybar {\n  color : red;\n}\n")
    #expect(found?.line == 6 && found?.name == "window#waybar.color")
    #expect(winner("window#waybar { color: @text; }\n#clock { color: red; background: red }\n") == nil)
    #expect(winner("@define-color text red;\nwindow#waybar { color: @text; }\n")?.line == 3)
    #expect(winner("* {\n  background-color: #000 }\n")?.line == 3)
    #expect(winner("* { color: \"}\n") == nil)
  }

  @Test func `a variable wins by its value, and one that is empty is not set`() {
    #expect(SettingPattern("A").matches(variable: "x") && !SettingPattern("A").matches(variable: ""))
    #expect(!SettingPattern("A").matches(variable: nil))
    let pattern = SettingPattern("A=*--color*")
    #expect(pattern.variable == "A" && pattern.matches(variable: "-x --color=dark") && !pattern.matches(variable: "-x"))
  }
}
