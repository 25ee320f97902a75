/// What to do next to keep following the daemon, through its restarts: pure.
package struct Reconnection: Sendable, Hashable {
  /// The first pause after a failure, which each further failure doubles.
  package static let shortestPause = Duration.milliseconds(100)
  /// The longest pause.
  package static let longestPause = Duration.seconds(5)

  /// What to do next.
  package enum Step: Sendable, Hashable {
    /// Connect.
    case connect
    /// Read states.
    case read
    /// Wait until the place of the socket changes, at most for so long; with nil, however long it takes.
    case wait(atMost: Duration?)
  }

  /// What to do next.
  package private(set) var step = Step.connect
  private var pause = shortestPause

  package init() {}

  /// The connection is made.
  package mutating func connected() {
    step = .read
  }

  /// A state came: the daemon works, and what fails next is a new trouble.
  package mutating func delivered() {
    pause = Self.shortestPause
  }

  /// Connecting failed, or the stream ended.
  ///
  /// Without a socket there is nothing to try until one appears. With one, a listener may come to stand behind it
  /// unseen: it is tried again after a pause, even after a stream that delivered, since a daemon that delivers and
  /// dies may do so again and again.
  package mutating func failed(socketExists: Bool) {
    guard socketExists else {
      step = .wait(atMost: nil)
      pause = Self.shortestPause
      return
    }
    step = .wait(atMost: pause)
    pause = min(pause * 2, Self.longestPause)
  }

  /// The wait is over.
  package mutating func waited() {
    step = .connect
  }
}
