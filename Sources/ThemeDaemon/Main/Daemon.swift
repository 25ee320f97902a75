internal import ThemeResolution
internal import ThemedText
internal import Glibc
internal import ThemedLoop
internal import ThemeInterface
internal import ThemedUnix
internal import ThemedVarlink
internal import ThemedLog

/// The whole daemon, wired: read this file first.
///
/// What happens in the desktop, at the socket, to files or by the clock becomes an ``Event`` for the ``Core``, which says
/// what follows: an ``Effect`` for each consequence, done in the order in which they stand there. Everything is on one
/// thread, but for files while they are read or saved.
public final class Daemon {
  // One property for each part: so many are they.
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
  /// Followed in the desktop's place.
  let upstream: Upstream?
  let schedule: Schedule
  let engine: Engine
  let calls: Calls
  var clock: WallClock?
  var socketWatches: [SocketWatch] = []
  var life: Life
  /// The last changes, for the diagnostics.
  var changes: [Diagnostics.Change] = []

  /// Sets everything up, down to the listening socket, and waits a moment for what is on the disk; nothing is answered
  /// until ``run()``.
  public init(_ options: Options) throws(StartFailure) {
    // What is sent while all is set up is for the loop.
    SignalWatch.hold([SIGTERM, SIGINT, SIGHUP])
    self.options = options
    // What was handed over first: whatever is opened gets the lowest number that is free.
    let inherited = Inherited()
    let readyDescriptor = try options.readyDescriptor.map { (number) throws(StartFailure) in
      try ReadyDescriptor(number, besides: inherited)
    }
    let log = Log()
    self.log = log
    manager = ServiceManager()
    // Threads read these while the rest is set up, since a start that waits for each of them in turn is slower by half.
    files = FileReader(log: log)
    configuration = ConfigurationFile(
      path: BaseDirectory.configuration.map { $0 + "/themed/themed.conf" }, files: files, log: log)
    // Before what is kept, since it decides who serves: a daemon that does not must touch no file of the one that does.
    sockets = try Self.listen(options, inherited, log: log)
    kept = KeptOverrides(path: BaseDirectory.state.map { $0 + "/themed/overrides.json" }, log: log)
    kept.begin()
    life = try Life(inherited)
    var takeover = Takeover.take(from: inherited, log: log)
    if let reading = takeover?.history.reading {
      takeover?.history.reading = reading.kept(followsUpstream: options.upstream != nil)
    }
    life.adopted = takeover?.connections ?? []
    // What another daemon shows is nothing that a desktop asks for at the next boot.
    let state = options.upstream == nil ? BaseDirectory.state : nil
    lastReading = LastReading(
      besideSocket: sockets.listeners[0].path, statePath: state.map { $0 + "/themed/desktop.json" }, log: log)
    kept.onOwner = { [lastReading] in lastReading.isOwner = $0 }
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
    // Whoever connects from now on is answered: nobody who waits for this start need wait for files as well, and on a
    // disk that hangs it does not fail.
    manager.ready()
    if readyDescriptor?.tell() == false { log.warning("nobody reads the descriptor given to --ready-fd") }
    let overrides = kept.load(waitingAtMost: Limits.firstLoad)
    let reading = lastReading.load(waitingAtMost: Limits.firstLoad).kept(followsUpstream: options.upstream != nil)
    schedule = Schedule(path: configuration.path, files: files, log: log)
    Self.read(configuration, overrides, themes, schedule, files)
    let core =
      if let takeover {
        Core(
          takeover.history, overrides: overrides, defaults: configuration.configuration.defaults, themes: themes.table)
      } else {
        Core(
          instance: Text(String(UInt64.random(in: .min ... .max), radix: 16)), overrides: overrides, reading: reading,
          themes: themes.table)
      }
    engine = Engine(core)
    desktop = Desktop(reading: core.reading.kept(followsUpstream: false), log: log)
    let catalog = ThemeCatalog(directories, files: files, log: log)
    lists = Lists(engine: engine, catalog: catalog, server: server)
    calls = Calls(engine: engine, themes: themes, lists: lists, server: server)
  }

