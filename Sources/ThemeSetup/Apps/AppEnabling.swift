package import ThemeApps
import ThemedSystem

/// Enables an app: what is needed, checked before anything is changed.
package struct AppEnabling {
  package let app: App
  private let path: String
  private let version: Version?
  private let needs: AppNeeds
  /// Notes for the user before the app is enabled.
  package private(set) var notes: [String] = []

  /// Reads the user's files, and changes nothing; throws why the app cannot be enabled.
  package init(_ examination: AppExamination) throws(Refusal) {
    (app, path) = (try Self.app(of: examination), examination.path)
    try EnvironmentComparison.requireSameFiles(for: [app])
    version = app.dependsOnVersion ? app.installedVersion : nil
    needs = AppNeeds(app, version)
    guard app.isFor(version) else {
      let installed = version.map { "\($0) is installed" } ?? "another version is installed"
      throw Refusal(
        "'\(app.name)' is for versions \(app.versions), but \(installed); 'themectl app' lists the app for that version"
      )
    }
    guard app.serves(version) || !app.isInstalled && app.needsApplying else {
      throw Refusal(
        version.map { "\(app.title) cannot follow in version \($0); 'themectl app' lists the versions that can" }
          ?? "\(app.name): \(app.noVersionWords); \(examination.remedyForNoVersion)")
    }
    if let obstacle = needs.obstacle { throw Refusal("\(app.name): \(obstacle)") }
    if !app.isInstalled {
      let names = app.programs.map { printable($0) }.joined(separator: " or ")
      notes.append("note: \(names) is not in PATH; themed-apply writes its files anyway")
    }
    if app.isInstalled, app.enablingDependsOnVersion, version == nil {
      notes.append("note: \(app.noVersionWords), so parts for particular versions are left out")
    }
    notes += EnvironmentComparison.notes(about: [app])
  }

  package var isDone: Bool {
    EnabledList.names.contains(app.name) && needs.lines.isEmpty && needs.outdated.isEmpty && needs.hidden == nil
      && (ApplyStatus() != nil || !app.needsApplying)
      && (try? EnabledRecord(app.name).app(app.name)) == app
  }

  package var plan: [String] {
    var lines = ["\(app.title):"] + needs.plan.map { "  \($0)" }
    for write in app.writes where write.versions.contains(version) {
      lines.append("  themed-apply writes \(write.file.shown) at each change")
    }
    if let terminal = app.terminal, terminal.versions.contains(version) {
      lines.append("  themed-apply sends colours to the terminals of \(terminal.processes.joined(separator: ", "))")
    }
    if app.desktop != nil {
      let names = app.namesOfSettings(on: SessionDesktop.names)
      lines.append("  themed-apply writes these settings of the desktop: \(names.joined(separator: ", "))")
    }
    if lines.count == 1 { lines.append("  themed-apply notifies it of each change") }
    if let hidden = needs.hiddenOnceEnabled { lines.append("  but the theme stays \(hidden.words)") }
    return lines
  }

  /// How enabling went.
  package struct Outcome {
    package let notes: [String]
    /// Whether the program shows the theme, and no setting of the user's own hides it.
    package let isVisible: Bool
    /// The sentence about that.
    package let words: String
  }

  /// Enables the app and adds the lines that the program's own files need.
  package func perform() throws -> Outcome {
    if !needs.outdated.isEmpty { try leaveList() }
    let notes = try EnabledList.locked(change)
    // The lines that were in the way may have been replaced.
    if let hidden = AppNeeds(app, version).hidden {
      let words = "\(app.title) is enabled, but \(hidden.words); to see the theme, \(hidden.remedy)"
      return Outcome(notes: notes, isVisible: false, words: words)
    }
    return Outcome(notes: notes, isVisible: true, words: "\(printable(app.title)) is enabled\(hint)")
  }

  /// The words about a program that is running; empty if its windows follow.
  private var hint: String {
    if app.ways.contains(where: { $0.means == .plugin }) { return "; restart it if it is running" }
    let reloads = app.reloads.filter { !$0.processes.isEmpty }
    let follows =
      reloads.isEmpty || reloads.contains { $0.versions.contains(version) }
      || app.terminal?.versions.contains(version) == true
    return follows ? "" : "; this version reads the colours only when it starts"
  }

  /// The app of an app file, if it can be enabled; throws why not.
  package static func app(of examination: AppExamination) throws(Refusal) -> App {
    guard let app = examination.app, examination.errors.isEmpty else { throw Refusal(reasons: examination.errors) }
    guard app.canBeEnabled else {
      let ways = app.ways.map { "\($0.means.words)\($0.versions.words)\($0.whatItNeeds)" }.joined(separator: "; ")
      throw Refusal(
        app.inability.map { "\(app.title) cannot follow: \($0)" }
          ?? "cannot enable \(app.title): it follows \(ways)")
    }
    return app
  }

  /// Takes the app off the list for now, so that themed-apply applies it again now, and not only at the next change.
  private func leaveList() throws {
    let time = try EnabledList.locked { _ -> Int? in
      var (list, changes) = (try EnabledList(), FileChanges())
      guard list.apps.names.contains(app.name) else { return nil }
      list.set(app.name, isEnabled: false, try EnabledRecord(app.name).before(), in: &changes)
      try changes.carryOut()
      return monotonicMilliseconds()
    }
    _ = ApplyService.awaitRelease(of: app.name, since: time)
  }

  /// Changes all files, or none; returns notes for the user.
  private func change(_ made: [String]) throws -> [String] {
    let record = EnabledRecord(app.name)
    var (changes, notes) = (FileChanges(), [String]())
    var list = try EnabledList()
    do {
      let former = try record.app(app.name) ?? app
      var before = try record.before()
      try leaveFormerFiles(former, before, in: &changes)
      // Some programs do not start if a file that theirs includes is missing, and themed-apply may not write it soon.
      for target in targets
      where target.owner == .nobody && changes.pending(target.file) == nil && !app.linesNeeded(by: version).isEmpty {
        // A link into a missing directory leads nowhere where a file could be.
        guard (try? destination(of: target.path)) != nil else { continue }
        if let mark = target.mark { changes.set(target.file, from: nil, to: mark.marking([])) }
      }
      for setup in app.linesNeeded(by: version) {
        let file = try UserFile(setup, of: app.name, after: changes)
        guard file.needsLine else { continue }
        file.note(in: &before)
        try file.insert(in: &changes)
        notes.append("note: added to \(file.shown): \(file.lines)")
        if let path = file.path { before.directories.formUnion(missingDirectories(above: path).map { Text($0) }) }
      }
      for target in targets { before.directories.formUnion(missingDirectories(above: target.path).map { Text($0) }) }
      // The record is written first, so that everything after it can be undone.
      record.noteShared(list, made: made, in: &before)
      list.set(app.name, isEnabled: true, before, in: &changes)
      try StopSignals.held {
        try record.keeping(path, before).carryOut(then: changes)
        notes += removeFormerTargets(former)
      }
    } catch { throw Refusal("\(app.name): \(Refusal(error))") }
    return notes
  }

  /// The files that are written for this version; if it is unknown, for any.
  private var targets: [AppTarget] {
    app.writes.filter { version == nil || $0.versions.contains(version) }.compactMap { AppTarget($0, of: app.name) }
  }

  /// Removes our lines from files that the program no longer uses, or that the app file named when the app was enabled
  /// before.
  private func leaveFormerFiles(
    _ former: App, _ before: EnabledRecord.Before, in changes: inout FileChanges
  ) throws(Refusal) {
    var (used, kept): (Set<Text>, Set<Text>) = ([], [])
    for setup in app.linesNeeded(by: version) {
      guard let file = try? UserFile(setup, of: app.name), let path = file.path else { continue }
      used.insert(Text(path))
      if file.keepsOlderLine { kept.insert(Text(path)) }
    }
    for setup in former.setups + app.setups {
      // A group for older versions of the program goes when the program is newer.
      let isKept = app.setups.contains {
        $0.name == setup.name && (version == nil || $0.versions.contains(version))
      }
      for file in try UserFile.changed(setup, of: app.name, before, after: changes)
      where !isKept || file.path.map({ used.contains(Text($0)) }) != true {
        if file.path.map({ kept.contains(Text($0)) }) == true { continue }
        try file.remove(before, in: &changes)
      }
    }
  }

  /// Removes files that were written under names that the app file no longer has, since nothing else would remove them.
  ///
  /// Returns notes about files that cannot be removed.
  private func removeFormerTargets(_ former: App) -> [String] {
    // Another name may lead to the same file.
    let files = Set(app.writes.compactMap { AppTarget($0, of: app.name).map { Text($0.file) } })
    return former.writes.compactMap { write in
      guard let target = AppTarget(write, of: app.name), target.owner == .themed, !files.contains(Text(target.file))
      else { return nil }
      do throws(SystemError) { try target.remove() } catch {
        return "note: \(error), so this file of the app stays; remove it by hand"
      }
      return nil
    }
  }
}
