internal import ThemedModel

/// Records when the desktop got its last target, and whether something switched it back soon after that: pure.
struct TargetHistory: Sendable, Hashable {
  private var number: Int64?
  private var isPending = false
  /// When the desktop got its last target, in seconds since the epoch; nil if it never had one.
  private(set) var since: Int64?
  /// When the desktop left its last target within a few seconds, in seconds since the epoch; nil if it did not.
  private(set) var switchedBackAt: Int64?

  /// The desktop has this target now; nil if it is in step.
  mutating func target(_ target: DesktopTarget?, now: Int64) {
    if let target {
      if target.number != number { (number, since) = (target.number, now) }
    } else if isPending {
      // The desktop follows again, unless it was switched back just now.
      switchedBackAt = nil
    }
    isPending = target != nil
  }

  /// The desktop was switched; soon after a target, another program may have done that.
  mutating func switched(now: Int64) {
    if let since, (0...Limits.switchedBack).contains(now - since) { switchedBackAt = now }
  }
}
