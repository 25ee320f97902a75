import Testing
import ThemedSystem
import ThemedTestSupport
import ThemedVarlink

/// Everything that a peer and a service can do to a connection, in every order.
@Suite(.ownThreads) struct ServerConnectionExplorationTests {
  @Test func `whatever comes in whatever pieces, and however slowly the answers leave`() {
    var reader = CallReader()
    let result = explore(from: Line(), alphabet: Line.alphabet, states: 100_000) { (line, event) throws(Broken) in
      guard !line.isClosed else { return false }
      return try line.take(event, &reader)
    } invariant: { (line) throws(Broken) in
      try line.check()
    }
    print("connections: \(result)")
    #expect(result.fault == nil && result.isComplete, "\(result)")
  }
}

/// A connection, what its peer has sent and is owed, and what has to be true of it.
private struct Line: Hashable {
  enum Event: Hashable {
    /// So many halves of calls come.
    case halves(Int)
    /// What is no call comes, or more than a call may have, or the end.
    case rubbish, flood, end
    /// The service asks for the next call, answers with so many bytes, sends a state, or answers what was not asked.
    case serve, reply(Int), stream, unasked
    /// The peer takes one byte, or all that there are.
    case takesOne, takesAll
    /// Another process goes on with it.
    case moves
  }

  static let alphabet: [Event] = [
    .halves(1), .halves(2), .halves(3), .halves(5), .rubbish, .flood, .end, .serve, .reply(2), .reply(5), .stream,
    .unasked, .takesOne, .takesAll, .moves,
  ]
  private static let limits = ServerConnection.Limits(call: 40, replies: 4)
  /// What the peer sends, again and again.
  private static let calls = [Call(method: "a.A"), Call(method: "a.B", flag: .oneway), Call(method: "a.C")]
  private static let halves = calls.flatMap { [Array($0.frame.prefix(9)), Array($0.frame.dropFirst(9))] }

  private var connection = ServerConnection(limits: Self.limits)
  /// The next half of a call that the peer sends.
  private var half = 0
  /// The calls that came whole and were not given.
  private var due: [Int] = []
  /// Whether what came behind them breaks the protocol, and whether the peer has ended what it sends.
  private var isBroken = false
  private var hasEnded = false
  private var answering: Int?
  private var isStreaming = false
  /// What the peer has to get next, the newest state behind it, and the number of that.
  private var owed: [UInt8] = []
  private var newest: [UInt8]?
  private var number: UInt8 = 0
  private(set) var isClosed = false

  private var isBacklogged: Bool { owed.count > Self.limits.replies }
  private var isReady: Bool { answering == nil && !isStreaming && !isBacklogged }
  private var isCloseDue: Bool { due.isEmpty && (isBroken || hasEnded && owed.isEmpty) }

  /// Does what happens as a server does; false where it cannot happen.
  mutating func take(_ event: Event, _ reader: inout CallReader) throws(Broken) -> Bool {
    switch event {
    case .halves, .rubbish, .flood, .end:
      guard connection.wantsToReceive else { return false }
      receive(event)
    case .serve: try serve(&reader)
    case .reply(let count):
      guard let call = answering else { return false }
      let frame = [UInt8](repeating: UInt8(call), count: count)
      if Self.calls[call].flag != .oneway { owed += frame }
      answering = nil
      connection.reply(frame)
    case .stream:
      guard isStreaming || answering.map({ Self.calls[$0].flag != .oneway }) ?? false else { return false }
      stream()
    case .unasked:
      guard answering == nil, !isStreaming else { return false }
      let before = connection
      connection.reply([9])
      connection.stream([9])
      guard connection == before else { throw Broken("what was not asked is answered") }
    case .takesOne, .takesAll:
      guard connection.wantsToSend else { return false }
      try send(event == .takesOne ? 1 : connection.unsent.count)
    case .moves:
      guard let suspended = connection.suspended else {
        guard answering != nil else { throw Broken("no other process can go on with it") }
        return false
      }
      guard answering == nil else { throw Broken("it is left in the midst of an answer") }
      guard let next = ServerConnection(resuming: suspended, limits: Self.limits) else {
        throw Broken("what one process leaves, another does not take")
      }
      connection = next
    }
    return true
  }

