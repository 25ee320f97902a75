import Testing
import ThemedSystem
import ThemedTestSupport
import ThemedVarlink

/// Calls of all kinds, split, answered and sent at random, against the plainest model: a list of what was sent.
@Suite struct RandomOperationsTests {
  @Test("Every call is given once and in order, and every reply is sent once and in order")
  func calls() {
    var random = SeededGenerator()
    for _ in 0..<200 {
      var run = Run(using: &random)
      run.finish(using: &random)
      #expect(run.given == run.calls, "\(random)")
      #expect(run.received == run.owed, "\(random)")
      #expect(run.close == .close(nil), "\(random)")
    }
  }

  @Test("Whatever comes, in whatever order, what waits and what is kept stays bounded")
  func anything() {
    var random = SeededGenerator()
    let longest = frame("x").count
    let texts: [[UInt8]] = [[0], [0, 0], Array("{".utf8), Array("[]".utf8), Call(method: "a.B").frame, [0xFF]]
    for _ in 0..<300 {
      var connection = ServerConnection(limits: .init(call: 60, replies: 60))
      for _ in 0..<100 {
        switch Int.random(in: 0..<7, using: &random) {
        case 0, 1: connection.receive((texts.randomElement(using: &random) ?? [])[...])
        case 2: if Int.random(in: 0..<20, using: &random) == 0 { connection.receiveEnd() }
        case 3: connection.reply(frame("x"))
        case 4: if Int.random(in: 0..<10, using: &random) == 0 { connection.stream(frame("x")) }
        case 5: connection.didSend(Int.random(in: 0...connection.unsent.count, using: &random))
        default:
          if case .close = connection.next() { #expect(connection.hasMoreToServe, "\(random)") }
        }
        let isBounded = connection.unsent.count <= 60 + 2 * longest
        let isConsistent = !connection.wantsToReceive || connection.next() == .wait
        #expect(isBounded && isConsistent, "\(random)")
      }
    }
  }
}

private struct Run {
  static let limits = ServerConnection.Limits(call: 300, replies: 200)

  let calls: [Call]
  var given: [Call] = []
  var received: [UInt8] = []
  var owed: [UInt8] = []
  var close: ServerConnection.Step?

  private var connection = ServerConnection(limits: Self.limits)
  private var unreceived: ArraySlice<UInt8>
  private var isAnswering = false

  init(using random: inout SeededGenerator) {
    calls = (0..<Int.random(in: 0...30, using: &random)).map { number in
      let padding = String(repeating: "x", count: Int.random(in: 0...200, using: &random))
      return Call(
        method: "a.B\(number)", parameters: ["padding": .word(padding)],
        flag: Bool.random(using: &random) ? .oneway : nil)
    }
    unreceived = calls.flatMap(\.frame)[...]
  }

  /// Does what may be done, in any order, until the connection says to close.
  mutating func finish(using random: inout SeededGenerator) {
    var turns = 0
    while close == nil, turns < 100_000 {
      turns += 1
      switch Int.random(in: 0..<4, using: &random) {
      case 0: receive(using: &random)
      case 1: step()
      case 2: answer(using: &random)
      default: send(using: &random)
      }
      check("\(random)")
    }
  }

  private mutating func receive(using random: inout SeededGenerator) {
    guard connection.wantsToReceive else { return }
    guard !unreceived.isEmpty else { return connection.receiveEnd() }
    let count = min(unreceived.count, Int.random(in: 1...700, using: &random))
    connection.receive(unreceived.prefix(count))
    unreceived = unreceived.dropFirst(count)
  }

  private mutating func step() {
    switch connection.next() {
    case .call(let call):
      given.append(call)
      isAnswering = true
    case .wait: break
    case let step: close = step
    }
  }

  private mutating func answer(using random: inout SeededGenerator) {
    guard isAnswering, let call = given.last else { return }
    let reply = frame(call.method.string + String(repeating: "y", count: Int.random(in: 0...150, using: &random)))
    connection.reply(reply)
    isAnswering = false
    if call.flag != .oneway { owed += reply }
  }

  private mutating func send(using random: inout SeededGenerator) {
    guard connection.wantsToSend else { return }
    let count = Int.random(in: 1...connection.unsent.count, using: &random)
    received += connection.unsent.prefix(count)
    connection.didSend(count)
  }

  /// What holds at every moment.
  private func check(_ seed: String) {
    #expect(connection.wantsToSend == !connection.unsent.isEmpty, "\(seed)")
    #expect(Array(connection.unsent) == Array(owed.dropFirst(received.count)), "\(seed)")
    #expect(connection.unsent.count <= Self.limits.replies + 250, "what waits is bounded; \(seed)")
    var copy = connection
    #expect(connection.hasMoreToServe == (copy.next() != .wait), "\(seed)")
    if connection.wantsToReceive { #expect(!connection.hasMoreToServe, "\(seed)") }
    let canProgress =
      connection.wantsToReceive || connection.wantsToSend || connection.hasMoreToServe || isAnswering
    #expect(canProgress, "there is always something to wait for; \(seed)")
  }
}
