internal import ThemedText

/// A signal that may be sent to tell a program: one that a program can wait for, and none that no program survives.
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
