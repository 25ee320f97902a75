import Testing
import ThemedSystem
import ThemedVarlink

/// Texts many times as long as a call may be, made to be slow to read.
///
/// So long that a reader that is quadratic anywhere has a million million steps to make, and never comes to an end; who
/// grows with the length takes seconds. The limit of time is far from both.
@Suite(.timeLimit(.minutes(10))) struct HostileTextTests {
  private static let length = 1 << 20

  @Test(
    "It reads the worst of texts in time that grows with their length",
    arguments: [
      LongText(kind: "an integer of many digits", text: String(repeating: "1", count: 300)),
      LongText(kind: "a fraction of many digits", text: "0." + String(repeating: "3", count: length)),
      LongText(kind: "an exponent of many digits", text: "1e-" + String(repeating: "0", count: length) + "1"),
      LongText(kind: "a string of escapes", text: "\"" + String(repeating: "\\u00e9", count: length / 6) + "\""),
      LongText(
        kind: "a string of combining marks", text: "\"e" + String(repeating: "\u{301}\u{327}", count: length / 4) + "\""
      ),
      LongText(kind: "many members", text: "{" + (0..<(length / 8)).map { "\"\($0)\":0" }.joined(separator: ",") + "}"),
      LongText(
        kind: "many members whose names Unicode has to compare",
        text: "{" + (0..<(length / 16)).map { "\"e\u{301}\($0)\":0" }.joined(separator: ",") + "}"
      ),
      LongText(
        kind: "members of one name of combining marks, whose order Unicode holds to be the same",
        text: "{" + (0..<17).map { "\"e\(marks($0))\":0" }.joined(separator: ",") + "}"
      ),
      LongText(kind: "many elements", text: "[" + String(repeating: "[],", count: length / 3) + "0]"),
      LongText(kind: "white space", text: String(repeating: " \n", count: length / 2) + "0"),
    ])
  fileprivate func slow(_ long: LongText) throws {
    let value = try JSON(parsing: Array(long.text.utf8))
    #expect(!value.bytes.isEmpty)
  }

  /// Some thousands of combining marks; those of each number differ in bytes, and not for Unicode.
  private static func marks(_ number: Int) -> String {
    let count = length / 17 / 4
    return String(repeating: "\u{301}", count: number) + String(repeating: "\u{327}\u{301}", count: count - number)
  }

  @Test("A call's method, and what it is refused with, is as long as a call may be")
  func method() throws {
    let name = "a.e" + String(repeating: "\u{301}\u{327}", count: Self.length / 4)
    let interface: Introspection.Interface = ("a", "")
    let service = Introspection(vendor: "", product: "", version: "", url: "", interfaces: [interface])
    let call = try Call(parsing: Call(method: Text(name)).frame, in: 0..<Call(method: Text(name)).frame.count - 1)
    #expect(try service.answer(call) == nil)
    #expect(throws: VarlinkError.self) { try service.answer(Call(method: "\(Text(name)).B")) }
  }

  @Test("It takes a call byte by byte, and thousands of calls at once, in time that grows with their number")
  func connections() {
    let call = Call(method: "a.B", parameters: ["x": .word(String(repeating: "x", count: Self.length - 100))])
    var connection = ServerConnection(limits: .init(call: Self.length, replies: Self.length))
    var hasWaited = true
    for byte in call.frame.dropLast() {
      connection.receive([byte])
      hasWaited = connection.next() == .wait && hasWaited
    }
    #expect(hasWaited)
    connection.receive([0])
    #expect(connection.next() == .call(call))
    connection.reply(frame("0"))

    let many = 400_000
    connection.receive((0..<many).flatMap { _ in Call(method: "a.B").frame }[...])
    var served = 0
    while case .call = connection.next() {
      connection.reply(frame("0"))
      _ = connection.sendAll()
      served += 1
    }
    #expect(served == many)
  }
}

/// A text that nobody wants to see, with what is told of it instead.
private struct LongText: Sendable, CustomTestStringConvertible {
  let kind: String
  let text: String

  var testDescription: String { kind }
}
