import Testing
import ThemedSystem
import ThemedVarlink

/// A connection that one process has begun and another goes on with.
@Suite struct SuspensionTests {
  private let calls = ["a.One", "a.Two", "a.Three"].flatMap { Call(method: $0, parameters: ["é": .string("😀")]).frame }

  /// What a service sends that answers each call by its name, `input` being cut in two by a change of the process.
  private func answers(cutAfter cut: Int?, _ input: [UInt8], sending count: Int = 0) throws -> [UInt8] {
    var connection = ServerConnection(limits: .usual)
    var sent: [UInt8] = []
    func serve() {
      while case .call(let call) = connection.next() { connection.reply(frame(call.method.string)) }
    }
    if let cut {
      connection.receive(input[..<cut])
      serve()
      let first = connection.unsent.prefix(count)
      sent += first
      connection.didSend(first.count)
      connection = try connection.moved()
    }
    connection.receive(input[(cut ?? 0)...])
    serve()
    return sent + connection.sendAll()
  }

  @Test("Wherever what came is cut by the change of the process, every call is answered, once")
  func everyInput() throws {
    let whole = try answers(cutAfter: nil, calls)
    #expect(whole == frame("a.One") + frame("a.Two") + frame("a.Three"))
    for cut in 0...calls.count { #expect(try answers(cutAfter: cut, calls) == whole) }
  }

  @Test("Wherever what is sent is cut by the change of the process, every byte is sent, once")
  func everyOutput() throws {
    let whole = try answers(cutAfter: nil, calls)
    for cut in [calls.count / 2, calls.count] {
      for count in 0...whole.count { #expect(try answers(cutAfter: cut, calls, sending: count) == whole) }
    }
  }

  @Test("Wherever a subscriber's frame is cut, it is finished, and the newest state follows")
  func everyFrame() throws {
    let first = frame("first")
    for count in 0...first.count {
      var connection = streaming(first)
      connection.didSend(count)
      connection.stream(frame("old"))
      connection.stream(frame("new"))
      var next = try connection.moved()
      #expect(next.isStreaming)
      #expect(!next.wantsToReceive)
      // Nothing waited when all of the first frame had been sent.
      let later = count == first.count ? frame("old") + frame("new") : frame("new")
      #expect(next.sendAll() == first[count...] + later)
      next.stream(frame("after"))
      #expect(next.sendAll() == frame("after"))
    }
  }

  @Test("A state that comes in the next process takes the place of one that has not been begun")
  func conflation() throws {
    var connection = streaming(frame("first"))
    connection.didSend(1)
    connection.stream(frame("old"))
    var next = try connection.moved()
    next.stream(frame("new"))
    #expect(next.sendAll() == frame("first")[1...] + frame("new"))
  }

  @Test("A peer that has ended what it sends is answered and closed by the next process")
  func inputEnded() throws {
    var connection = ServerConnection(limits: .usual)
    connection.receive(frames("a.One"))
    connection.receiveEnd()
    var next = try connection.moved()
    #expect(!next.wantsToReceive)
    #expect(next.next() == .call(Call(method: "a.One")))
    next.reply(frame("1"))
    #expect(next.sendAll() == frame("1"))
    #expect(next.next() == .close(nil))
  }

  @Test("A connection whose call is being answered cannot be left to another process")
  func answering() {
    var connection = ServerConnection(limits: .usual)
    connection.receive(frames("a.One"))
    _ = connection.next()
    #expect(connection.suspended == nil)
  }

  @Test("What no connection can be is refused")
  func impossible() {
    let limits = ServerConnection.Limits.usual
    #expect(ServerConnection(resuming: .init(isStreaming: true, input: [1]), limits: limits) == nil)
    #expect(ServerConnection(resuming: .init(unsent: [1], newest: [2]), limits: limits) == nil)
    #expect(ServerConnection(resuming: .init(isStreaming: true, newest: [2]), limits: limits) == nil)
    var tooLong = ServerConnection(resuming: .init(input: [UInt8](repeating: 32, count: 2000)), limits: limits)
    #expect(tooLong?.next() == .close(.tooLong(maximum: 1000)))
  }

  private func streaming(_ first: [UInt8]) -> ServerConnection {
    var connection = ServerConnection(limits: .usual)
    connection.receive(Call(method: "a.Monitor", flag: .more).frame[...])
    _ = connection.next()
    connection.stream(first)
    return connection
  }
}

extension ServerConnection {
  /// The connection as the next process has it.
  fileprivate func moved() throws -> ServerConnection {
    let suspended = try #require(suspended)
    return try #require(ServerConnection(resuming: suspended, limits: .usual))
  }
}
