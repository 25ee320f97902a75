import Testing
import ThemedSystem
import ThemedVarlink

/// What a service may do next on one connection, call by call.
@Suite struct ServerConnectionTests {
  @Test("A call is the same wherever its bytes are split")
  func everySplit() {
    let call = Call(method: "a.B", parameters: ["x": .string("é😀")], flag: .more)
    for split in 0...call.frame.count {
      var connection = ServerConnection(limits: .usual)
      connection.receive(call.frame[..<split])
      if split < call.frame.count {
        #expect(connection.next() == .wait)
        #expect(connection.wantsToReceive)
        #expect(connection.isWithinMessage == (split > 0))
      }
      connection.receive(call.frame[split...])
      #expect(connection.next() == .call(call))
      #expect(!connection.isWithinMessage)
    }
  }

  @Test("Calls that came together are served one by one, in order, each after the answer to the one before")
  func pipelining() {
    var connection = ServerConnection(limits: .usual)
    connection.receive(frames("a.One", "a.Two", "a.Three"))
    for name: Text in ["a.One", "a.Two", "a.Three"] {
      #expect(connection.hasMoreToServe)
      #expect(connection.next() == .call(Call(method: name)))
      #expect(connection.next() == .wait, "it has not been answered")
      #expect(!connection.hasMoreToServe)
      #expect(!connection.wantsToReceive)
      connection.reply(frame(name.string))
    }
    #expect(connection.next() == .wait)
    #expect(connection.wantsToReceive)
    #expect(connection.sendAll() == frame("a.One") + frame("a.Two") + frame("a.Three"))
    #expect(!connection.wantsToSend)
  }

  @Test("What came behind a call that is being answered waits, however it came")
  func behindAnAnswer() {
    var connection = ServerConnection(limits: .usual)
    connection.receive(frames("a.One"))
    #expect(connection.next() == .call(Call(method: "a.One")))
    connection.receive(frames("a.Two"))
    #expect(connection.next() == .wait)
    connection.reply(frame("1"))
    #expect(connection.next() == .call(Call(method: "a.Two")))
  }

  @Test("A 'oneway' call is never answered, not even with an error")
  func oneway() {
    var connection = ServerConnection(limits: .usual)
    connection.receive((Call(method: "a.One", flag: .oneway).frame + Call(method: "a.Two").frame)[...])
    #expect(connection.next() == .call(Call(method: "a.One", flag: .oneway)))
    connection.reply(Reply(.expectedMore).frame)
    #expect(!connection.wantsToSend)
    #expect(connection.next() == .call(Call(method: "a.Two")))
    connection.reply(frame("2"))
    #expect(connection.sendAll() == frame("2"))
  }

  @Test("An answer that no call waits for goes nowhere")
  func unasked() {
    var connection = ServerConnection(limits: .usual)
    connection.reply(frame("x"))
    connection.stream(frame("x"))
    #expect(!connection.wantsToSend)
    #expect(!connection.isStreaming)
  }

  @Test("A half-closed connection is answered before it is closed")
  func halfClose() {
    var connection = ServerConnection(limits: .usual)
    connection.receive(frames("a.One", "a.Two"))
    connection.receiveEnd()
    #expect(!connection.wantsToReceive)
    #expect(connection.next() == .call(Call(method: "a.One")))
    connection.reply(frame("1"))
    #expect(connection.next() == .call(Call(method: "a.Two")))
    connection.reply(frame("2"))
    #expect(connection.next() == .wait, "the replies are not sent yet")
    #expect(connection.sendAll() == frame("1") + frame("2"))
    #expect(connection.hasMoreToServe)
    #expect(connection.next() == .close(nil))
  }

  @Test("A connection that ends within a message is closed once what came before it is answered")
  func endWithinAMessage() {
    var connection = ServerConnection(limits: .usual)
    connection.receive(frames("a.One") + Array("{\"met".utf8))
    connection.receiveEnd()
    #expect(connection.next() == .call(Call(method: "a.One")))
    connection.reply(frame("1"))
    #expect(connection.next() == .wait, "the reply is not sent yet")
    #expect(connection.sendAll() == frame("1"))
    #expect(connection.next() == .close(.ended))
  }

  @Test("A connection that ends without a word is closed")
  func emptyEnd() {
    var connection = ServerConnection(limits: .usual)
    connection.receiveEnd()
    #expect(connection.hasMoreToServe)
    #expect(connection.next() == .close(nil))
  }

