import Testing
import ThemedSystem
import ThemedVarlink

/// Parameters are read strictly, where that is not said otherwise, and every error names one.
@Suite struct ParametersTests {
  @Test("What is read tolerantly is without what is unknown or wrong, and lacks only what has to be there")
  func tolerant() throws {
    let object: JSON.Object = [
      "word": .word("three"), "other": .word("three"), "text": .integer(1), "flag": .word("x"), "number": .bool(true),
      "integer": .number(0.5), "list": .array([.word("a"), .null, .word("b")]), "map": .array([]),
      "structures": .array([.object(["x": .integer(1)]), .object([:]), .word("x")]),
      "entries": .object(["a": .word("b"), "c": .integer(1)]), "structure": .object(["x": .word("y"), "z": .null]),
    ]
    var parameters = Parameters(object, isTolerant: true)
    #expect(try parameters.word("word", of: Word.self) == nil)
    #expect(try parameters.word("other", unknown: Word.no) == .no)
    #expect(try parameters.string("text") == nil)
    #expect(try parameters.bool("flag") == nil)
    #expect(try parameters.number("number") == nil)
    #expect(try parameters.integer("integer") == nil)
    #expect(try parameters.strings("list") == ["a", "b"])
    #expect(try parameters.map("map") { $0 } == nil)
    #expect(try parameters.map("entries") { $0 } == ["a": "b"])
    func required(_ parameters: Parameters) throws(VarlinkError) -> Int64 {
      var parameters = parameters
      return try parameters.require(parameters.integer("x"), "x")
    }
    #expect(try parameters.structures("structures", required) == [1])
    #expect(try parameters.structure("structure", required) == nil)
    #expect(throws: Never.self) { try Parameters(object, isTolerant: true).finish() }
    #expect(throws: VarlinkError.invalidParameter("x")) { try required(parameters) }
  }

  @Test("What is read strictly has no unknown word, wrong entry or wrong element")
  func strict() {
    let object: JSON.Object = [
      "word": .word("three"), "list": .array([.word("a"), .null]), "map": .object(["c": .integer(1)]),
      "structures": .array([.word("x")]), "structure": .object([:]),
    ]
    func expectRefusal(_ name: String, _ read: (inout Parameters) throws -> Void) {
      var parameters = Parameters(object)
      #expect(throws: VarlinkError.invalidParameter(name)) { try read(&parameters) }
    }
    expectRefusal("word") { _ = try $0.word("word", unknown: Word.no) }
    expectRefusal("list") { _ = try $0.strings("list") }
    expectRefusal("map") { _ = try $0.map("map") { $0 } }
    expectRefusal("structures") { _ = try $0.structures("structures") { _ in 1 } }
    expectRefusal("y") { _ = try $0.structure("structure") { _ throws(VarlinkError) in throw .invalidParameter("y") } }
  }

