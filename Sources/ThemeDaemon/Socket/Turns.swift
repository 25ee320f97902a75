internal import ThemedSystem

/// The connections with calls that have to wait for the next turn of the loop.
///
/// Read-only connections come last, and share one part of a turn, so that any number of them delays nothing else for
/// long.
final class TurnQueue {
  weak var server: (any ConnectionServer)?

  private var waiting: [ClientConnection] = []
  private var readers: [ClientConnection] = []
  /// How many more calls of read-only connections may be served in this turn.
  private var shareOfReaders = Limits.readersCallsPerTurn
  private var source: Source?

  /// How many calls may be served now for a connection with these rights.
  func share(for rights: Rights) -> Int {
    rights == .all ? Limits.callsPerTurn : min(Limits.readerCallsPerTurn, shareOfReaders)
  }

  /// This many calls were served for a connection with these rights; looking for a call costs as much as serving one.
  func served(_ calls: Int, for rights: Rights) {
    if rights == .reading { shareOfReaders -= min(max(calls, 1), shareOfReaders) }
  }

  /// Lets a connection wait, unless it does already.
  func append(_ connection: ClientConnection) {
    guard !connection.isQueued else { return }
    connection.isQueued = true
    if connection.options.rights == .all { waiting.append(connection) } else { readers.append(connection) }
    guard source == nil else { return }
    source = EventLoop.main.later { [unowned self] in
      shareOfReaders = Limits.readersCallsPerTurn
      let turn = waiting
      waiting = []
      for connection in turn { serve(connection) }
      serveReaders()
      if waiting.isEmpty, readers.isEmpty { source = nil }
      return !waiting.isEmpty || !readers.isEmpty
    }
  }

  /// Serves read-only connections until their share is used up; the others keep their places.
  private func serveReaders() {
    var turn = readers[...]
    readers = []
    while shareOfReaders > 0, let connection = turn.popFirst() { serve(connection) }
    readers.insert(contentsOf: turn, at: 0)
  }

  private func serve(_ connection: ClientConnection) {
    connection.isQueued = false
    server?.turnCame(for: connection)
  }
}

/// The timer for ``MessageDeadlines``: a message that has begun has to be finished in time.
final class DeadlineTimer {
  weak var server: (any ConnectionServer)?

  private var deadlines = MessageDeadlines()
  private var source: Source?

  func watch(_ connection: ClientConnection, isWithinMessage: Bool) {
    guard isWithinMessage else { return forget(connection) }
    guard deadlines.isWithin(connection.calls, of: connection.token, now: monotonicMilliseconds()) else { return }
    if source == nil { wake(afterMilliseconds: Limits.unfinishedMessage) }
  }

  /// A connection is no longer in the middle of a message, or has ended.
  func forget(_ connection: ClientConnection) {
    guard !deadlines.isEmpty else { return }
    deadlines.isNotWithin(of: connection.token)
    if deadlines.isEmpty { source = nil }
  }

  private func wake(afterMilliseconds delay: Int) {
    source = EventLoop.main.timer(afterMilliseconds: delay) { [unowned self] in
      let now = monotonicMilliseconds()
      for token in deadlines.late(now: now) { server?.messageIsLate(on: token) }
      source = nil
      if let next = deadlines.next { wake(afterMilliseconds: max(0, next - now)) }
    }
  }
}

/// The times by which unfinished messages have to be complete: a pure rule, on the monotonic clock in milliseconds.
///
/// A client that sends without a pause is always in the middle of a message, but not of the same one. So a message is
/// identified by the number of its connection's earlier calls.
struct MessageDeadlines {
  private var begun: [UInt64: (message: Int, deadline: Int)] = [:]

  var isEmpty: Bool { begun.isEmpty }

  /// When the next message is late; nil if none has begun.
  var next: Int? { begun.values.map(\.deadline).min() }

  /// A connection is in the middle of its message with this number.
  ///
  /// Returns whether that is news, so that ``next`` may have changed.
  mutating func isWithin(_ message: Int, of connection: UInt64, now: Int) -> Bool {
    guard begun[connection]?.message != message else { return false }
    begun[connection] = (message, now + Limits.unfinishedMessage)
    return true
  }

  /// A connection is not in the middle of a message, or has ended.
  mutating func isNotWithin(of connection: UInt64) { begun[connection] = nil }

  /// The connections whose message is late.
  func late(now: Int) -> [UInt64] { begun.filter { $0.value.deadline <= now }.keys.sorted() }
}
