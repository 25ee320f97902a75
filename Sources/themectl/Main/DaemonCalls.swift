import ArgumentParser
import Glibc
import ThemeApps
import ThemedClientCore
internal import ThemedInterface
import ThemedModel
import ThemeSetup
import ThemedSystem

/// Makes one or more calls of the daemon at `socket`, or at the usual one with nil; a report explains a failure fully.
func callDaemon<Value>(
  at socket: String?, _ time: Duration = .toRead, isReport: Bool = false,
  _ body: (inout ThemeConnection) throws(CallError) -> Value
) throws -> Value {
  do throws(Refusal) {
    // Programs that ask often and do not read messages must not wait for systemctl.
    return try withDaemon(at: socket, time, isExplained: isReport || isatty(STDERR_FILENO) == 1, body)
  } catch { throw failed(error) }
}

func ended(by error: CallError, at socket: String?) -> ExitCode { failed(Refusal(error, at: socket)) }

/// Tells the user why a step of a command fails, unless that has been told; `throw` the result.
func ended(by error: any Error) -> ExitCode {
  switch error {
  case let code as ExitCode: code
  case let refusal as Refusal: failed(refusal)
  default: failed("\(error)")
  }
}

extension Daemon {
  /// Makes a change; if it is for an app that the daemon does not know, adds a note, since the name may be misspelt.
  func change(
    for audience: Audience, isRemoval: Bool = false,
    _ body: (inout ThemeConnection) throws(CallError) -> OverrideChange
  ) throws -> OverrideChange {
    let (note, change) = try call(.toChange) { (theme) throws(CallError) in
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
  mutating func noteAboutUnknownApp(_ app: Text?, isSet: Bool = false) throws(CallError) -> String? {
    guard let app else { return nil }
    guard let list = try unlessReadOnly({ (theme) throws(CallError) in try theme.call(.clients) }),
      list.omitted == 0, !list.contains(where: { $0.app == app })
    else { return nil }
    guard try !call(.overrides).contains(where: { $0.app == app }) else { return nil }
    if let file = AppPlaces().examination(of: app)?.app, file.canBeEnabled, !EnabledList.names.contains(app) {
      return "note: \(printable(file.title)) does not follow yet; 'themectl app enable \(app.asWord)' makes it follow"
    }
    let stranger = "note: no app called '\(app)' is connected now"
    return isSet
      ? "\(stranger), so the override applies when it connects; 'themectl app' lists the connected apps"
      : "\(stranger); 'themectl app' lists the connected apps, and 'themectl overrides' lists the overrides"
  }
}

extension Collection<Override> {
  /// The apps that have overrides of one of these fields; each has one override for all fields.
  func apps(overriding fields: [Field]) -> [Text] {
    filter { $0.fields.contains(where: fields.contains) }.compactMap(\.app).sorted()
  }
}
