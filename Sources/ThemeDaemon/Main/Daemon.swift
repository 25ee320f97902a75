internal import Glibc
internal import ThemedInterface
internal import ThemedModel
internal import ThemedDBus
internal import ThemedSystem
internal import ThemedVarlink

/// The whole daemon, wired together: read this file first.
///
/// Everything that happens to the desktop, the socket, files or the clock becomes an ``Event`` for the ``Core``. The
/// core returns an ``Effect`` for each consequence, and they are carried out in the order of their cases. Everything
/// runs on one thread, except for reading and saving files.
public final class Daemon: EffectPerformer, InputReceiver, CallHost, SocketBinder, DesktopRecordReceiver {
  // One property for each part of the daemon.
  let options: Options
  let log: Log
  let manager: ServiceManager
  let sockets: Sockets
  let server: SocketServer
  let files: FileReader
  let configuration: ConfigurationFile
  let themes: ThemeLibrary
  let lists: Lists
  let kept: KeptOverrides
  let lastReading: LastReading
  let desktop: Desktop
  /// Followed in place of the desktop.
  let upstream: Upstream?
  let schedule: Schedule
  let engine: Engine
  let publisher: Publisher
  let calls: Calls
  private var clock: WallClock?
  /// When the next override expires, in seconds since the epoch; nil: never.
  private var nextExpiry: Int64?
  var socketWatches: [SocketWatch] = []
  private(set) var targets = TargetHistory()
  var life: Life
  var changes: [Diagnostics.Change] = []

  /// Sets everything up, including the listening socket, and waits a moment for the disk; calls are answered from
  /// ``run()`` on.
  public init(_ options: Options) throws(StartFailure) {
    // Signals that come during the setup are for the loop.
    SignalWatch.hold([SIGTERM, SIGINT, SIGHUP])
    self.options = options
    // The inherited descriptors come first, because every new descriptor gets the lowest free number.
    let inherited = Inherited()
    let readyDescriptor = try options.readyDescriptor.map { (number) throws(StartFailure) in
      try ReadyDescriptor(number, besides: inherited)
    }
    let log = Log()
    self.log = log
    manager = ServiceManager()
    // Threads read these during the rest of the setup: waiting for each in turn would make the start slower by half.
    files = FileReader(log: log)
    configuration = ConfigurationFile(path: Configuration.usualPath, files: files, log: log)
    // Before the state files, because this decides which daemon serves: another daemon must not touch the files of the
    // serving one.
    sockets = try Self.listen(options, inherited, log: log)
    kept = KeptOverrides(path: BaseDirectory.state.map { $0 + "/themed/overrides.json" }, log: log)
    kept.begin()
    life = try Life(inherited)
    var takeover = Takeover.take(from: inherited, log: log)
    if let reading = takeover?.history.reading {
      takeover?.history.reading = reading.kept(followsUpstream: options.upstream != nil)
      if options.upstream != nil { takeover?.history.desktop = nil }
    }
    life.adopted = takeover?.connections ?? []
    // What an upstream daemon shows is not the desktop's preference for the next boot.
    let state = options.upstream == nil ? BaseDirectory.state : nil
    lastReading = LastReading(
      besideSocket: sockets.listeners[0].path, statePath: state.map { $0 + "/themed/desktop.json" }, log: log)
    kept.lastReading = lastReading
    if let place = options.upstream {
      upstream = try Upstream(place, besideSocket: sockets.listeners[0].path, log: log)
    } else {
      upstream = nil
    }
    let directories = ThemeDirectories(data: BaseDirectory.data, home: BaseDirectory.home)
    themes = ThemeLibrary(directories, files: files, log: log)
    do throws(SystemError) {
      server = try SocketServer(sockets.listeners, maximum: life.connections, log: log)
    } catch {
      throw StartFailure("\(error)")
    }
    // Clients that connect from now on will be answered. So a program that waits for this start does not wait for files
    // as well, and the start does not fail on a disk that hangs.
    manager.ready()
    if readyDescriptor?.tell() == false { log.warning("nobody reads the descriptor given to --ready-fd") }
    let overrides = kept.load(waitingAtMost: Limits.firstLoad)
    let reading = lastReading.load(waitingAtMost: Limits.firstLoad).kept(followsUpstream: options.upstream != nil)
    schedule = Schedule(path: configuration.path, files: files, log: log)
    Self.readFiles(configuration, overrides, themes, schedule, files)
    let core =
      if let takeover {
        Core(
          takeover.history, overrides: overrides, defaults: configuration.configuration.defaults, themes: themes.table)
      } else {
        Core(
          instance: Text(String(UInt64.random(in: .min ... .max), radix: 16)), overrides: overrides, reading: reading,
          desktop: options.upstream == nil ? lastReading.desktop : nil, themes: themes.table)
      }
    engine = Engine(core)
    var heard = core.reading.kept(followsUpstream: false)
    heard.scheme = core.sync.reported
    desktop = Desktop(reading: heard, events: engine, log: log)
    let catalog = ThemeCatalog(directories, files: files, log: log)
    lists = Lists(engine: engine, catalog: catalog, lastReading: lastReading, server: server)
    publisher = Publisher(engine: engine, server: server)
    calls = Calls(engine: engine, themes: themes, lists: lists, publisher: publisher, server: server)
  }

