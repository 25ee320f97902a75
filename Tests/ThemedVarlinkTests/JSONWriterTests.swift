import Testing
import ThemedSystem
import ThemedVarlink

/// The exact bytes that are written.
@Suite struct JSONWriterTests {
  @Test(
    "It writes the shortest text",
    arguments: [
      (.null, "null"), (.bool(true), "true"), (.bool(false), "false"),
      (.integer(0), "0"), (.integer(.min), "-9223372036854775808"), (.integer(.max), "9223372036854775807"),
      (.number(1), "1.0"), (.number(0.1), "0.1"), (.number(1e22), "1e+22"), (.number(-0.0), "-0.0"),
      (.number(.leastNonzeroMagnitude), "5e-324"), (.number(.infinity), "null"), (.number(-.infinity), "null"),
      (.number(.nan), "null"),
      (.string(""), "\"\""), (.string("a/b"), "\"a/b\""), (.string("é😀"), "\"é😀\""),
      (.string("\"\\"), #""\"\\""#), (.string("\u{8}\u{C}\n\r\t"), #""\b\f\n\r\t""#),
      (.string("\0\u{1}\u{F}\u{10}\u{1F}\u{7F}"), "\"\\u0000\\u0001\\u000f\\u0010\\u001f\u{7F}\""),
      (.array([]), "[]"), (.array([.integer(1), .array([]), .null]), "[1,[],null]"),
      (.object([:]), "{}"), (.object(["b": .integer(1), "a": .object(["\n": .null])]), #"{"b":1,"a":{"\n":null}}"#),
    ] as [(JSON, String)])
  func writes(value: JSON, text: String) {
    #expect(value.text == text)
    #expect(value.bytes == Array(text.utf8))
  }

  @Test("Members whose value is nil are left out, and of a name that stands twice the last value holds")
  func literals() {
    let object: JSON.Object = ["a": nil, "b": .integer(1), "b": .integer(2), "c": .null]
    #expect(JSON.object(object).text == #"{"b":2,"c":null}"#)
  }

  @Test("A member is found, replaced in its place and removed by name")
  func members() {
    var object: JSON.Object = ["a": .integer(1), "b": .integer(2)]
    object["a"] = .null
    object["c"] = .bool(true)
    #expect(JSON.object(object).text == #"{"a":null,"b":2,"c":true}"#)
    object["b"] = nil
    object["z"] = nil
    #expect(object["b"] == nil)
    #expect(object["a"] == .null)
    #expect(JSON.object(object).text == #"{"a":null,"c":true}"#)
  }
}
