import ArgumentParser
import ThemeApps
import ThemeModel
import ThemeSetup
import ThemedSystem

struct DisableApp: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "disable",
    abstract: "Undo what 'themectl app enable' did.",
    discussion: """
      Removes the app's line from the program's own file, and restores your lines that 'themectl app enable' commented \
      out: the file is then the same as before, byte for byte. Deletes what themed-apply wrote for the program, and \
      resets the colours that themed-apply sent to terminals. It also forgets the files or themes of your own that you \
      chose with 'themectl app use'. If the app file has a command under '[disable]', runs that command. \
      It never asks. 'themectl setup --undo' also undoes everything else.

      For example:
        themectl app disable kitty tmux
        themectl app disable --all
      """)

  @Argument(
    help: ArgumentHelp("The names of the apps: the names of their app files without '.app'.", valueName: "name"),
    completion: .custom { _, _, _ in known.filter(\.isCandidate).map(\.string) })
  var names: [String] = []

  @Flag(help: "Disable every app that is enabled.")
  var all = false

  @Flag(help: "Has no effect: this command never asks.")
  var yes = false

  @OptionGroup var daemon: Daemon

  func validate() throws {
    guard names.isEmpty == all else {
      throw ValidationError(
        all
          ? "name the apps or give --all, but not both; try: themectl app disable --all"
          : "name the apps, or give --all; try: themectl app disable kitty; themectl app disable --all")
    }
  }

  func run() throws {
    // An app whose disabling was interrupted is off the list, but still has a record.
    let apps = all ? Self.known : names.map { Text($0) }
    if apps.isEmpty { return try say("no app is enabled") }
    let places = AppPlaces()
    var problem: ExitCode?
    for name in apps where !isKnown(name, places) { problem = unknownApp(name, in: places) }
    if let problem { throw problem }
    for name in apps {
      do { try disable(name, places) } catch let code as ExitCode { problem = code }
    }
    if let problem { throw problem }
  }

  private func isKnown(_ name: Text, _ places: AppPlaces) -> Bool {
    EnabledList.names.contains(name) || EnabledRecord(name).exists || places.examination(of: name) != nil
  }

  /// The apps that are enabled, and those whose disabling was interrupted, which still have a record.
  static var known: [Text] { unique(EnabledList.names + EnabledRecord.names) }

  /// An app that is no longer on the list, as far as it is known.
  private struct Removed {
    /// The app as its app file was when the app was enabled, and as it is now.
    let apps: [App]
    let before: EnabledRecord.Before
    /// Whether the line in one of the user's files is the user's own, and stays.
    let hasOwnLine: Bool
    /// When it was removed from the list, on the monotonic clock; nil if it was not on it.
    let time: Int?
  }

  private func disable(_ name: Text, _ places: AppPlaces) throws {
    let examination = places.examination(of: name)
    let record = EnabledRecord(name)
    // themed-apply never writes the user's own files, so they can be restored without waiting for it.
    let removed = try EnabledList.locked { _ in try removeOwn(name, record, examination?.app) }
    guard let app = removed.apps.last else {
      throw failed(
        "'\(name)' is disabled, but its lines stay in your files, since its app file is missing or invalid: remove the "
          + "lines between the comments 'themed: \(name) …' by hand")
    }
    switch ApplyService.awaitRelease(of: name, since: removed.time) {
    case .whole: break
    case .butTerminals(let how): complain("note: some terminals keep the colours of '\(name)' for now: \(how)")
    case .none(let how):
      throw failed(
        "themed-apply may still write the files of '\(name)' (\(how)): run this again in a minute, or run "
          + "'themectl doctor'")
    }
    let isDone = try EnabledList.locked { _ in
      // A file of the user's own, to which only a line was added, is already restored.
      let own = Set(removed.apps.flatMap(\.setups).flatMap { $0.places(in: AppPlaces.directories) })
      let targets = unique(removed.apps.flatMap(\.writes)).compactMap { AppTarget($0, of: name) }
        .filter { $0.owner == .themed || !own.contains(Text($0.path)) }
      guard !removed.hasOwnLine else {
        for target in targets where target.owner == .themed {
          complain("note: \(Text(target.path).belowHome) stays too, since your own file may include it")
        }
        return true
      }
      return targets.map(remove).allSatisfy(\.self)
    }
    guard isDone, app.undo.map({ run($0, of: app) }) != false else { throw ExitCode.failed }
    if OwnLook.chosen(for: name) != nil {
      do { try OwnLook.choosing(nil, for: name).perform() } catch {
        // The choice means nothing while the app is disabled, so everything else is undone all the same.
        complain("note: themed.conf keeps your own files or themes for '\(name)', for when you enable the app again")
      }
    }
    try EnabledList.locked { _ in StopSignals.held { record.forget(removed.before, beside: removed.apps) } }
    try say("\(printable(app.title)) is disabled")
  }

  /// Removes the app from the list and its lines from the user's files: either all of that, or nothing.
  ///
  /// This comes before everything else, because a program may not start if its own file includes a missing file. The
  /// list is written last, so that an app whose lines are still there counts as enabled.
  private func removeOwn(_ name: Text, _ record: EnabledRecord, _ file: App?) throws -> Removed {
    var list = try EnabledList()
    removeAbandonedFiles(beside: list.path)
    var (changes, notes, hasOwnLine, problems) = (FileChanges(), [String](), false, [Text]())
    do {
      let apps = [try record.app(name), file].compactMap(\.self)
      let before = try record.before()
      // The lines are removed in reverse order.
      for setup in unique(apps.flatMap(\.setups)).reversed() {
        for place in setup.places(in: AppPlaces.directories) {
          // A killed command may have left temporary files.
          removeAbandonedFiles(beside: (try? destination(of: place.string)) ?? place.string)
        }
        do throws(Refusal) {
          for file in try UserFile.changed(setup, of: name, before, after: changes) {
            guard try file.remove(before, in: &changes) else { continue }
            let title = apps.last?.title ?? name
            notes.append("note: \(title) rewrote \(file.shown) without themed's comments; your own lines are restored")
          }
          let file = try UserFile(setup, of: name, after: changes)
          // If another of the app's groups has written the line, it is removed with that group.
          guard file.isSetUp, !file.isMarkedByApp else { continue }
          notes.append("note: the line in \(file.shown) is your own and stays: \(file.setup.lines)")
          hasOwnLine = true
        } catch { problems.append(Text(error.description)) }
      }
      guard problems.isEmpty else {
        for problem in unique(problems) { complain(problem.string) }
        throw failed("'\(name)' stays enabled, and nothing was changed")
      }
      let wasListed = list.apps.names.contains(name)
      list.set(name, isEnabled: false, before, in: &changes)
      try changes.carryOut()
      for note in notes { complain(note) }
      let time = wasListed ? monotonicMilliseconds() : nil
      return Removed(apps: apps, before: before, hasOwnLine: hasOwnLine, time: time)
    } catch let error as SystemError {
      throw failed("\(name): \(Refusal(error))")
    }
  }

  /// Runs the command under `[disable]` if the program is installed; false if it fails.
  private func run(_ undo: App.Undo, of app: App) -> Bool {
    guard let program = app.programs.isEmpty ? "" : app.installedProgramName else { return true }
    let words = undo.words(program: program).map(\.string)
    let result = Program.run(words, atMost: undo.timeout)
    guard result?.status == 0 else {
      let end =
        switch result {
        case nil: "cannot be started"
        case let result? where result.tookTooLong: "took too long"
        case let result?: "failed with exit status \(result.status)"
        }
      complain("'\(words.map { Text($0).asWord }.joined(separator: " "))' \(end): run it yourself, or run this again")
      return false
    }
    for line in result?.lines ?? [] where !line.isEmpty { complain("note: \(line)") }
    return true
  }

  /// Removes a file that themed-apply wrote for the app; false if that fails.
  private func remove(_ target: AppTarget) -> Bool {
    switch target.owner {
    case .nobody: return true
    case .other(let reason):
      complain("note: \(target.path) stays, since \(reason)")
      return true
    case .themed:
      do throws(SystemError) {
        try target.remove()
        return true
      } catch {
        complain("\(error)\(Refusal.advice(error, isWhole: false))")
        return false
      }
    }
  }
}
