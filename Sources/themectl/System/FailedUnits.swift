import Glibc
import ThemeClientCore
import ThemeInterface
import ThemedSystem

/// The user manager's units of themed that have failed, such as those of a daemon that crashed again and again.
///
/// systemd restarts a failed unit a limited number of times. After that, neither a connection nor the session starts it
/// until the user does.
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

  /// The failed units and their results, in words.
  let words: String

  /// The message for the user.
  var text: String {
    "themed failed repeatedly, and systemd no longer starts it (\(words)); 'journalctl --user -u themed' says why; "
      + "after you fixed that, run '\(Self.remedy)'"
  }

  /// Asks the user manager; nil without a manager, or if no unit has failed.
  init?() {
    guard UserManager.isThere else { return nil }
    let failed = ["themed.service", "themed.socket"].compactMap(Self.failure)
    guard !failed.isEmpty else { return nil }
    words = failed.joined(separator: ", ")
  }

  /// Whether the service is active; false if `socket` is not its usual one.
  static func isServiceActive(at socket: String?) -> Bool {
    guard isUsual(socket), UserManager.isThere else { return false }
    return properties(of: "themed.service").contains("ActiveState=active")
  }

  /// Whether the units are meant to serve this socket.
  static func isForUnits(_ socket: String?) -> Bool { isUsual(socket) && UserManager.isThere }

  /// Whether it is the usual socket.
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
  /// The failed units that explain why no daemon answers at `socket`, or at the usual one with nil; nil if `error`
  /// suffices.
  init?(explaining error: ThemeClientError, at socket: String?) {
    guard Self.isUsual(socket) else { return nil }
    switch error.code {
    // The connection that makes systemd give up is accepted, and then closed.
    case .noDaemon, .connectionLost, .timedOut: self.init()
    default: return nil
    }
  }
}
