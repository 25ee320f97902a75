internal import ThemedSystem

/// Returns freed memory to the system (``giveMemoryBack()``) when the program has been idle for a while.
///
/// It wakes the program up once after work, and once per such interval while work continues; a sleeping program stays
/// asleep.
public final class Rest {
  private let delay: Int
  private var timer: Source?
  private var rounds: UInt64 = 0
  /// Whether the current round is the timer's own, which does not count as work.
  private var isOwnRound = false

  /// A timer that fires this many milliseconds after the last work, or up to twice as many.
  public init(afterMilliseconds delay: Int) {
    self.delay = delay
  }

  /// Call this after each round of the loop.
  public func worked() {
    guard !isOwnRound else {
      isOwnRound = false
      return
    }
    rounds &+= 1
    if timer == nil { wait() }
  }

  private func wait() {
    let before = rounds
    timer = MainLoop.timer(afterMilliseconds: delay) { [unowned self] in
      timer = nil
      isOwnRound = true
      guard rounds == before else { return wait() }
      giveMemoryBack()
    }
  }
}
