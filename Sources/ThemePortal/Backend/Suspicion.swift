/// Decides whether another process hangs: pure.
///
/// That process works in turns. Before it reads its input it rings a bell; when it has handled everything, it silences
/// the bell and counts the turn. So it has work to do while there is unread input or the bell rings. If that is the
/// case and no turn ends for a time, it hangs.
package struct Suspicion: Sendable, Hashable {
  package enum Step: Sendable, Hashable {
    case sleep
    case look
    case wait(milliseconds: Int)
    /// It hangs: kill it.
    case end
  }

  /// The count of turns when the process was last seen with work to do.
  private var found: Int?

  /// Nothing has been observed yet.
  package init() {}

  /// Takes an observation: the count, whether the process has work to do, and the count again; returns what to do.
  ///
  /// `isLate` is true if more time than planned has passed since the last look: the watchdog was frozen or had no
  /// processor time, and so perhaps was the other process.
  package mutating func looked(count before: Int, isAwaited: Bool, count after: Int, isLate: Bool) -> Step {
    // A turn ended in between, so the work may have been part of it.
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
