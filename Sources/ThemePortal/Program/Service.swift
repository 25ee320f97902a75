internal import Glibc
internal import ThemedClientCore
internal import ThemedInterface
internal import ThemedDBus
internal import ThemedModel
internal import ThemedSystem

/// Carries out the decisions of ``Backend`` on the session bus, at the daemon's socket and with timers.
final class Service: BusClient, NameOwnerReceiver {
  static let name = PortalChainFacts.busName

  private static let path = "/org/freedesktop/portal/desktop"
  private static let interface = PortalChainFacts.interface.string
  private static let properties = "org.freedesktop.DBus.Properties"
  private static let portal: Text = "org.freedesktop.portal.Desktop"
  private static let portalInterface = "org.freedesktop.portal.Settings"

  private var backend = Backend()
  private var source: StateSource
  private var watching: Source?
  private var signals: SignalWatch?
  private var bus: SessionBus?
  private var connection: Connection?
  private var portal: NameOwner?
  /// Whether the backend knows of the bus.
  private var hasBus = false
  private var alarms: [Backend.Alarm: Source] = [:]
  private var isConnected = false
  private var wasConnected = false
  /// Waits for the first state of a daemon that is back.
  private var returned: FirstState?
  private var watchdog: Watchdog?
  /// Retries to start the watchdog after descriptors or memory ran out.
  private var retry: Source?
  private var status: CInt?
  private var lastWord: Source?
  private var failure: CInt = 0

  /// A service that follows the daemon, and connects to the bus when it runs.
  init() throws(CallError) { source = try StateSource() }

  deinit { watching?.cancel() }

  /// Serves until a signal ends it; returns the exit status.
  func run() throws(SystemError) -> CInt {
    signals = try SignalWatch([SIGTERM, SIGINT]) { [unowned self] _ in handle(.ending) }
    watching = try EventLoop.main.watch(source.descriptor, for: .readable) { [unowned self] _ in follow() }
    do throws(BusAddress.Problem) {
      bus = SessionBus(at: try BusAddress.session(), limits: Limits.bus, for: self)
    } catch {
      log("\(error)")
      return 1
    }
    bus?.start()
    GLibLoop.run { status != nil && connection?.isFlushed != false }
    return status ?? 0
  }

  private func handle(_ event: Backend.Event) {
    for effect in backend.handle(event) { perform(effect) }
  }

  private func perform(_ effect: Backend.Effect) {
    switch effect {
    case .own: own()
    case .emit(let key, let value):
      connection?.emit(
        .signal(
          Self.path, Self.interface, "SettingChanged", "ssv",
          [.string(Key.namespace), .string(Text(key.rawValue)), .variant(value)]))
    case .ask(let key, let portal): ask(key, of: portal)
    case .wake(let alarm, let delay):
      alarms[alarm] = EventLoop.main.timer(afterMilliseconds: delay) { [unowned self] in
        alarms[alarm] = nil
        handle(.woken(alarm))
      }
    case .sleep(let alarm): alarms[alarm] = nil
    case .finish: finish(failure)
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
      // One state per round, so that a daemon that sends without end does not delay calls; the descriptor stays
      // readable.
      if let state = try source.process() { handle(.state(state)) }
      guard source.isConnected != isConnected else { return }
      isConnected.toggle()
      // The very first state comes by itself.
      returned = isConnected && wasConnected ? FirstState(for: self) : nil
      wasConnected = true
      handle(.connected(isConnected))
    } catch {
      log("cannot follow themed: \(error)")
      (watching, failure) = (nil, 1)
      handle(.ending)
    }
  }

  /// The awaited first state has come, so its connection is closed.
  fileprivate func isBack(_ state: State) {
    returned = nil
    handle(.returned(state))
  }

  // MARK: The bus

  func busChanged(_ event: SessionBus.Event) {
    switch event {
    case .connected(let connection): meet(connection)
    case .disconnected(let trouble, let isRepeated):
      if !isRepeated { log("lost the session bus: \(trouble)") }
      (connection, portal, watchdog, retry) = (nil, nil, nil, nil)
      hasBus = false
      handle(.busLost)
    case .unreachable(let trouble): log("cannot connect to the session bus yet: \(trouble)")
    }
  }

  private func meet(_ connection: Connection) {
    self.connection = connection
    // Before the name is taken: from then on callers may wait.
    guardAgainstHanging(isFirst: true)
    connection.addMatch(
      "sender='\(Self.portal)',path='\(Self.path)',interface='\(Self.portalInterface)',member='SettingChanged',"
        + "arg0='\(Key.namespace)'")
    portal = NameOwner(of: Self.portal, on: connection, for: self)
  }

  func owner(of name: Text, is owner: Text?) {
    handle(.portal(owner))
    guard !hasBus else { return }
    hasBus = true
    handle(.bus)
  }

  func warned(_ text: String) { log(text) }

