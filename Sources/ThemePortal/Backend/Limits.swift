package import ThemedDBus

/// Every limit of the backend, on one page.
package enum Limits {
  /// The longest message of the bus that is read, in bytes, and how many bytes of replies may wait.
  package static let bus = Connection.Limits(message: 64 * 1024, replies: 64 * 1024)
  /// How long to wait for the daemon's first state before taking the name anyway, in milliseconds.
  static let firstState = 500
  /// How long the daemon's last state stays in force after the connection is lost, in milliseconds; a restart takes
  /// less.
  static let lastGood = 10_000
  /// How many milliseconds after a signal it is compared with the portal's answer.
  static let check = 250
  /// How many such comparisons follow each change.
  static let checks = 2
  /// How often our value is repeated within ``calm`` after other backends' signals; then it has to wait for the end of
  /// that time.
  static let repeats = 16
  /// The time for ``repeats``, in milliseconds; it doubles each time that the limit is reached again.
  static let calm = 1_000
  /// How often the delay after a failed read is doubled at most; the same for ``calm``.
  static let doublings = 8
  /// How long the portal may take to answer a read, in milliseconds.
  package static let portalCall = 2_000
  /// How long the exit may take, in milliseconds: longer than an answer of the portal.
  static let end = 3_000
  /// How long the last signals may take to be sent at the exit, in milliseconds.
  package static let lastWord = 1_000
  /// How many of our signals are remembered until the portal passes them on; a portal that does not ask us passes on
  /// none.
  static let unheard = 16
  /// How many namespaces of a call are examined, and how many bytes of each.
  package static let namespaces = Extent(values: 256, text: 256)
  /// How long this process may take to handle input from the bus, in milliseconds.
  ///
  /// After that it is killed, because the portal waits for it, and every program waits for the portal.
  package static let patience = 600
  /// How many milliseconds late the watchdog may wake up; if it is later, both processes were frozen or had no
  /// processor time.
  package static let lateness = 100
  /// How many times the watchdog is started for one connection to the bus.
  package static let watchdogs = 4
  /// How many milliseconds pass before another attempt to create a client after descriptors or memory ran out.
  package static let descriptorRetry = 1_000
  /// The longest line of the log, in bytes.
  package static let logLine = 1_000
  /// How long the last lines of the log may delay the exit, in milliseconds.
  package static let lastLines = 1_000
}
