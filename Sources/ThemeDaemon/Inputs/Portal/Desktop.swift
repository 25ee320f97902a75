internal import ThemedInterface
internal import ThemedModel
internal import ThemedDBus
internal import ThemedSystem

/// Follows the desktop: the session bus, and on it the settings portal and the session.
///
/// It has the one connection to the session bus, and gives each message to the part that it is for.
final class Desktop: BusClient, NameOwnerReceiver, PortalListener {
  private(set) var busState = Diagnostics.Bus(state: "waiting")

  /// How long a desktop has to be quiet before it is read, in milliseconds.
  var settleTime = Configuration().settleTime {
    didSet { (portal.settleTime, downstream.settleTime) = (settleTime, settleTime) }
  }

  private unowned let events: any EventReceiver
  private let log: Log
  private lazy var portal = newPortal()
  private lazy var session = SessionWatch(for: self)
  private lazy var downstream = DownstreamBackends(settleTime: settleTime, for: self)
  /// Decides who speaks for the desktop: the portal, or the backends after ours.
  private var chain = PortalChain()
  private let listing = DownstreamListing()
  /// The last reading that was passed on.
  private var reading: Reading
  private var bus: SessionBus?
  private var connection: Connection?
  /// The owner of our backend's name.
  private var ours: NameOwner?
  private var asking: Source?

  init(reading: Reading, events: any EventReceiver, log: Log) {
    (self.reading, self.events, self.log) = (reading, events, log)
  }

  private func newPortal() -> PortalWatch {
    PortalWatch(.desktop, settleTime: settleTime, reading: reading, listener: self)
  }

  /// Connects to the bus, and follows what is on it from then on.
  func follow() {
    do throws(BusAddress.Problem) {
      let addresses = try BusAddress.session()
      busState.address = BusAddress.words(addresses)
      bus = SessionBus(at: addresses, limits: Limits.bus, for: self)
      bus?.start()
    } catch {
      (busState.state, busState.problem) = ("unusable", "\(error)")
      log.warning("cannot follow the desktop: \(error)")
    }
  }

  func retry() {
    bus?.start()
    session.reload()
    portal.reload()
    downstream.reload()
    handle(.reload)
  }

  /// Reads the desktop again; the answer counts as settled.
  func readAgain() {
    portal.readAgain()
    downstream.readAgain()
  }

  func signOfLife() {
    session.signOfLife()
    portal.signOfLife()
    downstream.signOfLife()
  }

  /// The portal's answers and failures.
  var portalState: Diagnostics.Portal {
    var state = portal.diagnostics
    // If our backend is first, the portal passes on signals of the others but answers with our value, which is no
    // fault.
    if chain.isDownstream { state.deniedSignal = nil }
    return state
  }

  var sessionState: Text { session.isUp.map { $0 ? "up" : "down" } ?? "unknown" }

  // MARK: The preference

  /// The desktop's preference is now this, by the portal or the backends after ours.
  func show(_ now: Reading, _ cause: PortalFollower.Cause) {
    guard now != reading else { return }
    reading = now
    events.send(.desktop(now, cause: Text(cause.rawValue)))
  }

  func settled() { events.send(.settled) }

  func warn(_ text: String) { log.warning(text) }

  func portal(_ portal: PortalWatch, says reading: Reading, _ cause: PortalFollower.Cause) {
    if !chain.isDownstream { show(reading, cause) }
  }

  func portalSettled(_ portal: PortalWatch) {
    if !chain.isDownstream { settled() }
  }

  func portalAnswered(_ portal: PortalWatch) {}

  func portal(_ portal: PortalWatch, warns text: String) { warn(text) }

  func portal(_ portal: PortalWatch, isOwnedBy owner: Text?) {
    // If the portal is missing while a session is up, the bus has to start it.
    session.portal(isThere: owner != nil)
    handle(.portal(owner))
  }

  func startPortal() { portal.start() }

  // MARK: The bus

  func busChanged(_ event: SessionBus.Event) {
    switch event {
    case .connected(let connection):
      log.debug("connected to the session bus")
      (busState.state, busState.problem) = ("connected", nil)
      self.connection = connection
      session.follow(connection)
      // Before the portal, so that the owner of our backend's name is known before any answer of the portal.
      ours = NameOwner(of: PortalBackends.ours, on: connection, for: self)
      portal.follow(connection)
      connection.addMatch(SettingsPortal.backendsMatch)
    case .disconnected(let trouble, let isRepeated):
      let text = "lost the session bus, so the desktop's last setting stays in force: \(trouble)"
      if isRepeated { log.debug(text) } else { log.warning(text) }
      (busState.state, busState.problem) = ("waiting", "connection lost: \(trouble)")
      (connection, ours) = (nil, nil)
      session.stop()
      portal.stop()
      handle(.busLost)
    case .unreachable(let trouble):
      let text = "cannot connect to the session bus yet, so no desktop is followed: \(trouble)"
      if case .some = busState.problem { log.debug(text) } else { log.info(text) }
      (busState.state, busState.problem) = ("waiting", "\(trouble)")
    }
  }

  func received(_ signal: Message) {
    if signal.isSignal(SettingsPortal.desktop.interface, "SettingChanged") {
      portal.received(signal)
    } else if signal.isSignal(PortalBackends.settings.string, "SettingChanged") {
      downstream.received(signal)
    } else {
      session.received(signal)
    }
  }

  func arrived(_ name: Text) {
    if name.hasPrefix(Text(SettingsPortal.backends + ".")) { portal.backendStarted() }
  }

  /// A warning for the user that also belongs in the diagnostics of the portal.
  func warned(_ text: String) { portal.warn(text) }

  func owner(of name: Text, is owner: Text?) { handle(.ours(owner)) }

  // MARK: The backends after ours

  private func handle(_ event: PortalChain.Event) {
    for action in chain.handle(event) { perform(action) }
  }

  private func perform(_ action: PortalChain.Action) {
    switch action {
    case .list(let question, let owner):
      guard let connection else { return }
      listing.list(owner, manager: session.manager, on: connection) { [unowned self] in handle(.listed(question, $0)) }
    case .ask(let question, let owner):
      let call = SettingsPortal.desktop.readOurs(of: owner)
      connection?.call(call, timeout: .milliseconds(Limits.portalCall)) { [unowned self] answer in
        handle(.answered(question, answer.knowsKey))
      }
    case .follow(let names):
      if !names.isEmpty {
        log.debug("following the desktop through the backends \(names.map { $0.shown() }.joined(separator: ", "))")
      }
      downstream.follow(names, on: connection)
    case .followPortal:
      portal.leave()
      portal = newPortal()
      if let connection { portal.follow(connection) }
    case .wake(let delay):
      asking = EventLoop.main.timer(afterMilliseconds: delay) { [unowned self] in handle(.woken) }
    }
  }
}

extension Result<Message, Failure> {
  /// Whether the answer shows that the receiver has the key; nil if there was no answer.
  var knowsKey: Bool? {
    switch self {
    case .success: true
    case .failure(let failure): failure.name == notFound || failure.name == unknownMethod ? false : nil
    }
  }
}
