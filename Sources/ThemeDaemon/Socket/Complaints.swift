/// Limits the number of logged complaints about clients: a pure rule, on the monotonic clock in milliseconds.
///
/// Complaints are logged because a connection that is closed silently is hard to understand. Their number within a time
/// is limited because a client that repeats its mistake in a loop would fill the log.
struct Complaints {
  private var begin: Int?
  private var told = 0

  /// The line for the log; nil if there were enough.
  mutating func line(_ complaint: @autoclosure () -> String, now: Int) -> String? {
    if begin.map({ now - $0 >= Limits.complaintsWithin }) ?? true { (begin, told) = (now, 0) }
    guard told < Limits.complaints else { return nil }
    told += 1
    return told < Limits.complaints ? complaint() : complaint() + "; further ones are not logged for a while"
  }
}
