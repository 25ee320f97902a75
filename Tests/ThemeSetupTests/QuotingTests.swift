import Foundation
import Testing
import ThemedModel
import ThemedKeyFileOracle
import ThemedSystem
import ThemedTestSupport

@testable import ThemeSetup

/// Whatever stands in a theme comes out of every form byte for byte, and nothing of it is run.
@Suite struct QuotingTests {
  @Test(
    "A shell that evaluates a theme gets each text back, and runs nothing", arguments: ["bash", "dash", "zsh", "sh"])
  func shells(_ shell: String) throws {
    try withSession { session in
      let texts = Strangers.texts
      let values = Dictionary(uniqueKeysWithValues: texts.enumerated().map { ("s\($0)" as Text, Text($1)) })
      for (number, locale) in ["C.UTF-8", "C"].enumerated() {
        session.environment["LC_ALL"] = locale
        for title in number == 0 ? Strangers.titles : ["x'\u{0301}; touch pwned #"] {
          let theme = Theme(name: "x", title: Text(title), dark: Side(values: title == "plain" ? values : [:]))
          let exported = ExportedTheme(theme: theme, path: "x.theme") { $0 }
          let form = try session.directory.write(exported.text(as: .shell, side: .dark), to: "form")
          let told = session.directory.path("told")
          // As the help says it: the text goes through a substitution of commands.
          var script = "cd \(session.directory.path("home"))\neval \"$(cat \(form))\"\n"
          script += "printf '%s\\0' \"$THEME_TITLE\" > \(told)\n"
          if title == "plain" {
            for index in texts.indices { script += "printf '%s\\0' \"$THEME_VALUE_S\(index)\" >> \(told)\n" }
          }
          let file = try session.directory.write(script, to: "script")
          let finished = try session.run(shell, [file])
          #expect(finished.errors == "", "\(title.debugDescription)")
          let came = try Data(contentsOf: URL(fileURLWithPath: told)).split(
            separator: 0, omittingEmptySubsequences: false
          )
          .map { Text(decoding: $0) }
          #expect(
            came == ([title] + (title == "plain" ? texts : []) + [""]).map { Text($0) }, "\(title.debugDescription)")
          #expect(!FileManager.default.fileExists(atPath: session.directory.path("home/pwned")))
        }
      }
    }
  }

  @Test("Of two values that would be one variable, neither is lost: the form is refused")
  func collision() {
    for names in [["a.b", "a_b"], ["a", "A"], ["a+b", "a-b"]] {
      let values = Dictionary(uniqueKeysWithValues: names.map { (Text($0), "x" as Text) })
      let exported = ExportedTheme(theme: Theme(name: "x", dark: Side(values: values)), path: "x") { $0 }
      #expect {
        try exported.text(as: .shell, side: .dark)
      } throws: { error in
        names.allSatisfy { "\(error)".contains("'value \($0)'") } && "\(error)".contains("THEME_VALUE_A")
      }
      #expect(throws: Never.self) { try exported.text(as: .css, side: .dark) }
    }
  }

  @Test("YAML that is exported is read back as the same bytes: strangers' texts, and every scalar but NUL")
  func yaml() throws {
    var texts = Strangers.texts.map { Text($0) }
    let scalars = (1...0x10FFFF).lazy.compactMap(Unicode.Scalar.init).filter {
      $0.value < 0x3100 || $0.value & 0xFFF > 0xFF0
    }
    var rest = Array(scalars)[...]
    while !rest.isEmpty {
      var text = String.UnicodeScalarView()
      text.append(contentsOf: rest.prefix(1000))
      texts.append(Text(String(text)))
      rest = rest.dropFirst(1000)
    }
    for text in texts {
      let file = try SchemeFile(yaml: Array("a: \(text.quotedForYAML)\nb: c\n".utf8))
      #expect(file.members.map(\.value) == [.text(text), .text("c")], "\(text.string.debugDescription)")
    }
    for title in Strangers.titles {
      let theme = Theme(name: "x", title: Text(title), author: Text(title), dark: Side())
      let exported = ExportedTheme(theme: theme, path: "x") { $0 }
      let file = try SchemeFile(yaml: Array(exported.text(as: .scheme("base16"), side: .dark).utf8))
      #expect(
        file.members.filter { $0.name == "name" || $0.name == "author" }.map(\.value) == [
          .text(Text(title)), .text(Text(title)),
        ])
    }
  }

  @Test("CSS that is exported has each path as one string within url(), and nothing else of it")
  func css() throws {
    let texts = Strangers.texts
    let assets = Dictionary(uniqueKeysWithValues: texts.enumerated().map { ("s.+-_\($0)" as Text, Text($1)) })
    let theme = Theme(name: "x", light: Side(assets: assets), dark: Side(assets: assets))
    let css = try ExportedTheme(theme: theme, path: "x") { "/themes/\($0)" }.text(as: .css, side: .dark)
    #expect(!css.utf8.contains(UInt8(ascii: "<")))
    #expect(css.unicodeScalars.allSatisfy { $0.isVisible || $0 == "\n" })
    let tokens = try #require(CSSTokens(css))
    #expect(tokens.list.count { $0 == .mark("{") } == 3 && tokens.list.count { $0 == .mark("}") } == 3)
    let found = try #require(tokens.urls("--theme-asset-"))
    #expect(found.count == texts.count)
    for (index, text) in texts.enumerated() {
      let expected = Text("/themes/\(text)").asCSSAddress
      #expect(found["s.+-_\(index)" as Text] == [expected, expected], "\(text.debugDescription)")
    }
  }

  @Test func `a path that would be a part of another address in CSS is written as an address of its own`() {
    #expect(("/a/b c.png" as Text).asCSSAddress == "/a/b c.png")
    #expect(("/a/#1 50%20?.png" as Text).asCSSAddress == "file:///a/%231 50%2520%3f.png")
  }

  @Test("A theme's file that is exported is read back as the same bytes, by GLib, too")
  func keyFile() throws {
    // No key file can say a form feed or a vertical tab at the beginning.
    for text in Strangers.texts where text.first != "\u{B}" && text.first != "\u{C}" {
      let isTitle = Strangers.titles.contains { Text($0) == Text(text) }
      let title: Text = isTitle ? Text(text) : "x"
      let theme = Theme(
        name: "x", title: title, author: title,
        dark: Side(assets: ["w": Text("/" + text)], values: ["v": Text(text)]))
      let bytes = try Array(ExportedTheme(theme: theme, path: "x") { $0 }.text(as: .theme, side: .dark).utf8)
      #expect(KeyFile.difference(on: bytes) == nil)
      let again = try ThemeFile(name: "x", KeyFile(strict: bytes)).theme
      #expect(again.title == title && again.author == title)
      #expect(again.dark?.values.map { $0.value } == [Text(text)], "\(text.debugDescription)")
      #expect(again.dark?.assets.map { $0.value } == [Text("/" + text)], "\(text.debugDescription)")
    }
  }

  @Test("X resources have the theme's name in a comment of one line")
  func xresources() throws {
    for text in Strangers.texts {
      let theme = Theme(name: Text(text), title: Text(text), dark: Side())
      let form = try ExportedTheme(theme: theme, path: "x") { $0 }.text(as: .scheme("xresources"), side: .dark)
      let lines = Text(form).split("\n")
      #expect(lines.count == 24 && lines[0].hasPrefix("! ") && lines[0].hasSuffix(", dark"))
      #expect(lines.dropFirst().dropLast().allSatisfy { $0.hasPrefix("*.") })
    }
  }

  @Test("A program that is run gets each word as it is, and no shell sees it")
  func programs() throws {
    try withSession { session in
      for text in Strangers.texts {
        let run = try #require(Program.run(["printf", "%s", text]))
        #expect(run.lines == Text(text).split("\n", omittingEmpty: true))
        #expect(run.status == 0)
      }
      let path = session.directory.path("x'\u{0301}$(touch pwned)'\u{0301}")
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/bin/true")
      #expect(Program.run([path])?.status == 0)
      #expect(!FileManager.default.fileExists(atPath: "pwned"))
      #expect(Program.run(["/nowhere"]) == nil)
      #expect(
        Program.run(["sh", "-c", "echo complaint >&2; read -r line; echo \"<$line>\"; kill -KILL $$"])?.lines == ["<>"])
      #expect(Program.run(["sh", "-c", "kill -PIPE $$"])?.status == 128)
    }
  }

  @Test("What people are told to type names a path as one word")
  func words() {
    #expect(("/usr/bin/themed" as Text).asWord == "/usr/bin/themed")
    #expect(("/x'\u{0301}$(touch pwned)" as Text).asWord.utf8.elementsEqual("'/x'\\''\u{0301}$(touch pwned)'".utf8))
  }

  @Test("A shell is offered no name that it would run or take apart")
  func candidates() {
    for name in ["nvim", "org.app", "a+b", "x/y@z", "7"] as [Text] { #expect(name.isCandidate, "\(name)") }
    for name in ["$(touch pwned)", "`x`", "a b", "-x", "", "a:b", "a'", "\u{202E}x", "é", "a\\", "a\u{301}"] as [Text] {
      #expect(!name.isCandidate, "\(name)")
    }
  }
}
