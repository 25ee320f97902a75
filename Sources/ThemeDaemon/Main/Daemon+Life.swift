internal import Glibc
internal import ThemedInterface
internal import ThemedModel
internal import ThemedSystem

// The start, a reload and the exit.

extension Daemon {
  /// The options of the command line.
  public struct Options: Sendable {
    /// Where to listen; nil: at the usual place.
    public var socket: String?
    /// Whether to log details.
    public var isVerbose = false
    /// The upstream daemon to follow in place of the desktop; nil: the desktop.
    public var upstream: UpstreamPlace?
    /// The descriptor on which to notify a supervisor; nil if there is none.
    public var readyDescriptor: Int32?

    /// The default options.
    public init() {}
  }

  /// Where to listen; nil if no place is known.
  static func socketPath(_ options: Options) -> String? {
    ThemeInterface.socketPath(
      override: options.socket ?? environment(ThemeInterface.socketVariable), runtimeDirectory: BaseDirectory.runtime)
  }

  /// The sockets: the main one first, and the read-only one, if there is one.
  struct Sockets {
    let listeners: [Listener]
    /// The file of the read-only socket, whether it exists or not.
    let readOnly: Diagnostics.File?
  }

  /// The inherited sockets, and own ones in place of those that are missing.
  ///
  /// The read-only socket is beside the other one, wherever that is. If it cannot be created, everything else is
  /// served.
  static func listen(_ options: Options, _ inherited: Inherited, log: Log) throws(StartFailure) -> Sockets {
    let main = try listenForAll(options, inherited)
    let readOnly = main.path.map { ThemeInterface.readOnlySocketPath(beside: $0) }
    do throws(StartFailure) {
      var listener = try Listener.inherited(inherited, for: .reading)
      if listener == nil, let readOnly { listener = try .bound(to: readOnly, beside: main) }
      guard let listener else { return Sockets(listeners: [main], readOnly: nil) }
      return Sockets(listeners: [main, listener], readOnly: .init(path: listener.path))
    } catch {
      let problem = "cannot provide the read-only socket: \(error)"
      // The obstacle may go away, so it is tried again and reported.
      let awaited = readOnly.flatMap { try? Listener.awaited(at: $0, beside: main) }
      if awaited == nil { log.warning(problem) }
      let file = Diagnostics.File(path: readOnly, problem: awaited == nil ? problem : nil)
      return Sockets(listeners: [main] + (awaited.map { [$0] } ?? []), readOnly: file)
    }
  }

  private static func listenForAll(_ options: Options, _ inherited: Inherited) throws(StartFailure) -> Listener {
    if let listener = try Listener.inherited(inherited, for: .all) { return listener }
    guard let path = socketPath(options) else {
      throw StartFailure("XDG_RUNTIME_DIR is not set, so there is no place for the socket; give a path with --socket")
    }
    guard !ThemeInterface.isReadOnly(socketPath: path), !leadsToReadOnly(path) else {
      throw StartFailure(
        "\(path) is reserved for the read-only socket by the name of its directory; give another path with --socket or "
          + "\(ThemeInterface.socketVariable), and the read-only socket is created beside it")
    }
    return try .bound(to: path)
  }

  /// Whether the directory of a socket at `path` is really a directory for read-only sockets, under another name.
  private static func leadsToReadOnly(_ path: String) -> Bool {
    guard let resolved = unsafe realpath(parent(of: path), nil) else { return false }
    defer { unsafe free(resolved) }
    return ThemeInterface.isReadOnly(socketPath: unsafe String(cString: resolved) + "/socket")
  }

  /// Reads the configuration, the chosen themes and the time zone, so that clients do not see others first; if files
  /// hang, they are read later.
  static func readFiles(
    _ configuration: ConfigurationFile, _ overrides: Overrides, _ themes: ThemeLibrary, _ schedule: Schedule,
    _ files: FileReader
  ) {
    let end = monotonicMilliseconds() + Limits.firstReading
    // The thread has been reading the configuration since the beginning.
    files.wait(atMostMilliseconds: Limits.firstReading)
    themes.choose(overrides.themes.union(configuration.configuration.defaults.themes))
    if configuration.isRead { _ = schedule.configure(configuration.configuration.schedule) }
    files.wait(atMostMilliseconds: max(0, end - monotonicMilliseconds()))
  }

