internal import Appearance
internal import DBus
internal import ForeignText
internal import Glibc
internal import Logging
internal import MainLoop
internal import ThemeInterface
internal import Unix
internal import Varlink

/// The whole daemon, wired: read this file first.
///
/// What happens in the desktop, at the socket, in the file system or by a signal ends up in ``Daemon``, and what changes
/// there goes to the log, the service manager and the subscribers. Everything is on one thread, but for files while they
/// are read or saved.
public final class DaemonProcess {
  /// What the command line asks for.
  public struct Options: Sendable {
    /// Where to listen; nil: where clients look.
    public var socket: String?
    /// Whether to log more.
    public var isVerbose = false
    /// The descriptor on which to tell a supervisor that it serves; nil for none.
    public var readyDescriptor: Int32?

    /// Nothing in particular.
    public init() {}
  }

  private let log: Log
  private let isVerbose: Bool
  private let manager: ServiceManager
  private let readyDescriptor: ReadyDescriptor?
  private let listener: Listener
  private let lastReading: LastReading
  private let daemon: Daemon
  private let files: FileReader
  private let configurationFile: ConfigurationFile
  private let themes: ThemeLibrary
  private let kept: KeptOverrides
  private let server: SocketServer
  private let service: ThemeService
  /// Whether the service manager keeps what the process before this one has left.
  private let wasStored: Bool
  /// Connections of the process before this one, until they are served.
  private var adopted: [ClientConnection]
  private let portal: PortalWatch
  /// How many connections the descriptor limit allows.
  private let descriptors: Int
  private var bus: SessionBus?
  private var signals: SignalWatch?
  private var clock: WallClock?
  private var socketWatch: SocketWatch?
  private var lastSave: Source?
  private var isReloading = false
  private var isStopping = false
  private var isOver = false
  private var busState = Diagnostics.Bus(state: "waiting")
  private var changes: [Diagnostics.Change] = []

  /// Sets everything up, down to the listening socket; nothing is answered until ``run()``.
  public init(_ options: Options) throws(StartFailure) {
    // What is sent while all is set up is for the loop.
    SignalWatch.hold([SIGTERM, SIGINT, SIGHUP])
    isVerbose = options.isVerbose
    // What was handed over first: whatever is opened gets the lowest number that is free.
    let inherited = Inherited()
    readyDescriptor = try options.readyDescriptor.map { (number) throws(StartFailure) in
      try ReadyDescriptor(number, besides: inherited)
    }
    let log = Log()
    self.log = log
    manager = ServiceManager()
    // Threads read these while the rest is set up, since a start that waits for each of them in turn is slower by half.
    files = FileReader(log: log)
    configurationFile = ConfigurationFile(
      path: BaseDirectory.configuration.map { $0 + "/themed/themed.conf" }, files: files, log: log)
    // Before what is kept, since it decides who serves: a daemon that does not must touch no file of the one that does.
    listener = try Self.listen(options.socket, inherited)
    kept = KeptOverrides(path: BaseDirectory.state.map { $0 + "/themed/overrides.json" }, log: log)
    kept.begin()
    descriptors = Self.raiseDescriptorLimit()
    // GLib ends the process where it finds none.
    guard hasRoom(forDescriptors: Limits.startDescriptors) else {
      throw StartFailure("too few files may be open at a time: raise LimitNOFILE= of the unit, or 'ulimit -n'")
    }
    wasStored = inherited.names.contains(Text(HandoverQueue.name))
    let takeover = Takeover.take(from: inherited, log: log)
    lastReading = LastReading(besideSocket: listener.path)
    let reading = takeover == nil ? lastReading.load() : Reading()
    themes = ThemeLibrary(ThemeDirectories(data: BaseDirectory.data, home: BaseDirectory.home), files: files, log: log)
    do throws(SystemError) {
      server = try SocketServer(listener: listener, maximum: descriptors, log: log)
    } catch {
      throw StartFailure("\(error)")
    }
    // Whoever connects from now on is answered: nobody who waits for this start need wait for files as well, and on a
    // disk that hangs it does not fail.
    manager.ready()
    if readyDescriptor?.tell() == false { log.warning("who gave the descriptor of --ready-fd does not read it") }
    let overrides = kept.load(waitingAtMost: Limits.firstLoad)
    themes.choose(overrides.themes)
    configurationFile.onReading = { [configurationFile, themes] in
      themes.choose(overrides.themes.union(configurationFile.configuration.defaults.themes))
    }
    // So that nobody is shown another theme first; where the files do not answer, they come later.
    files.wait(atMostMilliseconds: Limits.firstReading)
    configurationFile.onReading = {}
    if let takeover {
      daemon = Daemon(takeover.history, overrides: overrides, themes: themes.table)
    } else {
      let instance = Text(String(UInt64.random(in: .min ... .max), radix: 16))
      daemon = Daemon(instance: instance, overrides: overrides, reading: reading, themes: themes.table)
    }
    adopted = takeover?.connections ?? []
    kept.current = { [daemon] in daemon.overrides }
    portal = PortalWatch(settleTime: Configuration().settleTime, reading: daemon.reading)
    service = ThemeService(daemon: daemon, themes: themes, kept: kept, server: server, log: log)
  }

