import Testing
import ThemedSystem
import ThemedTestSupport
import ThemedVarlink

/// What the reader takes and refuses; strictly RFC 8259, and then some.
@Suite struct JSONReaderTests {
  @Test(
    "It reads what RFC 8259 calls JSON",
    arguments: [
      ("null", .null), ("true", .bool(true)), ("false", .bool(false)), (" \t\r\n1 \n", .integer(1)),
      ("0", .integer(0)), ("-0", .integer(0)), ("-1", .integer(-1)), ("0.0", .number(0)), ("-0.0", .number(-0.0)),
      ("1.0", .number(1)), ("1e2", .number(100)), ("1E+2", .number(100)), ("25e-1", .number(2.5)),
      ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
      ("9223372036854775808", .number(9_223_372_036_854_775_808)), ("1e308", .number(1e308)),
      ("1e-999", .number(0)), ("4.9e-324", .number(.leastNonzeroMagnitude)),
      ("\"\"", .string("")), (#""a/b\/c""#, .string("a/b/c")), (#""\"\\\b\f\n\r\t""#, .string("\"\\\u{8}\u{C}\n\r\t")),
      (#""\u0041\u00e9\u00E9\u20aC""#, .string("Aéé€")), (#""\ud83d\ude00\uD83D\uDE00""#, .string("😀😀")),
      (#""\u0000""#, .string("\0")), ("\"\u{7F}\u{80}\u{FFFF}\u{10FFFF}\"", .string("\u{7F}\u{80}\u{FFFF}\u{10FFFF}")),
      ("[]", .array([])), ("[ ]", .array([])), ("[1 ,\n2]", .array([.integer(1), .integer(2)])),
      ("{}", .object([:])), ("{ }", .object([:])),
      (#"{ "a" : { "b" : [ null ] } }"#, .object(["a": .object(["b": .array([.null])])])),
      (#"{"a":1,"A":2,"":3}"#, .object(["a": .integer(1), "A": .integer(2), "": .integer(3)])),
    ] as [(String, JSON)])
  func accepts(text: String, value: JSON) throws {
    #expect(try JSON(parsing: Array(text.utf8)) == value)
  }

  @Test(
    "It refuses what is not JSON",
    arguments: [
      "", " ", "nul", "nulll", "True", "truefalse", "NaN", "Infinity", "undefined", "'a'", "a",
      "1 2", "{}{}", "[]]", "null,", "1;",
      "01", "-01", "00", "+1", "-", "- 1", ".5", "-.5", "1.", "1.e1", "1e", "1e+", "1e1.5", "0x10", "1_000", "1e999",
      "-1e999", "--1",
      "\"", "\"a", "\"\\\"", "\"\\", #""\x""#, #""\'""#, #""\U0041""#, #""\u""#, #""\u12""#, #""\u123g""#, #""\u-123""#,
      #""\u+123""#, #""\u 123""#, "\"\n\"", "\"\t\"", "\"\u{1F}\"", "\"\0\"", "\"\\\n\"",
      #""\ud800""#, #""\udc00""#, #""\ud800\ud800""#, #""\ud800x""#, #""\ud800\n""#, #""\ud800\u0041""#,
      #""\udc00\ud800""#,
      "[", "]", "[1", "[1,", "[1,]", "[,1]", "[1 2]", "[1}", "{", "}", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,",
      "{\"a\":1,}", "{,}", "{\"a\" 1}", "{\"a\":1 \"b\":2}", "{a:1}", "{1:1}", "{\"a\":}", "{\"a\":1]", "{null:1}",
      "// a comment\n1", "/**/1", "1#", "\u{FEFF}1", "\u{A0}1", "\u{B}1", "\u{C}1", "1\0", "\0",
    ])
  func refuses(text: String) {
    #expect(throws: JSONError.self) { try JSON(parsing: Array(text.utf8)) }
  }

  @Test("Of the objects within the text's own it makes values of those members alone that are wanted")
  func keeping() throws {
    let text = #"""
      {"parameters": {"b": {"a": 1, "x": [2, {"y": "\u00e9\""}]}, "a": [true, {"b": null}], "c": -1.5e3, "d": {}}, "x": [1],
      "y": {"z": "z", "b": false}}
      """#
    let bytes = Array(text.utf8)
    let kept: JSON = .object([
      "parameters": .object([
        "b": .object(["a": .integer(1), "x": .array([.integer(2), .object(["y": .string("é\"")])])])
      ]),
      "x": .array([.integer(1)]), "y": .object(["b": .bool(false)]),
    ])
    #expect(try JSON(parsing: bytes, in: bytes.indices, keeping: .only(["b"])) == kept)
    #expect(try JSON(parsing: bytes, in: bytes.indices, keeping: .all) == JSON(parsing: bytes))
    let list = Array(#"[{"a":1,"b":{"c":2}}]"#.utf8)
    #expect(try JSON(parsing: list, in: list.indices, keeping: .only(["b"])) == JSON(parsing: list))
    // Neither looked at nor made: what is no UTF-8, a name that stands twice, a number that is too large.
    let passedOver = Array(#"{"p":{"x":""#.utf8) + [0xC3] + Array(#"","y":{"a":1,"a":1e999}}}"#.utf8)
    #expect(throws: JSONError.self) { try JSON(parsing: passedOver) }
    #expect(try JSON(parsing: passedOver, in: passedOver.indices, keeping: .only([])) == .object(["p": .object([:])]))
  }

  @Test(
    "What it passes over has to be JSON all the same",
    arguments: [
      "[1,]", "{\"a\" 1}", "{1:1}", "01", "1.", "nul", "\"a", "\"\n\"", #""\x""#, #""\ud800""#, "", "[", "{\"a\":1",
      "]",
      String(repeating: "[", count: JSON.maximumDepth) + String(repeating: "]", count: JSON.maximumDepth),
    ])
  func passedOver(value: String) {
    let bytes = Array(#"{"p":{"x":\#(value)}}"#.utf8)
    #expect(throws: JSONError.self) { try JSON(parsing: bytes, in: bytes.indices, keeping: .only(["y"])) }
  }

  @Test(
    "It refuses what is not UTF-8",
    arguments: [
      [0x80], [0xBF], [0xC0, 0x80], [0xC0, 0xAF], [0xC1, 0xBF], [0xC3], [0xC3, 0x28], [0xE2, 0x82], [0xE2, 0x28, 0xA1],
      [0xE0, 0x80, 0xAF], [0xE0, 0x9F, 0xBF], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF],
      [0xED, 0xA0, 0x80, 0xED, 0xB0, 0x80],
      [0xF0, 0x80, 0x80, 0xAF], [0xF0, 0x8F, 0xBF, 0xBF], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80],
      [0xF8, 0x88, 0x80, 0x80, 0x80], [0xFE], [0xFF], [0xF0, 0x9F, 0x98],
    ] as [[UInt8]])
  func refusesInvalidUTF8(bytes: [UInt8]) {
    let quote = UInt8(ascii: "\"")
    let strings = [
      bytes, Array("a".utf8) + bytes + Array("z".utf8), bytes + Array("\\n".utf8), Array("\\n".utf8) + bytes,
    ]
    for string in strings {
      #expect(throws: JSONError.self) { try JSON(parsing: [quote] + string + [quote]) }
      #expect(throws: JSONError.self) { try JSON(parsing: Array("{\"".utf8) + string + Array("\":1}".utf8)) }
    }
    #expect(throws: JSONError.self) { try JSON(parsing: bytes + Array("1".utf8)) }
    #expect(throws: JSONError.self) { try JSON(parsing: Array("1".utf8) + bytes) }
  }

  @Test(
    "A member's name may not stand twice, however it is written",
    arguments: [
      #"{"a":1,"a":1}"#, #"{"a":1,"b":2,"a":3}"#, #"{"a":1,"\u0061":2}"#, #"{"":1,"":2}"#, #"{"x":{"a":1,"a":2}}"#,
      #"[{"a":1,"a":2}]"#, #"{"/":1,"\/":2}"#,
    ])
  func duplicateNames(text: String) {
    #expect(throws: JSONError.self) { try JSON(parsing: Array(text.utf8)) }
  }

  @Test("A name that stands twice is found among many, wherever the two stand", arguments: [15, 16, 17, 18, 40])
  func duplicateNamesAmongMany(count: Int) throws {
    let names = (0..<count).map { "name\($0)" }
    func text(_ names: [String]) -> [UInt8] {
      Array(("{" + names.map { "\"\($0)\":0" }.joined(separator: ",") + "}").utf8)
    }
    #expect(try JSON(parsing: text(names)).members?.count == count)
    for (index, name) in names.enumerated() {
      for place in (index + 1)...count {
        var names = names
        names.insert(name, at: place)
        #expect(throws: JSONError.self) { try JSON(parsing: text(names)) }
      }
    }
  }

  @Test("Two names that differ in bytes are two, though Unicode holds them to be the same")
  func equivalentNames() throws {
    guard case .object(let object) = try JSON(parsing: Array("{\"\u{E9}\":1,\"e\u{301}\":2}".utf8)) else {
      Issue.record("no object")
      return
    }
    #expect(object["\u{E9}"] == .integer(1))
    #expect(object["e\u{301}"] == .integer(2))
  }

  @Test("Nesting is bounded")
  func depth() throws {
    func nested(_ depth: Int, _ open: String, _ close: String) -> [UInt8] {
      Array((String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)).utf8)
    }
    for (open, close) in [("[", "]"), ("{\"a\":", "}"), ("[{\"a\":", "}]")] {
      let step = open.count > 5 ? 2 : 1
      #expect(throws: Never.self) { try JSON(parsing: nested(JSON.maximumDepth / step, open, close)) }
      #expect(throws: JSONError.self) { try JSON(parsing: nested(JSON.maximumDepth / step + 1, open, close)) }
      #expect(throws: JSONError.self) { try JSON(parsing: nested(100_000, open, close)) }
    }
    let siblings = "[" + Array(repeating: "[[]]", count: 100).joined(separator: ",") + "]"
    #expect(throws: Never.self, "depth counts what is open") { try JSON(parsing: Array(siblings.utf8)) }
  }

  @Test("An error tells the byte at which reading stopped, counted from the start of the message")
  func offsets() {
    let bytes = Array("xx{\"a\":tru}yy".utf8)
    func failure(_ range: Range<Int>) -> String? {
      do { _ = try JSON(parsing: bytes, in: range) } catch { return error.description }
      return nil
    }
    #expect(failure(2..<11) == "expected a value at byte 5")
    #expect(failure(0..<3) == "expected a value at byte 0")
    #expect(failure(2..<3) == "expected a member's name at byte 1")
  }

  @Test("It reads nothing beyond its range")
  func range() throws {
    let bytes = Array("[12345]".utf8)
    #expect(try JSON(parsing: bytes, in: 1..<3) == .integer(12))
    #expect(try JSON(parsing: bytes, in: 3..<6) == .integer(345))
    #expect(throws: JSONError.self) { try JSON(parsing: bytes, in: 1..<1) }
    for text in ["true", "\"a\"", "\"\\u0041\"", "[1]", "{\"a\":1}", "\"\\ud83d\\ude00\"", "null", "\"é\""] {
      let bytes = Array(text.utf8)
      for end in 0..<bytes.count {
        #expect(throws: JSONError.self, "\(text) cut at \(end)") { try JSON(parsing: bytes, in: 0..<end) }
      }
    }
  }

  @Test("Whatever the bytes, it reads or refuses, and what it reads it writes and reads again")
  func mutations() throws {
    var random = SeededGenerator()
    let seeds = [
      #"{"method":"org.themed.theme.SetOverride","parameters":{"override":{"scheme":"dark"}},"more":true}"#,
      #"{"a":[1,-2.5e3,"\u00e9\ud83d\ude00\n"],"b":{"c":null,"d":false},"é":"😀"}"#,
    ]
    for _ in 0..<20_000 {
      var bytes = Array(seeds.randomElement(using: &random)?.utf8 ?? "".utf8)
      for _ in 0..<Int.random(in: 1...4, using: &random) { bytes.mutate(using: &random) }
      guard let value = try? JSON(parsing: bytes) else { continue }
      #expect(try JSON(parsing: value.bytes) == value, "\(random)")
    }
  }
}

extension JSON {
  var members: [Object.Member]? {
    guard case .object(let object) = self else { return nil }
    return object.members
  }
}

extension [UInt8] {
  fileprivate mutating func mutate(using random: inout SeededGenerator) {
    guard let index = indices.randomElement(using: &random) else { return append(UInt8(ascii: "1")) }
    switch Int.random(in: 0..<4, using: &random) {
    case 0: self[index] = UInt8.random(in: 0...255, using: &random)
    case 1: remove(at: index)
    case 2: insert(Array(#"{}[]",:\eE+-.0u"#.utf8).randomElement(using: &random) ?? 0, at: index)
    default: swapAt(index, Int.random(in: 0..<count, using: &random))
    }
  }
}