  func configured(cause: Text = "configuration") {
    let said = configuration.configuration
    // The user who shares to this machine sees its log over the same connection, and knows of each change.
    let isShared = if case .standardInput? = options.upstream { true } else { false }
    log.logger.level = options.isVerbose ? .debug : isShared ? max(.notice, said.logLevel) : said.logLevel
    desktop.settleTime = said.settleTime
    server.acceptor.maximum = min(said.connections, life.connections)
    calls.maximumOverrides = said.overrides
    // If the file hangs, nothing is known that would change what is shown.
    if configuration.isRead {
      engine.send(.configured(said.defaults, schedule: schedule.configure(said.schedule), cause: cause))
    }
    statusChanged()
  }

  func read(_ names: Set<Text>, _ number: Int?) {
    themes.choose(names, together: number != nil) { [unowned self] in
      let table = themes.table
      engine.send(number.map { .read(table, number: $0) } ?? .themes(table, cause: "the themes were read"))
    }
  }
}

/// The inheritance of a daemon, and the progress of its exit.
struct Life {
  /// How many connections there may be, according to the descriptor limit.
  let connections: Int
  /// Whether the service manager stores what the previous process has left.
  let wasStored: Bool
  /// Connections of the previous process, until they are served.
  var adopted: [ClientConnection] = []
  var signals: SignalWatch?
  var isReloading = false
  var isStopping = false
  /// Ends the wait for the last save.
  var lastSave: Source?
  var isOver = false

  /// The life of a daemon that starts with these descriptors.
  init(_ inherited: Inherited) throws(StartFailure) {
    connections = Self.raiseDescriptorLimit()
    // GLib aborts the process if it cannot open descriptors.
    guard hasRoom(forDescriptors: Limits.startDescriptors) else {
      throw StartFailure("the limit on open files is too low; raise LimitNOFILE= in the unit, or 'ulimit -n'")
    }
    wasStored = inherited.names.contains(Text(HandoverQueue.name))
  }

  /// Raises the descriptor limit as far as allowed; returns how many connections that allows.
  private static func raiseDescriptorLimit() -> Int {
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 512 }
    if limit.rlim_cur < limit.rlim_max {
      limit.rlim_cur = limit.rlim_max
      _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      _ = unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
    return max(1, Int(clamping: limit.rlim_cur) - Limits.reservedDescriptors)
  }
}

extension Daemon {
  /// Continues the connections of the previous process; returns the words for the log.
  func takeOver() -> String {
    if life.wasStored { manager.removeStored(HandoverQueue.name) }
    server.adopt(life.adopted)
    defer { life.adopted = [] }
    return life.adopted.isEmpty ? "" : " and continues \(life.adopted.count) connections"
  }

  /// Starts everything that no client waits for, after waiting clients have been accepted and answered.
  func begin(_ greeting: String) -> Source {
    var rounds = 3
    return EventLoop.main.later { [unowned self] in
      rounds -= 1
      guard rounds == 0 else { return true }
      beginFollowing()
      lists.resume()
      log.info(greeting)
      return false
    }
  }

  func received(_ signal: CInt) {
    if signal == SIGHUP { reload() } else { stop() }
  }

  private func reload() {
    log.debug("reading the configuration again")
    manager.reloading()
    if let upstream { upstream.retry() } else { desktop.retry() }
    kept.retry()
    for watch in socketWatches { watch.retry() }
    guard !life.isReloading else { return }
    life.isReloading = true
    files.readAgain { [unowned self] in
      life.isReloading = false
      manager.ready()
      statusChanged()
    }
  }

  func stop() {
    guard !life.isStopping else { return }
    life.isStopping = true
    manager.stopping()
    kept.end()
    life.isOver = kept.isIdle
    // Clients that wait for an override to be saved are answered, unless the disk hangs.
    life.lastSave = EventLoop.main.timer(afterMilliseconds: Limits.lastSave) { [unowned self] in life.isOver = true }
  }

  /// Stores what the next process needs, and cleans up everything else.
  func end() {
    Takeover.leave(engine.core.history, server.everybody, to: manager, log: log)
    socketWatches = []
    upstream?.close()
    // The read-only socket exists only while the other one does: clients that find it alone use it.
    for listener in sockets.listeners.reversed() { listener.remove() }
    log.finish()
  }
}
