import Testing
import ThemedSystem

@testable import ThemeSetup

/// Files of TOML, as far as a scheme needs them.
@Suite struct TOMLTests {
  private func read(_ text: String) throws -> [SchemeFile.Member] { try SchemeFile(toml: Array(text.utf8)).members }

  private func text(_ name: Text, _ line: Int, _ text: Text) -> SchemeFile.Member {
    SchemeFile.Member(name: name, line: line, value: .text(text))
  }

  @Test("Texts lie below the names of their tables, however these are written")
  func tables() throws {
    for file in [
      "# x\n[a.b]#\nc='1'\nd=\"2\"", "\n[ a . \"b\" ]\nc = '1' # y\nd =\t'2'\n", "\na.b.c='1'\r\na.'b'.d='2'\r\n",
      "[z]\na={b={c='1',\nd='2'}}\n",
    ] {
      var members = try read(file)
      for name in ["z", "a", "b"] as [Text] where members.map(\.name) == [name] {
        if case .members(let inner)? = members.first?.value { members = inner }
      }
      #expect(members.map(\.name) == ["c", "d"] && members.map(\.value) == [.text("1"), .text("2")], "\(file)")
    }
    let inner = SchemeFile.Member(name: "b", line: 2, value: .members([text("c", 2, "1"), text("d", 3, "2")]))
    #expect(
      try read("\na.b={c='1',\nd='2',}\n") == [SchemeFile.Member(name: "a", line: 2, value: .members([inner]))])
  }

  @Test("What is no text is seen, of a list its texts, and lists of tables are passed over")
  func others() throws {
    let file = """
      n=1_000 # c
      d=1979-05-27 07:32:00Z
      l=[ 'a', [1, 2], {x = 'y', z=[]}, # ]
        "]" ]
      t=true
      [[k]]
      a='1'
      [[k]]
      a='2'
      [k.b]
      a='2'
      [[k]]
      [k.b]
      a='2'
      [z]
      s='3'
      """
    let members = try read(file)
    #expect(members.map(\.name) == ["n", "d", "l", "t", "z"])
    #expect(members.map(\.line) == [1, 2, 3, 5, 16])
    #expect(
      members.prefix(4).map(\.value) == [
        .other, .other, .list([.text("a"), .list([.other, .other]), .other, .text("]")]), .other,
      ])
  }

  @Test("A text is what TOML says that it is")
  func strings() throws {
    let long = "\"\"\""
    for (written, meant) in [
      (#""a\tb\\\"\u00e9\U0001F600""#, "a\tb\\\"\u{E9}\u{1F600}"), (#"'a\tb"'"#, #"a\tb""#), ("\"\"", ""), ("''", ""),
      (long + "\na\n\"b\" \\\n   c\"" + long, "a\n\"b\" c\""), ("'''\r\na\\'b''c'''", "a\\'b''c"), (long + long, ""),
    ] {
      #expect(try read("x=\(written)\n").map(\.value) == [.text(Text(meant))], "\(written)")
    }
  }

  @Test("A file that is none says why, and on which line")
  func refusals() {
    for (text, refusal) in [
      ("a", "line 1: invalid TOML: expected '=' after the name"),
      ("\na='b", "line 2: invalid TOML: missing closing quote"),
      ("a='b\n'", "line 1: invalid TOML: missing closing quote"),
      ("a='''b\n\n", "line 1: invalid TOML: missing closing quote"),
      ("a=\"\\q\"", "line 1: invalid TOML: unknown escape after a backslash"),
      ("a=\"\\uD800\"", "line 1: invalid TOML: invalid character number after a backslash"),
      ("a='\u{1B}'", "line 1: invalid TOML: control characters are not allowed"),
      ("a=\n", "line 1: invalid TOML: expected a value"),
      ("a='b' c", "line 1: invalid TOML: unexpected text at the end of the line"),
      ("[a\nb='c'", "line 1: invalid TOML: expected ']' after the table's name"),
      ("[[a]\n", "line 1: invalid TOML: expected ']' after the table's name"),
      ("\n\n= 1", "line 3: invalid TOML: expected a name of letters, digits, '-' and '_', or a quoted one"),
      ("a='1'\nb='2'\na='3'", "line 3: 'a' is already set above"),
      ("a='1'\n[a]\nb='2'", "line 3: 'a' is already set above"),
      ("a=[1", "line 1: invalid TOML: expected ',' or ']' in the list"),
      ("a={b=1", "line 1: invalid TOML: expected ',' or '}' in the table"),
    ] {
      #expect(self.refusal(of: text) == refusal, "\(text.debugDescription)")
    }
    #expect(throws: SchemeFile.Problem(text: "the file is not UTF-8 text", kind: .otherFormat)) {
      try SchemeFile(toml: [0x61, 0xFF])
    }
  }

  private func refusal(of text: String) -> String? {
    do throws(SchemeFile.Problem) {
      _ = try SchemeFile(toml: Array(text.utf8))
      return nil
    } catch { return error.description }
  }

  @Test("A text that would keep a reader busy for ever is given up", .timeLimit(.minutes(10)))
  func bomb() {
    for deep in ["[", "{a=", "[a.", "'", "\"\"\"", "[["] {
      let text = String(repeating: deep, count: 60_000 / deep.utf8.count)
      #expect(refusal(of: text) != nil, "\(deep)")
      #expect(refusal(of: "a=" + text) != nil, "\(deep)")
    }
    #expect(refusal(of: "a=[" + String(repeating: "1,", count: 30_000) + "]")?.contains("4096 values") == true)
    #expect(refusal(of: "a" + String(repeating: ".a", count: 32) + "=1")?.contains("32 levels of ") == true)
    #expect(refusal(of: String(repeating: "a", count: 300) + "=1")?.contains("longer than 255") == true)
  }
}
