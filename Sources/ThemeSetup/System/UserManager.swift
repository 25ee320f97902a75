import Glibc
import Synchronization
import ThemeApps
package import ThemedClientCore
import ThemedInterface
package import ThemedSystem

package enum UserManager {
  /// Whether the user manager is running.
  ///
  /// Without the manager's own socket, `systemctl` would ask the bus, start something there, or wait.
  package static var isRunning: Bool {
    isAccessible((BaseDirectory.runtime ?? "/run/user/\(getuid())") + "/systemd/private", W_OK)
  }

  /// The default limits, in seconds, for a question and for an action; starting our services takes less than a second.
  private static let patience = (toTell: 10, toDo: 60)

  private static let questions: [Text] = ["show", "show-environment", "is-enabled", "is-active"]

  /// Whether the manager did not answer a question, so that it is not asked again.
  private static let isSilent = Atomic(false)

  /// Runs `systemctl --user` with these words; nil if it cannot be started.
  ///
  /// In its own group, the terminal's Ctrl-C does not reach it. After `seconds`, this stops waiting while the manager
  /// carries on, and sends a message, unless the command is an action for which the caller has set the limit. After
  /// two seconds, a message names the command that this waits for.
  package static func run(_ words: [String], inItsOwnGroup isApart: Bool = false, atMost seconds: Int? = nil)
    -> Program?
  {
    guard words.first.map({ Text($0) }) == "enable" else { return ask(words, isApart, seconds) }
    return SetupRecord.notingLinks(to: words.dropFirst().map { Text($0) }) { ask(words, isApart, seconds) }
  }

  private static func ask(_ words: [String], _ isApart: Bool, _ seconds: Int?) -> Program? {
    let isQuestion = words.first.map { questions.contains(Text($0)) } ?? false
    if isQuestion, isSilent.load(ordering: .relaxed) { return nil }
    let limit = seconds ?? (isQuestion ? patience.toTell : patience.toDo)
    let command = "systemctl --user \(words.joined(separator: " "))"
    FileWaits.begin("'\(command)'", isEndless: true)
    defer { FileWaits.end() }
    // Without the variable, as in cron and 'env -i', systemctl does not look in the usual place.
    if let runtime = BaseDirectory.runtime { unsafe setenv("XDG_RUNTIME_DIR", runtime, 0) }
    let run = Program.run(["systemctl", "--user"] + words, inItsOwnGroup: isApart, atMost: limit)
    guard run?.tookTooLong == true else { return run }
    if isQuestion { isSilent.store(true, ordering: .relaxed) }
    if seconds == nil || isQuestion {
      Notices.tell(
        isQuestion
          ? "'\(command)' did not respond within \(limit) seconds: themectl does not ask the user manager again"
          : "'\(command)' did not finish within \(limit) seconds: 'systemctl --user list-jobs' lists the jobs that it waits for"
      )
    }
    return run
  }
}

/// The user manager's units of themed that have failed, such as those of a daemon that crashed again and again.
///
/// systemd restarts a failed unit a limited number of times. After that, neither a connection nor the session starts it
/// until the user does.
package struct FailedUnits {
  /// The commands to run once the cause is fixed.
  static let remedy = "systemctl --user reset-failed themed.service themed.socket; systemctl --user start themed.socket"

  /// The commands that create the sockets' files again.
  ///
  /// A socket unit creates its file only while the service does not run, and programs that connect to the other socket
  /// start the service again.
  static let renewal = [
    "systemctl --user stop themed.socket themed-readonly.socket themed.service",
    "systemctl --user start themed.service",
  ]

  package let words: String

  package var text: String {
    "themed failed repeatedly, and systemd no longer starts it (\(words)); 'journalctl --user -u themed' says why; "
      + "after you fixed that, run '\(Self.remedy)'"
  }

  /// Asks the user manager; nil without a manager, or if no unit has failed.
  package init?() {
    guard UserManager.isRunning else { return nil }
    let failed = ["themed.service", "themed.socket"].compactMap(Self.failure)
    guard !failed.isEmpty else { return nil }
    words = failed.joined(separator: ", ")
  }

  /// Whether the service is active; false if `socket` is not its usual one.
  static func isServiceActive(at socket: String?) -> Bool {
    guard isUsual(socket), UserManager.isRunning else { return false }
    return properties(of: "themed.service").contains("ActiveState=active")
  }

  /// Whether the units are meant to serve this socket.
  static func isForUnits(_ socket: String?) -> Bool { isUsual(socket) && UserManager.isRunning }

  static func isUsual(_ socket: String?) -> Bool {
    socket == nil && environment(ThemeInterface.socketVariable) == nil
  }

  private static func properties(of unit: String) -> [Text] {
    UserManager.run(["show", "--property=ActiveState", "--property=Result", unit])?.lines ?? []
  }

  private static func failure(of unit: String) -> String? {
    let lines = properties(of: unit)
    guard lines.contains("ActiveState=failed") else { return nil }
    let result = lines.lazy.compactMap { $0.dropping(prefix: "Result=") }.first
    return "\(unit): \(printable(result ?? "failed"))"
  }
}