  /// Serves until a signal ends it.
  public func run() throws(StartFailure) {
    do throws(SystemError) {
      signals = try SignalWatch([SIGTERM, SIGINT, SIGHUP]) { [unowned self] in received($0) }
      clock = try WallClock { [unowned self] in expire() }
    } catch {
      throw StartFailure("\(error)")
    }
    daemon.onChange = { [unowned self] in changed($0) }
    daemon.onEnd = { [unowned self] in kept.save() }
    kept.onLoad = { [unowned self] in take($0) }
    portal.onReading = { [unowned self] in
      daemon.take($0, cause: $1.rawValue)
      lastReading.keep($0)
    }
    portal.onSettled = { [unowned self] in daemon.settle() }
    portal.onWarning = { [unowned self] in log.warning($0) }
    service.diagnostics = { [unowned self] in
      beginFollowing()
      return diagnostics
    }
    service.onSubscribe = { [unowned self] in portal.signOfLife() }
    kept.onIdle = { [unowned self] in if isStopping { isOver = true } }
    service.onOverride = { [unowned self] in
      clock?.set(daemon.overrides.nextExpiry)
      chooseThemes()
    }
    themes.onChange = { [unowned self] in
      daemon.take(themes.table, cause: "\($0.map(\.string).joined(separator: ", ")): the theme's file")
    }
    service.configuration = { [unowned self] in configurationParameters }
    configurationFile.onReading = { [unowned self] in
      configure()
      tellStatus()
    }
    files.onTrouble = { [unowned self] in tellStatus() }
    do throws(SystemError) { try files.attach() } catch { throw StartFailure("\(error)") }
    let adopted = takeOver()
    configure(cause: wasStored ? "restart" : "configuration")
    expire()
    tellStatus()
    // Those who monitor alone: what has made this process hang may be what another client has said.
    beforeAborting(forAtMostSeconds: Limits.lastAct) { [unowned self] in
      Takeover.leave(daemon.history, server.everybody.filter { $0.place != nil }, to: manager, log: log)
    }
    let begin = begin("themed \(themedVersion) serves \(listener.path ?? "an inherited socket")\(adopted)")
    MainLoop.run { isOver }
    begin.cancel()
    Takeover.leave(daemon.history, server.everybody, to: manager, log: log)
    socketWatch = nil
    listener.remove()
    log.finish()
  }

  /// Begins what nobody waits for once those who have waited for this process are let in, and answered.
  private func begin(_ greeting: String) -> Source {
    var rounds = 3
    return MainLoop.later { [unowned self] in
      rounds -= 1
      guard rounds == 0 else { return true }
      beginFollowing()
      log.info(greeting)
      return false
    }
  }

  /// Follows the desktop, whose answer takes longer than that of anybody here, and the socket's file, to which nothing
  /// happens unseen before that.
  private func beginFollowing() {
    guard socketWatch == nil else { return }
    socketWatch = SocketWatch(listener, log: log) { [server] () throws(StartFailure) in try server.bindAnew() }
    socketWatch?.onProblem = { [unowned self] in tellStatus() }
    followBus()
  }

  /// Goes on with the connections of the process before this one; what the log says of it.
  private func takeOver() -> String {
    if wasStored { manager.removeStored(HandoverQueue.name) }
    server.adopt(adopted)
    defer { adopted = [] }
    return adopted.isEmpty ? "" : ", and goes on with \(adopted.count) connections"
  }

  // MARK: What happens

  private func changed(_ change: Daemon.Change) {
    // Before the log: those who wait for it are not to wait for a line.
    service.publish(change)
    let states = [(nil, change.common)] + change.apps.sorted { $0.key < $1.key }.map { (Optional($0.key), $0.value) }
    for case (let app, let state?) in states {
      let prefix = app.map { "\($0.shown()): " } ?? ""
      let cause = change.cause
      log.change(
        "\(prefix)\(state.resolution.summary(now: WallClock.now)) (\(cause))",
        state.journalFields(app: app, cause: cause))
      remember(app, state.resolution, change.cause)
    }
    tellStatus()
  }

  /// Shows what was kept, which could not be read in time for the start.
  private func take(_ overrides: Overrides) {
    chooseThemes(and: overrides.themes)
    // At once, since clients may change them; themes that are not read yet come when they are.
    daemon.take(overrides, themes: themes.table, now: WallClock.now, cause: "the overrides were read")
    chooseThemes()
    expire()
  }

  /// Ends what has expired, and sets the clock to what expires next.
  private func expire() {
    daemon.expire(now: WallClock.now)
    clock?.set(daemon.overrides.nextExpiry)
  }

  private func received(_ signal: CInt) {
    if signal == SIGHUP { reload() } else { stop() }
  }