  private mutating func receive(_ event: Event) {
    switch event {
    case .halves(let count):
      var bytes: [UInt8] = []
      for _ in 0..<count {
        bytes += Self.halves[half]
        if !half.isMultiple(of: 2) { due.append(half / 2) }
        half = (half + 1) % Self.halves.count
      }
      connection.receive(bytes[...])
    case .rubbish:
      isBroken = true
      connection.receive([UInt8(ascii: "x"), 0])
    case .flood:
      isBroken = true
      connection.receive([UInt8](repeating: UInt8(ascii: " "), count: Self.limits.call + 1)[...])
    default:
      hasEnded = true
      connection.receiveEnd()
    }
  }

  private mutating func serve(_ reader: inout CallReader) throws(Broken) {
    switch connection.next(&reader) {
    case .call(let call):
      guard answering == nil, !isStreaming else { throw Broken("while a call is being answered another comes out") }
      guard !isBacklogged else { throw Broken("a call comes out while too many replies wait") }
      guard let next = due.first, call == Self.calls[next] else { throw Broken("a call comes out of its order") }
      due.removeFirst()
      answering = next
    case .wait:
      guard !isReady || due.isEmpty && !isCloseDue else { throw Broken("what came is neither served nor closed") }
    case .close(let violation):
      guard isReady, isCloseDue else { throw Broken("it is closed while there is something to do") }
      guard (violation != nil) == (isBroken || !half.isMultiple(of: 2)) else {
        throw Broken("an end is a violation, or a violation is none")
      }
      guard case .close(violation) = connection.next(&reader) else { throw Broken("it is closed and goes on") }
      isClosed = true
    }
  }

  private mutating func stream() {
    number = (number + 1) % 3
    let frame = [UInt8](repeating: 10 + number, count: 3)
    if !isStreaming {
      owed += frame
      (isStreaming, answering) = (true, nil)
      // Nothing is read any more.
      (half, due, isBroken) = (0, [], false)
    } else if owed.isEmpty {
      owed = frame
    } else {
      newest = frame
    }
    connection.stream(frame)
  }

  private mutating func send(_ count: Int) throws(Broken) {
    owed.removeFirst(count)
    if owed.isEmpty { (owed, newest) = (newest ?? [], nil) }
    guard connection.didSend(count) == owed.isEmpty else { throw Broken("it does not know whether all is sent") }
  }

  func check() throws(Broken) {
    guard !isClosed else { return }
    guard Array(connection.unsent) == owed, connection.wantsToSend == !owed.isEmpty else {
      throw Broken("what is sent is not one frame after the other, the newest state last")
    }
    guard owed.count <= Self.limits.replies + 5 else { throw Broken("what waits for the peer grows") }
    if let suspended = connection.suspended {
      guard suspended.newest == newest else { throw Broken("another state than the newest waits") }
      guard suspended.input.count <= 3 * Self.limits.call else { throw Broken("what waits to be served grows") }
    }
    let wants = connection.wants
    guard wants.toReceive == (isReady && !hasEnded && due.isEmpty && !isBroken) else {
      throw Broken("it is read from at the wrong time")
    }
    guard wants.toServe == (isReady && (!due.isEmpty || isCloseDue)) else {
      throw Broken("its turn comes without need, or does not come")
    }
    guard wants.restOfMessage == (wants.toReceive && !half.isMultiple(of: 2)) else {
      throw Broken("the rest of a message is waited for where there is none, or is not")
    }
    guard connection.isStreaming == isStreaming else { throw Broken("it does not know whether it is a subscription") }
  }
}
