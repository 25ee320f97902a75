import ThemeInterface
import ThemedText
import Glibc
import ThemeClientCore
import ThemedUnix

/// The user manager's units of themed that have failed: such as those of a daemon that crashed again and again.
///
/// A unit that fails is started again, a bounded number of times; then neither a connection nor the session starts it
/// before somebody says so.
struct FailedUnits {
  /// The commands to run once the cause is fixed.
  static let remedy =
    "systemctl --user reset-failed themed.service themed.socket; systemctl --user start themed.socket"

  /// The commands that create the socket's file again.
  ///
  /// The socket unit creates it only while the service does not run. Restarting both at once sometimes fails, because
  /// systemd may create the socket while the service still runs.
  static func renewal(of socket: String) -> [String] {
    [
      "systemctl --user stop themed.service", "systemctl --user restart \(socket)",
      "systemctl --user start themed.service",
    ]
  }

  /// Which have failed and with what result, in words.
  let words: String

  /// The message for the user.
  var text: String {
    "themed failed repeatedly, and systemd no longer starts it (\(words)); 'journalctl --user -u themed' says why; "
      + "after you fixed that, run '\(Self.remedy)'"
  }

  /// Asks the user manager; nil where there is none, or nothing has failed.
  init?() {
    guard UserManager.isThere else { return nil }
    let failed = ["themed.service", "themed.socket"].compactMap(Self.failure)
    guard !failed.isEmpty else { return nil }
    words = failed.joined(separator: ", ")
  }

  /// Whether the service runs that listens at its usual place; false where `socket` names another.
  static func isServiceActive(at socket: String?) -> Bool {
    guard isUsual(socket), UserManager.isThere else { return false }
    return properties(of: "themed.service").contains("ActiveState=active")
  }

  /// Whether the units are for who listens there.
  static func isForUnits(_ socket: String?) -> Bool { isUsual(socket) && UserManager.isThere }

  /// Whether it is the usual place.
  static func isUsual(_ socket: String?) -> Bool {
    unsafe socket == nil && getenv(ThemeInterface.socketVariable) == nil
  }

  private static func properties(of unit: String) -> [Text] {
    UserManager.run(["show", "--property=ActiveState", "--property=Result", unit])?.lines ?? []
  }

  private static func failure(of unit: String) -> String? {
    let lines = properties(of: unit)
    guard lines.contains("ActiveState=failed") else { return nil }
    let result = lines.lazy.compactMap { $0.dropping(prefix: "Result=") }.first
    return "\(unit): \(printable(result ?? "failed"))"
  }
}

extension FailedUnits {
  /// Why no daemon answers at `socket`, with nil at its usual place, if it is for them; nil where `error` says enough.
  init?(explaining error: ThemeClientError, at socket: String?) {
    guard Self.isUsual(socket) else { return nil }
    switch error.code {
    // The connection that makes systemd give up is accepted, and then closed.
    case .noDaemon, .connectionLost, .timedOut: self.init()
    default: return nil
    }
  }
}
