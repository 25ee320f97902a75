internal import ThemedDBus
internal import ThemedVarlink

/// Every limit of the daemon, on one page.
enum Limits {
  // The socket.

  /// The longest call, and how many bytes of replies may wait before a connection is no longer read from.
  static let connection = ServerConnection.Limits(call: 64 * 1024, replies: 64 * 1024)
  /// The same of one who may only read, whose longest call names an app or a theme; no more than that is read at once.
  static let readersConnection = ServerConnection.Limits(call: 4 * 1024, replies: 4 * 1024)
  /// The kernel's send buffer of one who may only read, in bytes; the replies that it does not take count below.
  static let readersSendBuffer = 4096
  /// How many bytes of replies may wait for all those together who may only read, four of the longest lists.
  ///
  /// Beyond it those are closed who have taken nothing for the longest, until half of it is free.
  static let readersReplies = 4 * 1024 * 1024
  /// How many calls are served for one connection in one turn of the loop.
  static let callsPerTurn = 64
  /// How many are served in one turn for all those together who may only read, so that they hold up nobody else.
  static let readersCallsPerTurn = 64
  /// How many of these for one of them, so that it leaves some to the others.
  static let readerCallsPerTurn = 8
  /// How many bytes are read from one connection in one turn of the loop.
  static let bytesPerTurn = 64 * 1024
  /// How many may wait to be accepted (Backlog= of the unit is the same): somebody who connects without end fills this
  /// queue, and who comes waits behind all of it.
  static let backlog: Int32 = 1024
  /// How many connections are accepted in one turn of the loop.
  static let acceptsPerTurn = 64
  /// For how many such turns at once those are accepted who wait at a socket whose file has gone: all that the queue
  /// holds, and some who come meanwhile.
  static let acceptsAtOldSocket = 32
  /// After how many milliseconds a connection is accepted again where none could be, for no fault of this daemon's.
  static let acceptRetry = 1_000
  /// The same where it is this daemon that has no descriptor left, and the end of a connection mostly frees one.
  static let slowAcceptRetry = 30_000
  /// How many connections there may be, where the configuration does not say and the descriptor limit allows as many.
  static let connections = 16_384
  /// One in so many of the connections may be to the socket for reading only, so that the others find room however many
  /// come there.
  static let readersShare = 4
  /// Of so many other users the log is told that they are refused.
  static let refusedUsers = 16
  /// Descriptors that connections leave to the rest of the daemon.
  static let reservedDescriptors = 48
  /// How many descriptors the rest of the daemon opens at its start, and some more.
  static let startDescriptors = 24
  /// How long a message that was begun may take to be finished, in milliseconds.
  static let unfinishedMessage = 10_000
  /// How many connections that break the protocol the log names, within a time: who does so in a loop does not fill it.
  static let complaints = 20
  /// That time, in milliseconds.
  static let complaintsWithin = 600_000
  /// The kernel's send buffer of a connection that monitors, in bytes: with the default one, some 170 old states
  /// would lie in the kernel before a slow reader's newest.
  static let monitorSendBuffer = 4096

  // What clients may say.

  /// The longest list in a reply, in bytes: clients take a reply of 1 MiB.
  static let list = 1_000_000
  /// How long a list that changes is not told again to those who follow it, in milliseconds.
  static let listPause = 50
  /// For how many apps overrides are kept, where the configuration does not say.
  static let overrides = 256
  /// For how many apps the configuration may let overrides be kept: with the longest names and an end for each field
  /// of its own, the reply of ListOverrides stays below 1 MiB.
  static let mostOverrides = 256
  /// How far ahead an override may end, in seconds: ten years.
  static let expiry: Int64 = 10 * 366 * 24 * 60 * 60

  /// When an override that is read from a file may end, in seconds since the epoch: until the year 9999, which every
  /// calendar of the system can still say.
  static let expiryTimes: ClosedRange<Int64> = 1...253_402_300_799

  /// How long the portal's program may take to tell its version, in seconds.
  static let versionSeconds = 3
  /// How long `themed --check` may take, in milliseconds.
  static let check = 15_000
  /// How long it waits for the bus to greet it, in milliseconds.
  static let greeting = 5_000

