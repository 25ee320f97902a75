import Glibc
import ThemeApps
import ThemeClient
import ThemeInterface
import ThemedText
import ThemedVarlink

/// How a program follows, as far as its app file, the list of enabled ones and themed-apply know.
struct AppStanding {
  /// How it follows, in one word for programs.
  enum Kind: String {
    case notInstalled = "not-installed"
    case itself
    case plugin
    case enabled
    case faulty
    case available
  }

  let name: Text
  /// Its file; nil where there is none.
  let examination: AppExamination?
  let isEnabled: Bool
  /// What has come of it; nil where it is not enabled, or themed-apply does not run.
  let entry: ApplyStatus.Entry?
  /// Whether themed-apply runs.
  let isApplied: Bool

  init(_ name: Text, _ examination: AppExamination?, isEnabled: Bool, _ status: ApplyStatus?) {
    self.name = name
    self.examination = examination
    self.isEnabled = isEnabled
    entry = isEnabled ? status?.apps[name] : nil
    isApplied = status != nil
  }

  var kind: Kind {
    guard let examination, let app = examination.app, examination.errors.isEmpty else { return .faulty }
    if isEnabled { return .enabled }
    if !app.programs.isEmpty, app.installedProgram == nil { return .notInstalled }
    switch app.follows {
    case .itself: return .itself
    case .plugin: return .plugin
    case nil: return .available
    }
  }

  /// How it follows, for people.
  func words(isConnected: Bool, now: Int64) -> String {
    switch kind {
    case .notInstalled: "not installed"
    case .itself: "follows by itself"
    case .plugin: "follows by a plugin, \(isConnected ? "connected now" : "not connected now")"
    // What held before holds still.
    case .faulty where isEnabled && entry != nil: enabledWords(now)
    case .faulty: (isEnabled ? "enabled, and " : "") + faultyWords
    case .available: "can be enabled: 'themectl app enable \(name.asWord)'"
    case .enabled: enabledWords(now)
    }
  }

  private var faultyWords: String {
    examination == nil
      ? "has no app file; 'themectl app disable \(name.asWord)' removes it from the list"
      : "its file is wrong; 'themectl app check \(name.asWord)' says where"
  }

  private func enabledWords(_ now: Int64) -> String {
    guard isApplied else { return "enabled, and themed-apply does not run" }
    guard let entry else { return "enabled, and not heard of by themed-apply yet" }
    return "enabled, \(entry.words(now))"
  }

  /// For programs.
  var object: JSON.Object {
    [
      "name": .string(name), "title": examination?.app.map { .string($0.title) },
      "path": examination.map { .word($0.path) }, "state": .word(kind.rawValue), "enabled": .bool(isEnabled),
      "applied": entry?.json,
    ]
  }
}

/// The connected programs, and those that there are app files for.
struct AppListing {
  var clients: ClientList?
  private let apps: [AppStanding]
  private let hooks: [(name: Text, entry: ApplyStatus.Entry)]
  /// What is wrong with the list of enabled apps.
  let problem: String?

  init(_ places: AppPlaces) {
    let status = ApplyStatus()
    let enabled = Set(EnabledList.names)
    hooks = status?.hooks ?? []
    problem = status?.problem
    apps = enabled.union(places.names).sorted().map { name in
      AppStanding(name, places.examination(of: name), isEnabled: enabled.contains(name), status)
    }
  }

  private var counts: [Text?: Int] {
    var counts: [Text?: Int] = [:]
    for client in clients?.clients ?? [] { counts[client.app, default: 0] += 1 }
    return counts
  }

  var rows: [[String]] {
    let counts = counts
    let names = [nil] + counts.keys.compactMap(\.self).sorted().map(Optional.some)
    let connected = names.compactMap { app in
      counts[app].map { [app.map { printable($0) } ?? "(without a name)", $0 == 1 ? "1 client" : "\($0) clients"] }
    }
    let now = Int64(time(nil))
    let hooks = hooks.map { ["\(printable($0.name)) (hook)", $0.entry.words(now)] }
    return hooks + connected
      + apps.map { app in
        [printable(app.name), app.words(isConnected: counts[app.name] != nil, now: now)]
      }
  }

  /// One line for programs.
  var json: String {
    let list = (clients?.clients ?? []).map(\.json).joined(separator: ",")
    let known = apps.map { JSON.object($0.object).text }.joined(separator: ",")
    let hooks = hooks.map { $0.entry.json.text }.joined(separator: ",")
    return #"{"clients":[\#(list)],"apps":[\#(known)],"hooks":[\#(hooks)]}"#
  }
}
