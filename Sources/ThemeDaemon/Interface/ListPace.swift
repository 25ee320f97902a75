/// When a list that changes is told again: soon, and then only so often, however often it changes.
///
/// Pure.
/// Times are in milliseconds, by a clock that does not jump.
struct ListPace: Hashable {
  private var toldAt: Int?
  private var isWaiting = false

  /// It has changed; after how many milliseconds to tell it, or nil where that time was said already.
  mutating func changed(now: Int) -> Int? {
    guard !isWaiting else { return nil }
    isWaiting = true
    guard let toldAt else { return 0 }
    return max(0, toldAt + Limits.listPause - now)
  }

  /// It is told now.
  mutating func told(now: Int) { (toldAt, isWaiting) = (now, false) }
}
