import Testing
import ThemedSystem
import ThemedTestSupport
import ThemedVarlink

/// A connection that has become a subscription.
@Suite struct SubscriptionTests {
  @Test("Its first frame answers the call, and each later one follows")
  func streaming() {
    var connection = subscribed(first: "0")
    #expect(connection.isStreaming)
    #expect(connection.sendAll() == frame("0"))
    connection.stream(frame("1"))
    #expect(connection.sendAll() == frame("1"))
    connection.stream(frame("2"))
    #expect(connection.sendAll() == frame("2"))
  }

  @Test("A stalled subscriber gets the frame in flight, and then the newest", arguments: [0, 1, 5, 27])
  func conflation(sent: Int) {
    var connection = subscribed(first: "0")
    connection.didSend(sent)
    for text in ["1", "2", "3"] { connection.stream(frame(text)) }
    #expect(connection.unsent == frame("0")[sent...], "a frame is never replaced once it is in flight")
    #expect(connection.sendAll() == frame("0")[sent...] + frame("3"))
    #expect(!connection.wantsToSend)
  }

  @Test("What a stalled subscriber costs does not grow with what it misses")
  func bounded() {
    var connection = subscribed(first: "0")
    for number in 1...10_000 { connection.stream(frame("\(number)")) }
    #expect(connection.sendAll() == frame("0") + frame("10000"))
  }

  @Test("Replies that waited before the subscription are sent before it")
  func behindReplies() {
    var connection = ServerConnection(limits: .usual)
    connection.receive(frames("a.One", "a.Monitor"))
    _ = connection.next()
    connection.reply(frame("one"))
    _ = connection.next()
    connection.stream(frame("0"))
    connection.stream(frame("1"))
    connection.stream(frame("2"))
    #expect(connection.sendAll() == frame("one") + frame("0") + frame("2"))
  }

  @Test("Calls behind a subscription wait for its end, which is that of the connection")
  func callsBehind() {
    var connection = ServerConnection(limits: .usual)
    connection.receive(frames("a.Monitor", "a.Two"))
    _ = connection.next()
    connection.stream(frame("0"))
    #expect(connection.next() == .wait)
    #expect(!connection.hasMoreToServe)
    #expect(!connection.wantsToReceive)
    #expect(!connection.isWithinMessage)
  }

  @Test("Bytes that were read before it was known to be a subscription do no harm")
  func lateBytes() {
    var connection = ServerConnection(limits: .usual)
    connection.receive(frames("a.One", "a.Monitor", "a.Three"))
    _ = connection.next()
    connection.reply(frame("one"))
    _ = connection.next()
    connection.stream(frame("0"))
    connection.receive(frames("a.Four"))
    connection.receive([0, 0, 0])
    #expect(connection.next() == .wait)
    connection.stream(frame("1"))
    #expect(connection.sendAll() == frame("one") + frame("0") + frame("1"))
  }

  @Test("A half-close does not end it")
  func halfClose() {
    var connection = subscribed(first: "0")
    connection.receiveEnd()
    #expect(connection.next() == .wait)
    #expect(connection.sendAll() == frame("0"))
    #expect(connection.next() == .wait)
    #expect(!connection.hasMoreToServe)
    connection.stream(frame("1"))
    #expect(connection.sendAll() == frame("1"))
  }

  @Test("An answer to a call that is no longer there is not sent into it")
  func reply() {
    var connection = subscribed(first: "0")
    connection.reply(frame("x"))
    #expect(connection.sendAll() == frame("0"))
  }

  @Test("However the subscriber reads, it gets whole frames in order, and in the end the newest")
  func random() throws {
    var random = SeededGenerator()
    for _ in 0..<300 {
      var connection = subscribed(first: "0")
      var newest = 0
      var received: [UInt8] = []
      for _ in 0..<Int.random(in: 0...60, using: &random) {
        if Bool.random(using: &random) {
          newest += 1
          connection.stream(frame("\(newest)"))
        } else if connection.wantsToSend {
          let count = Int.random(in: 1...connection.unsent.count, using: &random)
          received += connection.unsent.prefix(count)
          connection.didSend(count)
        }
        #expect(connection.wantsToSend == !connection.unsent.isEmpty)
        #expect(connection.unsent.count <= frame("\(newest)").count, "\(random)")
      }
      received += connection.sendAll()
      let numbers = try numbers(in: received)
      #expect(numbers.first == 0)
      #expect(numbers.last == newest, "\(random)")
      #expect(zip(numbers, numbers.dropFirst()).allSatisfy(<), "\(random)")
    }
  }

  private func numbers(in bytes: [UInt8]) throws -> [Int] {
    try bytes.split(separator: 0).map { bytes in
      let reply = try Reply(parsing: Array(bytes), in: 0..<bytes.count)
      guard case .string(let text)? = reply.parameters["text"] else { return -1 }
      return Int(text.string) ?? -1
    }
  }

  private func subscribed(first text: String) -> ServerConnection {
    var connection = ServerConnection(limits: .usual)
    connection.receive(Call(method: "a.Monitor", flag: .more).frame[...])
    _ = connection.next()
    connection.stream(frame(text))
    return connection
  }
}