  // What is told of the past.

  /// How many changes the diagnostics hold.
  static let changes = 20
  /// The longest text of a value that the portal made up, in bytes.
  static let portalText = 500

  // The desktop.

  /// The longest message of the bus that is taken: a portal's `ReadAll` of everything stays far below it; and how many
  /// bytes of replies to strangers may wait.
  static let bus = ThemedDBus.Connection.Limits(message: 1024 * 1024, replies: 64 * 1024)
  /// How much of what the user manager says is read: an environment, which the kernel keeps below some megabytes, or
  /// a unit with all that it waits for.
  static let managerAnswer = Extent(values: 50_000, text: 4096)
  /// How long a call of the portal may take, in milliseconds.
  static let portalCall = 5_000
  /// How long the word of a backend stands that has gone, and how long one that is not there is waited for, in
  /// milliseconds: a restart takes less.
  static let backendRestart = 3_000
  /// How long the portal may take to start, in milliseconds (xdg-desktop-portal's issues 986, 998, 607, 701).
  static let portalStart = 120_000
  /// How often the portal is started in one graphical session, within a time.
  static let portalStarts = 3
  /// That time, in milliseconds.
  static let portalStartsWithin = 600_000
  /// After how many milliseconds a portal has stayed: its start was not in vain, whatever ends it then.
  static let portalStays = 60_000
  /// How long the user manager may take to say whether a graphical session is up, in milliseconds.
  static let managerCall = 5_000
  /// How many changes of a flapping desktop prolong the time until it is read.
  static let prolongingSignals = 20
  /// After how many milliseconds a failed read of the portal is made again.
  static let portalRetries = [1_000, 5_000, 25_000]
  /// And then, each time after twice as many, up to an hour.
  static let portalSlowRetries = 120_000...3_600_000
  /// After how many milliseconds what was read is confirmed once.
  static let confirmation = 1_000
  /// The longest settle time that can be configured, in milliseconds.
  static let settleTime = 60_000

  // A daemon that is followed in the desktop's place.

  /// The longest message that is taken of it, in bytes: a theme's file is shorter, and may be six times as long with all
  /// of it escaped.
  static let upstreamFrame = 512 * 1024
  /// What it says is shown no more often than each so many milliseconds, and has settled after so many.
  static let upstreamPace = 100
  /// After how many milliseconds without a share a daemon that serves nobody ends: a day.
  static let upstreamSilence = 24 * 60 * 60 * 1000
  /// How often, and after how many milliseconds, a share looks for a daemon that is just being started by another one.
  static let relayTries = (count: 10, pause: 100)

  // The service manager.

  /// After how many milliseconds what the manager did not take is told again; each further time takes twice as long.
  static let notificationRetry = 50
  /// The longest such time, in milliseconds: a manager that stands still costs little.
  static let longestNotificationRetry = 5_000
  /// The longest status that it is told, in bytes: a datagram has to fit into its queue.
  static let statusText = 500
  /// How many descriptors are taken from the service manager at the start.
  static let inheritedDescriptors: Int32 = 64
  /// How long it may take to store what is handed over to the next process, in milliseconds: systemd takes some 70 for
  /// 10,000 connections, and who does not know of it holds up every end for as long.
  static let storing = 1_000
  /// How many bytes of what connections have said and are to be told are handed over.
  static let handover = 64 * 1024 * 1024

  // Memory.

  /// After how many idle milliseconds the daemon gives freed memory back to the system.
  static let rest = 2_000

  // Files and the log.

