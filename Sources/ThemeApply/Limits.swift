/// All limits of themed-apply; times are in milliseconds unless the comment says otherwise.
enum Limits {
  // What there is to do.
  /// The most enabled apps; further ones in the list are ignored, with a warning.
  static let apps = 128
  /// The most hooks; further ones by name are ignored, with a warning.
  static let hooks = 128
  /// How many seconds `themectl` may take to make a theme from a picture: it gives the decoder 10.
  ///
  /// A newer run waits for it, since only the end of a run stops a program early.
  static let pictureTime = 12
  /// How long a list or app file that became shorter in place counts as half saved.
  static let halfSaved = 2_000
  /// The delay between a change of the files and reading them, because an editor writes several files.
  static let settling = 50
  /// The delay before the files are read again if they cannot be watched.
  static let unwatched = 5_000

  /// How long themed-apply waits after its start for the desktop's first answer, whose portal may start after the daemon.
  static let firstWord = 3_000

  // The desktop's settings.
  /// After a change of a setting, how long no other may follow before all are read again: the desktop's own switch changes
  /// several, and its portal reports the other scheme a moment later.
  static let desktopQuiet = 2_000
  /// After how long they are read even if settings change all the time.
  static let desktopBusy = 10_000
  /// How long a run waits for the daemon to say that the desktop has to be switched.
  static let desktopTarget = 1_000
  /// How long the desktop may take until a setting that was written reads so, apart from the time in its app file.
  static let desktopWritten = 500
  /// The delay between two looks at it.
  static let desktopLook = 50
  /// For how long a program counts as starting: until then, its own file or the session may still set its value.
  static let programStart = 10_000
  /// How many screens have a setting of their own.
  static let settingInstances = 32
  /// How many bytes of a setting's value are read.
  static let settingOutput = 16 << 10
  /// The longest file with settings of a desktop, in bytes.
  static let settingFile = 1 << 20
  /// How long the daemon may take to take a report.
  static let dutyReport = 5_000

  // Runs.
  /// How many apps run at once; the same number holds for terminals of apps, and for hooks.
  static let places = 16
  /// How long a run holds its place; after that it goes on without a place until its own timeout.
  static let placeTime = 1_000
  /// How many runs go on without a place; further ones keep theirs.
  static let slowRuns = 48
  /// The delays before a failure that may pass by itself is tried again; after them, it waits for the next change.
  static let retries = [1_000, 2_000, 5_000, 10_000, 30_000, 60_000, 120_000, 300_000]
  /// How long a program may take to print its version.
  static let version = 5_000
  /// How long tmux may take to read a file.
  static let tmux = 5_000
  /// How long a window manager may take to answer.
  static let windowManager = 5_000
  /// How old a process has to be before it gets a signal, since some die of one just after their start despite a handler.
  static let youngProcess = 3_000
  /// How long programs may take to answer calls on the session bus, all of them together.
  static let busCall = 5_000
  /// How long the service manager may take to report the session's environment; after that a program starts without it.
  static let managerCall = 1_000
  /// The most owners of names with a prefix, and the most objects below a path, that are called.
  static let busTargets = 64
  /// The longest message of the session bus that is accepted, in bytes.
  static let busMessage = 1 << 20
  /// How long to wait for the last output of a program that has exited.
  static let lastOutput = 100
  /// How long processes may take to exit after a signal before they are killed.
  static let grace = 500
  /// How long stopping a program's descendants may take, until all are stopped and none is new.
  static let stopping = 10_000
  /// How many successive looks have to find nothing new.
  static let looksForDescendants = 3
  /// How long the user's killed processes may take to disappear before they are reported as still running; on a busy
  /// machine, a hundred take seconds.
  static let dying = 10_000

  // What programs write.
  /// How many bytes of the output of a run go to the log; the rest is dropped.
  static let output = 16 << 10
  /// How many lines of that output go to the log.
  static let outputLines = 64
  /// How many bytes of a program's output about its version are read.
  static let versionOutput = 4096
  /// How many bytes of a background program are read and dropped before a pause, and how long the pause is.
  static let leftoverBytes = 512 << 10
  static let leftoverRest = 1_000
  /// How long the process that keeps the pipes of background programs may take to receive one.
  static let keeperPatience = 1_000

  // What others have.
  /// How long another process may hold the lock of the list of our files.
  static let lock = 10_000
  /// The longest file of an app that is compared with its new content, in bytes.
  static let target = 4 << 20
  /// The longest list of files without comments, in bytes.
  static let sidecar = 1 << 20
  /// How many tmux servers are notified.
  static let tmuxServers = 64
  /// How many window managers are notified.
  static let windowManagers = 16
  /// The longest answer of a window manager, in bytes.
  static let windowManagerReply = 1 << 20

  // Terminals.
  /// For how long a terminal that accepts no output is tried again.
  static let terminal = 1_000
  /// The delay before the first new attempt, which doubles each time.
  static let terminalPause = 10
  /// The delay after which a new window gets its colours a second time.
  static let secondColors = 1_000
  /// How often a terminal that seems unopened is checked for output of its program; each sign takes two checks.
  static let looksForOutput = 6
  /// The longest fade, and the time between its steps.
  static let fade = 2_000
  static let fadeStep = 40
  /// The longest output to a terminal, in bytes: a single write, which is not split.
  static let sequences = 2048
  /// The most terminals that get output.
  static let terminals = 1024

  /// How long `--once` waits for the first states, since the daemon may be starting.
  static let firstState = 10_000
  /// The delay before following the daemon again after it refused.
  static let followAgain = 60_000
  /// The same, if descriptors or memory had run out.
  static let followSoon = 2_000

  // The end.
  /// How long runs may take to end when themed-apply exits.
  static let end = 2_000
}
