import ThemeClientCore
import ThemeInterface
import ThemeModel
import ThemedSystem

// The apps that the daemon knows, for commands that name one app or mean all.

extension Daemon {
  /// Makes a change; if it is for an app that the daemon does not know, adds a note, since the name may be misspelt.
  func change(
    for audience: Audience, isRemoval: Bool = false,
    _ body: (inout ThemeConnection) throws(ThemeClientError) -> Changed
  ) throws -> Changed {
    let (note, change) = try call(.toChange) { (theme) throws(ThemeClientError) in
      (try theme.noteOfStranger(audience.name, isSet: !isRemoval), try body(&theme))
    }
    if let note { complain(note) }
    return change
  }
}

extension ThemeConnection {
  /// The note about an app that is not connected and has no overrides; nil for other apps.
  ///
  /// - Parameter isSet: Whether the command gives the app an override now.
  mutating func noteOfStranger(_ app: Text?, isSet: Bool = false) throws(ThemeClientError) -> String? {
    guard let app else { return nil }
    guard let list = try unlessReadOnly({ (theme) throws(ThemeClientError) in try theme.listClients() }),
      list.omitted == 0, !list.clients.contains(where: { $0.app == app })
    else { return nil }
    guard try !listOverrides().contains(where: { $0.app == app }) else { return nil }
    let stranger = "note: no app called '\(app)' is connected now"
    return isSet
      ? "\(stranger), so the override applies when it connects; 'themectl app' lists the connected apps"
      : "\(stranger); 'themectl app' lists the connected apps, and 'themectl overrides' the apps with overrides"
  }
}

extension ThemeConnection {
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

extension [Text] {
  /// The first of these names, and the number of the others.
  var few: String {
    let names = prefix(3).map { printable($0) }.joined(separator: ", ")
    return count > 3 ? "\(names) and \(count - 3) more" : names
  }
}
