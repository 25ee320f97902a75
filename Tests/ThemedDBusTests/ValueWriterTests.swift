import Testing
import ThemedSystem

@testable import ThemedDBus

@Suite struct ValueWriterTests {
  private func passed(_ signature: Text, _ values: [Value]) throws -> [Value] {
    let bytes = Message.signal("/a", "a.b", "C", signature, values).bytes(serial: 1)
    return try #require(Message(bytes)).arguments()
  }

  @Test func `what is written as a signature says is read as the same`() throws {
    let color = Value.structure([.double(1), .double(0.5), .double(-1)])
    #expect(try passed("", []) == [])
    #expect(
      try passed("ssv", [.string("a"), .string("é"), .variant(color)]) == [.string("a"), .string("é"), .variant(color)])
    #expect(try passed("ub", [.uint32(7), .boolean(true)]) == [.uint32(7), .boolean(true)])
    #expect(try passed("v", [.variant(.variant(.uint32(1)))]) == [.variant(.variant(.uint32(1)))])
  }

  @Test func `bytes, paths of objects and variants of a named type are written as what they are`() throws {
    #expect(try passed("ay", [.bytes([1, 0, 255])]) == [.array([.byte(1), .byte(0), .byte(255)])])
    #expect(try passed("ay", [.bytes([])]) == [.array([])])
    #expect(try passed("v", [.typed("o", .string("/a/b"))]) == [.variant(.string("/a/b"))])
    let inner = Value.structure([.int32(-1), .array([.typed("ai", .array([.int32(2)]))])])
    #expect(
      try passed("v", [.typed("(iav)", inner)])
        == [.variant(.structure([.int32(-1), .array([.variant(.array([.int32(2)]))])]))])
  }

  @Test func `a dictionary of dictionaries keeps its entries, and its type where it is empty`() throws {
    let entry = Value.structure([.string("color-scheme"), .variant(.uint32(1))])
    let namespaces = Value.array([
      .structure([.string("a"), .array([entry, entry])]), .structure([.string("b"), .array([])]),
    ])
    #expect(try passed("a{sa{sv}}", [namespaces]) == [namespaces])
    #expect(try passed("a{sa{sv}}u", [.array([]), .uint32(1)]) == [.array([]), .uint32(1)])
  }
}
