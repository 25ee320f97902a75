/// Decides when to send a changed list again: soon, but not more often than the pause allows.
///
/// Pure. Times are in milliseconds, by a clock that does not jump.
struct ListPace: Hashable {
  private var toldAt: Int?
  private var isWaiting = false

  /// The list has changed; returns after how many milliseconds to send it, or nil if that was already returned.
  mutating func changed(now: Int) -> Int? {
    guard !isWaiting else { return nil }
    isWaiting = true
    guard let toldAt else { return 0 }
    return max(0, toldAt + Limits.listPause - now)
  }

  /// The list is being sent.
  mutating func told(now: Int) { (toldAt, isWaiting) = (now, false) }
}
