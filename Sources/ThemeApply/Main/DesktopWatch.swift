internal import ThemeApps
internal import ThemedDBus
internal import ThemedSystem

/// Hears on the session bus when a setting of the desktop changes.
final class DesktopWatch: BusClient {
  /// More than the signals of settings have that are of interest here.
  private static let limits = Connection.Limits(message: 64 << 10, replies: 0)

  private let places: Places
  private let log: Log
  /// Called when a setting has changed, or may have.
  var onChange: () -> Void = {}
  private var signals: Set<App.BusSignal> = []
  private var bus: SessionBus?
  private weak var connection: Connection?

  init(_ places: Places, _ log: Log) { (self.places, self.log) = (places, log) }

  /// Hears these signals and no others; without any, it has no connection to the bus.
  func follow(_ new: Set<App.BusSignal>) {
    guard new != signals else { return }
    let old = signals
    signals = new
    guard !new.isEmpty else {
      (bus, connection) = (nil, nil)
      return
    }
    for signal in old.subtracting(new) { connection?.removeMatch(signal.rule) }
    for signal in new.subtracting(old) { connection?.addMatch(signal.rule) }
    guard bus == nil else { return }
    do throws(BusAddress.Problem) {
      let addresses = try BusAddress.session(
        variable: places["DBUS_SESSION_BUS_ADDRESS"], runtimeDirectory: places.directories.runtime?.string)
      bus = SessionBus(at: addresses, limits: Self.limits, for: self)
      bus?.start()
    } catch {
      log.warning("settings that you change count only from the next switch on: \(error)")
    }
  }

  func busChanged(_ event: SessionBus.Event) {
    switch event {
    case .connected(let new):
      connection = new
      for signal in signals { new.addMatch(signal.rule) }
      // What has changed meanwhile was not heard.
      onChange()
    case .disconnected, .unreachable: connection = nil
    }
  }

  func received(_ signal: Message) {
    if signals.contains(where: { $0.matches(signal) }) { onChange() }
  }

  func warned(_ text: String) { log.debug("session bus: \(text)") }
}

extension App.BusSignal {
  /// The bus's rule for these signals.
  fileprivate var rule: String {
    let sender = sender.map { "sender='\($0)'," } ?? ""
    let path = path.map { "path='\($0)'," } ?? ""
    let argument = argument.map { $0.hasPrefix("/") ? ",arg0path='\($0)'" : ",arg0='\($0)'" } ?? ""
    return "\(sender)\(path)interface='\(interface)',member='\(member)'\(argument)"
  }

  /// Whether a signal is one of these; whose it is was left to the bus, which knows the owners of names.
  fileprivate func matches(_ signal: Message) -> Bool {
    signal.isSignal(interface.string, member.string) && (path == nil || path == signal.path)
  }
}
