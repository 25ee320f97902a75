internal import Glibc
internal import ThemedText
internal import ThemedUnix

/// A program and all that it has started, whoever is its parent by now, to be killed.
///
/// A process belongs to it by its group, by a mark in the environment that it has from its start, by the pipe that it
/// writes to, or by a parent that belongs to it. A process that has none of these left may be of any run: it is told, and
/// goes on.
struct Descendants {
  /// What was done.
  struct Result: Equatable {
    /// How many processes were killed beside the program itself.
    var killed = 0
    /// Which could not be killed: those of another user, or those that wait for a disk.
    var left: [pid_t] = []
    /// Which it may have started, since nobody else is known to have: they have none of the signs any more.
    var unclear: [pid_t] = []

    /// The same in a problem's words.
    var words: String {
      let others =
        switch killed {
        case 0: ""
        case 1: ", with a process that it had started"
        default: ", with \(killed) processes that it had started"
        }
      let stillThere = left.isEmpty ? "" : "; still running: \(Self.list(left))"
      let count =
        unclear.count == 1 ? "a process that it may have started" : "\(unclear.count) that it may have started"
      return others + stillThere
        + (unclear.isEmpty ? "" : "; \(count), and that cannot be told apart, still runs: \(Self.list(unclear))")
    }

    private static func list(_ numbers: [pid_t]) -> String {
      numbers.prefix(8).map { "\($0)" }.joined(separator: ", ") + (numbers.count > 8 ? ", …" : "")
    }
  }

  /// The variable that each run sets to a value of its own.
  static let variable: Text = "THEMED_RUN"

  /// That variable with the value of this run, which no other run has.
  let mark: Text
  /// The number of its first process, and of its group.
  let leader: pid_t
  /// What the kernel calls the pipe that it writes to.
  let pipe: Text?
  /// When it was started.
  let startedAt: Int

  /// Tells all of them to end; then kills those that have not.
  ///
  /// They are all stopped first, until none is new: what is killed one after the other goes on to start others meanwhile.
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
    var left: [pid_t: ProcessStat] = [:]
    repeatedly(for: Limits.dying) {
      run.children.signal(SIGKILL, groupOf: leader, startedAt: startedAt)
      left = look(run, &all, sending: SIGKILL)
      return left.isEmpty
    }
    let killed = all.keys.count { $0 != leader && left[$0] == nil }
    return Result(killed: killed, left: left.keys.sorted(), unclear: unclear(run, besides: all))
  }

  /// Processes that have lost their parent since the program was started, and that no run's signs are found on.
  private func unclear(_ run: Run, besides known: [pid_t: UInt64]) -> [pid_t] {
    Process.numbers.filter { process in
      guard process != run.outputs?.process, known[process] == nil, let stat = ProcessStat(process),
        // Now, since it grows while others are looked at; the kernel counts in hundredths of a second.
        stat.parent == getpid(), stat.age <= monotonicMilliseconds() - startedAt + 20, !stat.isDead
      else { return false }
      return !Process.wasStarted(process, withVariable: Self.variable)
    }.sorted()
  }

  /// Does this until it is as wanted, several times running: one look may miss what becomes another process meanwhile.
  private func repeatedly(for time: Int, _ isAsWanted: () -> Bool) {
    let deadline = monotonicMilliseconds() + time
    var times = 0
    while times < Limits.looksForDescendants, monotonicMilliseconds() < deadline {
      times = isAsWanted() ? times + 1 : 0
      usleep(2_000)
    }
  }

  /// Those that live, each of which gets a signal as soon as it is found; `all` grows by them.
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
    // A parent of ours may have a child that looks like nobody's.
    while true {
      let more = others.filter { found[$0.key] == nil && found[$0.value.parent] != nil }
      guard !more.isEmpty else { return found }
      for (process, stat) in more { take(process, stat) }
    }
  }

  /// All processes, the likeliest and the youngest first: those that have lost their parents are children of ours.
  private static var candidates: [pid_t] {
    let orphans = (try? readFile("/proc/self/task/\(getpid())/children", maximum: 1 << 20)).map { Text(decoding: $0) }
    let numbers = orphans?.split(" ", omittingEmpty: true).compactMap { pid_t($0.string) } ?? []
    return numbers.reversed() + Process.numbers.reversed()
  }
}
