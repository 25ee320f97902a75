import ThemeApps
import ThemedText
import ThemedUnix
import ThemedVarlink

/// How a program follows, as far as its app file, the version that is installed, the list of enabled ones and
/// themed-apply know.
struct AppStanding {
  /// How it follows, in one word for programs.
  enum Kind: String {
    case notInstalled = "not-installed"
    case itself
    case plugin
    case enabled
    case faulty
    case available
    /// This version of it cannot.
    case unable
  }

  let name: Text
  /// Its file; nil where there is none.
  let examination: AppExamination?
  /// The version that is installed; nil where nothing depends on it, or nobody tells.
  let version: Version?
  let isEnabled: Bool
  /// What has come of it; nil where it is not enabled, or themed-apply does not run.
  let entry: ApplyStatus.Entry?
  /// Whether themed-apply runs.
  let isApplied: Bool
  /// How it follows.
  let kind: Kind
  /// The way in which it follows, or can, without being enabled; nil where this version has none.
  let way: App.Way?
  /// What enabling it comes to here; nothing of one that cannot be enabled.
  let needs: AppNeeds

  init(
    _ name: Text, _ examination: AppExamination?, version: Version? = nil, isEnabled: Bool, _ status: ApplyStatus?
  ) {
    self.name = name
    self.examination = examination
    self.version = version
    self.isEnabled = isEnabled
    entry = isEnabled ? status?.apps[name] : nil
    isApplied = status != nil
    way = examination?.app?.ways.first { $0.versions.contains(version) }
    kind = Self.kind(examination, version, way, isEnabled: isEnabled)
    needs =
      [.available, .enabled, .plugin].contains(kind)
      ? examination?.app.map { AppNeeds($0, version) } ?? AppNeeds() : AppNeeds()
  }

  private static func kind(
    _ examination: AppExamination?, _ version: Version?, _ way: App.Way?, isEnabled: Bool
  ) -> Kind {
    guard let examination, let app = examination.app, examination.errors.isEmpty else { return .faulty }
    if isEnabled { return .enabled }
    guard app.isInstalled else { return .notInstalled }
    if app.inability != nil { return .unable }
    // A plugin whose line the user has written, or that needs none.
    if way?.means == .plugin, !app.canBeEnabled || AppNeeds(app, version).isSetUpByHand { return .plugin }
    // What has to be set by hand is second to what one command does.
    if let way, way.means != .plugin, way.setting == nil { return .itself }
    let isServed = version == nil ? app.needsApplying || !app.setups(for: nil).isEmpty : app.serves(version)
    if app.canBeEnabled, isServed { return .available }
    return way == nil ? .unable : .itself
  }

  /// How it follows, for people.
  func words(isConnected: Bool, now: Int64) -> String {
    switch kind {
    case .notInstalled: "not installed"
    case .itself: "follows \(way?.means.words ?? "")\(way?.whatItNeeds ?? "")"
    case .plugin:
      needs.hidden.map { "follows by its plugin, but \($0.words)" } ?? pluginWords(isConnected)
    // What held before holds still.
    case .faulty where isEnabled && entry != nil: enabledWords(now, isConnected)
    case .faulty: (isEnabled ? "enabled, and " : "") + faultyWords
    case .available where way?.means == .plugin && isConnected: pluginWords(isConnected)
    case .available: needs.obstacle?.string ?? "\(doubt)can be enabled: 'themectl app enable \(name.asWord)'"
    case .enabled: enabledWords(now, isConnected)
    case .unable: unableWords
    }
  }

  /// What is said before other words where nobody knows what it needs.
  var doubt: String { needs.lacksVersion ? "does not tell its version, on which depends what it needs: " : "" }

  /// What the user has to set.
  var missing: String? { way?.needs }

  /// The programs of which one that is there means that it is installed.
  var programs: [Text] { examination?.app?.programs ?? [] }

  private func pluginWords(_ isConnected: Bool) -> String {
    if isConnected { return "follows by its plugin, connected now" }
    return "follows by its plugin, not connected now"
  }

