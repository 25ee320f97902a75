internal import ThemeInterface
internal import ThemeModel
internal import ThemedDBus
internal import ThemedSystem

/// Follows the desktop: the session bus, and on it the settings portal and the session.
final class Desktop {
  /// Called with the desktop's changes.
  var onEvent: (Event) -> Void = { _ in }

  /// The state of the connection to the session bus.
  private(set) var busState = Diagnostics.Bus(state: "waiting")

  private var portal: PortalWatch
  private let session = SessionWatch()
  /// Decides who speaks for the desktop: the portal, or the backends after ours.
  private var chain = PortalChain()
  private let below: LowerBackends
  private let listing = LowerListing()
  /// The last reading that was passed on.
  private var reading: Reading
  private let log: Log
  private var bus: SessionBus?
  private var connection: Connection?
  private var asking: Source?

  /// A desktop with an earlier reading.
  init(reading: Reading, log: Log) {
    self.log = log
    self.reading = reading
    portal = PortalWatch(.desktop, settleTime: Configuration().settleTime, reading: reading)
    below = LowerBackends(settleTime: Configuration().settleTime)
    session.onStartPortal = { [unowned self] in portal.start() }
    session.onWarning = { [unowned self] in portal.warn($0) }
    below.onReading = { [unowned self] in tell($0, $1) }
    below.onSettled = { [unowned self] in onEvent(.settled) }
    below.onWarning = { log.warning($0) }
    wire()
  }

  private func wire() {
    portal.onReading = { [unowned self] in if !chain.isBelow { tell($0, $1) } }
    portal.onSettled = { [unowned self] in if !chain.isBelow { onEvent(.settled) } }
    portal.onWarning = { [log] in log.warning($0) }
    portal.onOwner = { [unowned self] in
      // If the portal is missing while a session is up, the bus has to start it.
      session.portal(isThere: $0 != nil)
      handle(.portal($0))
    }
  }

  private func tell(_ now: Reading, _ cause: PortalFollower.Cause) {
    guard now != reading else { return }
    reading = now
    onEvent(.desktop(now, cause: Text(cause.rawValue)))
  }

  /// Connects to the bus, and follows what is on it from then on.
  func follow() {
    do throws(BusAddress.Problem) {
      let addresses = try BusAddress.session(
        variable: environment("DBUS_SESSION_BUS_ADDRESS").map { "\($0)" }, runtimeDirectory: BaseDirectory.runtime)
      busState.address = BusAddress.words(addresses)
      bus = SessionBus(at: addresses, limits: Limits.bus) { [unowned self] in happened($0) }
      bus?.start()
    } catch {
      (busState.state, busState.problem) = ("unusable", "\(error)")
      log.warning("cannot follow the desktop: \(error)")
    }
  }

  /// Retries at once what has failed.
  func retry() {
    bus?.start()
    session.reload()
    portal.reload()
    below.reload()
    handle(.reload)
  }

  /// Something happened that may belong to a new session.
  func signOfLife() {
    session.signOfLife()
    portal.signOfLife()
    below.signOfLife()
  }

  /// How long a desktop has to be quiet before it is read, in milliseconds.
  var settleTime: Int {
    get { portal.settleTime }
    set { (portal.settleTime, below.settleTime) = (newValue, newValue) }
  }

  /// The portal's answers and failures.
  var portalState: Diagnostics.Portal {
    var state = portal.diagnostics
    // If our backend is first, the portal passes on signals of the others but answers with our value, which is no
    // fault.
    if chain.isBelow { state.deniedSignal = nil }
    return state
  }

  /// Whether a graphical session is up: `up`, `down` or `unknown`.
  var sessionState: Text { session.isUp.map { $0 ? "up" : "down" } ?? "unknown" }

  private func happened(_ event: SessionBus.Event) {
    switch event {
    case .connected(let connection):
      log.debug("connected to the session bus")
      (busState.state, busState.problem) = ("connected", nil)
      connection.onSignal = { [unowned self] message in
        // The portal's signal first, because subscribers wait for it.
        portal.received(message)
        below.received(message)
        session.received(message)
        received(message)
      }
      connection.onWarning = { [unowned self] in portal.warn($0) }
      self.connection = connection
      session.follow(connection)
      // Before the portal, so that the owner of our backend's name is known before any answer of the portal.
      followOurs(connection)
      portal.follow(connection)
    case .disconnected(let trouble, let isRepeated):
      let text = "lost the session bus, so the desktop's last setting stays in force: \(trouble)"
      if isRepeated { log.debug(text) } else { log.warning(text) }
      (busState.state, busState.problem) = ("waiting", "connection lost: \(trouble)")
      connection = nil
      session.stop()
      portal.stop()
      handle(.busLost)
    case .unreachable(let trouble):
      let text = "cannot connect to the session bus yet, so no desktop is followed: \(trouble)"
      if case .some = busState.problem { log.debug(text) } else { log.info(text) }
      (busState.state, busState.problem) = ("waiting", "\(trouble)")
    }
  }

  // MARK: Our backend

  private func followOurs(_ connection: Connection) {
    let rule: Text = "type='signal',\(SessionWatch.ownerMatch),arg0='\(PortalBackends.ours)'"
    connection.call(.bus("AddMatch", [.string(rule)]), timeout: .never) { _ in }
    connection.call(.bus("GetNameOwner", [.string(PortalBackends.ours)]), timeout: .never) { [unowned self] answer in
      handle(.ours((try? answer.get())?.arguments().first?.busName))
    }
  }

  private func received(_ message: Message) {
    guard message.sender == busName, message.isSignal(busName.string, "NameOwnerChanged") else { return }
    let arguments = message.arguments()
    guard arguments.first == .string(PortalBackends.ours), case .string? = arguments.last else { return }
    handle(.ours(arguments.last?.busName))
  }

  private func handle(_ event: PortalChain.Event) {
    for action in chain.handle(event) { perform(action) }
  }

  private func perform(_ action: PortalChain.Action) {
    switch action {
    case .list(let question, let owner):
      guard let connection else { return }
      listing.list(owner, on: connection) { [unowned self] in handle(.listed(question, $0)) }
    case .ask(let question, let owner):
      let call = SettingsPortal.desktop.readOurs(of: owner)
      connection?.call(call, timeout: .milliseconds(Limits.portalCall)) { [unowned self] answer in
        handle(.answered(question, answer.knowsKey))
      }
    case .follow(let names):
      if !names.isEmpty {
        log.debug("following the desktop through the backends \(names.map { $0.shown() }.joined(separator: ", "))")
      }
      below.follow(names, on: connection)
    case .followPortal:
      let settleTime = portal.settleTime
      portal.leave()
      portal = PortalWatch(.desktop, settleTime: settleTime, reading: reading)
      wire()
      if let connection { portal.follow(connection) }
    case .wake(let delay):
      asking = MainLoop.timer(afterMilliseconds: delay) { [unowned self] in handle(.woken) }
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
