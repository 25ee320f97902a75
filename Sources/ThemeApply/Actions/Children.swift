internal import CThemedLinux
internal import Glibc
internal import Synchronization
internal import ThemedSystem

/// Our child processes: those that runs started, and orphans that became ours.
///
/// The loop collects the ends of all children, because it cannot know which are orphans; a run that waits for a child
/// finds its end here.
final class Children: Sendable {
  private struct Ends {
    /// The exit statuses of children that ended while a run was waiting, and when they ended.
    var statuses: [pid_t: (status: CInt, time: Int)] = [:]
    /// How many runs are waiting.
    var waiting = 0
  }

  private let ends = Mutex(Ends())

  /// Collects the children that have ended.
  func reap() {
    ends.withLock { ends in
      var status: CInt = 0
      while true {
        let process = unsafe waitpid(-1, &status, WNOHANG)
        guard process > 0 else { return }
        if ends.waiting > 0 { ends.statuses[process] = (status, monotonicMilliseconds()) }
      }
    }
  }

  /// Called before a run starts a process and waits for it.
  func begin() { ends.withLock { $0.waiting += 1 } }

  /// Called when the run no longer waits.
  func finish() {
    ends.withLock { ends in
      ends.waiting -= 1
      if ends.waiting == 0 { ends.statuses = [:] }
    }
  }

  /// The exit status of a child that was started at `time`; nil if it is still running.
  func status(of process: pid_t, startedAt time: Int) -> CInt? {
    ends.withLock { Self.status(of: process, startedAt: time, &$0) }
  }

  /// Sends a signal to the group of a child, unless the child has ended, since the number may then be reused.
  func signal(_ number: CInt, groupOf process: pid_t, startedAt time: Int) {
    ends.withLock { ends in
      if Self.status(of: process, startedAt: time, &ends) == nil { kill(-process, number) }
    }
  }

  private static func status(of process: pid_t, startedAt time: Int, _ ends: inout Ends) -> CInt? {
    // One that had the number before has ended before.
    if let end = ends.statuses[process], end.time >= time { return end.status }
    var status: CInt = 0
    guard unsafe waitpid(process, &status, WNOHANG) == process else { return nil }
    ends.statuses[process] = (status, monotonicMilliseconds())
    return status
  }
}
