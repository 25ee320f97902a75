import Foundation
import Testing
import ThemedInterface

/// The interface is frozen: what clients were written for, the daemon of every later version says and takes.
@Suite struct FrozenInterfaceTests {
  private static let path = #filePath.components(separatedBy: "/Tests/")[0] + "/docs/org.themed.theme.varlink"

  /// `make interface` has the copy written anew.
  @Test("The interface breaks nobody who was written for its frozen copy")
  func frozen() throws {
    let text = try #require(ThemeInterface.interfaces.first { $0.name == ThemeInterface.name }?.description)
    if ProcessInfo.processInfo.environment["THEMED_WRITE_INTERFACE"] != nil {
      try text.write(toFile: Self.path, atomically: true, encoding: .utf8)
    }
    let copy = try InterfaceText(parsing: try Data(contentsOf: URL(fileURLWithPath: Self.path)))
    #expect(!copy.methods.isEmpty && !copy.types.isEmpty && !copy.errors.isEmpty)
    for sentence in copy.breaks(in: try InterfaceText(parsing: text.utf8)) { Issue.record("\(sentence)") }
  }

  // MARK: What breaks, and what does not

  private static let before = """
    # An example.
    interface org.example.more-or-less

    type Word (one, two)
    type Wish (loud, silent)
    type Inner (word: Word, deep: [](words: ?[string]Word, kind: (red, green)))
    type Input (wish: ?Wish, size: (small, large))
    method Ask(app: ?string, input: Input) -> (inner: Inner, count: int, note: ?string)
    method Tell(what: string) -> ()
    error Full (maximum: int, why: ?string)
    error Empty ()
    """

  /// The example with one text in the place of another, which has to stand in it.
  private func breaks(_ old: String, _ new: String) throws -> [String] {
    try #require(Self.before.contains(old))
    let later = try InterfaceText(parsing: Self.before.replacingOccurrences(of: old, with: new).utf8)
    return try InterfaceText(parsing: Self.before.utf8).breaks(in: later)
  }

  @Test(
    "What breaks somebody is found, and said",
    arguments: [
      (
        "org.example.more-or-less", "org.example.less",
        "the interface 'org.example.more-or-less' is called 'org.example.less'"
      ),
      ("Wish", "Will", "type Wish is gone"),
      ("method Tell(what: string) -> ()", "", "method Tell is gone"),
      ("method Tell", "method Say", "method Tell is gone"),
      ("error Empty ()", "", "error Empty is gone"),
      ("error Empty", "error None", "error Empty is gone"),
      ("(one, two)", "(one)", "type Word: the word 'two' is gone"),
      ("(one, two)", "(one, too)", "type Word: the word 'two' is gone"),
      ("(one, two)", "(one, two, three)", "type Word: the word 'three' is new to those who hear it"),
      (
        "(red, green)", "(red, green, blue)",
        "type Inner: the field 'deep': the field 'kind': the word 'blue' is new to those who hear it"
      ),
      ("(one, two)", "(one: int)", "type Word is of another type"),
      ("(loud, silent)", "(loud)", "type Wish: the word 'silent' is gone"),
      ("(small, large)", "(small)", "type Input: the field 'size': the word 'large' is gone"),
      ("word: Word, ", "", "type Inner: the field 'word' is gone"),
      ("word: Word", "wort: Word", "type Inner: the field 'word' is gone"),
      ("word: Word", "word: Wish", "type Inner: the field 'word' is of another type"),
      ("word: Word", "word: ?Word", "type Inner: the field 'word' has become nullable"),
      ("word: Word", "word: Word, next: int", "type Inner: the new field 'next' is not nullable"),
      ("[](words", "[string](words", "type Inner: the field 'deep' is of another type"),
      ("?[string]Word", "?[]Word", "type Inner: the field 'deep': the field 'words' is of another type"),
      ("?[string]Word", "[string]Word", "type Inner: the field 'deep': the field 'words' is not nullable any more"),
      ("wish: ?Wish", "wish: Wish", "type Input: the field 'wish' is not nullable any more"),
      ("(app: ?string, ", "(", "method Ask, into it: the field 'app' is gone"),
      ("(app: ?string", "(app: ?int", "method Ask, into it: the field 'app' is of another type"),
      ("(app: ?string", "(app: string", "method Ask, into it: the field 'app' is not nullable any more"),
      ("(what: string)", "(what: ?string)", "method Tell, into it: the field 'what' has become nullable"),
      ("(what: string)", "(what: string, to: int)", "method Tell, into it: the new field 'to' is not nullable"),
      ("count: int, ", "", "method Ask, out of it: the field 'count' is gone"),
      ("count: int", "count: float", "method Ask, out of it: the field 'count' is of another type"),
      ("count: int", "count: ?int", "method Ask, out of it: the field 'count' has become nullable"),
      ("note: ?string", "note: string", "method Ask, out of it: the field 'note' is not nullable any more"),
      ("-> ()", "-> (done: bool)", "method Tell, out of it: the new field 'done' is not nullable"),
      ("(maximum: int", "(limit: int", "error Full: the field 'maximum' is gone"),
      ("(maximum: int", "(maximum: string", "error Full: the field 'maximum' is of another type"),
      ("why: ?string", "why: string", "error Full: the field 'why' is not nullable any more"),
      ("error Empty ()", "error Empty (why: ?string)", "error Empty has a new field 'why'"),
      ("error Empty ()", "error Empty (why: string)", "error Empty: the new field 'why' is not nullable"),
    ])
  func found(_ old: String, _ new: String, _ sentence: String) throws {
    let breaks = try breaks(old, new)
    #expect(breaks.contains(sentence), "\(breaks)")
  }

