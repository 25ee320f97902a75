/// Counts the bytes that wait for all read-only connections together: each could let a reply of a megabyte wait, and
/// there may be thousands.
///
/// Frames for subscribers and followers of lists are shared arrays, and do not count. Pure.
struct ReadersReplies {
  /// The bytes that wait for one of them.
  struct Share {
    fileprivate(set) var bytes = 0
    /// Since when it has been that much or more: a connection that has read a reply starts again.
    fileprivate(set) var since = 0
  }

  private var sum = 0
  private var time = 0

  /// Whether more than half of the limit is waiting.
  var isAboveHalf: Bool { sum > Limits.readersReplies / 2 }

  /// Takes how many bytes wait for a connection now; returns whether all together are too many.
  mutating func note(_ bytes: Int, for share: inout Share) -> Bool {
    guard bytes != share.bytes else { return false }
    time += 1
    if bytes < share.bytes || share.bytes == 0 { share.since = time }
    sum += bytes - share.bytes
    share.bytes = bytes
    return sum > Limits.readersReplies
  }

  /// A connection has ended.
  mutating func forget(_ share: inout Share) {
    sum -= share.bytes
    share.bytes = 0
  }
}
