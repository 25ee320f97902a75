import Glibc
import Synchronization
import ThemedSystem

/// The user's own service manager.
enum UserManager {
  /// Whether the user manager is running.
  ///
  /// Without the manager's own socket, `systemctl` would ask the bus, start something there, or wait.
  static var isThere: Bool {
    isAccessible((BaseDirectory.runtime ?? "/run/user/\(getuid())") + "/systemd/private", W_OK)
  }

  /// The default limits, in seconds, for a question and for an action; starting our services takes less than a second.
  private static let patience = (toTell: 10, toDo: 60)

  /// The commands that only ask the manager.
  private static let questions: [Text] = ["show", "show-environment", "is-enabled", "is-active"]

  /// Whether the manager did not answer a question, so that it is not asked again.
  private static let isSilent = Atomic(false)

  /// Runs `systemctl --user` with these words; nil if it cannot be started.
  ///
  /// In its own group, the terminal's Ctrl-C does not reach it. After `seconds`, this stops waiting while the manager
  /// carries on, and prints a message, unless the command is an action for which the caller has set the limit. After
  /// two seconds, a message names the command that this waits for.
  static func run(_ words: [String], inItsOwnGroup isApart: Bool = false, atMost seconds: Int? = nil) -> Program? {
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
      complain(
        isQuestion
          ? "'\(command)' did not respond within \(limit) seconds: themectl does not ask the user manager again"
          : "'\(command)' did not finish within \(limit) seconds: 'systemctl --user list-jobs' lists the jobs that it waits for"
      )
    }
    return run
  }
}
