import Testing
import ThemedSystem

@Suite("Foreign text")
struct TextTests {
  @Test("Names that differ in bytes differ, though a person sees one")
  func bytes() {
    let composed: Text = "caf\u{E9}"
    let decomposed: Text = "cafe\u{301}"
    #expect(composed.string == decomposed.string)
    #expect(composed != decomposed)
    #expect(Set([composed, decomposed]).count == 2)
    #expect([decomposed: 1][composed] == nil)
    #expect(decomposed < composed)
  }

  @Test(
    "A text is made of UTF-8 alone, which may say itself that something was replaced",
    arguments: [
      ([], true), ([0x61], true), ([0xEF, 0xBF, 0xBD], true), ([0x61, 0xC3, 0xA9], true), ([0xEF, 0xBB, 0xBF], true),
      ([0], true), ([0xFF], false), ([0xEF, 0xBF], false), ([0x61, 0xC3], false), ([0xC0, 0x80], false),
      ([0xED, 0xA0, 0x80], false), ([0xEF, 0xBF, 0xBD, 0xFF], false),
    ] as [([UInt8], Bool)])
  func validating(bytes: [UInt8], isText: Bool) {
    for text in [Text(validating: bytes), Text(validating: bytes[...]), Text(validating: bytes.lazy.map { $0 })] {
      #expect((text != nil) == isText)
      if let text { #expect(Array(text.utf8) == bytes) }
    }
    // Long enough not to lie within the string itself.
    let long = Array("0123456789abcdef".utf8) + bytes
    #expect((Text(validating: long) != nil) == isText)
  }

  @Test("A part is found wherever it stands whole, and nowhere else")
  func holding() {
    let text: Text = "aab;\u{301}c"
    for part: Text in ["", "aab", "ab", ";", "\u{301}c", "aab;\u{301}c"] { #expect(text.holds(part), "\(part)") }
    for part: Text in ["aaab", "b;c", "c;", "aab;\u{301}cc"] { #expect(!text.holds(part), "\(part)") }
    #expect(Array("xaaby".utf8)[1...].holds("aab".utf8) && ![UInt8]().holds("a".utf8))
  }

  @Test("The parts of a text are not swallowed by what is combined with a separator")
  func parts() {
    let text: Text = "a;\u{301}b;\u{200D}c"
    #expect(text.split(";") == ["a", "\u{301}b", "\u{200D}c"])
    #expect(text.contains(";"))
    #expect(Text("a\r\nb").split("\n") == ["a\r", "b"])
    #expect(Text("path=\u{301}x").dropping(prefix: "path=") == "\u{301}x")
    #expect(Text("x.theme\u{301}").hasSuffix(".theme") == false)
    #expect(Text("::a").split(":") == ["", "", "a"])
    #expect(Text("::a").split(":", omittingEmpty: true) == ["a"])
    #expect(Text("a=b=c").split("=", maxSplits: 1) == ["a", "b=c"])
    #expect(Text("/a/b\u{301}/c").splitAtLast("/").map { [$0, $1] } == ["/a/b\u{301}", "c"])
    #expect(Text("abc").splitAtLast("/") == nil)
  }

  @Test("A prefix of some bytes ends with a whole scalar")
  func prefix() {
    #expect(Text("aé").prefix(2) == "a")
    #expect(Text("aé").prefix(3) == "aé")
    #expect(Text("é").prefix(1) == "")
    #expect(Text("").prefix(0) == "")
  }

  @Test("What a shell would take for its own is quoted, whatever is combined with it")
  func shell() {
    #expect(Text("x'\u{301}; touch pwned #").quotedForShell.utf8.elementsEqual(#"'x'\''\#u{301}; touch pwned #'"#.utf8))
    #expect(Text("").quotedForShell == "''")
  }

  @Test("What orders a terminal, turns the direction or breaks the line is not shown")
  func shown() {
    #expect(Text("a\u{1B}[31mb").shown() == "a?[31mb")
    #expect(Text("a\u{202E}b\u{2028}c\u{85}d\u{AD}").shown() == "a?b?c?d?")
    #expect(Text("می\u{200C}خواهم").shown() == "می\u{200C}خواهم")
    #expect(Text("abcdef").shown(atMost: 3) == "abc…")
    #expect(Text("abc").shown(atMost: 3) == "abc")
  }
}
