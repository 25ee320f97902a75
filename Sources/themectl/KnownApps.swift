import ThemeInterface
import ThemeResolution
import ThemedText
import ThemeClientCore

// Of which apps the daemon knows, for those who name one, or mean all.

extension Daemon {
  /// Makes a change; then notes, where it is for an app, that nobody of that name is known: it may be misspelt, or yet to
  /// come.
  func change(
    for audience: Audience,
    _ body: (inout ThemeConnection) throws(ThemeClientError) -> Changed
  ) throws -> Changed {
    let (note, change) = try call(.toChange) { (theme) throws(ThemeClientError) in
      (try theme.noteOfStranger(audience.name), try body(&theme))
    }
    if let note { complain(note) }
    return change
  }
}

extension ThemeConnection {
  /// What to tell a person of an app that neither is connected nor has overrides; nil of any other.
  mutating func noteOfStranger(_ app: Text?) throws(ThemeClientError) -> String? {
    guard let app else { return nil }
    guard let list = try unlessReadOnly({ (theme) throws(ThemeClientError) in try theme.listClients() }),
      list.omitted == 0, !list.clients.contains(where: { $0.app == app })
    else { return nil }
    guard try !listOverrides().contains(where: { $0.app == app }) else { return nil }
    return "note: no app '\(app)' is connected or has overrides; 'themectl app' lists connected apps, "
      + "'themectl overrides' lists overrides"
  }
}

extension ThemeConnection {
  /// What is asked for; nil where the socket is for reading only, and does not tell it.
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
  /// The first of these names, and how many more there are.
  var few: String {
    let names = prefix(3).map { printable($0) }.joined(separator: ", ")
    return count > 3 ? "\(names) and \(count - 3) more" : names
  }
}
