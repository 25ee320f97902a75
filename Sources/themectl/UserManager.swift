import Glibc
import ThemedUnix

/// The user's own service manager.
enum UserManager {
  /// Whether it runs.
  ///
  /// Where its own socket is not there, `systemctl` would ask the bus, have it start something, or wait.
  static var isThere: Bool {
    unsafe access((BaseDirectory.runtime ?? "/run/user/\(getuid())") + "/systemd/private", W_OK) == 0
  }

  /// Runs `systemctl --user` with these words; nil where it cannot be started.
  ///
  /// In a group of its own the terminal's Ctrl-C does not reach it. After so many seconds it is waited for no more; what
  /// the manager was told goes on. A wait of two seconds is told; the
  /// manager has limits of its own for each step.
  static func run(_ words: [String], inItsOwnGroup isApart: Bool = false, atMost seconds: Int? = nil) -> Program? {
    FileWaits.begin("'systemctl --user \(words.joined(separator: " "))'", isEndless: true)
    defer { FileWaits.end() }
    // As under cron and 'env -i': it does not look at the usual place by itself.
    if let runtime = BaseDirectory.runtime { unsafe setenv("XDG_RUNTIME_DIR", runtime, 0) }
    return Program.run(["systemctl", "--user"] + words, inItsOwnGroup: isApart, atMost: seconds)
  }
}
