import Testing
import ThemedClientCore
import ThemedSystem
import ThemedVarlink

/// Replies, from bytes as they come.
@Suite struct ReplyReaderTests {
  private let reply = Reply(["text": .string("é😀")], continues: true)

  @Test("A reply is the same wherever its bytes are split")
  func everySplit() throws {
    for split in 0..<reply.frame.count {
      var reader = ReplyReader(limit: 1000)
      reader.receive(reply.frame[..<split])
      #expect(try reader.next() == nil)
      #expect(reader.isEmpty == (split == 0))
      reader.receive(reply.frame[split...])
      #expect(try reader.next() == reply)
      #expect(reader.isEmpty)
      #expect(try reader.next() == nil)
    }
  }

  @Test("Replies that came together are given one by one")
  func together() throws {
    var reader = ReplyReader(limit: 1000)
    reader.receive((reply.frame + Reply().frame + [0x7B])[...])
    #expect(try reader.next() == reply)
    #expect(!reader.isEmpty)
    #expect(try reader.next() == Reply())
    #expect(try reader.next() == nil)
    reader.receive([0x7D, 0])
    #expect(try reader.next() == Reply())
  }

  @Test("A reply may be as long as the limit, and no longer, whether its end has come or not")
  func limit() throws {
    let text = Array("{}".utf8) + [UInt8](repeating: 0x20, count: 98)
    var reader = ReplyReader(limit: 100)
    reader.receive(text[...])
    #expect(try reader.next() == nil)
    reader.receive([0])
    #expect(try reader.next() == Reply())
    for end in [[0x20], [0x20, 0]] as [[UInt8]] {
      reader = ReplyReader(limit: 100)
      reader.receive((text + end)[...])
      #expect(throws: Violation.tooLong(maximum: 100)) { try reader.next() }
    }
  }

  @Test("Of what a reply returns those parameters are read that are wanted, and of an error all")
  func keeping() throws {
    let parameters: JSON.Object = ["a": .integer(1), "b": .integer(2)]
    let error = Reply(VarlinkError(name: "org.example.Wrong", parameters: parameters))
    var reader = ReplyReader(limit: 1000)
    reader.receive((Reply(parameters).frame + error.frame + Reply(parameters).frame)[...])
    #expect(try reader.next(keeping: .only(["b"])) == Reply(["b": .integer(2)]))
    #expect(try reader.next(keeping: .only(["b"])) == error)
    #expect(try reader.next() == Reply(parameters))
  }

  @Test("What is no reply is refused")
  func violation() {
    var reader = ReplyReader(limit: 100)
    reader.receive(Array("[]\0".utf8)[...])
    #expect(throws: Violation.notAnObject) { try reader.next() }
  }
}
