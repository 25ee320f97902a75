internal import ThemedDBus
internal import ThemedSystem

/// The timer for ``MessageDeadlines``: a message that has begun has to be finished in time.
final class DeadlineTimer {
  /// Learns of each connection whose message is late.
  weak var server: (any ConnectionServer)?

  private var deadlines = MessageDeadlines()
  private var source: Source?

  /// Takes whether a connection is in the middle of a message.
  func watch(_ connection: ClientConnection, isWithinMessage: Bool) {
    guard isWithinMessage else { return forget(connection) }
    guard deadlines.isWithin(connection.calls, of: connection.token, now: monotonicMilliseconds()) else { return }
    if source == nil { wake(afterMilliseconds: Limits.unfinishedMessage) }
  }

  /// A connection is no longer in the middle of a message, or has ended.
  func forget(_ connection: ClientConnection) {
    guard !deadlines.isEmpty else { return }
    deadlines.isWithinNone(of: connection.token)
    if deadlines.isEmpty { source = nil }
  }

  private func wake(afterMilliseconds delay: Int) {
    source = MainLoop.timer(afterMilliseconds: delay) { [unowned self] in
      let now = monotonicMilliseconds()
      for token in deadlines.late(now: now) { server?.messageIsLate(on: token) }
      source = nil
      if let next = deadlines.next { wake(afterMilliseconds: max(0, next - now)) }
    }
  }
}
