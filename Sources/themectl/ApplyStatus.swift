import ThemeApps
import ThemedText
import ThemedUnix
import ThemedVarlink

/// What has come of the apps that are enabled, as themed-apply says in its file.
struct ApplyStatus {
  /// What has come of one app.
  struct Entry {
    /// done, waiting, running, failed or idle.
    let state: Text
    /// When, in seconds since the epoch.
    let when: Int64?
    /// What went wrong.
    let problem: Text?
    /// What to do about it.
    let advice: Text?
    /// What came of each action, for people.
    let actions: [String]
    /// The whole, for programs.
    let json: JSON
  }

  /// What is read of the file, in bytes; it says less.
  private static let maximumSize = 1 << 20

  /// The apps, by name.
  let apps: [Text: Entry]

  /// Reads the file; nil where themed-apply does not run.
  init?() {
    guard let runtime = BaseDirectory.runtime,
      let bytes = try? readFile("\(runtime)/themed-apply/status.json", maximum: Self.maximumSize)
    else { return nil }
    self.init(bytes)
  }

  /// What these bytes say; nil where they say nothing.
  init?(_ bytes: [UInt8]) {
    guard case .object(let object)? = try? JSON(parsing: bytes), case .array(let list)? = object["apps"] else {
      return nil
    }
    var apps: [Text: Entry] = [:]
    for case .object(let app) in list {
      guard case .string(let name)? = app["name"], case .string(let state)? = app["state"] else { continue }
      apps[name] = Entry(
        state: state, when: app.integer("when"), problem: app.text("problem"), advice: app.text("advice"),
        actions: app.actions, json: .object(app))
    }
    self.apps = apps
  }
}

extension JSON.Object {
  fileprivate func text(_ name: Text) -> Text? {
    if case .string(let text)? = self[name] { text } else { nil }
  }

  /// A line for each action.
  fileprivate var actions: [String] {
    guard case .array(let list)? = self["actions"] else { return [] }
    return list.compactMap { action in
      guard case .object(let action) = action, let name = action.text("name"), let state = action.text("state") else {
        return nil
      }
      let detail = action.text("detail").flatMap { $0.isEmpty ? nil : ": \($0)" } ?? ""
      return "\(name): \(state)\(detail)"
    }
  }

  fileprivate func integer(_ name: Text) -> Int64? {
    if case .integer(let number)? = self[name] { number } else { nil }
  }
}