  /// Serves until a signal ends it.
  public func run() throws(StartFailure) {
    try connect()
    let adopted = takeOver()
    configured(cause: life.wasStored ? "restart" : "configuration")
    clockTicked()
    let begin = begin("themed \(themedVersion) serves \(sockets.listeners[0].path ?? "an inherited socket")\(adopted)")
    let memoryTrim = MemoryTrim(afterMilliseconds: Limits.memoryTrim)
    GLibLoop.run {
      memoryTrim.worked()
      publisher.roundIsOver()
      return life.isOver
    }
    begin.cancel()
    end()
  }

  /// Connects the parts: events go to the engine, its effects come back to ``perform(_:)``, and the rest comes here.
  private func connect() throws(StartFailure) {
    engine.performer = self
    calls.host = self
    kept.publisher = publisher
    lastReading.receiver = self
    upstream?.events = engine
    upstream?.receiver = self
    (schedule.events, themes.events, kept.events) = (engine, engine, engine)
    (schedule.receiver, configuration.receiver, kept.receiver, files.receiver) = (self, self, self, self)
    do throws(SystemError) {
      life.signals = try SignalWatch([SIGTERM, SIGINT, SIGHUP]) { [unowned self] in received($0) }
      clock = try WallClock { [unowned self] in clockTicked() }
      try files.attach()
    } catch {
      throw StartFailure("\(error)")
    }
  }

  // MARK: Effects

  func perform(_ effect: Effect) {
    switch effect {
    case .publish(let change): publisher.publish(change)
    case .wake(let time):
      nextExpiry = time
      setClock()
    case .read(let names, let number): read(names, number)
    case .list: lists.changed(.overrides)
    case .keep(let keeping): kept.keep(keeping)
    case .remember(let reading, let desktop):
      targets.target(desktop?.target, now: WallClock.now)
      lastReading.keep(reading, desktop)
      lists.changed(.desktop)
    case .readDesktop: desktop.readAgain()
    case .desktopSwitched: targets.switched(now: WallClock.now)
    case .report(let change): report(change)
    }
  }

  // MARK: The clock

  /// Sets the clock to whatever comes first: the end of an override, or a switch of the schedule.
  func setClock() { clock?.set([nextExpiry, schedule.wake].compactMap(\.self).min()) }

  /// The clock has reached that time or was changed: everything that depends on it gets the time at once.
  private func clockTicked() {
    let news = schedule.news
    engine.send(.clock(news.now, schedule: news.scheduled))
  }

  func catchUpWithClock() {
    if let due = engine.core.due, due <= WallClock.now { clockTicked() }
  }

  // MARK: Notices of the parts

  var instance: Text { engine.core.history.instance }

  func configurationWasRead() { configured() }

  func desktopRecordWasSaved() { lists.changed(.desktop) }

  func desktopRecordCameLate(_ record: DesktopSync.Record) { engine.send(.desktopResumed(record)) }

  func savingIsIdle() {
    if life.isStopping { life.isOver = true }
  }

  func upstreamIsSilent() {
    if server.everybody.isEmpty { stop() }
  }

  func clientSubscribed() {
    if upstream == nil { desktop.signOfLife() }
  }

  func currentDiagnostics() -> Diagnostics {
    // A client that asks before the desktop is followed still learns of the bus.
    beginFollowing()
    return diagnostics
  }

  var forecast: Forecast { schedule.forecast }

  func rebind(_ listener: Listener) throws(StartFailure) {
    // The read-only socket is bound under the lock of the main one, which may have to be bound again first.
    if listener.rights == .reading { socketWatches.first?.retry() }
    try server.acceptor.rebind(listener)
  }

  /// Follows the desktop, whose answer takes longer than any other, and watches the socket files; no change of the
  /// files before this is missed.
  func beginFollowing() {
    guard socketWatches.isEmpty else { return }
    socketWatches = sockets.listeners.map { SocketWatch($0, log: log, binder: self) }
    if let upstream { upstream.follow() } else { desktop.follow() }
  }
}