  /// Serves until a signal ends it.
  public func run() throws(StartFailure) {
    try wire()
    let adopted = takeOver()
    configured(cause: life.wasStored ? "restart" : "configuration")
    strike()
    let begin = begin("themed \(themedVersion) serves \(sockets.listeners[0].path ?? "an inherited socket")\(adopted)")
    let rest = Rest(afterMilliseconds: Limits.rest)
    MainLoop.run {
      rest.worked()
      calls.roundIsOver()
      return life.isOver
    }
    begin.cancel()
    end()
  }

  /// Where what happens comes from.
  private func wire() throws(StartFailure) {
    desktop.onEvent = { [unowned self] in engine.send($0) }
    upstream?.onEvent = { [unowned self] in engine.send($0) }
    upstream?.isOwn = { [unowned self] in $0 == engine.core.history.instance }
    upstream?.onStatus = { [unowned self] in tellStatus() }
    upstream?.onSilence = { [unowned self] in if server.everybody.isEmpty { stop() } }
    schedule.onEvent = { [unowned self] in engine.send($0) }
    schedule.onClock = { [unowned self] in strike() }
    schedule.onProblem = { [unowned self] in tellStatus() }
    themes.onChange = { [unowned self] in engine.send(.themes(themes.table, cause: ThemeLibrary.cause($0))) }
    configuration.onReading = { [unowned self] in configured() }
    kept.onLoad = { [unowned self] in engine.send(.loaded($0, now: WallClock.now)) }
    kept.onAnswer = { [unowned self] in calls.answer($0, saved: $1) }
    kept.onIdle = { [unowned self] in if life.isStopping { life.isOver = true } }
    server.onCall = { [unowned self] in calls.answer($0, $1) }
    calls.beforeChange = { [unowned self] in if let due = engine.core.due, due <= WallClock.now { strike() } }
    calls.onSubscribe = { [unowned self] in if upstream == nil { desktop.signOfLife() } }
    calls.diagnostics = { [unowned self] in
      // A client that asks before the desktop is followed hears of a bus all the same.
      beginFollowing()
      return diagnostics
    }
    calls.configuration = { [unowned self] in configurationParameters }
    calls.schedule = { [unowned self] in schedule.forecast }
    engine.perform = { [unowned self] in perform($0) }
    files.onTrouble = { [unowned self] in tellStatus() }
    do throws(SystemError) {
      life.signals = try SignalWatch([SIGTERM, SIGINT, SIGHUP]) { [unowned self] in received($0) }
      clock = try WallClock { [unowned self] in strike() }
      try schedule.attach()
      try files.attach()
    } catch {
      throw StartFailure("\(error)")
    }
  }

  /// A timer has struck, or the clock was set: whichever of them told it first, it is told to all that go by the clock.
  private func strike() {
    let news = schedule.news
    engine.send(.clock(news.now, schedule: news.scheduled))
  }

  /// Where what follows goes to.
  private func perform(_ effect: Effect) {
    switch effect {
    case .publish(let change): calls.publish(change)
    case .wake(let time): clock?.set(time)
    case .read(let names, let number): read(names, number)
    case .list: lists.changed(.overrides)
    case .keep(let keeping): kept.keep(keeping)
    case .remember(let reading): lastReading.keep(reading)
    case .report(let change): report(change)
    }
  }

  /// Follows the desktop, whose answer takes longer than that of anybody here, and the socket's file, to which nothing
  /// happens unseen before that.
  func beginFollowing() {
    guard socketWatches.isEmpty else { return }
    socketWatches = sockets.listeners.map { listener in
      SocketWatch(listener, log: log) { [unowned self] () throws(StartFailure) in
        // The one for reading only is bound under the lock of the other, which may have to come back first.
        if listener.rights == .reading { socketWatches.first?.retry() }
        try server.bindAnew(listener)
      }
    }
    for watch in socketWatches { watch.onProblem = { [unowned self] in tellStatus() } }
    if let upstream { upstream.follow() } else { desktop.follow() }
  }
}
