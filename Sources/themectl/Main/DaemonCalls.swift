import ArgumentParser
import Glibc
import ThemeClientCore
import ThemeInterface
import ThemeModel
import ThemedSystem

extension Duration {
  /// For calls that the daemon answers at once: a prompt that asks must not hang with a daemon that does.
  static let toRead = Duration.seconds(2)
  /// For calls that the daemon answers once it has written a file, or has read the files of themes.
  static let toChange = Duration.seconds(25)
}

/// Makes one or more calls of the daemon at `socket`, or at the usual one with nil; a report explains a failure fully.
func callDaemon<Value>(
  at socket: String?, _ time: Duration = .toRead, isReport: Bool = false,
  _ body: (inout ThemeConnection) throws(ThemeClientError) -> Value
) throws -> Value {
  do throws(ThemeClientError) {
    var connection = try ThemeConnection(socket: socket, timeout: time)
    return try body(&connection)
  } catch {
    // Programs that ask often and do not read messages must not wait for systemctl.
    if isReport || isatty(STDERR_FILENO) == 1,
      let reason = FailedUnits(explaining: error, at: socket)?.text ?? error.lostSocket(at: socket)
    {
      complain(reason)
      throw ExitCode.noDaemon
    }
    throw ended(by: error, at: socket)
  }
}

func ended(by error: ThemeClientError, at socket: String?) -> ExitCode {
  complain(error.advice(at: socket))
  return ExitCode(error)
}

extension ThemeClientError {
  /// The error and the advice for it, also if the wrong user runs this command.
  func advice(at socket: String?) -> String {
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
    case .anotherUsers: true
    case .noDaemon, .noSocketPath: Self.userBehindRoot != nil
    default: false
    }
  }

  private static var userBehindRoot: String? {
    guard geteuid() == 0, let user = environment("SUDO_USER"), Text(user) != "root" else { return nil }
    return printable(user)
  }
}

/// The calls with the daemon's own types, because this command prints the wire format, which has more words than the
/// library promises to keep.
extension ThemeConnection {
  mutating func getState(app: String? = nil, details: Bool = false) throws(ThemeClientError) -> State {
    try call(.state(app: app, details: details)).inner
  }

  mutating func setOverride(_ override: Override, clear: [Field] = []) throws(ThemeClientError) -> ThemeChange {
    try call(.setOverride(ThemeOverride(override), clearing: clear.map(ThemeField.init)))
  }

  mutating func clearOverride(
    app: String? = nil, fields: [Field]? = nil, everyApp: Bool = false
  ) throws(ThemeClientError) -> ThemeChange {
    let fields = fields?.map(ThemeField.init)
    return try call(everyApp ? .clearEveryOverride(fields: fields) : .clearOverride(app: app, fields: fields))
  }

  mutating func toggle(
    app: String? = nil, expiresAt: Int64? = nil, untilDesktopChanges: Bool = false
  ) throws(ThemeClientError) -> ThemeChange {
    let end = expiresAt.map(ThemeTime.init(secondsSinceEpoch:))
    return try call(.toggle(app: app, expiresAt: end, untilDesktopChanges: untilDesktopChanges))
  }

  mutating func listOverrides() throws(ThemeClientError) -> [Override] { try call(.overrides).map(\.inner) }
  mutating func getTheme(_ name: String) throws(ThemeClientError) -> InstalledTheme {
    try call(.theme(named: name)).inner
  }
  mutating func getSchedule() throws(ThemeClientError) -> Forecast { try call(.schedule).inner }
  mutating func getDiagnostics() throws(ThemeClientError) -> Diagnostics { try call(.diagnostics).inner }
}

extension Daemon {
  /// Makes a change; if it is for an app that the daemon does not know, adds a note, since the name may be misspelt.
  func change(
    for audience: Audience, isRemoval: Bool = false,
    _ body: (inout ThemeConnection) throws(ThemeClientError) -> ThemeChange
  ) throws -> ThemeChange {
    let (note, change) = try call(.toChange) { (theme) throws(ThemeClientError) in
      (try theme.noteAboutUnknownApp(audience.name, isSet: !isRemoval), try body(&theme))
    }
    if let note { complain(note) }
    return change
  }
}

extension ThemeConnection {
  /// The note about an app that is not connected and has no overrides; nil for other apps.
  ///
  /// - Parameter isSet: Whether the command gives the app an override now.
  mutating func noteAboutUnknownApp(_ app: Text?, isSet: Bool = false) throws(ThemeClientError) -> String? {
    guard let app else { return nil }
    guard let list = try unlessReadOnly({ (theme) throws(ThemeClientError) in try theme.call(.clients) }),
      list.omitted == 0, !list.contains(where: { $0.app == app })
    else { return nil }
    guard try !listOverrides().contains(where: { $0.app == app }) else { return nil }
    let stranger = "note: no app called '\(app)' is connected now"
    return isSet
      ? "\(stranger), so the override applies when it connects; 'themectl app' lists the connected apps"
      : "\(stranger); 'themectl app' lists the connected apps, and 'themectl overrides' lists the overrides"
  }

  /// The reply to a call; nil if the socket is read-only and does not allow the call.
  mutating func unlessReadOnly<Value>(
    _ ask: (inout ThemeConnection) throws(ThemeClientError) -> Value
  ) throws(ThemeClientError) -> Value? {
    do throws(ThemeClientError) { return try ask(&self) } catch {
      if error.isOfReadOnlySocket { return nil }
      throw error
    }
  }
}

extension [Override] {
  /// The apps that have overrides of one of these fields; each has one override for all fields.
  func apps(overriding fields: [Field]) -> [Text] {
    filter { $0.fields.contains(where: fields.contains) }.compactMap(\.app).sorted()
  }
}
