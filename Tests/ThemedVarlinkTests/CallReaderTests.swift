import Testing
import ThemedSystem
import ThemedVarlink

@Suite("A reader of calls that knows the last few again")
struct CallReaderTests {
  private let messages = [
    #"{"method":"a.b.C"}"#, #"{"method":"a.b.D"}"#, #"{"method":"a.b.C","more":true}"#, #"{"method":"a.b.C"} "#,
    #"{"method":"a.b.C","parameters":{"app":"nvim"}}"#, #"{"method":"a.b.C","parameters":{"app":"nvam"}}"#,
    #"{"method":"\#(String(repeating: "m", count: 1000))"}"#, #"{"method":"\#(String(repeating: "n", count: 1000))"}"#,
    "", "{", #"{"method":1}"#, #"{"method":"a.b.C","shade":1}"#,
  ]

  @Test("In whatever order messages come, and however often, each is read as it is by itself")
  func asAlone() {
    var reader = CallReader()
    for first in messages {
      for second in messages {
        for message in [first, first, second, first] {
          let bytes = Array(message.utf8)
          let alone = Result { () throws(Violation) in try Call(parsing: bytes, in: bytes.indices) }
          #expect(read(message, with: &reader, after: "") == alone)
          #expect(read(message, with: &reader, after: "what came before") == alone)
        }
      }
    }
  }

  /// Reads a message that lies among other bytes.
  private func read(
    _ message: String, with reader: inout CallReader, after before: String
  ) -> Result<Call, Violation> {
    let bytes = Array(before.utf8) + Array(message.utf8) + [0, 1, 2]
    let range = before.utf8.count..<before.utf8.count + message.utf8.count
    do throws(Violation) { return .success(try reader.read(bytes, in: range)) } catch { return .failure(error) }
  }
}
