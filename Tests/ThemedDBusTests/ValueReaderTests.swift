import Testing
import ThemedSystem

@testable import ThemedDBus

@Suite("How much of a message is read")
struct ValueReaderTests {
  private func read(_ argument: Value, _ extent: Extent = .small) throws -> [Value] {
    let bytes = Message.bus("Test", [argument]).bytes(serial: 1)
    return try #require(Message(bytes)).arguments(extent)
  }

  @Test("A string ends where the extent does, with a whole character")
  func strings() throws {
    #expect(try read(.string("abc"), Extent(values: 1, text: 3)) == [.string("abc")])
    #expect(try read(.string("abcd"), Extent(values: 1, text: 3)) == [.string("abc")])
    #expect(try read(.string("aéé"), Extent(values: 1, text: 4)) == [.string("aé")])
    #expect(try read(.string("a\u{1F600}"), Extent(values: 1, text: 4)) == [.string("a")])
    let marks = Text(String(repeating: "\u{301}\u{323}", count: 230_000))
    guard case .string(let read)? = try read(.string(marks)).first else {
      Issue.record("no string")
      return
    }
    #expect(read.count == Extent.small.text)
  }

  @Test("Of an array of a million bytes some are read, and what follows it is found", arguments: [0, 3, 1_000_000])
  func arrays(count: Int) throws {
    let number = { (value: Int) in (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) } }
    let padding = [UInt8](repeating: 0, count: (4 - count % 4) % 4)
    let body = number(count) + [UInt8](repeating: 9, count: count) + padding + number(77)
    let values = try #require(Message(message(signature: "ayu", body: body))).arguments(Extent(values: 12, text: 10))
    let read = min(count, 11)
    #expect(values == [.array(Array(repeating: .byte(9), count: read))] + (read < 11 ? [.uint32(77)] : []))
  }

  @Test("Bytes that are no message are none")
  func nonsense() {
    #expect(Message([]) == nil)
    #expect(Message(Array(message(signature: "s", body: [1, 0, 0, 0, 255, 0]))) == nil)
    #expect(Message(Array(message(signature: "u", body: []))) == nil)
  }
}

/// A signal of the specification's format, little-endian, with this signature and body.
private func message(signature: String, body: [UInt8]) -> [UInt8] {
  func word(_ number: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) } }
  func padded(_ bytes: [UInt8]) -> [UInt8] { bytes + [UInt8](repeating: 0, count: (8 - bytes.count % 8) % 8) }
  func field(_ code: UInt8, _ type: String, _ text: String) -> [UInt8] {
    padded([code, 1] + Array(type.utf8) + [0] + word(text.utf8.count) + Array(text.utf8) + [0])
  }
  var fields = field(1, "o", "/a") + field(2, "s", "a.b") + field(3, "s", "c")
  fields += [8, 1, UInt8(ascii: "g"), 0, UInt8(signature.utf8.count)] + Array(signature.utf8) + [0]
  return padded([UInt8(ascii: "l"), 4, 0, 1] + word(body.count) + word(1) + word(fields.count) + fields) + body
}
