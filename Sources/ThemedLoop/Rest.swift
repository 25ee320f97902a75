internal import ThemedUnix

/// Gives freed memory back to the system (``giveMemoryBack()``) when a program has had nothing to do for a while.
///
/// It wakes the program up once after work, and once in each such while that the work goes on; who sleeps, sleeps on.
public final class Rest {
  private let delay: Int
  private var timer: Source?
  private var rounds: UInt64 = 0
  /// Whether the round that ends is the timer's own, which is no work.
  private var isOwnRound = false

  /// One that comes so many milliseconds after the last work, or up to twice as many.
  public init(afterMilliseconds delay: Int) {
    self.delay = delay
  }

  /// To be called after each round of the loop.
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
