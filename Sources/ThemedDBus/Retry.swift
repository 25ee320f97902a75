/// When to try a bus again that could not be reached, or that hung up: a pure rule.
///
/// Each time after twice the time. A socket that is there and refuses is one whose bus is just starting, or one that a
/// dead bus left behind: it is tried a few times, and then no more, for what comes later shows in the file system. What
/// would not show there – a bus that hangs with a full queue, that hangs up, or one without a path – is tried for ever,
/// ever less often.
struct Retry {
  private static let first = 20
  private static let attempts = 10
  /// Some eleven minutes.
  private static let most = 16

  private var failures = 0

  /// How many milliseconds to wait after one more failure; nil: wait for the file system to change.
  ///
  /// `willShow` tells whether a bus that comes back will show there.
  mutating func next(willShow: Bool) -> Int? {
    guard failures < Self.attempts || !willShow else { return nil }
    failures = min(failures + 1, Self.most)
    return Self.first << (failures - 1)
  }

  /// A bus has stayed, or its socket was not there: what comes next is a new start.
  mutating func reset() {
    failures = 0
  }
}
