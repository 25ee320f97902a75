package import ThemeApps
import ThemedModel
package import ThemedSystem
package import ThemedVarlink

/// How a program follows, according to its app file, the installed version, the list of enabled apps and themed-apply.
package struct AppState {
  /// How the program follows, in one word for JSON.
  package enum Kind: String {
    case notInstalled = "not-installed"
    case itself
    case plugin
    case enabled
    case faulty
    case available
    /// This version of the program cannot follow.
    case unable
  }

  package let name: Text
  package let examination: AppExamination?
  package let version: Version?
  package let isEnabled: Bool
  /// The result of its last run; nil if the app is not enabled, or themed-apply is not running.
  package let entry: ApplyStatus.Entry?
  let isApplied: Bool
  package let kind: Kind
  /// How the program follows, or could follow, without being enabled; nil if this version cannot.
  package let way: App.Way?
  /// The needs of the app to be enabled here; empty if it cannot be enabled.
  package let needs: AppNeeds

  package init(
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
    // A plugin that needs no line, or whose line the user has written.
    if way?.means == .plugin, !app.canBeEnabled || AppNeeds(app, version).isSetUpByHand { return .plugin }
    // A command that enables the app comes before a setting that the user has to make.
    if let way, way.means != .plugin, way.setting == nil { return .itself }
    if app.serves(version) { return .available }
    return way == nil ? .unable : .itself
  }

  /// Whether the program follows now, and how it could: "follows …", "may follow: …", "can be enabled: …",
  /// "does not follow: …" or "not installed".
  package func words(isConnected: Bool, now: Int64) -> String {
    switch kind {
    case .notInstalled: "not installed"
    case .itself:
      way?.setting.map { "may follow: \(way?.means.words ?? ""), if you have set: \($0)" }
        ?? "follows \(way?.means.words ?? "")"
    case .plugin: needs.hidden.map { "does not follow: \($0.words)" } ?? pluginWords(isConnected)
    // The last good app file is still in use.
    case .faulty where isEnabled && entry != nil: enabledWords(now, isConnected)
    case .faulty: "does not follow: \(faultyWords)"
    case .available where way?.means == .plugin && isConnected: pluginWords(isConnected)
    case .available where isDesktop:
      ConfigChange.keepsDesktopInStep
        ? "follows with the desktop: 'themectl desktop'" : "can be enabled: 'themectl desktop enable'"
    case .available: needs.obstacle.map { "does not follow: \($0)" } ?? availableWords
    case .enabled: enabledWords(now, isConnected)
    case .unable: "does not follow: \(unableWords)"
    }
  }

  private var availableWords: String {
    let rest = [
      needs.plugin.map { _ in "without a line in your files" }, needs.lacksVersion ? "but its version is unknown" : nil,
      needs.hiddenOnceEnabled.map { "but the theme stays \($0.words)" },
    ].compactMap(\.self).map { ", \($0)" }
    return "can be enabled: 'themectl app enable \(name.asWord)'\(rest.joined())"
  }

  /// Whether the app describes a desktop, which is kept in step without enabling the app.
  var isDesktop: Bool { examination?.app?.desktop != nil }

  package var programs: [Text] { examination?.app?.programs ?? [] }

  private func pluginWords(_ isConnected: Bool) -> String {
    "follows through its plugin, \(isConnected ? "" : "not ")connected now"
  }

  private var unableWords: String {
    let app = examination?.app
    if let reason = app?.inability { return reason.string }
    let able =
      (app?.ways ?? []).map { "\($0.versions) \($0.means.words)" as Text }
      + (app?.servedVersions ?? []).map { "\($0)" }
    // Several groups for the same versions give the same words.
    let which = unique(able).joined(separator: "; ")
    let advice = app?.canBeEnabled == true ? " ('themectl app enable \(name)' says why)" : ""
    let known = version.map { "version \($0) cannot" } ?? "its version is unknown\(advice)"
    return "\(known); these versions can: \(which)"
  }

  private var faultyWords: String {
    examination == nil
      ? "no app file; 'themectl app disable \(name.asWord)' removes it from the list"
      : "its app file has errors; 'themectl app check \(name.asWord)' lists them"
  }

  private func enabledWords(_ now: Int64, _ isConnected: Bool) -> String {
    if let reason = reasonNotToFollow { return "does not follow: \(reason)" }
    if let entry {
      let isDone = entry.state != "failed"
      return (isDone ? "follows, " : "does not follow: ") + entry.words(now)
        + (OwnLook.chosen(for: name).map { "; it shows \($0.words)" } ?? "")
    }
    guard let way else { return "follows" }
    return way.means == .plugin ? pluginWords(isConnected) : "follows \(way.means.words)"
  }

  /// The reason why an enabled app does not follow; nil if none is known.
  private var reasonNotToFollow: String? {
    let app = examination?.app
    if let app, app.isInstalled, app.canBeEnabled, !app.serves(version) { return unableWords }
    let needsApplying = app?.needsApplying ?? true
    if needsApplying, !isApplied {
      return "themed-apply is not running: \(ApplyService.advice)"
        + ((needs.idle ?? needs.hidden?.words).map { "; also, \($0)" } ?? "")
    }
    // Without the line, the program does not read the files that themed-apply writes for it.
    if let idle = needs.idle {
      return "\(idle): \(needs.obstacle?.string ?? "'themectl app enable \(name.asWord)' moves it")"
    }
    if needs.lacksLine, needs.hidden == nil {
      let cure = needs.obstacle?.string ?? "'themectl app enable \(name.asWord)' adds it"
      return "its line is missing: \(cure)"
    }
    if let reason = needs.hidden?.words ?? needs.obstacle?.string { return reason }
    return needsApplying && entry == nil ? "themed-apply has not picked it up yet" : nil
  }

  package var object: JSON.Object {
    [
      "name": .string(name), "title": examination?.app.map { .string($0.title) },
      "path": examination.map { .word($0.path) }, "version": version.map { .word($0.description) },
      "state": .word(kind.rawValue), "by": way.map { .word($0.means.rawValue) },
      "needs": way?.setting.map { .string($0) }, "obstacle": needs.obstacle.map { .string($0) },
      "plugin": needs.plugin.map { .string($0) },
      "hidden": (needs.hidden?.words ?? needs.idle).map { .word($0) },
      "enabled": .bool(isEnabled),
      "use": OwnLook.chosen(for: name).map { .object($0.object) },
      "applied": entry?.json,
    ]
  }
}

extension App.Way {
  /// The setting that the user has to make, to follow other words.
  package var whatItNeeds: String { setting.map { ", which needs: \($0)" } ?? "" }
}

extension App.Way.Means {
  package var words: String {
    switch self {
    case .portal: "through the desktop portal"
    case .terminal: "through its terminal, if the terminal reports light and dark"
    case .plugin: "through its plugin"
    }
  }
}

extension App.Setup {
  package var lines: String {
    template.map { "the lines of \($0), which themed-apply rewrites whenever the colours change" }
      ?? line.split("\n", omittingEmpty: true).map(\.string).joined(separator: ", and: ")
  }
}

extension AppPath {
  package var shown: Text { resolved(in: AppPlaces.directories)?.belowHome ?? written }
}

extension Text {
  /// A path for people, with `~` for the home directory.
  package var belowHome: Text { BaseDirectory.home.flatMap { dropping(prefix: "\($0)/") }.map { "~/\($0)" } ?? self }
}

extension VersionRange {
  package var words: String { isAll ? "" : ", for versions \(self)" }
}
