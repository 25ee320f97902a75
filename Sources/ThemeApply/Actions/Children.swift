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

/// Kills a program and everything that it started, whatever the parents of these processes are now.
///
/// A process belongs to the program by its group, by a mark in its initial environment, by the pipe to which it writes,
/// or by a parent that belongs to the program. A process with none of these may belong to any run: it is reported, but
/// not killed.
struct Descendants {
  /// The result.
  struct Result: Equatable {
    /// How many processes were killed, apart from the program itself.
    var killed = 0
    /// The processes that could not be killed, because they belong to another user or wait for a disk.
    var left: [pid_t] = []
    /// The processes that the program may have started, but that no longer have any of the marks.
    var unclear: [pid_t] = []

    /// The result, for the text of a problem.
    var words: String {
      let others =
        switch killed {
        case 0: ""
        case 1: ", together with a process that it had started"
        default: ", together with \(killed) processes that it had started"
        }
      let stillThere = left.isEmpty ? "" : "; still running: \(Self.list(left))"
      let count =
        unclear.count == 1
        ? "a process that it may have started is" : "\(unclear.count) processes that it may have started are"
      return others + stillThere
        + (unclear.isEmpty ? "" : "; \(count) still running: \(Self.list(unclear))")
    }

    private static func list(_ numbers: [pid_t]) -> String {
      numbers.prefix(8).map { "\($0)" }.joined(separator: ", ") + (numbers.count > 8 ? ", …" : "")
    }
  }

  /// The variable that each run sets to a value of its own.
  static let variable: Text = "THEMED_RUN"

  /// A variable with a value that is unique to this run.
  let mark: Text
  /// The number of its first process, and of its group.
  let leader: pid_t
  /// The kernel's name of the pipe to which the program writes.
  let pipe: Text?
  /// The start time of the program.
  let startedAt: Int

  /// Asks all processes to exit, and then kills those that have not.
  ///
  /// All of them are stopped first, until no new one appears, because they could start others while they are killed.
  func end(_ run: Run) -> Result {
    var all: [pid_t: UInt64] = [:]
    run.children.signal(SIGTERM, groupOf: leader, startedAt: startedAt)
    _ = look(run, &all, sending: SIGTERM)
    let grace = monotonicMilliseconds() + Limits.grace
    while monotonicMilliseconds() < grace, !look(run, &all).isEmpty { usleep(50_000) }
    run.children.signal(SIGSTOP, groupOf: leader, startedAt: startedAt)
    repeatedly(for: Limits.stopping) {
      let before = all
      let found = look(run, &all, sending: SIGSTOP)
      return all == before && found.values.allSatisfy(\.isStill)
    }
    func killAll() -> [pid_t: ProcessStat] {
      run.children.signal(SIGKILL, groupOf: leader, startedAt: startedAt)
      return look(run, &all, sending: SIGKILL)
    }
    // A look takes long where processes are many: the time to disappear begins when all have got the signal.
    var left = killAll()
    repeatedly(for: Limits.dying) {
      left = killAll()
      // Another user's processes got no signal, and are not waited for.
      return left.keys.allSatisfy { Process($0) == nil }
    }
    let killed = all.keys.count { $0 != leader && left[$0] == nil }
    return Result(killed: killed, left: left.keys.sorted(), unclear: unclear(run, besides: all))
  }

  /// Processes that have lost their parent since the program started, and that have no run's marks.
  private func unclear(_ run: Run, besides known: [pid_t: UInt64]) -> [pid_t] {
    Process.numbers.filter { process in
      guard process != run.outputs?.process, known[process] == nil, let stat = ProcessStat(process),
        // Reads the time for each process, since ages grow meanwhile; the kernel counts in hundredths of a second.
        stat.parent == getpid(), stat.age <= monotonicMilliseconds() - startedAt + 20, !stat.isDead
      else { return false }
      return !Process.wasStarted(process, withVariable: Self.variable)
    }.sorted()
  }

  /// Repeats a look until it finds nothing several times in a row, because one look may miss a process that forks.
  private func repeatedly(for time: Int, _ isAsWanted: () -> Bool) {
    let deadline = monotonicMilliseconds() + time
    var times = 0
    while times < Limits.looksForDescendants, monotonicMilliseconds() < deadline {
      times = isAsWanted() ? times + 1 : 0
      usleep(2_000)
    }
  }

  /// Sends a signal to each living process as it is found, and adds it to `all`.
  private func look(
    _ run: Run, _ all: inout [pid_t: UInt64], sending number: CInt = 0
  ) -> [pid_t: ProcessStat] {
    let most = monotonicMilliseconds() - startedAt + 1_000
    let foreign = [getpid(), run.outputs?.process]
    var others: [pid_t: ProcessStat] = [:]
    var found: [pid_t: ProcessStat] = [:]
    func take(_ process: pid_t, _ stat: ProcessStat) {
      found[process] = stat
      all[process] = stat.start
      guard let open = Process(process), ProcessStat(process)?.start == stat.start else { return }
      _ = open.send(number)
    }
    for process in Self.candidates where !foreign.contains(process) && found[process] == nil {
      guard let stat = ProcessStat(process), stat.age <= most, !stat.isDead else { continue }
      let isOne =
        stat.group == leader || all[process] == stat.start || Process.wasStarted(process, with: mark)
        || pipe.map { Process.writes(process, to: $0) } == true
      if isOne { take(process, stat) } else { others[process] = stat }
    }
    // A child of a process that was found belongs to the run even if it has no mark.
    while true {
      let more = others.filter { found[$0.key] == nil && found[$0.value.parent] != nil }
      guard !more.isEmpty else { return found }
      for (process, stat) in more { take(process, stat) }
    }
  }

  /// All processes, the likeliest and youngest first; orphans are our children.
  private static var candidates: [pid_t] {
    let orphans = (try? readFile("/proc/self/task/\(getpid())/children", maximum: 1 << 20)).map { Text(decoding: $0) }
    let numbers = orphans?.split(" ", omittingEmpty: true).compactMap { pid_t($0.string) } ?? []
    return numbers.reversed() + Process.numbers.reversed()
  }
}
