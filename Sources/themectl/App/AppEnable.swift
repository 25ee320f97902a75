import ArgumentParser
import ThemeApps
import ThemeSetup
import ThemedSystem

struct EnableApp: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "enable",
    abstract: "Enable apps, so that their programs switch between light and dark.",
    discussion: """
      Shows what it would change, asks, and changes it. It adds the line that the program's own file needs, between \
      two comments. It comments out your own lines that would override the new line. Then it starts themed-apply, which \
      writes the program's colours and notifies the program, now and at each change. 'themectl app disable' undoes all \
      of it.

      If it has no terminal to ask on, it changes nothing unless you give --yes. The exit status is 1 if you did not \
      agree. It is also 1 if a setting of your own still overrides the new colours, because the command cannot comment \
      that setting out. It is 2 if something failed.

      For example:
        themectl app enable kitty
        themectl app enable kitty tmux nvim --yes
      """)

  @Argument(
    help: ArgumentHelp("The names of the apps: the names of their app files without '.app'.", valueName: "name"),
    completion: .custom { _, _, _ in AppPlaces.candidates })
  var names: [String]

  @OptionGroup var consent: Consent

  @OptionGroup var daemon: Daemon

  func validate() throws { try consent.check(example: "themectl app enable kitty --yes") }

  func run() throws {
    let enablings = try checked()
    let toDo = enablings.filter { !$0.isDone }
    let desktops = enablings.map(\.app).filter { $0.desktop != nil }
    let desktop = desktops.isEmpty ? nil : try DesktopEnabling(daemon, adding: desktops)
    for enabling in enablings where enabling.isDone { try say("\(printable(enabling.app.title)) is already enabled") }
    let startsService = !toDo.isEmpty && ApplyStatus() == nil && enablings.contains { $0.app.needsApplying }
    for line in toDo.flatMap(\.plan) + (desktop?.plan ?? []) { try say(printable(line)) }
    if startsService, desktop?.isDone != false, UserManager.isRunning {
      try say("themed-apply: starts now and with each session")
    }
    if consent.isPrintedOnly || toDo.isEmpty && desktop?.isDone != false { return }
    let words = names.map { Text($0).asWord }.joined(separator: " ")
    guard try consent.yes || confirms(orSkipWith: "themectl app enable \(words) --yes") else { throw ExitCode.failure }
    var status = ExitCode.success
    for enabling in toDo {
      do {
        if try !enabling.perform(), status == .success { status = .failure }
      } catch let code as ExitCode { status = code }
    }
    // Without a user manager the session has to start themed-apply, and the note says so.
    if let code = try desktop?.carryOut(), code != .success, UserManager.isRunning || ApplyStatus() != nil {
      status = code
    }
    if startsService || toDo.contains(where: \.app.needsApplying),
      let problem = ApplyService.start(for: toDo.filter(\.app.needsApplying).map(\.app.name))
    {
      complain(problem)
      // Without a user manager the session has to start themed-apply, and the note says so.
      if UserManager.isRunning { status = .failed }
    }
    if status != .success { throw status }
  }

  private func checked() throws -> [AppEnabling] {
    var seen: Set<Text> = []
    var enablings: [AppEnabling] = []
    var problem: ExitCode?
    for name in names.map({ Text($0) }) where seen.insert(name).inserted {
      do { enablings.append(try AppEnabling(name)) } catch let code as ExitCode { problem = code }
    }
    if let problem {
      if names.count > 1 { complain("nothing was changed") }
      throw problem
    }
    return enablings
  }
}

/// Enables an app; if something is in the way, the command says so and fails.
struct AppEnabling {
  let app: App
  private let path: String
  private let version: Version?
  private let needs: AppNeeds

  /// Reads the app file and the user's files, and changes nothing.
  init(_ name: Text) throws {
    (app, path) = try Self.readApp(name, in: AppPlaces())
    try EnvironmentComparison.requireSameFiles()
    version = app.dependsOnVersion ? app.installedVersion : nil
    needs = AppNeeds(app, version)
    guard app.isFor(version) else {
      let installed = version.map { "\($0) is installed" } ?? "another version is installed"
      throw failed(
        "'\(app.name)' is for versions \(app.versions), but \(installed); 'themectl app' lists the app for that version"
      )
    }
    guard app.needsApplying || !app.setups(for: version).isEmpty || needs.obstacle != nil else {
      let told = version.map { "version \($0)" } ?? "an unknown version"
      throw failed("\(app.title) cannot follow in \(told); 'themectl app' lists the versions that can")
    }
    if let obstacle = needs.obstacle { throw failed("\(app.name): \(obstacle)") }
    if !app.isInstalled {
      let names = app.programs.map { printable($0) }.joined(separator: " or ")
      complain("note: \(names) is not in PATH; themed-apply writes its files anyway")
    }
    if app.isInstalled, app.enablingDependsOnVersion, version == nil {
      let command = app.versionCommand.map(\.string).joined(separator: " ")
      complain("note: '\(command)' prints no version, so parts for particular versions are left out")
    }
    EnvironmentComparison.warn(of: [app])
  }

  var isDone: Bool {
    EnabledList.names.contains(app.name) && needs.lines.isEmpty && needs.hidden == nil
      && (ApplyStatus() != nil || !app.needsApplying)
      && (try? EnabledRecord(app.name).app(app.name)) == app
  }

  var plan: [String] {
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
    if let hidden = needs.hidden { lines.append("  but the theme stays \(hidden.words)") }
    return lines
  }

  /// Enables the app and adds the lines that the program's own files need; false if the user's
  /// own setting hides the theme.
  func perform() throws -> Bool {
    for note in try EnabledList.locked(change) { complain(note) }
    // The lines that were in the way may have been replaced.
    if let hidden = AppNeeds(app, version).hidden {
      let remedy: String = if case .setting = hidden { "remove that line or comment it out" } else { hidden.remedy }
      complain("\(app.title) is enabled, but \(hidden.words); to see the theme, \(remedy)")
      return false
    }
    let hint = app.ways.contains { $0.means == .plugin } ? "; restart it if it is running" : ""
    try say("\(printable(app.title)) is enabled\(hint)")
    return true
  }

  /// The app, if it can be enabled; otherwise the command says why not and fails.
  private static func readApp(_ name: Text, in places: AppPlaces) throws -> (app: App, path: String) {
    guard let examination = places.examination(of: name) else { throw unknownApp(name, in: places) }
    for error in examination.errors { complain(error) }
    guard let app = examination.app, examination.errors.isEmpty else { throw ExitCode.failed }
    guard app.canBeEnabled else {
      let ways = app.ways.map { "\($0.means.words)\($0.versions.words)\($0.whatItNeeds)" }.joined(separator: "; ")
      throw failed(
        app.inability.map { "\(app.title) cannot follow: \($0)" }
          ?? "cannot enable \(app.title): it follows \(ways)")
    }
    return (app, examination.path)
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
        guard !file.isSetUp else { continue }
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
    } catch { throw failed("\(app.name): \(Refusal(error))") }
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
    var used: Set<Text> = []
    for setup in app.linesNeeded(by: version) {
      if let path = try? UserFile(setup, of: app.name).path { used.insert(Text(path)) }
    }
    for setup in former.setups + app.setups {
      let isKept = app.setups.contains { $0.name == setup.name }
      for file in try UserFile.changed(setup, of: app.name, before, after: changes)
      where !isKept || file.path.map({ used.contains(Text($0)) }) != true {
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
