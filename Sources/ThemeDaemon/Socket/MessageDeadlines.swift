/// Until when messages that were begun have to be finished: a pure rule, on the monotonic clock in milliseconds.
///
/// Whoever sends without a pause is always within a message, but not always within the same one: so a message is told
/// by how many calls of its connection came before it.
struct MessageDeadlines {
  private var begun: [UInt64: (message: Int, deadline: Int)] = [:]

  /// Whether no message was begun.
  var isEmpty: Bool { begun.isEmpty }

  /// When the next message is late; nil where none was begun.
  var next: Int? { begun.values.map(\.deadline).min() }

  /// A connection is within its message of this number.
  ///
  /// Whether that is news, so that ``next`` may be another.
  mutating func isWithin(_ message: Int, of connection: UInt64, now: Int) -> Bool {
    guard begun[connection]?.message != message else { return false }
    begun[connection] = (message, now + Limits.unfinishedMessage)
    return true
  }

  /// A connection is within no message, or is no more.
  mutating func isWithinNone(of connection: UInt64) {
    begun[connection] = nil
  }

  /// The connections whose message is late.
  func late(now: Int) -> [UInt64] {
    begun.filter { $0.value.deadline <= now }.keys.sorted()
  }
}
