import Testing
import ThemedModel
import ThemedKeyFileOracle
import ThemedSystem
import ThemedTestSupport

/// Key files are read as GLib reads them.
@Suite struct KeyFileTests {
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
      "[a]\nb=\\q\nb=c\n", "[a]\nb=c\nb=\\q\n", "[a]\nEncoding=utf-8\n", "[a]\nEncoding=UTF-9\n",
      "[a]\nEncoding=UTF\u{D}8\n",
      "[a]\n[b]\n[a]\nEncoding=x\n", "Encoding=x\n", "[a]\nb[de]=\\q\n", "b[de]=c\n[a]\n", "[a]\nb[d e]c=d\n",
      "[a]\nb[é]=c\n",
      "[a]\nb[\u{301}]=c\n", "[a]\nb[½]=c\n", "[a]\nb[c][d]=e\n", "[a]\nb[[]=c\n", "[a]\n[]=c\n", "[a]\n[b]=c\n",
      "[a]\nb=c \r", "[a]\nb=c\u{B}\n", "[a]\nb=c\u{C}\n", "[a] \r", "[a]\n  \n \r\nb=c ", "[a]\nb=c\r\r\n",
    ])
  func cases(_ text: String) {
    #expect(KeyFile.difference(on: Array(text.utf8)) == nil)
  }

  @Test("Bytes that are no text are refused or passed over where GLib does")
  func bytes() {
    for text in [
      "[a]\nb=\u{1}", "# \u{1}\n[a]\n", "[a]\n\u{1}=b\n", "[a]\u{1}\n", "[a] \u{1}\n", "[a\u{1}]\nb=c\n", "[\u{1}]\n",
      "[a]\nb[\u{1}]=c\n", "[a]\nb[c\u{1}]=d\n", "[a]\nb[-\u{1}d]=e\n", "[a]\nb \u{1}=c\n", "[a]\nb\u{1} =c\n",
      "[a]\nb=\\\u{1}\n", "[a]\nb=é\u{1}\n", "[a]\nb[é\u{1}]=c\n",
    ] {
      for byte: UInt8 in [0xFF, 0x80, 0xC3, 0xE2, 0xF0, 0xF8] {
        #expect(KeyFile.difference(on: Array(text.utf8).map { $0 == 1 ? byte : $0 }) == nil, "\(byte)")
      }
    }
  }

  @Test("So is whatever a random editor leaves of a theme")
  func random() {
    var random = SeededGenerator(seed: 8)
    let whole = Array(
      "[theme]\ntitle=A\\sB\n\n# c\n[light.palette]\ntext=#fff\nbase0A = 1 2\n[dark.values]\nbat=x\\\\y\n".utf8)
    let pieces = [
      "[", "]", "=", "\n", "\r\n", " ", "\\", "#", "[theme]", "\t", "\u{0}", "ä", "s", "Encoding=", "[de]",
    ].map { Array($0.utf8) }
    for _ in 0..<20_000 {
      var text = whole
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let start = Int.random(in: 0...text.count, using: &random)
        let end = min(text.count, start + Int.random(in: 0...6, using: &random))
        text.replaceSubrange(start..<end, with: pieces.randomElement(using: &random) ?? [])
      }
      #expect(KeyFile.difference(on: text) == nil)
    }
  }

  @Test("A blank at a line's end is no part of a value, unless it is escaped")
  func blanks() {
    let file = KeyFile(Array("[a]\nb=c \nd=\t\ne=f\\s \r\ng=h".utf8))
    #expect(file.faults.isEmpty)
    #expect(file.groups.first?.entries.map(\.value) == ["c", "", "f ", "h"])
    #expect(file.value("a", "e") == "f\\s")
  }

  @Test("Every line that is wrong is told, not only the first, and a value that is no text with its key")
  func everyLine() {
    let file = KeyFile(Array("x=1\n[a]\nwhat\n[b[]\nc=\\q\nd=e\n".utf8))
    #expect(file.faults.map(\.line) == [1, 3, 4])
    #expect(file.groups == [ThemeFile.Group("a", [ThemeFile.Entry("c", ""), ThemeFile.Entry("d", "e")])])
    #expect(file.problems.map(file.line) == [5])
    #expect(
      file.problems.map(\.description) == [
        "[a] c is '\\q', but should be UTF-8 text with no escapes except \\s, \\n, \\t, \\r and \\\\"
      ])
  }

  @Test("A text that is no key file is refused with its first wrong line, and how many more are wrong")
  func refusing() throws {
    func refusal(_ text: String) throws -> String {
      let faults = try #require(throws: KeyFile.Faults.self) { try KeyFile(strict: Array(text.utf8)) }
      return faults.description
    }
    #expect(
      try refusal("\n[a\n") == "line 2: '[a' should be a group in brackets, key=value, or a comment after #"
    )
    #expect(
      try refusal("b=c\n[a[]\n")
        == "line 1: a group in brackets should come before the first key; 1 more line is wrong")
    #expect(try refusal("[a]\n b[=c\nx\n\u{0}") == "line 2: 'b[' is not a valid key; 2 more lines are wrong")
    #expect(try refusal("[a]\nEncoding=latin1") == "line 2: the encoding should be UTF-8")
    #expect(try refusal("[a]\nb=\u{0}") == "line 2: the file holds a NUL byte, so it is not text")
    #expect(try refusal("[\u{1B}[2J" + String(repeating: "x", count: 100) + "]").utf8.count < 120)
    #expect(try KeyFile(strict: Array("[a]\nb=\\q".utf8)).value("a", "b") == "\\q", "as it is written, it can be read")
  }

  @Test("What stands where is known: of groups and keys that stand twice the last, and nothing of what is not there")
  func places() throws {
    let file = KeyFile(Array("[a]\nb=1\n[c]\nd=2\n[a]\ne=3\nb=4\n".utf8))
    #expect(file.keys.map { "\($0.group) \($0.key)" } == ["a b", "c d", "a e"])
    #expect(file.value("a", "b") == "4")
    #expect(file.value("a", "d") == nil && file.value("x", "b") == nil)
    func line(_ group: Text?, _ key: Text? = nil) -> Int? {
      file.line(of: ThemeFile.Problem(group: group, key: key, expected: ""))
    }
    #expect(
      [line("a"), line("c"), line("a", "b"), line("c", "d"), line("c", "b"), line("x"), line(nil)] == [
        5, 3, 7, 4, nil, nil, nil,
      ])
  }

  // A time that grows with the square of the length is one of many minutes.
  @Test(
    "However long it is, and whatever it consists of, it is read in a moment", .timeLimit(.minutes(10)),
    arguments: ["x\n", "a=\n", "[a]\n", "[", "=", "\\", "\u{301}\u{327}", " \n", "b[", "b[c]=\n", "\u{0}"])
  func length(_ piece: String) {
    for start in ["[a]\n", "[a]\nb="] {
      let text = Array((start + String(repeating: piece, count: 65_536 / piece.utf8.count)).utf8)
      let file = KeyFile(text)
      #expect(file.groups.count + file.problems.count > 0)
      _ = try? KeyFile(strict: text)
    }
  }

  @Test("Thousands of keys and groups are told apart")
  func many() {
    let numbers = (0..<20_000).map { String($0, radix: 36) }
    let file = KeyFile(Array(numbers.map { "[\($0)]\n\($0)=\($0)\n" }.joined().utf8))
    #expect(file.groups.count == 20_000)
    #expect(file.value("ffj", "ffj") == "ffj")
    #expect(file.keys.count == 20_000)
  }
}
