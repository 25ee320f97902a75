internal import ThemeResolution
internal import ThemedDBus
internal import ThemedText
internal import ThemeInterface
internal import ThemedUnix
internal import ThemedLog

/// The desktop, as far as it is heard: the session bus, and on it the settings portal and the session.
final class Desktop {
  /// Called with what the portal says.
  var onEvent: (Event) -> Void = { _ in }

  /// How the session bus is met.
  private(set) var busState = Diagnostics.Bus(state: "waiting")

  private let portal: PortalWatch
  private let session = SessionWatch()
  private let log: Log
  private var bus: SessionBus?

  /// A desktop of which `reading` was heard last.
  init(reading: Reading, log: Log) {
    self.log = log
    portal = PortalWatch(.desktop, settleTime: Configuration().settleTime, reading: reading)
    portal.onReading = { [unowned self] in onEvent(.desktop($0, cause: Text($1.rawValue))) }
    portal.onSettled = { [unowned self] in onEvent(.settled) }
    portal.onWarning = { log.warning($0) }
    // While a session is up and it is missing, the bus is to start it.
    portal.onOwner = { [unowned self] in session.portal(isThere: $0) }
    session.onStartPortal = { [unowned self] in portal.start() }
    session.onWarning = { [unowned self] in portal.warn($0) }
  }

  /// Looks for the bus, and follows what is on it from then on.
  func follow() {
    do throws(BusAddress.Problem) {
      let addresses = try BusAddress.session(
        variable: environment("DBUS_SESSION_BUS_ADDRESS").map { "\($0)" }, runtimeDirectory: BaseDirectory.runtime)
      busState.address = BusAddress.words(addresses)
      bus = SessionBus(at: addresses, limits: Limits.bus) { [unowned self] in happened($0) }
      bus?.start()
    } catch {
      (busState.state, busState.problem) = ("unusable", "\(error)")
      log.warning("the desktop cannot be followed: \(error)")
    }
  }

  /// Tries at once what has failed.
  func retry() {
    bus?.start()
    session.reload()
    portal.reload()
  }

  /// Takes note of something that may belong to a new session.
  func signOfLife() {
    session.signOfLife()
    portal.signOfLife()
  }

  /// How long a desktop has to be quiet until it is read, in milliseconds.
  var settleTime: Int {
    get { portal.settleTime }
    set { portal.settleTime = newValue }
  }

  /// What the portal said and how it failed.
  var portalState: Diagnostics.Portal { portal.diagnostics }

  /// Whether a graphical session is up: `up`, `down` or `unknown`.
  var sessionState: Text { session.isUp.map { $0 ? "up" : "down" } ?? "unknown" }

  private func happened(_ event: SessionBus.Event) {
    switch event {
    case .connected(let connection):
      log.debug("connected to the session bus")
      (busState.state, busState.problem) = ("connected", nil)
      connection.onSignal = { [unowned self] message in
        // The portal's first: subscribers wait for it.
        portal.received(message)
        session.received(message)
      }
      connection.onWarning = { [unowned self] in portal.warn($0) }
      session.follow(connection)
      portal.follow(connection)
    case .disconnected(let trouble, let isRepeated):
      let text = "the session bus is gone; what it last told holds until it is back: \(trouble)"
      if isRepeated { log.debug(text) } else { log.warning(text) }
      (busState.state, busState.problem) = ("waiting", "it is gone: \(trouble)")
      session.stop()
      portal.stop()
    case .unreachable(let trouble):
      let text = "the session bus is not there, and the desktop is followed once it is: \(trouble)"
      if case .some = busState.problem { log.debug(text) } else { log.info(text) }
      (busState.state, busState.problem) = ("waiting", "\(trouble)")
    }
  }
}
