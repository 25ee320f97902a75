/// Whether another process still answers, or whoever asks it waits in vain: pure.
///
/// It works in turns. Before it reads what has come it rings a bell, and when all that follows is done it silences it, and
/// then counts. So somebody waits for it while there is something to be read, or the bell rings; and where that is so, and
/// no turn has ended for a time, it hangs.
public struct Suspicion: Sendable, Hashable {
  /// What to do next.
  public enum Step: Sendable, Hashable {
    /// Sleep until somebody waits for it.
    case sleep
    /// Look at once.
    case look
    /// Look after so many milliseconds.
    case wait(milliseconds: Int)
    /// It hangs: end it.
    case end
  }

  /// The count at which somebody was found to wait.
  private var found: Int?

  /// Nothing was seen yet.
  public init() {}

  /// What follows from a look: at the count, at whether somebody waits for it, and at the count again.
  ///
  /// `isLate` where it was longer than it was to be since the look before: whoever looks was frozen or had no time itself,
  /// and so it may be with the other.
  public mutating func looked(count before: Int, isAwaited: Bool, count after: Int, isLate: Bool) -> Step {
    // A turn has ended meanwhile: which it was that somebody waited for is not known.
    guard before == after else { return .look }
    guard isAwaited else {
      found = nil
      return .sleep
    }
    if found == after, !isLate { return .end }
    found = after
    return .wait(milliseconds: Limits.patience)
  }
}
