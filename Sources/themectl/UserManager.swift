import Glibc
import ThemedUnix

/// The user's own service manager.
enum UserManager {
  /// Whether the user manager is running.
  ///
  /// Without the manager's own socket, `systemctl` would ask the bus, start something there, or wait.
  static var isThere: Bool {
    unsafe access((BaseDirectory.runtime ?? "/run/user/\(getuid())") + "/systemd/private", W_OK) == 0
  }

  /// Runs `systemctl --user` with these words; nil if it cannot be started.
  ///
  /// In its own group, the terminal's Ctrl-C does not reach it. After `seconds` this stops waiting, while the manager
  /// carries on; the manager has its own limits for each step. After two seconds a message names the command it waits
  /// for.
  static func run(_ words: [String], inItsOwnGroup isApart: Bool = false, atMost seconds: Int? = nil) -> Program? {
    FileWaits.begin("'systemctl --user \(words.joined(separator: " "))'", isEndless: true)
    defer { FileWaits.end() }
    // Without the variable, as in cron and 'env -i', systemctl does not look in the usual place.
    if let runtime = BaseDirectory.runtime { unsafe setenv("XDG_RUNTIME_DIR", runtime, 0) }
    return Program.run(["systemctl", "--user"] + words, inItsOwnGroup: isApart, atMost: seconds)
  }
}
