internal import Glibc
internal import ThemeApps
internal import ThemedSystem

/// Notifies programs by a signal, but only those that are ready for it, so that it does not kill them.
enum Signals {
  /// The result for the running processes.
  struct Result: Equatable {
    var told: [pid_t] = []
    /// The processes that the signal would have killed.
    var unready: [pid_t] = []
    var failed: [pid_t] = []
    /// The processes that have just started, and when they are old enough, in milliseconds.
    var young: Set<ProcessIdentity> = []
    var wait = 0
  }

  /// Sends a signal to each of the user's processes that has run one of these programs for long enough and is ready for
  /// the signal; with `meant`, only to those.
  ///
  /// A signal may kill a young process despite its handler, such as Waybar 0.9, or a child before its exec. Between the
  /// check and the signal, a process could remove its handler or exec another program; the kernel leaves this window of a
  /// few microseconds open.
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

  /// Sends the signal as an action of a run.
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
  /// Whether the signal kills a process without a handler; other signals are sent to young processes, too.
  fileprivate var ends: Bool {
    switch self {
    case .hangUp, .user1, .user2: true
    case .windowChange, .goOn: false
    }
  }

  /// The number of the signal.
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
