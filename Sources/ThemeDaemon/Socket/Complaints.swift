/// Which complaints of clients go to the log: a pure rule, on the monotonic clock in milliseconds.
///
/// Each is told, since a connection that is closed in silence puzzles people; but no more than so many within a time,
/// since a client that makes its mistake in a loop would fill the log with it.
struct Complaints {
  private var begin: Int?
  private var told = 0

  /// The line for the log; nil where there were enough.
  mutating func line(_ complaint: @autoclosure () -> String, now: Int) -> String? {
    if begin.map({ now - $0 >= Limits.complaintsWithin }) ?? true { (begin, told) = (now, 0) }
    guard told < Limits.complaints else { return nil }
    told += 1
    return told < Limits.complaints ? complaint() : complaint() + "; further ones are not logged for a while"
  }
}
