/// All limits of themed-apply; times are in milliseconds where nothing else is said.
enum Limits {
  // What there is to do.
  /// How many apps may be enabled; what stands behind them in the list is left out, and told.
  static let apps = 128
  /// How many hooks there may be; what comes behind them by name is left out, and told.
  static let hooks = 128
  /// The longest `apply.conf` that is read, in bytes.
  static let configuration = 64 << 10
  /// How long a list or an app's file that has become shorter in its place is taken for half saved.
  static let halfSaved = 2_000
  /// How long the files are let be after a change, until they are read: an editor writes more than one.
  static let settling = 50
  /// After how long they are read again where they could not be watched.
  static let unwatched = 5_000

  /// How long after its start themed-apply does nothing for what is shown while the desktop has not been heard: its portal
  /// may start after the daemon.
  static let firstWord = 3_000

  // Runs.
  /// How many apps have a place to run at once; as many terminals of apps, and as many hooks.
  static let places = 16
  /// How long a run holds its place; then it goes on without one, to its own time limit.
  static let placeTime = 1_000
  /// How many go on so; those behind them hold their places.
  static let slowRuns = 48
  /// After how long what failed, and may mend itself, is tried again; then it waits for the next change.
  static let retries = [1_000, 2_000, 5_000, 10_000, 30_000, 60_000, 120_000, 300_000]
  /// How long a hook may take, in seconds, where the configuration does not say.
  static let hookSeconds = 30
  /// The longest time that the configuration may give hooks, in seconds.
  static let hookSecondsAtMost = 600
  /// How long a program may take to say its version.
  static let version = 5_000
  /// How long tmux may take to read a file.
  static let tmux = 5_000
  /// How long a window manager may take to answer.
  static let windowManager = 5_000
  /// How old a process has to be to be told by a signal: some die from one at their start, though they have a handler.
  static let youngProcess = 3_000
  /// How long programs may take to answer calls on the session bus, all of them together.
  static let busCall = 5_000
  /// How long the service manager may take to tell what the session has told it, before a program starts without that.
  static let managerCall = 1_000
  /// How many owners of names that begin so, and how many objects below a path, are called.
  static let busTargets = 64
  /// The longest message of the session bus that is taken, in bytes.
  static let busMessage = 1 << 20
  /// How long what a program that has ended wrote last is waited for.
  static let lastOutput = 100
  /// How long those who were told to end may take until they are killed.
  static let grace = 500
  /// How long what a program has started is stopped, until all of it is and none is new.
  static let stopping = 5_000
  /// How many looks one after the other have to find nothing new.
  static let looksForDescendants = 3
  /// How long those who were killed may take to be gone, until they are told as left.
  static let dying = 1_000

  // What programs write.
  /// How many bytes of what one run writes go to the log; the rest is dropped.
  static let output = 16 << 10
  /// How many lines of it.
  static let outputLines = 64
  /// How many bytes of what a program says of its version are read.
  static let versionOutput = 4096
  /// How many bytes of one in the background are read, and dropped, until it is let be for a while, and how long that is.
  static let leftoverBytes = 512 << 10
  static let leftoverRest = 1_000
  /// How long the process that keeps their pipes may take to receive one.
  static let keeperPatience = 1_000

  // What others have.
  /// How long another process may have the lock of the list of our files.
  static let lock = 10_000
  /// The longest file of an app's that is compared with what it is to be, in bytes.
  static let target = 4 << 20
  /// The longest list of the files that have no comments, in bytes.
  static let sidecar = 1 << 20
  /// How many tmux servers are told.
  static let tmuxServers = 64
  /// How many window managers are told.
  static let windowManagers = 16
  /// The longest answer of a window manager, in bytes.
  static let windowManagerReply = 1 << 20

  // Terminals.
  /// How long a terminal that takes nothing is tried again.
  static let terminal = 1_000
  /// After how long it is tried again first; then twice as long each time.
  static let terminalPause = 10
  /// How long after a new window has got its first colours it gets them a second time.
  static let secondColors = 1_000
  /// How often a terminal that seems unopened is looked at for what its program writes; a sign is two looks.
  static let looksForOutput = 6
  /// The longest fade, and the time between its steps.
  static let fade = 2_000
  static let fadeStep = 40
  /// The longest that is written to a terminal, in bytes: one write, which is not torn.
  static let sequences = 2048
  /// How many terminals are written to.
  static let terminals = 1024

  /// After how long what is shown is followed again, where the daemon refused that.
  static let followAgain = 60_000
  /// The same, where descriptors or memory had run out.
  static let followSoon = 2_000

  // The end.
  /// How long what runs may take to end, at the end.
  static let end = 2_000
}
