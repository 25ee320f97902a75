internal import CThemedLinux
internal import Glibc
internal import Synchronization
internal import ThemedUnix

/// The processes that are ours: those that runs have started, and those that lost their parents and became ours.
///
/// The loop takes the ends of all, as nobody knows whose child an orphan is; who waits for one finds it here.
final class Children: Sendable {
  private struct Ends {
    /// How those have ended who did so while somebody waited for anyone, and when.
    var statuses: [pid_t: (status: CInt, time: Int)] = [:]
    /// How many are waited for.
    var waiting = 0
  }

  private let ends = Mutex(Ends())

  /// Takes note of who has ended.
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

  /// Somebody is about to start a process, and waits for it.
  func begin() { ends.withLock { $0.waiting += 1 } }

  /// He waits no longer.
  func finish() {
    ends.withLock { ends in
      ends.waiting -= 1
      if ends.waiting == 0 { ends.statuses = [:] }
    }
  }

  /// How a child that was started at `time` has ended; nil where it has not.
  func status(of process: pid_t, startedAt time: Int) -> CInt? {
    ends.withLock { Self.status(of: process, startedAt: time, &$0) }
  }

  /// Sends a signal to the group of a child, unless that has ended: then the number may be another group's.
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
