public import ThemedDBus

/// Every limit of the backend, on one page.
public enum Limits {
  /// The longest message of the bus that is taken, in bytes, and how many bytes of replies may wait.
  public static let bus = Connection.Limits(message: 64 * 1024, replies: 64 * 1024)
  /// How long it is waited for the daemon's first state before the name is taken all the same, in milliseconds.
  static let firstState = 500
  /// How long what the daemon last said stands while it is not there, in milliseconds: a restart takes less.
  static let lastGood = 10_000
  /// After how many milliseconds what programs were told is compared with what the portal answers.
  static let check = 250
  /// How often, after each change.
  static let checks = 2
  /// How often ours is said again after another's word within ``calm``; what comes then has to wait for its end.
  static let repeats = 16
  /// See ``repeats``, in milliseconds; doubled each time that it was fought out in one as long.
  static let calm = 1_000
  /// How often the time after which it is asked again, where it did not answer, is doubled, and ``calm`` likewise.
  static let doublings = 8
  /// How long the portal may take to answer a read, in milliseconds.
  public static let portalCall = 2_000
  /// How long the end may take, in milliseconds: longer than an answer of the portal.
  static let end = 3_000
  /// How long what was said last may take to leave, in milliseconds.
  public static let lastWord = 1_000
  /// How many signals of ours are remembered that the portal has not handed on: one that does not ask us hands on none.
  static let unheard = 16
  /// How many namespaces of a call are looked at, and how many bytes of each.
  public static let namespaces = Extent(values: 256, text: 256)
  /// How long what comes by the bus may wait for this process, in milliseconds.
  ///
  /// Then it is ended: the portal waits for it, and every program for the portal.
  public static let patience = 600
  /// By how much more its watchdog may have waited, in milliseconds: by more where both were frozen, or had no time.
  public static let lateness = 100
  /// How often the watchdog is started for a connection to the bus.
  public static let watchdogs = 4
  /// After how many milliseconds a client is made again where descriptors or memory had run out.
  public static let descriptorRetry = 1_000
  /// How long a line of the log may be, in bytes.
  public static let logLine = 1_000
  /// How long the last lines of the log may hold up the end, in milliseconds.
  public static let lastLines = 1_000
}
