import Glibc
package import ThemedClientCore
import ThemedInterface
internal import ThemedModel
package import ThemedSystem

extension Duration {
  /// For calls that the daemon answers at once: a prompt that asks must not hang with a daemon that does.
  package static let toRead = Duration.seconds(2)
  /// For calls that the daemon answers once it has written a file, or has read the files of themes.
  package static let toChange = Duration.seconds(25)
}

extension Refusal {
  /// Why a call of the daemon at `socket`, or at the usual one with nil, failed, with the advice.
  package init(_ error: CallError, at socket: String?) {
    let lacksDaemon = error.code == .noDaemon || error.code == .noSocketPath
    self.init(reasons: [error.advice(at: socket)], lacksDaemon: lacksDaemon)
  }
}

/// Makes one or more calls of the daemon at `socket`, or at the usual one with nil.
///
/// - Parameter isExplained: Whether to ask the user manager why there is no daemon.
package func withDaemon<Value>(
  at socket: String?, _ time: Duration = .toRead, isExplained: @autoclosure () -> Bool = true,
  _ body: (inout ThemeConnection) throws(CallError) -> Value
) throws(Refusal) -> Value {
  do throws(CallError) {
    var connection = try ThemeConnection(socket: socket, timeout: time)
    return try body(&connection)
  } catch {
    if isExplained(), let reason = FailedUnits(explaining: error, at: socket)?.text ?? error.lostSocket(at: socket) {
      throw Refusal(reasons: [reason], lacksDaemon: true)
    }
    throw Refusal(error, at: socket)
  }
}

extension CallError {
  /// The error and the advice for it, also if the wrong user runs this command.
  package func advice(at socket: String?) -> String {
    switch code {
    case .noDaemon, .noSocketPath:
      if let user = Self.userBehindRoot { return "root has no themed; run this as \(user), without sudo" }
      // The units serve the usual socket, and the user manager starts them.
      guard code == .noDaemon, let path, let reason, !FailedUnits.isForUnits(socket) else { return "\(self)" }
      guard !FailedUnits.isUsual(socket) else {
        return "themed is not running: no daemon at \(path) (\(reason)); run 'themed' in a terminal"
      }
      let cure = socket == nil ? "unset \(ThemeInterface.socketVariable)" : "leave out --socket"
      return "no daemon listens at \(path) (\(reason)); "
        + "\(cure), or run 'themed --socket \(Text(path).asWord)' in a terminal"
    default: return "\(self)"
    }
  }

  /// The message that the daemon runs but its socket's file is gone; nil if that is not the case.
  func lostSocket(at socket: String?) -> String? {
    guard code == .noDaemon, let path, unsafe access(path, F_OK) != 0, FailedUnits.isServiceActive(at: socket) else {
      return nil
    }
    return "themed is running, but its socket \(path) was removed; run 'themectl doctor'"
  }

  var isOfAnotherUser: Bool {
    switch code {
    case .otherUser: true
    case .noDaemon, .noSocketPath: Self.userBehindRoot != nil
    default: false
    }
  }

  private static var userBehindRoot: String? {
    guard geteuid() == 0, let user = environment("SUDO_USER"), Text(user) != "root" else { return nil }
    return printable(user)
  }
}

extension ThemeConnection {
  /// The reply to a call; nil if the socket is read-only and does not allow the call.
  package mutating func unlessReadOnly<Value>(
    _ ask: (inout ThemeConnection) throws(CallError) -> Value
  ) throws(CallError) -> Value? {
    do throws(CallError) { return try ask(&self) } catch {
      if error.isOfReadOnlySocket { return nil }
      throw error
    }
  }
}

extension ThemeConfiguration {
  package func value(of name: Text) -> Text? { settings.first { $0.name == name }?.value }
}
