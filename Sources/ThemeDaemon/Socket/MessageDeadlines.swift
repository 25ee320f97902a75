/// The times by which unfinished messages have to be complete: a pure rule, on the monotonic clock in milliseconds.
///
/// A client that sends without a pause is always in the middle of a message, but not of the same one. So a message is
/// identified by the number of its connection's earlier calls.
struct MessageDeadlines {
  private var begun: [UInt64: (message: Int, deadline: Int)] = [:]

  /// Whether no connection is in the middle of a message.
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
  mutating func isWithinNone(of connection: UInt64) {
    begun[connection] = nil
  }

  /// The connections whose message is late.
  func late(now: Int) -> [UInt64] {
    begun.filter { $0.value.deadline <= now }.keys.sorted()
  }
}