  @Test func `a word is one byte for byte, and no other spelling of the same letters`() {
    // As a String, the sign of Kelvin is the letter.
    enum Unit: String, CaseIterable { case kelvin = "K" }
    #expect(Unit(rawValue: "\u{212A}") == .kelvin && Unit(word: "\u{212A}") == nil && Unit(word: "K") == .kelvin)
    #expect(Word(word: "yes") == .yes)
    for text: Text in ["yes\u{301}", "Yes", "yes ", "yes\0", ""] { #expect(Word(word: text) == nil) }
  }

  private enum Word: String, CaseIterable { case yes, no }

  @Test("Values of the right type are read")
  func values() throws {
    var parameters = Parameters([
      "string": .string("a"), "bool": .bool(false), "integer": .integer(7), "number": .number(0.5),
      "whole": .integer(1), "word": .string("yes"), "structure": .object(["inner": .integer(1)]),
    ])
    #expect(try parameters.string("string") == "a")
    #expect(try parameters.bool("bool") == false)
    #expect(try parameters.integer("integer") == 7)
    #expect(try parameters.number("number") == 0.5)
    #expect(try parameters.number("whole") == 1)
    #expect(try parameters.word("word", of: Word.self) == .yes)
    var structure = try #require(try parameters.structure("structure"))
    #expect(try structure.integer("inner") == 1)
    #expect(throws: Never.self) { try structure.finish() }
    #expect(throws: Never.self) { try parameters.finish() }
  }

  @Test("Absent and null are the same", arguments: [[:], ["x": .null]] as [JSON.Object])
  func absent(object: JSON.Object) throws {
    var parameters = Parameters(object)
    #expect(try parameters.string("x") == nil)
    #expect(try parameters.bool("x") == nil)
    #expect(try parameters.integer("x") == nil)
    #expect(try parameters.number("x") == nil)
    #expect(try parameters.word("x", of: Word.self) == nil)
    #expect(try parameters.structure("x") == nil)
    #expect(parameters.value("x") == nil)
    #expect(throws: Never.self) { try parameters.finish() }
    #expect(throws: VarlinkError.invalidParameter("x")) { try parameters.require(parameters.string("x"), "x") }
  }

  @Test("A value of the wrong type is refused by its name")
  func wrongTypes() {
    func expectRefusal(_ value: JSON, _ read: (inout Parameters) throws(VarlinkError) -> Void) {
      #expect(throws: VarlinkError.invalidParameter("x"), "\(value)") {
        var parameters = Parameters(["x": value])
        try read(&parameters)
      }
    }
    for value in [JSON.bool(true), .integer(1), .array([]), .object([:])] {
      expectRefusal(value) { (parameters) throws(VarlinkError) in _ = try parameters.string("x") }
    }
    for value in [JSON.string("true"), .integer(1)] {
      expectRefusal(value) { (parameters) throws(VarlinkError) in _ = try parameters.bool("x") }
    }
    for value in [JSON.number(1), .string("1"), .bool(true)] {
      expectRefusal(value) { (parameters) throws(VarlinkError) in _ = try parameters.integer("x") }
    }
    for value in [JSON.string("1"), .bool(true), .array([])] {
      expectRefusal(value) { (parameters) throws(VarlinkError) in _ = try parameters.number("x") }
    }
    for value in [JSON.string("maybe"), .string("Yes"), .string(""), .bool(true)] {
      expectRefusal(value) { (parameters) throws(VarlinkError) in _ = try parameters.word("x", of: Word.self) }
    }
    for value in [JSON.string("{}"), .array([])] {
      expectRefusal(value) { (parameters) throws(VarlinkError) in _ = try parameters.structure("x") }
    }
  }

  @Test("What nobody asked for is refused, a null too, since its name is not known")
  func unknown() throws {
    for value in [JSON.integer(1), .null] {
      var parameters = Parameters(["known": .integer(1), "unknown": value])
      _ = try parameters.integer("known")
      #expect(throws: VarlinkError.invalidParameter("unknown")) { try parameters.finish() }
    }
  }

  @Test("A parameter within a structure is named with the path to it")
  func paths() throws {
    var outer = Parameters(["a": .object(["b": .object(["c": .integer(1)])])])
    var middle = try #require(try outer.structure("a"))
    var inner = try #require(try middle.structure("b"))
    #expect(throws: VarlinkError.invalidParameter("a.b.c")) { try inner.finish() }
    #expect(throws: VarlinkError.invalidParameter("a.b.c")) { _ = try inner.string("c") }
    #expect(throws: VarlinkError.invalidParameter("a.b.d")) { _ = try inner.require(inner.string("d"), "d") }
    let long = Text(String(repeating: "x", count: 100))
    let wrong = JSON.object(["c": .integer(1)])
    var lists = Parameters(["list": .array([wrong]), "map": .object([long: wrong])])
    func read(_ element: Parameters) throws(VarlinkError) { try element.finish() }
    #expect(throws: VarlinkError.invalidParameter("list.c")) { try lists.structures("list", read) }
    #expect(throws: VarlinkError.invalidParameter("map.\(long.shown(atMost: 64)).c")) {
      try lists.structuresByName("map", read)
    }
  }

  @Test("A peer's name in an error is short and without control characters")
  func hostileNames() {
    let hostile = Parameters(["\u{1B}[31m\n\(String(repeating: "x", count: 100))": .null])
    #expect(throws: VarlinkError.invalidParameter("?[31m?" + String(repeating: "x", count: 58) + "…")) {
      try hostile.finish()
    }
    #expect(throws: VarlinkError.invalidParameter("a?b?c?é😀")) {
      try Parameters(["a\u{202E}b\u{2028}c\u{200B}é😀": .null]).finish()
    }
  }
}
