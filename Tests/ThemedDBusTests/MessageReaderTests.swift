import Testing
import ThemedSystem

@testable import ThemedDBus

@Suite("What a bus sends, cut into messages")
struct MessageReaderTests {
  private let call = Message.bus("GetNameOwner", [.string("org.example")]).bytes(serial: 7)

  private func events(_ reader: inout MessageReader, _ pieces: [ArraySlice<UInt8>]) -> [MessageReader.Event] {
    var events: [MessageReader.Event] = []
    for piece in pieces {
      reader.append(piece)
      while let event = reader.next() {
        events.append(event)
        if event == .broken { return events }
      }
    }
    return events
  }

  @Test("Wherever it is cut, the same messages come out")
  func pieces() {
    let stream = call + call + call
    for size in 1...stream.count {
      var reader = MessageReader(maximum: 1024)
      let pieces = stride(from: 0, to: stream.count, by: size).map { stream[$0..<min($0 + size, stream.count)] }
      #expect(events(&reader, pieces) == [.message(call), .message(call), .message(call)])
    }
  }

  @Test("A message that is too long is passed over, and the next is read", arguments: [1, 7, 16, 100, 4096, 100_000])
  func tooLong(size: Int) {
    let long = Message.bus("GetNameOwner", [.string(.init(String(repeating: "x", count: 70_000)))]).bytes(serial: 8)
    let stream = call + long + call
    var reader = MessageReader(maximum: 1024)
    let pieces = stride(from: 0, to: stream.count, by: size).map { stream[$0..<min($0 + size, stream.count)] }
    #expect(events(&reader, pieces) == [.message(call), .passedOver(long.count), .message(call)])
  }

  @Test("The longest message that the specification allows takes no memory, in either byte order")
  func longest() {
    for (order, body) in [("l", [0, 0, 0, 7] as [UInt8]), ("B", [7, 0, 0, 0])] {
      let header = Array(order.utf8) + [4, 0, 1] + body + [1, 0, 0, 0] + [0, 0, 0, 0]
      var reader = MessageReader(maximum: 1024)
      #expect(events(&reader, [header[...]]) == [.passedOver(16 + 7 << 24)])
      let piece = [UInt8](repeating: 0, count: 1 << 16)
      for _ in 0..<(7 << 24) / piece.count { #expect(events(&reader, [piece[...]]).isEmpty) }
      #expect(events(&reader, [call[...]]) == [.message(call)])
    }
  }

  @Test(
    "What is no message, or longer than any may be, is the end",
    arguments: [
      Array("HTTP/1.1 200 OK\r\n".utf8), [UInt8(ascii: "l"), 4, 0, 1, 0, 0, 0, 8, 1, 0, 0, 0, 1, 0, 0, 0],
      [UInt8(ascii: "l"), 4, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 255, 255, 255, 255],
    ])
  func broken(bytes: [UInt8]) {
    var reader = MessageReader(maximum: 1024)
    #expect(events(&reader, [bytes[...]]) == [.broken])
  }
}

@Suite("Saying who we are to a bus")
struct AuthenticationTests {
  @Test("The user's number goes in hexadecimal digits of decimal digits, as the specification has it")
  func greeting() {
    #expect(Authentication.greeting(user: 1000) == [0] + Array("AUTH EXTERNAL 31303030\r\n".utf8))
  }

  @Test("Nothing but the bus's consent, in whatever pieces it comes, lets messages follow")
  func answers() {
    var authentication = Authentication()
    #expect(authentication.receive(Array("OK 012".utf8)[...]) == .wait)
    #expect(authentication.receive(Array("3\r\n".utf8)[...]) == .begin(Array("BEGIN\r\n".utf8)))
    for refusal in [
      "REJECTED EXTERNAL\r\n", "ERROR\r\n", "\r\n", "ok 1\r\n", "OK\r\n", String(repeating: "O", count: 2000),
    ] {
      var authentication = Authentication()
      guard case .refused = authentication.receive(Array(refusal.utf8)[...]) else {
        Issue.record("\(refusal) is taken for a consent")
        continue
      }
    }
  }
}

@Suite("Who may answer a call")
struct AnswerTests {
  @Test("The bus alone answers for itself")
  func bus() {
    #expect(Connection.isAnswered(busName, by: busName, withError: false))
    #expect(Connection.isAnswered(busName, by: busName, withError: true))
    #expect(!Connection.isAnswered(busName, by: ":1.666", withError: false))
    #expect(!Connection.isAnswered(busName, by: ":1.666", withError: true))
    #expect(!Connection.isAnswered(busName, by: nil, withError: true))
    #expect(!Connection.isAnswered(busName, by: "org.freedesktop.DBus\u{301}", withError: false))
  }

  @Test("For a connection it answers itself, or the bus that it cannot")
  func uniqueName() {
    #expect(Connection.isAnswered(":1.7", by: ":1.7", withError: false))
    #expect(Connection.isAnswered(":1.7", by: busName, withError: true))
    #expect(!Connection.isAnswered(":1.7", by: busName, withError: false))
    #expect(!Connection.isAnswered(":1.7", by: ":1.70", withError: true))
    #expect(!Connection.isAnswered(":1.7", by: nil, withError: true))
  }
}
