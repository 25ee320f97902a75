internal import Glibc
internal import ThemedClientCore
internal import ThemedInterface
internal import ThemedDBus
internal import ThemedSystem

/// Carries out the decisions of ``Tray`` on the session bus, at the daemon's socket and with a timer.
final class TrayService: BusClient, NameOwnerReceiver {
  /// The name that keeps a second instance from starting.
  private static let name: Text = "org.themed.Tray"
  private static let watcher: Text = "org.kde.StatusNotifierWatcher"

  private let log: Log
  private var tray = Tray(hasWindow: programOfOurs("themed-settings") != nil)
  private var objects: TrayObjects
  private var states: StateSource
  private var catalog: CatalogSource
  private var stateWatch: Source?
  private var themeWatch: Source?
  private var isConnected = false
  private var signals: SignalWatch?
  private var bus: SessionBus?
  private var connection: Connection?
  private var panel: NameOwner?
  private var alarm: Source?
  private var status: CInt?
  private var lastWord: Source?
  private var hasToldOfNoPanel = false

  /// Does the calls that may wait, so that the panel never does.
  private var worker: WorkThread?
  private var working: Source?
  private var jobs: [DaemonJob] = []
  private var isWorking = false

  /// An item that follows the daemon, and connects to the bus when it runs.
  init(_ log: Log) throws(CallError) {
    self.log = log
    objects = TrayObjects(icons: iconDirectory() ?? "")
    states = try StateSource()
    catalog = try CatalogSource()
  }

  deinit {
    for source in [stateWatch, themeWatch, working].compactMap(\.self) { source.cancel() }
  }

  /// Runs until a signal or the end of the bus; returns the exit status.
  func run() throws(SystemError) -> CInt {
    signals = try SignalWatch([SIGTERM, SIGINT]) { [unowned self] _ in finish(0) }
    stateWatch = try EventLoop.main.watch(states.descriptor, for: .readable) { [unowned self] _ in follow() }
    themeWatch = try EventLoop.main.watch(catalog.descriptor, for: .readable) { [unowned self] _ in followThemes() }
    do throws(BusAddress.Problem) {
      bus = SessionBus(at: try BusAddress.session(), limits: Limits.bus, for: self)
    } catch {
      log.warning("\(error)")
      return 1
    }
    bus?.start()
    let memoryTrim = MemoryTrim(afterMilliseconds: Limits.memoryTrim)
    while status == nil || connection?.isFlushed == false {
      EventLoop.main.turn()
      memoryTrim.worked()
    }
    return status ?? 0
  }

  private func handle(_ event: Tray.Event) {
    for effect in tray.handle(event, now: wallClock()) { perform(effect) }
  }

  private func perform(_ effect: Tray.Effect) {
    switch effect {
    case .change(let change): begin(.change(change))
    case .look:
      // The one that runs may have asked before the change.
      if !jobs.dropFirst(isWorking ? 1 : 0).contains(.look) { begin(.look) }
    case .openWindow: openWindow()
    case .wake(let delay):
      alarm = delay.map { delay in
        EventLoop.main.timer(afterMilliseconds: delay) { [unowned self] in handle(.woken) }
      }
    default: if let signal = objects.signal(effect, of: tray) { connection?.emit(signal) }
    }
  }

  /// Shows the window; the bus starts its program, which is then neither in our sandbox nor ended with us.
  private func openWindow() {
    let call = Message.call(
      "org.themed.Settings", "/org/themed/Settings", "org.freedesktop.Application", "Activate", [.array([])],
      starting: true)
    connection?.call(call, timeout: .milliseconds(Limits.register)) { [unowned self] answer in
      guard case .failure(let failure) = answer else { return }
      log.warning("cannot open the settings window: \(failure)")
      handle(.changed(trouble: "The settings window does not open; type: themed-settings"))
    }
  }

  /// Exits when everything has been sent, or after a limited time, because a frozen bus reads nothing.
  private func finish(_ status: CInt) {
    guard self.status == nil else { return }
    self.status = status
    lastWord = EventLoop.main.timer(afterMilliseconds: Limits.lastWord) { [unowned self] in connection = nil }
  }

  // MARK: The daemon

  private func follow() {
    do throws(CallError) {
      // One state per round, so that a daemon that sends without end does not delay calls.
      if let state = try states.process() { handle(.state(state)) }
      guard states.isConnected != isConnected else { return }
      isConnected.toggle()
      handle(.connected(isConnected))
    } catch {
      log.warning("cannot follow themed: \(error)")
      (stateWatch, themeWatch) = (nil, nil)
      finish(1)
    }
  }

