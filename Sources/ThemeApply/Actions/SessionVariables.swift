internal import Glibc
internal import Synchronization
internal import ThemedSystem

/// The environment of the login, which the user's service manager receives after this service has started.
///
/// The service starts with the manager, before there is a display or the login's PATH, and outlives the session. So a
/// program that is started gets the environment that the manager gives to its services now. Otherwise a hook would not
/// find the user's programs, or would find the last session's display.
final class SessionVariables: Sendable {
  /// An answer of the manager.
  struct Answer: Sendable {
    /// The variables that it gives to the services that it starts now, as `NAME=VALUE`.
    var manager: [Text]
    /// The additional variables that the unit of this service sets.
    var unit: [Text]
  }

  /// A question that a thread of its own asks: a bus may accept a connection and never say anything.
  private final class Question: Sendable {
    let answer = Mutex<Answer?>(nil)
    let bell: Bell

    init() throws(SystemError) { bell = try Bell() }
  }

  private struct State {
    var last: Answer?
    /// When the questions were asked that have no answer yet.
    var open: [Int] = []
  }

  private let state = Mutex(State())

  /// The environment of a program that is started now; if the manager does not answer in time, by its last answer.
  func environment(_ run: Run) -> [Text: Text] {
    let own = run.places.environment
    // Who started us by hand has given us what programs are to have.
    guard own["SYSTEMD_EXEC_PID"] == Text("\(getpid())") else { return own }
    return answer(run).map { Self.merged(own, with: $0) } ?? own
  }

  private func answer(_ run: Run) -> Answer? {
    let now = monotonicMilliseconds()
    // While one hangs, no more threads wait for the same.
    let hangs = state.withLock { $0.open.contains { $0 + Limits.managerCall <= now } }
    guard !hangs, let question = try? Question(), (try? startThread { self.ask(question, run, now) }) != nil else {
      return state.withLock(\.last)
    }
    wait(forReadable: [question.bell.descriptor.raw, run.descriptor], atMostMilliseconds: Limits.managerCall)
    return question.answer.withLock { $0 } ?? state.withLock(\.last)
  }

  private func ask(_ question: Question, _ run: Run, _ time: Int) {
    state.withLock { $0.open.append(time) }
    let answer = try? BusCalls.managerEnvironment(run)
    state.withLock { state in
      if let answer { state.last = answer }
      if let index = state.open.firstIndex(of: time) { state.open.remove(at: index) }
    }
    question.answer.withLock { $0 = answer }
    question.bell.ring()
  }

  /// Our variables as if the service started now: those of the manager, except for those that the unit sets itself.
  static func merged(_ own: [Text: Text], with answer: Answer) -> [Text: Text] {
    let unit = Set(answer.unit.map { $0.split("=", maxSplits: 1)[0] })
    var all = own
    // What the session has taken back is of one that is over.
    for name in ofSession where !unit.contains(name) { all[name] = nil }
    for assignment in answer.manager {
      let parts = assignment.split("=", maxSplits: 1)
      guard parts.count == 2, !unit.contains(parts[0]) || all[parts[0]] == nil else { continue }
      all[parts[0]] = parts[1]
    }
    return all
  }

  private static let ofSession: Set<Text> = [
    "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_CURRENT_DESKTOP", "XDG_SESSION_CLASS", "XDG_SESSION_DESKTOP",
    "XDG_SESSION_ID", "XDG_SESSION_TYPE", "XDG_SEAT", "XDG_VTNR", "DESKTOP_SESSION", "SSH_AGENT_PID", "SSH_AUTH_SOCK",
    "SWAYSOCK", "I3SOCK", "HYPRLAND_INSTANCE_SIGNATURE", "NIRI_SOCKET",
  ]
}

extension [Text: Text] {
  /// The directories that are searched for programs.
  var programDirectories: [Text] { (self["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(":", omittingEmpty: true) }

  /// The file of a program in PATH; a path is returned as it is.
  func file(ofProgram name: Text) -> Text? {
    if name.contains("/") { return name }
    return programDirectories.lazy.map { "\($0)/\(name)" }.first { isExecutableFile($0.string) }
  }
}
