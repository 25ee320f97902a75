import Testing
import ThemedClientCore
import ThemedSystem
import ThemedTestSupport
import ThemedVarlink

@testable import ThemeClient

/// Whose turn it is of those who call, as folds over what happens.
@Suite struct CallQueueTests {
  private typealias Action = CallQueue.Action

  private let reply = Reply(["saved": .bool(true)])

  /// A queue that has sent the first of so many calls, each of one byte, its number.
  private func asking(_ callers: UInt64 = 1, stranger: UInt32? = nil) -> CallQueue {
    var queue = CallQueue(timeout: .seconds(1), limit: 100)
    for number in 1...callers { _ = queue.handle(.called(number, [UInt8(number)], end: 1000), now: 0) }
    _ = queue.handle(.connected(stranger: stranger), now: 0)
    return queue
  }

  @Test("The first call makes a connection, and each goes when the one before is answered")
  func turns() {
    var queue = CallQueue(timeout: .seconds(1), limit: 100)
    #expect(!queue.isBusy)
    #expect(queue.handle(.called(1, [1], end: 1000), now: 0) == [.connect, .alarm(1000)])
    #expect(queue.handle(.called(2, [2], end: 1001), now: 1) == [.alarm(1000)])
    #expect(queue.handle(.connected(stranger: nil), now: 1) == [.send([1]), .alarm(1000)])
    #expect(queue.handle(.received(reply.frame.dropLast(3)), now: 2) == [.alarm(1000)])
    #expect(
      queue.handle(.received(reply.frame.suffix(3)), now: 2) == [.answer(1, .success(reply)), .send([2]), .alarm(1001)])
    #expect(queue.handle(.received(reply.frame[...]), now: 3) == [.answer(2, .success(reply)), .alarm(nil)])
    #expect(queue.isBusy, "the connection is kept for the next one")
    #expect(queue.handle(.called(3, [3], end: 1005), now: 5) == [.send([3]), .alarm(1005)])
  }

  @Test("Who is given up while it asks takes the connection along, which the next one makes anew")
  func timeAndCancellation() {
    let late = CallError.timedOut(after: .seconds(1))
    var queue = asking(2)
    #expect(queue.handle(.cancelled(2), now: 5) == [.answer(2, .failure(.cancelled)), .alarm(1000)])
    #expect(queue.handle(.cancelled(1), now: 5) == [.close, .answer(1, .failure(.cancelled)), .alarm(nil)])
    #expect(!queue.isBusy)
    queue = asking(3)
    #expect(queue.handle(.cancelled(1), now: 5) == [.close, .answer(1, .failure(.cancelled)), .connect, .alarm(1000)])
    _ = queue.handle(.connected(stranger: nil), now: 6)
    #expect(
      queue.handle(.timePassed, now: 1000)
        == [.close, .answer(2, .failure(late)), .answer(3, .failure(late)), .alarm(nil)])
    #expect(queue.handle(.cancelled(9), now: 1000) == [.alarm(nil)], "who was answered is gone")
  }

  @Test("Without a daemon everybody is told so, and each asks for himself")
  func noDaemon() {
    var queue = CallQueue(timeout: .seconds(1), limit: 100)
    for number in [1, 2] as [UInt64] { _ = queue.handle(.called(number, [], end: 1000), now: 0) }
    let error = CallError.noDaemon(path: "/s", reason: "no")
    #expect(queue.handle(.failed(error), now: 1) == [.answer(1, .failure(error)), .connect, .alarm(1000)])
    #expect(queue.handle(.failed(error), now: 1) == [.answer(2, .failure(error)), .alarm(nil)])
    #expect(!queue.isBusy)
  }

  @Test("Where too many ask it tries again after a pause, as long as somebody waits")
  func crowded() {
    var queue = CallQueue(timeout: .seconds(1), limit: 100)
    _ = queue.handle(.called(1, [], end: 15), now: 0)
    #expect(queue.handle(.crowded, now: 0) == [.alarm(10)])
    #expect(queue.handle(.called(2, [], end: 30), now: 8) == [.alarm(10)], "no caller makes the pause longer")
    #expect(queue.handle(.timePassed, now: 10) == [.connect, .alarm(15)])
    #expect(queue.handle(.crowded, now: 10) == [.alarm(15)])
    #expect(queue.handle(.timePassed, now: 15).first == .answer(1, .failure(.timedOut(after: .seconds(1)))))
  }

  @Test("A connection that has worked and is closed in between is made anew unseen, and only that")
  func restart() {
    var queue = asking(1)
    #expect(
      queue.handle(.unsent(reason: "gone"), now: 1)
        == [.close, .answer(1, .failure(.connectionLost(reason: "gone"))), .alarm(nil)])
    queue = asking(2)
    _ = queue.handle(.received(reply.frame[...]), now: 1)
    #expect(queue.handle(.unsent(reason: "gone"), now: 2) == [.close, .connect, .alarm(1000)])
    _ = queue.handle(.connected(stranger: nil), now: 2)
    #expect(
      queue.handle(.ended(reason: "gone"), now: 3)
        == [.close, .answer(2, .failure(.connectionLost(reason: "gone"))), .alarm(nil)],
      "what was sent may have been done")
    queue = asking(1)
    _ = queue.handle(.received(reply.frame[...]), now: 1)
    #expect(queue.handle(.ended(reason: "gone"), now: 2) == [.close, .alarm(nil)])
    #expect(!queue.isBusy)
  }

  @Test("Another user's daemon that closes before it answers is told of")
  func stranger() {
    var queue = asking(1, stranger: 7)
    #expect(queue.handle(.ended(reason: ""), now: 1) == [.close, .answer(1, .failure(.otherUser(7))), .alarm(nil)])
  }

  @Test(
    "What is no answer, or one too many, ends the connection",
    arguments: ["[]\0", "{}\0{}\0", #"{"continues":true}"# + "\0", String(repeating: " ", count: 101)])
  func violation(text: String) throws {
    var queue = asking(1)
    let actions = queue.handle(.received(ArraySlice(text.utf8)), now: 1)
    guard actions.count == 3, actions[0] == .close, case .answer(1, .failure(let error)) = actions[1] else {
      throw Failure("\(actions)")
    }
    #expect(error.code == .protocolViolation)
    #expect(!queue.isBusy)
    queue = asking(1)
    _ = queue.handle(.received(reply.frame[...]), now: 1)
    #expect(queue.handle(.received(reply.frame[...]), now: 1) == [.close, .alarm(nil)], "nobody asked")
  }

  @Test("Whatever happens, everybody is answered once, one call is under way at a time, and nobody waits for ever")
  func everything() {
    let result = explore(from: Office(), alphabet: Office.alphabet, states: 60_000) { (office, event) throws(Broken) in
      try office.take(event)
    } invariant: { (office) throws(Broken) in
      try office.check()
    }
    #expect(result.fault == nil, "\(result)")
    #expect(result.depth >= 8, "\(result)")
  }
}

/// A queue, and what its caller knows of it.
private struct Office: Hashable {
  private enum Stands: Hashable { case apart, connecting, idle, asking(UInt64) }

  private var queue = CallQueue(timeout: .seconds(1), limit: 40)
  private var stands = Stands.apart
  private var isPausing = false
  private var waiting: Set<UInt64> = []
  private var alarm: Int?
  private var now = 0
  private static let callers: ClosedRange<UInt64> = 1...3

  enum Event {
    case call(UInt64)
    case happens(CallQueue.Event)
    case timePasses
  }

  static let alphabet: [Event] =
    callers.flatMap { [.call($0), .happens(.cancelled($0))] }
    + [
      .happens(.connected(stranger: nil)), .happens(.connected(stranger: 7)), .happens(.failed(.noSocketPath)),
      .happens(.crowded), .happens(.received(Reply().frame[...])), .happens(.received([0x7B])),
      .happens(.received([0x7D, 0])), .happens(.received([])), .happens(.unsent(reason: "")),
      .happens(.ended(reason: "")), .timePasses, .happens(.closed),
    ]

  mutating func take(_ event: Event) throws(Broken) -> Bool {
    switch event {
    case .call(let number):
      guard !waiting.contains(number), now < 3 else { return false }
      waiting.insert(number)
      try handle(.called(number, [UInt8(number)], end: now + 1))
    case .happens(let event): try handle(event)
    case .timePasses:
      guard alarm != nil, now < 3 else { return false }
      now += 1
      try handle(.timePassed)
    }
    return true
  }

  private mutating func handle(_ event: CallQueue.Event) throws(Broken) {
    switch event {
    case .connected where stands == .connecting && !isPausing: stands = .idle
    case .failed where stands == .connecting && !isPausing: stands = .apart
    case .crowded where stands == .connecting: isPausing = true
    case .timePassed where isPausing, .closed where stands == .connecting: (stands, isPausing) = (.apart, false)
    default: break
    }
    for action in queue.handle(event, now: now) {
      switch action {
      case .connect:
        guard stands == .apart, !waiting.isEmpty else { throw Broken("it connects where it \(stands)") }
        stands = .connecting
      case .send(let bytes):
        guard stands == .idle else { throw Broken("it sends where it \(stands)") }
        guard waiting.contains(UInt64(bytes[0])) else { throw Broken("it sends for nobody") }
        stands = .asking(UInt64(bytes[0]))
      case .close:
        guard stands != .apart else { throw Broken("it closes nothing") }
        stands = .apart
      case .answer(let number, let result):
        guard waiting.remove(number) != nil else { throw Broken("it answers \(number) twice") }
        if case .success = result {
          guard stands == .asking(number) else { throw Broken("it answers \(number) where it \(stands)") }
        }
        if stands == .asking(number) { stands = .idle }
      case .alarm(let time): alarm = time
      }
    }
  }

  func check() throws(Broken) {
    if !waiting.isEmpty {
      guard let alarm, alarm <= now + 10 else { throw Broken("somebody waits for ever") }
    }
    if case .asking(let number) = stands, !waiting.contains(number) { throw Broken("it asks for nobody") }
    guard queue.isBusy || waiting.isEmpty else { throw Broken("it forgets who waits") }
  }
}
