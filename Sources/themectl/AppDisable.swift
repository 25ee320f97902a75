import ArgumentParser
import ThemeApps
import ThemedText
import ThemedUnix

struct DisableApp: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "disable",
    abstract: "Undo what enabling an app did.",
    discussion: """
      The app's line is taken out of the program's own file, which is then what it was, byte for byte; what themed-apply \
      has written for it is removed, and colors that were sent to terminals are taken back. Then what the app file says \
      under '[disable]' is run.
      """)

  @Argument(
    help: ArgumentHelp("The app: the name of its file, without '.app'.", valueName: "name"),
    completion: .custom { _, _, _ in EnabledList.names.filter(\.isCandidate).map(\.string) })
  var name: String

  @OptionGroup var daemon: Daemon

  func run() throws {
    let name = Text(self.name)
    let places = AppPlaces()
    let examination = places.examination(of: name)
    let isLast = try EnabledList.locked {
      var list = try EnabledList()
      guard examination != nil || list.apps.names.contains(name) else { throw unknownApp(name, in: places) }
      try list.set(name, isEnabled: false)
      return list.apps.names.isEmpty
    }
    let release = ApplyService.awaitRelease(of: name)
    if case .none(let how) = release {
      complain(
        "themed-apply may still write the files of '\(name)' (\(how)): your files are as they were; type this again "
          + "in a minute, or see 'themectl doctor'")
      throw ExitCode.failed
    }
    if case .butTerminals(let how) = release {
      complain("note: some terminals keep the colors of '\(name)' for now: \(how)")
    }
    if isLast { ApplyService.stop(atOnce: release.isWhole) }
    let apps = [EnabledAsOf(name).app(name), examination?.app].compactMap(\.self)
    guard let app = apps.last else {
      complain(
        "'\(name)' is off the list, but its app file is gone or wrong: take out of your files by hand what stands "
          + "between the comments 'themed: \(name) …'")
      throw ExitCode.failed
    }
    let isDone = try EnabledList.locked {
      let setups = Self.unique(apps.flatMap(\.setups))
      // The other way round than they were put there.
      let restored = setups.reversed().map { restore($0, of: app) }
      return (restored + Self.unique(apps.flatMap(\.writes)).map { remove($0, of: app) }).allSatisfy(\.self)
    }
    guard isDone, app.undo.map({ run($0, of: app) }) != false else { throw ExitCode.failed }
    EnabledAsOf(name).forget()
    try say("\(printable(app.title)) is disabled")
  }

  private static func unique<Value: Hashable>(_ values: [Value]) -> [Value] {
    var seen: Set<Value> = []
    return values.filter { seen.insert($0).inserted }
  }

  /// Runs what undoes the rest, where the program is there; false where that fails.
  private func run(_ undo: App.Undo, of app: App) -> Bool {
    guard let program = app.programs.isEmpty ? "" : app.installedProgramName else { return true }
    let words = undo.words(program: program).map(\.string)
    let result = Program.run(words, atMost: undo.timeout)
    guard result?.status == 0 else {
      let end =
        switch result {
        case nil: "cannot be started"
        case let result? where result.tookTooLong: "took too long"
        case let result?: "ended with status \(result.status)"
        }
      complain("'\(words.map { Text($0).asWord }.joined(separator: " "))' \(end): type it yourself, or this again")
      return false
    }
    return true
  }

  /// Takes a line out of the user's file; false where that fails.
  private func restore(_ setup: App.Setup, of app: App) -> Bool {
    do throws(UserFile.Refusal) {
      let file = try UserFile(setup, of: app.name)
      if try !file.remove(), file.isSetUp {
        complain("note: the line in \(file.file.shown) is yours, and stays: \(setup.line)")
      }
      return true
    } catch {
      complain("\(error)")
      return false
    }
  }

  /// Removes a file that was written for the app; false where that fails.
  private func remove(_ write: App.Write, of app: App) -> Bool {
    guard let target = AppTarget(write, of: app.name) else { return true }
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
