internal import ThemedInterface
internal import ThemedDBus
internal import ThemedVarlink

/// Every limit of the daemon, on one page.
enum Limits {
  // The socket.

  /// The longest call, and how many bytes of replies may wait before a connection is no longer read from.
  static let connection = ServerConnection.Limits(call: 64 * 1024, replies: 64 * 1024)
  /// The same for a read-only connection, whose longest call names an app or a theme; no more than that is read at
  /// once.
  static let readersConnection = ServerConnection.Limits(call: 4 * 1024, replies: 4 * 1024)
  /// The kernel's send buffer of a read-only connection, in bytes; replies that do not fit count below.
  static let readersSendBuffer = 4096
  /// How many bytes of replies may wait for all read-only connections together; that is four of the longest lists.
  ///
  /// Beyond that, those that have not read anything for the longest time are closed, until half of it is free.
  static let readersReplies = 4 * 1024 * 1024
  /// How many calls are served for one connection in one turn of the loop.
  static let callsPerTurn = 64
  /// How many calls of all read-only connections together are served in one turn, so that they delay nothing else.
  static let readersCallsPerTurn = 64
  /// How many of these for a single connection, so that the others get some.
  static let readerCallsPerTurn = 8
  /// How many bytes are read from one connection in one turn of the loop.
  static let bytesPerTurn = 64 * 1024
  /// How many connections may wait to be accepted (the same as Backlog= in the unit): a flood of connections fills this
  /// queue, and new clients wait behind all of it.
  static let backlog: Int32 = 1024
  /// How many connections are accepted in one turn of the loop.
  static let acceptsPerTurn = 64
  /// How many such turns are used at once to accept clients that wait at a socket whose file has gone: the whole queue,
  /// and some that arrive meanwhile.
  static let acceptsAtOldSocket = 32
  /// How many milliseconds pass before connections are accepted again, if accepting failed for a reason outside this
  /// daemon.
  static let acceptRetry = 1_000
  /// The same if this daemon itself has no descriptor left, and usually the end of a connection frees one.
  static let slowAcceptRetry = 30_000
  /// How many connections there may be, unless the configuration or the descriptor limit allows fewer.
  static let connections = Configuration.Limits.connections
  /// The divisor of the limit of connections that gives the limit of the read-only socket, so that other clients always
  /// find room.
  static let readersShare = 4
  /// How many other users are named in the log when they are refused.
  static let refusedUsers = 16
  /// How many descriptors are reserved for the rest of the daemon.
  static let reservedDescriptors = 48
  /// How many descriptors the rest of the daemon opens at its start, with some to spare.
  static let startDescriptors = 24
  /// How long a message may take from its first to its last byte, in milliseconds.
  static let unfinishedMessage = 10_000
  /// How many violations of the protocol are logged within a time, so that a client in a loop does not fill the log.
  static let complaints = 20
  /// That time, in milliseconds.
  static let complaintsWithin = 600_000
  /// The kernel's send buffer of a subscription, in bytes: with the default, some 170 old states would wait in the
  /// kernel before the newest one.
  static let monitorSendBuffer = 4096

  // Limits of what clients may send.

  /// The longest list in a reply, in bytes: clients accept replies of 1 MiB.
  static let list = 1_000_000
  /// How long a changed list is not sent again to its followers, in milliseconds.
  static let listPause = 50
  /// For how many apps overrides are kept by default.
  static let overrides = Configuration.Limits.overrides
  /// The most apps with overrides that can be configured.
  static let mostOverrides = Configuration.Limits.mostOverrides
  /// How far in the future an override may end, in seconds: ten years.
  static let expiry: Int64 = 10 * 366 * 24 * 60 * 60

  /// The possible ends of an override that is read from a file, in seconds since the epoch: up to the year 9999, which
  /// every calendar of the system supports.
  static let expiryTimes: ClosedRange<Int64> = 1...253_402_300_799

  /// How long the portal's program may take to print its version, in seconds.
  static let versionSeconds = 3
  /// How long `themed --check` may take, in milliseconds.
  static let check = 15_000
  /// How long it waits for the bus to answer, in milliseconds.
  static let greeting = 5_000

  // The record of the past.