  /// The menu has no themes if the daemon does not list them.
  private func followThemes() {
    do throws(CallError) {
      if let list = try catalog.process() { handle(.themes(Array(list))) }
    } catch {
      log.debug("cannot follow the list of themes: \(error)")
      themeWatch = nil
    }
  }

  private func begin(_ job: DaemonJob) {
    guard jobs.count < Limits.jobs else { return log.warning("themed is slow to answer; ignored a click") }
    jobs.append(job)
    beginNext()
  }

  private func beginNext() {
    guard !isWorking, let job = jobs.first else { return }
    do throws(SystemError) {
      try hire()
      try worker?.perform({ job.run() }) { [unowned self] event in
        (isWorking, jobs) = (false, Array(jobs.dropFirst()))
        if case .changed(let trouble?) = event { log.warning(trouble.string) }
        handle(event)
      }
      isWorking = true
    } catch {
      log.warning("cannot call themed: \(error)")
      (jobs, worker, working) = ([], nil, nil)
    }
  }

  private func hire() throws(SystemError) {
    guard self.worker == nil else { return }
    let worker = try WorkThread()
    working = try EventLoop.main.watch(worker.descriptor, for: .readable) { [unowned self] _ in
      if self.worker?.finish() == false { (working, self.worker, isWorking) = (nil, nil, false) }
      beginNext()
    }
    self.worker = worker
  }

  // MARK: The bus

  func busChanged(_ event: SessionBus.Event) {
    switch event {
    case .connected(let connection):
      self.connection = connection
      own()
    case .disconnected(let trouble, _):
      // The session is over, or a new one starts the item again.
      log.info("the session bus has ended: \(trouble.reason)")
      (connection, panel) = (nil, nil)
      finish(0)
    case .unreachable(let trouble):
      log.warning("cannot connect to the session bus: \(trouble.reason)")
      finish(1)
    }
  }

  /// Takes the name, or exits if another process owns it.
  private func own() {
    connection?.own(Self.name) { [unowned self] answer in
      switch answer {
      case .owned: panel = connection.map { NameOwner(of: Self.watcher, on: $0, for: self) }
      case .taken:
        log.warning("another themed-tray runs in this session")
        finish(Connection.Naming.takenStatus)
      case .refused(let failure):
        log.warning("the bus refused the name \(Self.name): \(failure)")
        finish(1)
      }
    }
  }

  /// A panel has appeared or started again: the item registers there.
  func owner(of name: Text, is owner: Text?) {
    guard let owner else {
      if !hasToldOfNoPanel { log.info("no panel with a tray runs yet; the icon appears once one does") }
      hasToldOfNoPanel = true
      return
    }
    let call = Message.call(
      owner, "/StatusNotifierWatcher", Self.watcher.string, "RegisterStatusNotifierItem", [.string(TrayObjects.item)])
    connection?.call(call, timeout: .milliseconds(Limits.register)) { [unowned self] answer in
      if case .failure(let failure) = answer { log.warning("the panel refuses the icon: \(failure)") }
    }
  }

  func warned(_ text: String) { log.debug("session bus: \(text)") }

  func answer(_ call: Message) -> Message? {
    let (events, reply) = objects.answer(call, tray)
    for event in events { handle(event) }
    return reply
  }
}

/// Work for the thread that may wait for the daemon.
enum DaemonJob: Sendable, Hashable {
  case change(Tray.Change)
  case look

  func run() -> Tray.Event {
    switch self {
    case .change(let change):
      do throws(CallError) {
        var daemon = try ThemeConnection()
        let isSaved = try daemon.call(change.request).isSaved
        return .changed(trouble: isSaved ? nil : "The change cannot be saved, so it is lost when themed exits.")
      } catch {
        let refusals: [CallError.Code] = [.refused, .unknownTheme, .unusableTheme, .themesUnavailable]
        let event = refusals.contains(error.code) ? "themed refused the change" : "the change failed"
        return .changed(trouble: Text("\(event): \(error)"))
      }
    case .look:
      guard var daemon = try? ThemeConnection(timeout: .seconds(2)),
        let report = try? daemon.call(.diagnostics)
      else { return .surroundings(nil) }
      return .surroundings(Tray.Surroundings(report))
    }
  }
}

/// The directory of the icons beside this program, for a panel that does not search it; nil if it is a usual one.
private func iconDirectory() -> Text? {
  guard let program = ownProgram else { return nil }
  let prefix = parent(of: parent(of: program))
  let icons = prefix + "/share/icons"
  guard ![Text("/usr"), "/usr/local"].contains(Text(prefix)),
    unsafe access(icons + "/hicolor/symbolic/apps/themed-dark-symbolic.svg", R_OK) == 0
  else { return nil }
  return Text(icons)
}
