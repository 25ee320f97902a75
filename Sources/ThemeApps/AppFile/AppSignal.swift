internal import ThemedSystem

/// A signal that an app file may name: one that a program can handle, so not SIGKILL, for example.
public enum AppSignal: String, Sendable, Hashable, CaseIterable {
  /// SIGHUP.
  case hangUp = "HUP"
  /// SIGUSR1.
  case user1 = "USR1"
  /// SIGUSR2.
  case user2 = "USR2"
  /// SIGWINCH.
  case windowChange = "WINCH"
  /// SIGCONT.
  case goOn = "CONT"
}
