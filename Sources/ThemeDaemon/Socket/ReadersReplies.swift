/// How many bytes wait to be taken by those who may only read, all together: each of them could let a reply of a megabyte
/// wait, and there may be thousands.
///
/// What is sent to those who monitor or follow a list is one array for all, and does not count. Pure.
struct ReadersReplies {
  /// What waits for one of them.
  struct Share {
    fileprivate(set) var bytes = 0
    /// Since when it is that or more: who has taken a reply has not waited for long.
    fileprivate(set) var since = 0
  }

  private var sum = 0
  private var time = 0

  /// Whether more than half of what may wait does.
  var isAboveHalf: Bool { sum > Limits.readersReplies / 2 }

  /// Takes note of how many bytes wait for one now; whether that is too much in all.
  mutating func note(_ bytes: Int, for share: inout Share) -> Bool {
    guard bytes != share.bytes else { return false }
    time += 1
    if bytes < share.bytes || share.bytes == 0 { share.since = time }
    sum += bytes - share.bytes
    share.bytes = bytes
    return sum > Limits.readersReplies
  }

  /// Takes note that one has gone.
  mutating func forget(_ share: inout Share) {
    sum -= share.bytes
    share.bytes = 0
  }
}