  /// How many changes the diagnostics hold.
  static let changes = 20
  /// The longest text of a value from the portal, in bytes.
  static let portalText = 500
  /// The same in the warning about a value of an unexpected type.
  static let excerpt = 80
  /// The longest bus name, in bytes, as D-Bus defines it.
  static let busName = 255

  // The desktop.

  /// The longest message of the bus that is read, far above a portal's `ReadAll` of everything, and how many bytes of
  /// replies to other programs may wait.
  static let bus = ThemedDBus.Connection.Limits(message: 1024 * 1024, replies: 64 * 1024)
  /// How much of the user manager's answers is read: an environment, which the kernel limits to some megabytes, or a
  /// unit with all its dependencies.
  static let managerAnswer = Extent(values: 50_000, text: 4096)
  /// How long a call to the portal may take, in milliseconds.
  static let portalCall = 5_000
  /// How long the values of a backend stay in force after it has gone, and how long a missing one is waited for, in
  /// milliseconds; a restart takes less.
  static let backendRestart = 3_000
  /// How long the portal may take to start, in milliseconds (xdg-desktop-portal's issues 986, 998, 607, 701).
  static let portalStart = 120_000
  /// How often the portal is started in one graphical session, within a time.
  static let portalStarts = 3
  /// That time, in milliseconds.
  static let portalStartsWithin = 600_000
  /// How many milliseconds a portal has to run for its start to count as successful.
  static let portalStays = 60_000
  /// How long the user manager may take to answer whether a graphical session is up, in milliseconds.
  static let managerCall = 5_000
  /// How many signals of a desktop that keeps changing extend the time until it is read.
  static let prolongingSignals = 20
  /// How many milliseconds pass before a failed read of the portal is repeated.
  static let portalRetries = [1_000, 5_000, 25_000]
  /// The delays after those, each twice as long as the one before, up to an hour.
  static let portalSlowRetries = 120_000...3_600_000
  /// How many milliseconds after a read its result is confirmed by a second one.
  static let confirmation = 1_000
  /// How many different warnings about one portal are given, because it can make up any number of error names.
  static let portalWarnings = 32
  /// Within how many seconds after a target another program is suspected to have switched the desktop back.
  static let switchedBack: Int64 = 5

  // The upstream daemon.

  /// The longest message that is read from it, in bytes: a theme's file is shorter, but with everything escaped it can
  /// be six times as long.
  static let upstreamFrame = 512 * 1024
  /// How many milliseconds pass at least between two upstream states that are shown, and how long upstream must be
  /// quiet to count as settled.
  static let upstreamPace = 100
  /// How many milliseconds a daemon without clients and without a share waits before it exits: a day.
  static let upstreamSilence = 24 * 60 * 60 * 1000
  /// How often, and at which interval in milliseconds, a share looks for a daemon that another share is just starting.
  static let relayTries = (count: 10, pause: 100)

  // The service manager.

  /// How many milliseconds pass before a notification is repeated that the manager did not take; the delay doubles each
  /// time.
  static let notificationRetry = 50
  /// The longest such delay, in milliseconds: a manager that hangs costs little.
  static let longestNotificationRetry = 5_000
  /// The longest status text, in bytes: a datagram has to fit into the manager's queue.
  static let statusText = 500
  /// How many descriptors are taken from the service manager at the start.
  static let inheritedDescriptors: Int32 = 64
  /// How long the manager may take to store a handover, in milliseconds.
  ///
  /// systemd takes about 70 for 10,000 connections; a manager without a store delays every exit by this time.
  static let storing = 1_000
  /// How many bytes of unread calls and unsent replies are handed over.
  static let handover = 64 * 1024 * 1024

  // Memory.

  /// How many milliseconds after work the daemon returns freed memory to the system.
  static let memoryTrim = 2_000

  // Files and the log.

