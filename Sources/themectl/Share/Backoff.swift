/// The pause before the next attempt: it doubles after each failure, up to five minutes, and varies at random, so that
/// machines do not try in step.
struct Backoff: Hashable {
  /// The first pause, in milliseconds, and the longest.
  static let pauses: ClosedRange<Int64> = 1_000...300_000

  private var failures = 0

  /// No failure yet.
  init() {}

  /// The pause after one more failure, in milliseconds; `chance` is at least 0 and below 1.
  mutating func fail(chance: Double) -> Int64 {
    let doublings = min(failures, 16)
    failures = doublings + 1
    let pause = min(Self.pauses.lowerBound << Int64(doublings), Self.pauses.upperBound)
    return Int64(Double(pause) * (0.75 + chance / 2))
  }
}