  /// How long the configuration, or a theme, has to be left alone until it is read again, in milliseconds: editors
  /// write in steps.
  static let configurationQuiet = 100
  /// How long it may go on being written until it is read all the same, in milliseconds.
  static let longestQuiet = 1_000
  /// How long users' files may take to be read until they count as hanging, and others are read without them, in
  /// milliseconds: a disk that has to spin up takes longer, and is read then.
  static let fileAnswer = 2_000
  /// How long a call waits for a theme's file, in milliseconds.
  static let fileCall = 3_000
  /// How long the start, and a reload, wait for the configuration and the chosen themes, in milliseconds.
  static let firstReading = 1_000
  /// After how many milliseconds what hangs, or cannot be watched, is tried again: first, and at the longest.
  static let fileRetry = 5_000...300_000
  /// How many threads may hang in users' files: each keeps a stack, and what hangs more often hangs all.
  static let stuckThreads = 4
  /// How many events of watched directories are kept while something is being read.
  static let recentEvents = 256
  /// How many themes are listed at most, each of which is read: some 2,000 fit into a reply.
  static let listedThemes = 4_000
  /// How many are counted, those that are left out among them.
  static let countedThemes = 20_000
  /// How long themes are read for the list in one go, in milliseconds: what takes long is not taken for a disk that hangs,
  /// and holds up no other file.
  static let listSlice = 300
  /// How long they are read in one go where finding out what is left to read takes as long, in milliseconds: together the
  /// two stay below ``fileAnswer``.
  static let longestListSlice = 900
  /// Of how many themes that are symbolic links it is watched where these lead to.
  static let watchedLinks = 256
  /// How long ago a file was changed, in seconds, whose next change is seen by its time: file systems count in steps of up
  /// to two.
  static let fileRest = 3
  /// How many settings that mean nothing are named.
  static let unknownSettings = 100
  /// How much is quoted of a value or a name in a file, and of a path, in bytes.
  static let shownText = 200
  /// The longest text of what is wrong with a file, in bytes.
  static let problem = 1_000

  /// The longest configuration, or file of the desktop's, that is read, in bytes.
  static let file = 1024 * 1024
  /// The longest state file that is read, in bytes: for as many apps as there may be, with the longest names, ends of
  /// every kind and what Toggle has put away, it has 1.2 MB.
  static let stateFile = 2 * 1024 * 1024
  /// The longest theme that is read, in bytes: with everything in it escaped, a state that holds it stays below 1 MiB.
  static let themeFile = 64 * 1024
  /// How many themes clients may ask for at a time: each is read in turn.
  static let askedThemes = 256
  /// How many of them those may ask for who may only read, which count for nobody else.
  static let themesAskedByReaders = 64
  /// How long those who may only read are answered by the list that was read for one of them, in milliseconds.
  static let readersList = 5_000
  /// How many lines of the log tell of what means nothing in one theme, or in the configuration.
  static let themeWarnings = 5
  // What ThemeSchedule and ThemeResolution reckon with, which cannot see this page: how far ahead a turn lies
  // (`Switch.farthest`, 370 days), the times that there are (`reckonedTimes`, up to the year 9999), how often a zone's
  // clocks change (`Zone.mostTransitions`, 2,000), and a zone's name (`ZoneTable.isName`, 4 parts of 64 bytes).

  /// How many minutes before or after sunrise and sunset the schedule may switch.
  static let scheduleOffset = 720
  /// How high the sun may stand, or how deep, where the schedule counts its height, in degrees.
  static let twilight = 18
  /// How many seconds ahead the schedule is told to who asks for it: seven days.
  static let forecast: Int64 = 7 * 86_400
  /// The longest file of a time zone, or table of them, that is read, in bytes.
  static let zoneFile = 1024 * 1024
  /// The longest `/etc/timezone` that is read, in bytes: a name, and what somebody has written about it.
  static let zoneName = 4096
  /// How many symbolic links are followed to find the name of the time zone.
  static let zoneLinks = 8
  /// The longest fade that can be configured, in milliseconds.
  static let transition = 60_000
  /// How long the start waits for the state file, in milliseconds: longer than a disk takes to wake up, mostly, and
  /// short enough for those who have connected already.
  static let firstLoad = 3_000
  /// After how many milliseconds a file that could not be read or saved is tried again; the last one holds from then on.
  static let diskRetries = [1_000, 5_000, 25_000, 60_000]
  /// For how many apps it is remembered what was overridden and is not on the disk yet.
  static let changedApps = 1_024
  /// After how many milliseconds the socket is bound again where it could not be; the last one holds from then on.
  static let bindRetries = [1_000, 5_000, 25_000, 60_000]
  /// After how many milliseconds without an attempt the next one is made at once again.
  static let bindQuiet = 120_000
  /// How long an override's save may hold up the end of the daemon, in milliseconds.
  static let lastSave = 5_000
}