  @Test("A message that breaks the protocol closes the connection, behind the calls before it")
  func violation() {
    var connection = ServerConnection(limits: .usual)
    connection.receive(frames("a.One") + Array("[]\0".utf8) + frames("a.Two"))
    #expect(connection.next() == .call(Call(method: "a.One")))
    connection.reply(frame("1"))
    #expect(connection.next() == .close(.notAnObject))
    #expect(connection.next() == .close(.notAnObject), "and goes on saying so")
  }

  @Test("A message that ends with a newline in the place of a NUL is named so, whether the peer goes or waits")
  func newline() {
    for (text, gone, late) in [
      ("{\"method\":\"a.B\"}\n", Violation.newline, Violation.newline), ("{\"method\"", .ended, .unfinished),
      ("{\n\"", .ended, .unfinished),
    ] {
      var connection = ServerConnection(limits: .usual)
      connection.receive(Array(text.utf8)[...])
      #expect(connection.next() == .wait)
      #expect(connection.unfinished() == late)
      connection.receiveEnd()
      #expect(connection.next() == .close(gone))
    }
  }

  @Test("A NUL alone is no message")
  func emptyMessage() {
    var connection = ServerConnection(limits: .usual)
    connection.receive([0])
    guard case .close(.notJSON?) = connection.next() else {
      Issue.record("an empty message was taken")
      return
    }
  }

  @Test("A call may be as long as the limit, and no longer, whether its end has come or not")
  func tooLong() {
    let limits = ServerConnection.Limits(call: 40, replies: 100)
    func padded(_ count: Int) -> [UInt8] {
      let call = Array(#"{"method":"a.B"}"#.utf8)
      return [UInt8](repeating: 0x20, count: count - call.count) + call
    }
    var connection = ServerConnection(limits: limits)
    connection.receive(padded(40) + [0])
    #expect(connection.next() == .call(Call(method: "a.B")))

    connection = ServerConnection(limits: limits)
    connection.receive(padded(41) + [0])
    #expect(connection.next() == .close(.tooLong(maximum: 40)))

    connection = ServerConnection(limits: limits)
    connection.receive(padded(40)[...])
    #expect(connection.next() == .wait)
    connection.receive([0x20])
    #expect(connection.hasMoreToServe, "closing is due, though no more bytes may come")
    #expect(connection.next() == .close(.tooLong(maximum: 40)))

    connection = ServerConnection(limits: limits)
    connection.receive(frames("a.One") + [UInt8](repeating: 0x20, count: 41))
    #expect(connection.next() == .call(Call(method: "a.One")))
    connection.reply(frame("1"))
    #expect(connection.next() == .close(.tooLong(maximum: 40)))
  }

  @Test("While more replies wait than the limit, nothing is read and nothing served")
  func backlog() {
    var connection = ServerConnection(limits: .init(call: 100, replies: 20))
    connection.receive(frames("a.One", "a.Two"))
    #expect(connection.next() == .call(Call(method: "a.One")))
    connection.reply([UInt8](repeating: 1, count: 21))
    #expect(connection.next() == .wait)
    #expect(!connection.wantsToReceive)
    #expect(!connection.hasMoreToServe)
    #expect(connection.wantsToSend)
    connection.didSend(1)
    #expect(connection.hasMoreToServe)
    #expect(connection.next() == .call(Call(method: "a.Two")))
    connection.reply([2])
    #expect(connection.sendAll() == [UInt8](repeating: 1, count: 20) + [2])
    #expect(connection.wantsToReceive)
  }

  @Test("A message is not late while it is we who do not read its end")
  func lateness() {
    var connection = ServerConnection(limits: .init(call: 100, replies: 20))
    connection.receive(frames("a.One") + Array("{\"met".utf8))
    #expect(connection.next() == .call(Call(method: "a.One")))
    #expect(!connection.isWithinMessage, "a call is being answered")
    connection.reply([UInt8](repeating: 1, count: 21))
    #expect(!connection.isWithinMessage, "too many replies wait")
    _ = connection.sendAll()
    #expect(connection.isWithinMessage)
  }
}

extension ServerConnection.Limits {
  static let usual = ServerConnection.Limits(call: 1000, replies: 1000)
}

extension ServerConnection {
  /// Sends everything that is to be sent, as a peer that reads fast would have it.
  mutating func sendAll() -> [UInt8] {
    var bytes: [UInt8] = []
    while wantsToSend {
      bytes += unsent
      didSend(unsent.count)
    }
    return bytes
  }
}

func frame(_ text: String) -> [UInt8] { Reply(["text": .word(text)]).frame }

func frames(_ methods: Text...) -> ArraySlice<UInt8> { methods.flatMap { Call(method: $0).frame }[...] }
