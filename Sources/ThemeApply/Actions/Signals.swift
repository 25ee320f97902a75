internal import Glibc
internal import ThemeApps
internal import ThemedText
internal import ThemedUnix

/// Tells programs by a signal, and ends none of them: only one that is ready for it gets it.
enum Signals {
  /// What became of those who run.
  struct Result: Equatable {
    var told: [pid_t] = []
    /// Those whom it would have ended.
    var unready: [pid_t] = []
    var failed: [pid_t] = []
    /// Those that have just been started, and when they are old enough, in milliseconds.
    var young: Set<ProcessIdentity> = []
    var wait = 0
  }

  /// Sends a signal to every process of the user's that runs one of these programs, does so for long enough, and is ready
  /// for it; with `meant`, to those alone.
  ///
  /// A young one may have a handler and be ended all the same: Waybar 0.9, say, or a child that has not come to its exec.
  /// Between the look and the signal a process can only change its own mind, or become another program by exec: the
  /// window of some microseconds that the kernel leaves open.
  static func send(
    _ number: CInt, toThoseRunning programs: [Text], meant: Set<ProcessIdentity> = [],
    youngerThan minimum: Int = Limits.youngProcess, _ ages: ProgramAge = ProgramAge()
  ) -> Result {
    var result = Result()
    var seen: Set<ProcessIdentity> = []
    defer { ages.keep(seen, running: programs) }
    let now = monotonicMilliseconds()
    let processes = Set(meant.map { ProcessIdentity(number: $0.number, start: $0.start) })
    Process.forEach(running: programs) { process in
      guard let stat = ProcessStat(process.number) else { return }
      let identity = ProcessIdentity(number: process.number, start: stat.start, stack: stat.stack)
      seen.insert(identity)
      guard meant.isEmpty || processes.contains(ProcessIdentity(number: process.number, start: stat.start)) else {
        return
      }
      // Those who are meant have waited, unless they run another program by now, or the same anew.
      let age = meant.contains(identity) ? minimum : ages.age(of: stat, identity, running: programs, now: now)
      guard age >= minimum else {
        result.young.insert(identity)
        result.wait = max(result.wait, minimum - age)
        return
      }
      switch process.isReady(for: number) {
      case true?:
        // A name that has changed meanwhile is another program's.
        guard let program = process.program, programs.contains(program) else { return }
        if let code = process.send(number) {
          if code != ESRCH { result.failed.append(process.number) }
        } else {
          result.told.append(process.number)
        }
      case false?: result.unready.append(process.number)
      // It has ended.
      case nil: break
      }
    }
    return result
  }

  /// The step of a run that a signal is.
  static func tell(
    _ signal: AppSignal, _ programs: [Text], meant: Set<ProcessIdentity>, _ run: Run, _ name: Text,
    _ outcome: inout Outcome
  ) {
    let minimum = signal.ends ? Limits.youngProcess : 0
    let result = send(signal.number, toThoseRunning: programs, meant: meant, youngerThan: minimum, run.ages)
    if !result.young.isEmpty {
      outcome.young.formUnion(result.young)
      outcome.comesAgain = max(outcome.comesAgain ?? 0, result.wait)
    }
    let names = programs.map { $0.shown(atMost: 64) }.joined(separator: " or ")
    let told =
      result.told.isEmpty ? [] : ["signalled \(result.told.count == 1 ? "process" : "processes") \(list(result.told))"]
    if !result.failed.isEmpty {
      return outcome.fail(
        name,
        Problem(
          text: "cannot send SIG\(signal.rawValue) to \(names) (process \(list(result.failed)))",
          advice: "check whether a security module forbids it: 'kill -\(signal.rawValue) \(result.failed[0])'"))
    }
    guard result.unready.isEmpty else {
      let left = "did not signal \(list(result.unready)): not ready for SIG\(signal.rawValue)"
      return outcome.add(name, .left, (told + [left]).joined(separator: "; "))
    }
    let young = list(result.young.map(\.number).sorted())
    let later = young.isEmpty ? [] : ["\(young) has just started and is signalled later"]
    let words = (told + later).joined(separator: "; ")
    outcome.add(name, told.isEmpty ? .left : .done, words.isEmpty ? "\(names) is not running" : words)
  }

  private static func list(_ processes: [pid_t]) -> String {
    let first = processes.prefix(8).map { "\($0)" }.joined(separator: ", ")
    return processes.count > 8 ? "\(first) and \(processes.count - 8) more" : first
  }
}

extension AppSignal {
  /// Whether it ends who has no handler: others are told from their first moment.
  fileprivate var ends: Bool {
    switch self {
    case .hangUp, .user1, .user2: true
    case .windowChange, .goOn: false
    }
  }

  /// Its number here.
  var number: CInt {
    switch self {
    case .hangUp: SIGHUP
    case .user1: SIGUSR1
    case .user2: SIGUSR2
    case .windowChange: SIGWINCH
    case .goOn: SIGCONT
    }
  }
}