  @Test(
    "What may be added, and what says the same, breaks nobody",
    arguments: [
      ("# An example.", "# Another example.\n\n# Of two comments."),
      ("(one, two)", "( one ,\n# first\ntwo\t)"), ("(one, two)", "(two, one)"),
      ("(word: Word, deep", "(later: ?Word, word: Word, deep"),
      ("kind: (red, green)", "kind: (red, green), tone: ?(a, b)"),
      ("(loud, silent)", "(loud, silent, whispered)"), ("(small, large)", "(small, medium, large)"),
      ("wish: ?Wish,", "wish: ?Wish, until: ?int,"), ("(app: ?string,", "(app: ?string, more: ?[]string,"),
      ("(what: string)", "(to: ?Wish, what: string)"), ("-> ()", "-> (saved: ?bool)"),
      ("note: ?string)", "note: ?string, more: ?Inner)"),
      ("error Empty ()", "error Empty ()\nerror Late (by: int)"),
      ("type Wish", "type Extra (a: int, b: (c, d))\ntype Wish"),
      ("method Tell", "method Follow(extra: int) -> (extra: Inner)\nmethod Tell"),
      ("error Full (maximum: int, why: ?string)\nerror Empty ()", "error Empty()error Full(why:?string,maximum:int)"),
    ])
  func permitted(_ old: String, _ new: String) throws {
    #expect(try breaks(old, new) == [])
  }

  // MARK: The grammar

  @Test("The whole of a text is read")
  func whole() throws {
    let text = try InterfaceText(parsing: Self.before.utf8)
    #expect(text.name == "org.example.more-or-less")
    #expect(text.types.keys.sorted() == ["Inner", "Input", "Wish", "Word"])
    #expect(text.methods["Tell"] == .init(input: [.init(name: "what", shape: .plain("string"))], output: []))
    #expect(
      text.errors["Full"] == [
        .init(name: "maximum", shape: .plain("int")), .init(name: "why", shape: .nullable(.plain("string"))),
      ])
    let words = InterfaceText.Shape.structure([
      .init(name: "words", shape: .nullable(.map(.named("Word")))),
      .init(name: "kind", shape: .enumeration(["red", "green"])),
    ])
    #expect(
      text.types["Inner"]
        == .structure([.init(name: "word", shape: .named("Word")), .init(name: "deep", shape: .array(words))]))
  }

  @Test(
    "What is no text of an interface is refused",
    arguments: [
      ("", "line 1: it ends before 'interface'"), ("interface org", "line 1: 'org' is not the interface's name"),
      ("interface org..a", "line 1: 'org..a' is not the interface's name"),
      ("interface org.a-", "line 1: 'org.a-' is not the interface's name"),
      ("interface 1.a", "line 1: '1.a' is not the interface's name"),
      ("type A (a: int)", "line 1: 'type' is not 'interface'"),
      ("interface a.b\ntyp A ()", "line 2: 'typ' is not type, method or error"),
      ("interface a.b\n\ntype a ()", "line 3: 'a' is not a member's name"),
      ("interface a.b\ntype A_b ()", "line 2: 'A_b' is not a member's name"),
      ("interface a.b\ntype A (a)\nerror A ()", "line 2: there are two members 'A'"),
      ("interface a.b\ntype A (a: int, a: int)", "line 2: there are two fields 'a'"),
      ("interface a.b\ntype A (a, a)", "line 2: there are two fields 'a'"),
      ("interface a.b\ntype A (a, b: int)", "line 2: ':' is not ','"),
      ("interface a.b\ntype A (a: int, b)", "line 2: ')' is not ':'"),
      ("interface a.b\ntype A (a: int b: int)", "line 2: 'b' is not ','"),
      ("interface a.b\ntype A (a: int,)", "line 2: ')' is not a field's name"),
      ("interface a.b\ntype A (a__b: int)", "line 2: 'a__b' is not a field's name"),
      ("interface a.b\ntype A (a_: int)", "line 2: 'a_' is not a field's name"),
      ("interface a.b\ntype A (1: int)", "line 2: '1' is not a field's name"),
      ("interface a.b\ntype A (a: ??int)", "line 2: it is nullable twice"),
      ("interface a.b\ntype A (a: [int]int)", "line 2: 'int' is not ']'"),
      ("interface a.b\ntype A (a: integer)", "line 2: 'integer' is not a type"),
      ("interface a.b\ntype A (a: B)", "line 2: there is no type 'B'"),
      ("interface a.b\nmethod A() -> (a: B)", "line 2: there is no type 'B'"),
      ("interface a.b\nmethod A()", "line 2: it ends before '->'"),
      ("interface a.b\nmethod A() () ", "line 2: '(' is not '->'"),
      ("interface a.b\nmethod A(a, b) -> ()", "line 2: each field has a type"),
      ("interface a.b\nerror A (a)", "line 2: each field has a type"),
      ("interface a.b\ntype A (a: int", "line 2: it ends before ','"),
      ("interface a.b\ntype A (ä: int)", "line 2: the byte 195 means nothing"),
      ("interface a.b\ntype A {}", "line 2: the byte 123 means nothing"),
    ])
  func refused(_ text: String, _ mistake: String) throws {
    let thrown = #expect(throws: InterfaceText.Mistake.self) { try InterfaceText(parsing: text.utf8) }
    #expect(thrown?.description == mistake)
  }
}
