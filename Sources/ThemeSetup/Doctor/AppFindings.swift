import ThemeApps
package import ThemedInterface
import ThemedSystem

/// The problems of enabled apps and hooks, as far as files and the programs' versions tell.
package struct AppFindings {
  private let names = EnabledList.names
  private let status = ApplyStatus()

  package init() {}

  package var findings: [Finding] {
    let places = AppPlaces()
    let examinations = names.map { ($0, places.examination(of: $0)) }
    let apps = examinations.compactMap { $0.1?.app }
    let versions = apps.filter { $0.dependsOnVersion && $0.isInstalled }.installedVersions
    let differences = EnvironmentComparison.current.differences(about: apps)
    // An app whose file is gone may need themed-apply.
    let areApplied = examinations.contains { $0.1?.app?.needsApplying ?? true }
    return differences.map(\.finding) + oldSettings + misnamed + halfDisabled + notRunning(areApplied: areApplied)
      + examinations.compactMap(faulty) + apps.flatMap { unseen($0, versions[$0.name]) }
      + apps.compactMap { tooOld($0, versions[$0.name]) } + twice(apps)
      + apps.compactMap(failed) + desktopFindings + Hooks(status).findings
  }

  /// The file of versions before the first release, whose groups are in `themed.conf` now.
  private var oldSettings: [Finding] {
    guard let directory = BaseDirectory.configuration, FileIdentity(of: "\(directory)/themed/apply.conf") != nil else {
      return []
    }
    return [
      Finding(
        "old_settings", "apply.conf is not read any more", why: "its settings have no effect",
        fix: "move its groups into themed.conf in the same directory, and delete it")
    ]
  }

  private var misnamed: [Finding] {
    EnabledList.seen.faults.map { line, text in
      Finding(
        "app_misnamed", "line \(line) of apps.enabled is '\(text)', which is not an app's name",
        why: "it enables nothing", fix: "remove it from ~/.config/themed/apps.enabled")
    }
  }

  /// Apps that are not on the list, but still have a record.
  private var halfDisabled: [Finding] {
    EnabledRecord.names.filter { !names.contains($0) }.map { name in
      Finding(
        "app_half_disabled", "the app '\(name)' is only half enabled or half disabled",
        why: "your files may still have lines that themed added", type: "themectl app disable \(name.asWord)")
    }
  }

  /// The user's settings that override those of a desktop that is kept in step.
  private var desktopFindings: [Finding] {
    guard ConfigChange.keepsDesktopInStep else { return [] }
    return SessionDesktop.apps.filter { !names.contains($0.name) }.flatMap { app in
      unseen(app, app.dependsOnVersion ? app.installedVersion : nil)
    }
  }

  private func notRunning(areApplied: Bool) -> [Finding] {
    let hooks = Hooks.files
    guard status == nil, areApplied || !hooks.isEmpty else { return [] }
    let hasManager = UserManager.isRunning
    let what = areApplied ? "apps are enabled (\(names.few))" : "hooks are installed (\(hooks.few))"
    return [
      Finding(
        "apply_not_running", "\(what), but themed-apply is not running",
        why: areApplied ? "their files are not written at the next change, and they are not notified" : "no hook runs",
        fix: hasManager ? nil : "have your session start it",
        type: hasManager ? "systemctl --user enable --now \(ApplyService.unit)" : "themed-apply")
    ]
  }

  private func faulty(_ name: Text, _ examination: AppExamination?) -> Finding? {
    guard let examination else {
      return Finding(
        "app_unknown", "'\(name)' is enabled, but has no app file",
        why: "themed-apply does not know what to write for it", type: "themectl app disable \(name.asWord)")
    }
    guard let error = examination.errors.first else { return nil }
    return Finding(
      "app_faulty", error, why: "'\(name)' is enabled, but themed-apply does nothing for it",
      type: "themectl app check \(name.asWord)")
  }

  /// The reasons why the program does not read or show the files that themed-apply writes for it.
  private func unseen(_ app: App, _ version: Version?) -> [Finding] {
    let needs = AppNeeds(app, version)
    if let hidden = needs.hidden {
      let (what, why) = ("\(app.title) is enabled, but \(hidden.words)", "it does not show the theme")
      // Enabling again replaces a line that the program has restored since.
      guard needs.lines.isEmpty else {
        return [Finding("app_hidden", what, why: why, type: "themectl app enable \(app.name.asWord)")]
      }
      return [Finding("app_hidden", what, why: why, fix: hidden.remedy)]
    }
    return app.linesNeeded(by: version).compactMap { setup in
      let file = try? UserFile(setup, of: app.name)
      if file?.isSetUp == true { return nil }
      let what =
        file?.reasonNotRun.map { "\(app.title) is enabled, but \($0)" }
        ?? "\(file?.shown ?? "one of your files") lacks: \((file?.setup ?? setup).lines)"
      let why = "\(app.title) does not read the files that themed-apply writes for it"
      if let obstacle = file?.obstacle { return Finding("app_line_missing", what, why: why, fix: obstacle) }
      return Finding("app_line_missing", what, why: why, type: "themectl app enable \(app.name.asWord)")
    }
  }

  private func tooOld(_ app: App, _ version: Version?) -> Finding? {
    guard let version, !app.serves(version) else { return nil }
    let known = Set(app.servedVersions.map { Text($0.description) }).sorted().map(\.string).joined(separator: " or ")
    return Finding(
      "app_version", "\(app.title) is version \(version), but its app file is for \(known)",
      why: "themed-apply writes nothing for this version", fix: "install one of those versions, or disable the app:",
      type: "themectl app disable \(app.name.asWord)")
  }

  private func twice(_ apps: [App]) -> [Finding] {
    var owners: [Text: App] = [:]
    var findings: [Finding] = []
    for app in apps {
      for process in Set(app.terminal?.processes ?? []).union(app.writes.isEmpty ? [] : app.programs).sorted() {
        guard let other = owners.updateValue(app, forKey: process), other.name != app.name,
          app.terminal?.processes.contains(process) == true || other.terminal?.processes.contains(process) == true
        else { continue }
        findings.append(
          Finding(
            "app_twice", "'\(other.name)' and '\(app.name)' both set the colours of \(process)",
            why: "which of the two it shows is left to chance", fix: "disable one of them:",
            type: "themectl app disable \(app.name.asWord)"))
      }
    }
    return findings
  }

  private func failed(_ app: App) -> Finding? {
    guard let entry = status?.apps[app.name], entry.state == "failed" else { return nil }
    return Finding(
      "app_failed", "\(app.title): \(entry.problem?.string ?? "its last run failed")",
      why: "it still shows the old theme", fix: entry.advice?.string, type: "themectl app show \(app.name.asWord)")
  }
}