extension FailedUnits {
  /// The failed units that explain why no daemon answers at `socket`, or at the usual one with nil; nil if `error`
  /// suffices.
  package init?(explaining error: CallError, at socket: String?) {
    guard Self.isUsual(socket) else { return nil }
    switch error.code {
    // systemd accepts the connection that makes it give up, and then closes it.
    case .noDaemon, .connectionLost, .timedOut: self.init()
    default: return nil
    }
  }
}

/// The service that applies app files and starts hooks.
///
/// It also runs while nothing is enabled, because a hook works as soon as its file exists.
package enum ApplyService {
  package static let unit = "themed-apply.service"

  /// The advice for when themed-apply does not run.
  package static var advice: String {
    UserManager.isRunning
      ? "run 'systemctl --user enable --now \(unit)'" : "run 'themed-apply', and have your session start it"
  }

  /// Starts the service, now and with each session; returns a note for the user if that fails.
  ///
  /// - Parameter names: the apps that were enabled.
  package static func start(for names: [Text]) -> String? {
    guard UserManager.isRunning else {
      guard ApplyStatus() == nil else { return nil }
      return
        "note: \(names.few): nothing follows yet, since no systemd user manager is running: have your session start "
        + "'themed-apply'; until then, run it in a terminal"
    }
    // If the session has started themed-apply, that one keeps running, since a second one could not start.
    let words = ApplyStatus() == nil ? ["enable", "--now", unit] : ["enable", unit]
    guard UserManager.run(words, atMost: patience)?.status == 0 else {
      return "note: '\(unit)' did not start; run 'systemctl --user enable --now \(unit)' to see why"
    }
    return nil
  }

  /// How long the user manager may take to start the service, in seconds; the unit itself allows ten.
  package static let patience = 15

  package enum Release {
    case whole
    /// themed-apply no longer writes the app's files, but some terminals still have its colors, for this reason.
    case butTerminals(String)
    /// themed-apply may still write the app's files; its state.
    case none(String)
  }

  /// Waits until themed-apply no longer writes the app's files, for at most ten seconds, and says so after one second.
  ///
  /// - Parameter change: when the app was removed from the list, on the monotonic clock; nil if it was not on it. What
  ///   themed-apply read before that may be written still, also if its status does not name the app yet.
  static func awaitRelease(of app: Text, since change: Int?) -> Release {
    let start = monotonicMilliseconds()
    var (isTold, releasedAt) = (false, Int?.none)
    while true {
      guard let status = ApplyStatus() else { return .whole }
      let now = monotonicMilliseconds()
      let hasRead = change.map { change in status.readAt.map { $0 > Int64(change) } ?? true } ?? true
      // A themed-apply that does not read this list within that time reads another one.
      if status.apps[app] == nil, hasRead || now - start > 10_000 { return .whole }
      if let entry = status.apps[app], entry.isReleased {
        // Terminals take a moment. If their output is stopped, the user learns of it, and themed-apply tries again.
        if releasedAt == nil { releasedAt = now }
        if entry.problem != nil && entry.state != "running" || now - (releasedAt ?? now) > 3_000 {
          return .butTerminals(entry.words(wallClock()))
        }
      } else if let entry = status.apps[app], now - start > 10_000 {
        return .none(entry.words(wallClock()))
      } else if now - start > 1_000, !isTold {
        isTold = true
        Notices.tell("waiting for themed-apply to stop writing the files of '\(app)'")
      }
      usleep(50_000)
    }
  }
}

/// The daemon's program: beside this one, else the first in PATH.
func themedProgram() -> String? { programOfOurs("themed").map(\.string) }