  private var unableWords: String {
    let app = examination?.app
    if let reason = app?.inability { return "does not follow: \(reason)" }
    let able =
      (app?.ways ?? []).map { "\($0.versions) \($0.means.words)" as Text }
      + (app?.servedVersions ?? []).map { "\($0) by its app file" }
    // Groups for the same versions say the same.
    let which = able.indices.filter { able.firstIndex(of: able[$0]) == $0 }.map { able[$0] }.joined(separator: "; ")
    return version.map { "does not follow in its version \($0), but: \(which)" }
      ?? "does not tell its version, and follows: \(which)"
  }

  private var faultyWords: String {
    examination == nil
      ? "has no app file; 'themectl app disable \(name.asWord)' removes it from the list"
      : "its file is wrong; 'themectl app check \(name.asWord)' says where"
  }

  private func enabledWords(_ now: Int64, _ isConnected: Bool) -> String {
    let needsApplying = examination?.app?.needsApplying ?? true
    if needsApplying, !isApplied {
      let cure =
        UserManager.isThere
        ? "type 'systemctl --user enable --now \(ApplyService.unit)'"
        : "run 'themed-apply', and have your session start it"
      return "enabled, and themed-apply does not run, so it does not follow: \(cure)"
        + ((needs.idle ?? needs.hidden?.words).map { "; besides, \($0)" } ?? "")
    }
    // Whatever was written for it, it does not read that.
    if let idle = needs.idle {
      return "enabled, but \(idle): \(needs.obstacle?.string ?? "'themectl app enable \(name.asWord)' mends that")"
    }
    if !needs.lines.isEmpty, needs.hidden == nil {
      let cure = needs.obstacle?.string ?? "'themectl app enable \(name.asWord)' adds it"
      return "enabled, and its line is missing: \(cure)"
    }
    if let hidden = needs.hidden { return "enabled, but \(hidden.words)" }
    if let obstacle = needs.obstacle { return "enabled, but \(obstacle)" }
    if let entry { return "enabled, \(entry.words(now))" }
    if needsApplying { return "enabled, and not heard of by themed-apply yet" }
    guard let way else { return "enabled" }
    return "enabled, " + (way.means == .plugin ? pluginWords(isConnected) : "follows \(way.means.words)")
  }

  /// For programs.
  var object: JSON.Object {
    [
      "name": .string(name), "title": examination?.app.map { .string($0.title) },
      "path": examination.map { .word($0.path) }, "version": version.map { .word($0.description) },
      "state": .word(kind.rawValue), "by": way.map { .word($0.means.rawValue) },
      "needs": way.flatMap { $0.needs }.map { .word($0) }, "obstacle": needs.obstacle.map { .string($0) },
      "hidden": (needs.hidden?.words ?? needs.idle).map { .word($0) },
      "enabled": .bool(isEnabled),
      "applied": entry?.json,
    ]
  }
}

extension App.Way {
  /// What has to be set, in words; nil where nothing has.
  var needs: String? { setting?.string }

  /// What has to be set, behind other words.
  var whatItNeeds: String { needs.map { ", once this is set: \($0)" } ?? "" }
}

extension App.Way.Means {
  /// Whom it hears, for people.
  var words: String {
    switch self {
    case .portal: "by the desktop's portal"
    case .terminal: "by its terminal, where that tells of light and dark"
    case .plugin: "by its plugin"
    }
  }
}

extension App.Setup {
  /// Its lines, in one.
  var lines: String { line.split("\n", omittingEmpty: true).map(\.string).joined(separator: ", and: ") }
}

extension AppPath {
  /// Where it is for this user, for people.
  var shown: Text {
    resolved(in: AppPlaces.directories)?.belowHome ?? written
  }
}

extension Text {
  /// A path, for people: below the home directory it begins with `~`.
  var belowHome: Text { BaseDirectory.home.flatMap { dropping(prefix: "\($0)/") }.map { "~/\($0)" } ?? self }
}

extension VersionRange {
  /// Which they are, behind other words.
  var words: String { isAll ? "" : ", for versions \(self)" }
}
