import Glibc
import Synchronization
import ThemedUnix

/// The user's own service manager.
enum UserManager {
  /// Whether it runs.
  ///
  /// Where its own socket is not there, `systemctl` would ask the bus, have it start something, or wait.
  static var isThere: Bool {
    isAccessible((BaseDirectory.runtime ?? "/run/user/\(getuid())") + "/systemd/private", W_OK)
  }

  /// How long it may take where nothing else is said, in seconds, to tell something or to do something: it starts our
  /// services in less than one, and waits for a minute and a half for one that hangs.
  private static let patience = (toTell: 5, toDo: 30)

  /// What only asks it.
  private static let questions = ["show", "show-environment", "is-enabled", "is-active"]

  /// Whether it has left a question unanswered, so that it is asked no more.
  private static let isSilent = Atomic(false)

  /// Runs `systemctl --user` with these words; nil where it cannot be started.
  ///
  /// In a group of its own the terminal's Ctrl-C does not reach it. After so many seconds it is waited for no more, which
  /// is told unless the caller has set that time for what it does; what the manager was told goes on. A wait of two seconds
  /// is told.
  static func run(_ words: [String], inItsOwnGroup isApart: Bool = false, atMost seconds: Int? = nil) -> Program? {
    let isQuestion = words.first.map(questions.contains) ?? false
    if isQuestion, isSilent.load(ordering: .relaxed) { return nil }
    let limit = seconds ?? (isQuestion ? patience.toTell : patience.toDo)
    let command = "systemctl --user \(words.joined(separator: " "))"
    FileWaits.begin("'\(command)'", isEndless: true)
    defer { FileWaits.end() }
    // As under cron and 'env -i': it does not look at the usual place by itself.
    if let runtime = BaseDirectory.runtime { unsafe setenv("XDG_RUNTIME_DIR", runtime, 0) }
    let run = Program.run(["systemctl", "--user"] + words, inItsOwnGroup: isApart, atMost: limit)
    guard run?.tookTooLong == true else { return run }
    if isQuestion { isSilent.store(true, ordering: .relaxed) }
    if seconds == nil || isQuestion {
      complain(
        isQuestion
          ? "'\(command)' has not answered within \(limit) seconds: the user manager is not asked any more"
          : "'\(command)' has not ended within \(limit) seconds: 'systemctl --user list-jobs' lists what it waits for")
    }
    return run
  }
}
