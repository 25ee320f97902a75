import ArgumentParser
import Glibc
import ThemeApps
import ThemedText
import ThemedUnix

struct DisableApp: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "disable",
    abstract: "Undo what 'themectl app enable' did.",
    discussion: """
      Removes the app's line from the program's own file, which is then the same as before, byte for byte. Deletes \
      what themed-apply wrote for the program, and resets the colours that it sent to terminals. Then runs the command \
      under '[disable]' in the app file.

      For example:
        themectl app disable kitty tmux
        themectl app disable --all
      """)

  @Argument(
    help: ArgumentHelp("The apps, by the name of the app file without '.app'.", valueName: "name"),
    completion: .custom { _, _, _ in EnabledList.names.filter(\.isCandidate).map(\.string) })
  var names: [String] = []

  @Flag(help: "Disable every app that is enabled.")
  var all = false

  @OptionGroup var daemon: Daemon

  func validate() throws {
    guard names.isEmpty == all else {
      throw ValidationError(
        "name the apps, or give --all; for example: themectl app disable kitty; themectl app disable --all")
    }
  }

  func run() throws {
    // An app whose disabling was interrupted is off the list, but still has a record.
    let apps = all ? Self.unique(EnabledList.names + EnabledAsOf.names) : names.map { Text($0) }
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
    EnabledList.names.contains(name) || EnabledAsOf(name).isThere || places.examination(of: name) != nil
  }

  private func disable(_ name: Text, _ places: AppPlaces) throws {
    let examination = places.examination(of: name)
    let record = EnabledAsOf(name)
    try EnabledList.locked {
      var list = try EnabledList()
      var changes = FileChanges()
      list.set(name, isEnabled: false, in: &changes)
      try carryOut(changes)
    }
    let apps = [record.app(name), examination?.app].compactMap(\.self)
    guard let app = apps.last else {
      complain(
        "'\(name)' is disabled, but its lines stay in your files, since its app file is missing or invalid: remove by hand "
          + "what is between the comments 'themed: \(name) …'")
      throw ExitCode.failed
    }
    // themed-apply never writes the user's own files, so they can change before it has released the app.
    let before = record.before
    let endings = try EnabledList.locked {
      // In the reverse order of enabling.
      Self.unique(apps.flatMap(\.setups)).reversed().map { restore($0, of: app, before) }
    }
    switch ApplyService.awaitRelease(of: name) {
    case .whole: break
    case .butTerminals(let how): complain("note: some terminals keep the colours of '\(name)' for now: \(how)")
    case .none(let how):
      complain(
        "themed-apply may still write the files of '\(name)' (\(how)): run this again in a minute, or run "
          + "'themectl doctor'")
      throw ExitCode.failed
    }
    // A program may not start if its own file still includes a file that was removed.
    guard !endings.contains(.failed) else { throw ExitCode.failed }
    let isDone = try EnabledList.locked {
      // A file of the user's own that only got a line is restored already.
      let own = Set(apps.flatMap(\.setups).flatMap { $0.places(in: AppPlaces.directories) })
      let targets = Self.unique(apps.flatMap(\.writes)).compactMap { AppTarget($0, of: name) }
        .filter { $0.owner == .themed || !own.contains(Text($0.path)) }
      guard !endings.contains(.stays) else {
        for target in targets where target.owner == .themed {
          complain("note: \(Text(target.path).belowHome) stays too, since your own file may include it")
        }
        return true
      }
      return targets.map(remove).allSatisfy(\.self)
    }
    guard isDone, app.undo.map({ run($0, of: app) }) != false else { throw ExitCode.failed }
    // The deepest directory first; a directory that is not empty stays.
    for directory in before.directories.sorted(by: >) { unsafe rmdir(directory.string) }
    record.forget()
    try say("\(printable(app.title)) is disabled")
  }

  private func carryOut(_ changes: FileChanges) throws {
    do throws(SystemError) { try changes.carryOut() } catch {
      complain(UserFile.Refusal(error).description)
      throw ExitCode.failed
    }
  }

  private static func unique<Value: Hashable>(_ values: [Value]) -> [Value] {
    var seen: Set<Value> = []
    return values.filter { seen.insert($0).inserted }
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
    return true
  }

  /// What happened to a line in the user's file.
  private enum Ending {
    case gone
    /// The line is the user's own.
    case stays
    case failed
  }

  /// Removes a line from the user's file, and restores what it replaced.
  private func restore(_ setup: App.Setup, of app: App, _ before: EnabledAsOf.Before) -> Ending {
    do {
      for file in try UserFile.changed(setup, of: app.name, before) {
        var changes = FileChanges()
        let restoring = try file.remove(before, in: &changes)
        try changes.carryOut()
        guard restoring == .fromRecord else { continue }
        complain(
          "note: \(app.title) rewrote \(file.shown) without themed's comments; your own lines are restored")
      }
      let file = try UserFile(setup, of: app.name)
      // The lines of the app's other groups are removed with their groups.
      guard file.isSetUp, !file.isMarkedByApp else { return .gone }
      complain("note: the line in \(file.shown) is your own and stays: \(file.setup.lines)")
      return .stays
    } catch {
      complain((error as? SystemError).map { UserFile.Refusal($0).description } ?? "\(error)")
      return .failed
    }
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
        complain("\(error)")
        return false
      }
    }
  }
}
