import ForeignText
import TestSupport
import Testing
import Themes

@testable import ThemeDaemon
@testable import themectl

/// The command reads theme files as the daemon does, which has GLib read them.
@Suite struct KeyFileTextTests {
  /// What the daemon reads; nil where it refuses.
  private func byGLib(_ text: [UInt8]) -> [ThemeFile.Group]? {
    guard let file = try? KeyFile(text) else { return nil }
    return try? file.groups()
  }

  private func expectTheSame(_ text: [UInt8]) {
    let ours = KeyFileText(text)
    let theirs = byGLib(text)
    let shown = String(decoding: text, as: UTF8.self).debugDescription
    #expect(ours.faults.isEmpty == (theirs != nil), "\(shown): \(ours.faults)")
    guard let theirs, ours.faults.isEmpty else { return }
    // A group whose name is no text is none of a theme's, whatever is in it.
    func known(_ groups: [ThemeFile.Group]) -> [ThemeFile.Group] {
      groups.filter { !$0.name.string.unicodeScalars.contains("\u{FFFD}") }
    }
    #expect(known(ours.groups) == known(theirs), "\(shown)")
  }

  @Test(
    "Each of these is read as GLib reads it, or refused as it refuses it",
    arguments: [
      "", "\n", "#", "# c\n", "[a]", "[a]\n", "[a]\nb=c", "[a]\nb=c\n", "[a]\r\nb=c\r\n", "[a]\nb=c\r", " [a]\n b=c\n",
      "\t[a] \t\n\tb\t=\tc\t\n", "[a] x\nb=c\n", "[a\nb=c\n", "[]\nb=c\n", "[a]b]\n", "[a[b]\n", "[a b]\nb=c\n",
      "b=c\n[a]\n",
      "[a]\n=c\n", "[a]\n =c\n", "[a]\nb\n", "[a]\nb=\n", "[a]\nb= \n", "[a]\nb==c\n", "[a]\nb c=d\n", "[a]\nb[c=d\n",
      "[a]\nb]=d\n", "[a]\nb[de_DE.UTF-8@x]=d\n", "[a]\nb[ä]=d\n", "[a]\nb[c d]=e\n", "[a]\nb[]=e\n",
      "[a]\n[b]\n[a]\nx=1\n",
      "[a]\nb=1\n[c]\nd=2\n[a]\nb=3\ne=4\n", "[a]\nb=1\nb=2\n", "[a]\nb=\\s\\n\\t\\r\\\\x\n", "[a]\nb=\\q\n",
      "[a]\nb=x\\\n",
      "[a]\nb=a;b\\;c\n", "[a]\nEncoding=UTF-8\n", "[a]\nEncoding=latin1\n", "[a]\n[b]\nEncoding=latin1\n",
      "[a]\nb=\u{0}c\n", "[a]\n\u{0}\nb=c\n", "[a]\nb=c\u{0}d\n", "[a\u{1}]\n", "[a\u{7F}]\n", "[ä]\nö=ü\n",
      "\u{FEFF}[a]\n",
      "[a]\n\u{B}b=c\n", "[a]\n\u{C}b=c\n", "[a]\n#b=c\n;d=e\n", "[a]\nb=c#d\n", "[a]\n'b'=\"c\"\n", "[a]\nb=c \n",
      "[a]\nb=c\t \r\n", "[a]\nb=c\\s \n", "[a]\nb=c\\ \n",
      "[a]\nb=c \r", "[a]\nb=c\u{B}\n", "[a]\nb=c\u{C}\n", "[a] \r", "[a]\n  \n \r\nb=c ", "[a]\nb=c\r\r\n",
    ])
  func cases(_ text: String) {
    expectTheSame(Array(text.utf8))
  }

  @Test("Bytes that are no text are refused in values, and nowhere else")
  func bytes() {
    for text in ["[a]\nb=\u{1}", "# \u{1}\n[a]\n", "[a]\n\u{1}=b\n"] {
      expectTheSame(Array(text.utf8).map { $0 == 1 ? 0xFF : $0 })
    }
  }

  @Test("So is whatever a random editor leaves of a theme")
  func random() {
    var random = SeededGenerator(seed: 8)
    let whole = Array(
      "[theme]\ntitle=A\\sB\n\n# c\n[light.palette]\ntext=#fff\nbase0A = 1 2\n[dark.values]\nbat=x\\\\y\n".utf8)
    let pieces: [[UInt8]] = ["[", "]", "=", "\n", "\r\n", " ", "\\", "#", "[theme]", "\t", "\u{0}", "ä", "s"].map {
      Array($0.utf8)
    }
    for _ in 0..<20_000 {
      var text = whole
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let start = Int.random(in: 0...text.count, using: &random)
        let end = min(text.count, start + Int.random(in: 0...6, using: &random))
        text.replaceSubrange(start..<end, with: pieces.randomElement(using: &random) ?? [])
      }
      expectTheSame(text)
    }
  }

  @Test("A blank at a line's end is no part of a value, unless it is escaped")
  func blanks() {
    let text = KeyFileText(Array("[a]\nb=c \nd=\t\ne=f\\s \r\ng=h".utf8))
    #expect(text.faults == [])
    #expect(text.groups.first?.entries.map(\.value) == ["c", "", "f ", "h"])
  }

  @Test("Every line that is wrong is told, not only the first")
  func everyLine() {
    let text = KeyFileText(Array("x=1\n[a]\nwhat\n[b[]\nc=\\q\nd=e\n".utf8))
    #expect(text.faults.map(\.line) == [1, 3, 4, 5])
    #expect(text.groups == [ThemeFile.Group("a", [ThemeFile.Entry("c", ""), ThemeFile.Entry("d", "e")])])
  }
}