  private func happened(_ event: SessionBus.Event) {
    switch event {
    case .connected(let connection):
      log.debug("connected to the session bus")
      (busState.state, busState.problem) = ("connected", nil)
      portal.follow(connection)
    case .disconnected(let trouble, let isRepeated):
      let text = "the session bus is gone; what it last told holds until it is back: \(trouble)"
      if isRepeated { log.debug(text) } else { log.warning(text) }
      (busState.state, busState.problem) = ("waiting", "it is gone: \(trouble)")
      portal.stop()
    case .unreachable(let trouble):
      let text = "the session bus is not there, and the desktop is followed once it is: \(trouble)"
      if case .some = busState.problem { log.debug(text) } else { log.info(text) }
      (busState.state, busState.problem) = ("waiting", "\(trouble)")
    }
  }

  private func reload() {
    log.debug("reading the configuration again")
    manager.reloading()
    bus?.start()
    portal.reload()
    kept.retry()
    socketWatch?.retry()
    guard !isReloading else { return }
    isReloading = true
    files.readAgain { [unowned self] in
      isReloading = false
      manager.ready()
      tellStatus()
    }
  }

  private func stop() {
    guard !isStopping else { return }
    isStopping = true
    manager.stopping()
    kept.end()
    isOver = kept.isIdle
    // Whoever waits for an override to be saved is answered, unless the disk hangs.
    lastSave = MainLoop.timer(afterMilliseconds: Limits.lastSave) { [unowned self] in isOver = true }
  }

  // MARK: What is told of it

  private func remember(_ app: Text?, _ shown: Resolution, _ cause: String) {
    changes.append(
      .init(
        time: WallClock.now, app: app, scheme: shown.scheme, desktop: shown.desktop, cause: cause,
        theme: shown.theme?.name))
    changes.removeFirst(max(0, changes.count - Limits.changes))
  }

  private var diagnostics: Diagnostics {
    Diagnostics(
      version: themedVersion, features: ThemeInterface.features, bus: busState,
      session: portal.isSessionUp.map { $0 ? "up" : "down" as Text } ?? "unknown", portal: portal.diagnostics,
      configuration: .init(path: configurationFile.path, problem: configurationFile.problem),
      state: .init(path: kept.path, problem: kept.problem), changes: changes,
      themes: themes.diagnostics, socket: .init(path: listener.path, problem: socketWatch?.problem))
  }

  // MARK: Setting up

  /// Acts by the configuration.
  private func configure(cause: String = "configuration") {
    let configuration = configurationFile.configuration
    log.logger.logLevel = isVerbose ? .debug : configuration.logLevel
    portal.settleTime = configuration.settleTime
    server.maximum = min(configuration.connections, descriptors)
    service.maximumOverrides = configuration.overrides
    chooseThemes { [unowned self] in
      // Nothing is known that would change what is shown, where the file does not answer.
      guard configurationFile.isRead else { return }
      daemon.take(configurationFile.configuration.defaults, themes: themes.table, cause: cause)
      chooseThemes()
    }
  }

  /// Keeps the themes that are shown, those that the configuration names, though it is not in force yet, and these.
  private func chooseThemes(and more: Set<Text> = [], _ completion: (() -> Void)? = nil) {
    let configured = configurationFile.configuration.defaults.themes
    themes.choose(daemon.chosenThemes.union(configured).union(more), completion)
  }

  private var configurationParameters: JSON.Object {
    var settings = configurationFile.configuration.settings
    let unknown = configurationFile.configuration.unknown.prefix(Limits.themeWarnings)
    if settings.isEmpty, let read = try? Configuration(parsing: [], origin: "") { settings = read.settings }
    return [
      "path": configurationFile.path.map(JSON.word), "problem": configurationFile.problem.map(JSON.word),
      "settings": .array(settings.map { .object($0.parameters) }),
      "unknown": unknown.isEmpty ? nil : .array(unknown.map(JSON.string)),
    ]
  }

  private func followBus() {
    do throws(BusAddress.Problem) {
      let addresses = try BusAddress.session(
        variable: environment("DBUS_SESSION_BUS_ADDRESS").map { "\($0)" }, runtimeDirectory: BaseDirectory.runtime)
      busState.address = addresses.map { "\($0)" }.joined(separator: ";")
      bus = SessionBus(at: addresses, limits: Limits.bus) { [unowned self] in happened($0) }
      bus?.start()
    } catch {
      (busState.state, busState.problem) = ("unusable", "\(error)")
      log.warning("the desktop cannot be followed: \(error)")
    }
  }

  private func tellStatus() {
    manager.status(status)
  }

  private var status: String {
    let problem = configurationFile.problem ?? themes.trouble ?? socketWatch?.problem
    return daemon.state(for: nil).resolution.summary(now: WallClock.now) + (problem.map { "; \($0)" } ?? "")
  }

  private static func listen(_ path: String?, _ inherited: Inherited) throws(StartFailure) -> Listener {
    if let listener = try Listener.inherited(inherited) { return listener }
    let path = ThemeInterface.socketPath(
      override: path ?? environment(ThemeInterface.socketVariable), runtimeDirectory: BaseDirectory.runtime)
    guard let path else {
      throw StartFailure("XDG_RUNTIME_DIR is not set, so there is no place for the socket: give one by --socket")
    }
    return try .bound(to: path)
  }

  /// Makes room for as many connections as the system lets this user have; how many that are.
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