  /// Starts a watchdog for the connection, as soon as that is possible.
  private func guardAgainstHanging(isFirst: Bool) {
    guard let connection else { return }
    do throws(SystemError) { watchdog = try Watchdog(over: connection) } catch {
      if isFirst { log("cannot start the watchdog that ends this process if it hangs, will retry: \(error)") }
      retry = EventLoop.main.timer(afterMilliseconds: Limits.descriptorRetry) { [unowned self] in
        guardAgainstHanging(isFirst: false)
      }
    }
  }

  /// Takes the name, or exits if another process owns it: two backends for one daemon would send every signal twice.
  private func own() {
    connection?.own(Self.name) { [unowned self] answer in
      switch answer {
      case .owned: handle(.named)
      case .taken:
        log("another process owns \(Self.name) on this bus")
        finish(Connection.Naming.takenStatus)
      case .refused(let failure):
        log("the bus refused the name \(Self.name): \(failure)")
        finish(1)
      }
    }
  }

  /// Checks the sender first: any program can send a signal with any name.
  func received(_ signal: Message) {
    guard let owner = portal?.owner, signal.sender == owner, signal.isSignal(Self.portalInterface, "SettingChanged")
    else { return }
    let arguments = signal.arguments()
    guard arguments.count == 3, arguments[0] == .string(Key.namespace), case .string(let name) = arguments[1],
      let key = Key(name)
    else { return }
    handle(.told(key, arguments[2].unwrapped))
  }

  private func ask(_ key: Key, of portal: Text) {
    let call = Message.call(
      portal, Self.path, Self.portalInterface, "Read", [.string(Key.namespace), .string(Text(key.rawValue))])
    connection?.call(call, timeout: .milliseconds(Limits.portalCall)) { [unowned self] answer in
      switch answer {
      case .success(let message):
        handle(message.arguments().first.map { .answered(key, $0.unwrapped) } ?? .failed(key))
      case .failure(let failure): handle(failure.name == notFound ? .answered(key, nil) : .failed(key))
      }
    }
  }

  // MARK: Replies

  func answer(_ call: Message) -> Message? {
    guard call.path == Text(Self.path) else { return nil }
    if call.isCall(of: Self.interface, "Read") {
      let arguments = call.arguments()
      guard arguments.count == 2, case .string(let namespace) = arguments[0], case .string(let key) = arguments[1]
      else {
        return call.failure(invalid)
      }
      guard let value = backend.answers.value(namespace, key) else {
        return call.failure(Failure(name: notFound, message: "themed does not decide this setting"))
      }
      return call.reply("v", [.variant(value)])
    }
    if call.isCall(of: Self.interface, "ReadAll") {
      let arguments = call.arguments(Limits.namespaces)
      guard arguments.count == 1, case .array(let patterns) = arguments[0] else { return call.failure(invalid) }
      let namespaces = patterns.compactMap { if case .string(let text) = $0 { text } else { nil } }
      // If the caller asked for more namespaces than are examined, return all; the list itself counts as one value.
      let isWhole = patterns.count < Limits.namespaces.values - 1
      return call.reply("a{sa{sv}}", [backend.answers.values(isWhole ? namespaces : [])])
    }
    if call.isCall(of: Self.properties, "Get") {
      let wanted: [Value] = [.string(Text(Self.interface)), .string("version")]
      return call.arguments() == wanted ? call.reply("v", [.variant(.uint32(1))]) : call.failure(invalid)
    }
    if call.isCall(of: Self.properties, "GetAll") {
      let isOurs = call.arguments() == [.string(Text(Self.interface))]
      let version = Value.structure([.string("version"), .variant(.uint32(1))])
      return call.reply("a{sv}", [.array(isOurs ? [version] : [])])
    }
    return nil
  }
}

private let notFound: Text = "org.freedesktop.portal.Error.NotFound"
private let invalid = Failure(name: "org.freedesktop.DBus.Error.InvalidArgs", message: "invalid arguments")

/// Waits for the daemon's first state after it was away, even if that equals the last one: followers hear only of
/// changes, and a connection alone does not prove that the daemon works.
final class FirstState {
  private unowned let service: Service
  private var source: StateSource?
  private var watching: Source?
  private var retry: Source?
  private var isTold = false

  init(for service: Service) {
    self.service = service
    begin()
  }

  deinit { watching?.cancel() }

  /// Tries until it succeeds, because nothing else would report that the daemon is back.
  private func begin() {
    do {
      let source = try StateSource()
      watching = try EventLoop.main.watch(source.descriptor, for: .readable) { [unowned self] _ in process() }
      self.source = consume source
    } catch {
      if !isTold { log("cannot check yet whether themed is back, will retry: \(error)") }
      isTold = true
      retry = EventLoop.main.timer(afterMilliseconds: Limits.descriptorRetry) { [unowned self] in begin() }
    }
  }

  private func process() {
    guard let state = try? source?.process() else { return }
    watching = nil
    service.isBack(state)
  }
}
