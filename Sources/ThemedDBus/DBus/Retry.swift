/// Decides when to try a bus again that could not be reached or that hung up: a pure rule.
///
/// The delay doubles each time. If the socket exists but refuses, either its bus is just starting, or a dead bus left
/// the socket behind. It is tried a few times and then no more, because a new bus changes the file system. Some cases
/// do not change the file system: a bus that hangs with a full queue, a bus that hangs up, and an address without a
/// path. They are tried for ever, at growing intervals.
struct Retry {
  private static let first = 20
  private static let attempts = 10
  /// About eleven minutes.
  private static let most = 16

  private var failures = 0

  /// How many milliseconds to wait after one more failure; nil: wait for a change of the file system.
  ///
  /// `willShow` says whether the return of the bus would be visible there.
  mutating func next(willShow: Bool) -> Int? {
    guard failures < Self.attempts || !willShow else { return nil }
    failures = min(failures + 1, Self.most)
    return Self.first << (failures - 1)
  }

  /// The bus stayed connected, or its socket was missing: the next failure starts with the shortest delay again.
  mutating func reset() {
    failures = 0
  }
}