  /// How long the configuration or a theme has to be left unchanged before it is read again, in milliseconds: editors
  /// write in steps.
  static let configurationQuiet = 100
  /// The longest time for which changes to a file postpone its reading, in milliseconds.
  static let longestQuiet = 1_000
  /// How long reading a user's file may take before it counts as hanging and other files are read without it, in
  /// milliseconds; a disk that has to spin up takes longer, and is read then.
  static let fileAnswer = 2_000
  /// How long a call waits for a theme's file, in milliseconds.
  static let fileCall = 3_000
  /// How long the start and a reload wait for the configuration and the chosen themes, in milliseconds.
  static let firstReading = 1_000
  /// How many milliseconds pass before a file that hangs or cannot be watched is tried again: the first and the longest
  /// delay.
  static let fileRetry = 5_000...300_000
  /// How many threads may hang in users' files: each keeps a stack, and after that many, more threads would hang as
  /// well.
  static let stuckThreads = 4
  /// How many events of watched directories are kept while something is being read.
  static let recentEvents = 256
  /// How many themes are read for the list at most; some 2,000 fit into a reply.
  static let listedThemes = 4_000
  /// How many themes are counted, including those that are left out.
  static let countedThemes = 20_000
  /// How long themes are read for the list in one go, in milliseconds, so that a long list does not count as a hanging
  /// disk and does not delay other files.
  static let listSlice = 300
  /// The same if it takes long to find out what is left to read, in milliseconds: both together stay below
  /// ``fileAnswer``.
  static let longestListSlice = 900
  /// For how many themes that are symbolic links the targets are watched.
  static let watchedLinks = 256
  /// How old a file's last change has to be for the next change to show in its time, in seconds: file systems count in
  /// steps of up to two.
  static let fileRest = 3
  /// How many bytes of a value, a name or a path are quoted.
  static let shownText = 200
  /// The longest text about what is wrong with a file, in bytes.
  static let problem = 1_000

  /// The longest configuration file, or file of the desktop, that is read, in bytes.
  static let file = Configuration.Limits.file
  /// The longest state file that is read, in bytes.
  ///
  /// With overrides for the maximum number of apps, the longest names, every kind of end and everything that toggles
  /// replaced, it has 1.2 MB.
  static let stateFile = 2 * 1024 * 1024
  /// The longest theme that is read, in bytes: with everything in it escaped, a state with it stays below 1 MiB.
  static let themeFile = 64 * 1024
  /// How many themes clients may ask for at a time; they are read one after the other.
  static let askedThemes = 256
  /// How many of them read-only clients may ask for; they do not count for other clients.
  static let themesAskedByReaders = 64
  /// How long read-only clients get the list that was read for one of them, in milliseconds.
  static let readersList = 5_000
  /// How many log lines name unknown keys of one theme, or of the configuration.
  static let themeWarnings = 5
  // Limits of ThemedModel, which cannot use this page: how far ahead a switch may be
  // (`Switch.farthest`, 370 days), the supported times (`reckonedTimes`, up to the year 9999), the number of a zone's
  // clock changes (`Zone.mostTransitions`, 2,000), and the length of a zone's name (`ZoneTable.isName`, 4 parts of 64
  // bytes).

  /// How many seconds of the schedule GetSchedule returns: seven days.
  static let forecast: Int64 = 7 * 86_400
  /// The longest file of a time zone, or table of zones, that is read, in bytes.
  static let zoneFile = 1024 * 1024
  /// The longest `/etc/timezone` that is read, in bytes: a name and perhaps a comment.
  static let zoneName = 4096
  /// How many symbolic links are followed to find the name of the time zone.
  static let zoneLinks = 8
  /// The longest fade that can be configured, in milliseconds.
  static let transition = Configuration.Limits.transition
  /// How long the start waits for the state file, in milliseconds: usually longer than a disk takes to spin up, and
  /// short enough for clients that have connected already.
  static let firstLoad = 3_000
  /// How many milliseconds pass before a failed read or save of a file is repeated; the last one is used from then on.
  static let diskRetries = [1_000, 5_000, 25_000, 60_000]
  /// For how many apps unsaved changes are remembered.
  static let changedApps = 1_024
  /// How many milliseconds pass before the socket is bound again after a failure; the last one is used from then on.
  static let bindRetries = [1_000, 5_000, 25_000, 60_000]
  /// How many milliseconds without an attempt have to pass until the next one is made at once again.
  static let bindQuiet = 120_000
  /// How long a save of overrides may delay the exit of the daemon, in milliseconds.
  static let lastSave = 5_000
}
