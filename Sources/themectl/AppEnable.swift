import ArgumentParser
import Glibc
import ThemeApps
import ThemedText
import ThemedUnix

struct EnableApp: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "enable",
    abstract: "Let a program follow by its app file.",
    discussion: """
      Says which line the program's own file needs; with --write it is added there, between two comments, and a copy of \
      the file is left beside it. Then themed-apply is started, which writes the program's colors and tells it of them, \
      now and at each change. 'themectl app disable' undoes all of it.

      For example:
        themectl app enable kitty --write
      """)

  @Argument(
    help: ArgumentHelp("The app: the name of its file, without '.app'.", valueName: "name"),
    completion: .custom { _, _, _ in AppPlaces.candidates { $0.app?.follows == nil } })
  var name: String

  @Flag(help: "Add the line that the program's own file needs.")
  var write = false

  func run() throws {
    let app = try enabledApp(Text(name), in: AppPlaces())
    if !app.programs.isEmpty, app.installedProgram == nil {
      let names = app.programs.map { printable($0) }.joined(separator: " or ")
      complain("note: no \(names) is in PATH; what it reads is written all the same")
    }
    try refuseOthersFiles(app)
    var list = try EnabledList()
    let isComplete = try setUp(app)
    try list.set(app.name, isEnabled: true)
    try say("\(printable(app.title)) is enabled")
    if !isComplete, !write {
      try say("'themectl app enable \(app.name.asWord) --write' adds what is missing, and keeps a copy")
    }
    if let note = ApplyService.start() { complain(note) }
  }

  /// The app that can be enabled; else that is told to the user, and ends the command.
  private func enabledApp(_ name: Text, in places: AppPlaces) throws -> App {
    guard let examination = places.examination(of: name) else { throw unknownApp(name, in: places) }
    for error in examination.errors { complain(error.shown) }
    guard let app = examination.app, examination.errors.isEmpty else { throw ExitCode.failed }
    if let follows = app.follows {
      let how = follows == .itself ? "follows by itself" : "follows by a plugin of its own"
      complain("\(app.title) \(how): \(app.note ?? "there is nothing to enable")")
      throw ExitCode.failed
    }
    return app
  }

  /// A file of somebody else's is in the way of nothing before it is moved.
  private func refuseOthersFiles(_ app: App) throws {
    for write in app.writes {
      guard let path = write.file.resolved(in: AppPlaces.directories) else {
        complain("no variable says where \(write.file.written) is")
        throw ExitCode.failed
      }
      guard let comment = write.comment, let bytes = try? readFile(path.string, maximum: Template.maximumResult * 2),
        !TargetMark(app: app.name, comment: comment).begins(bytes)
      else { continue }
      complain("\(path) is not written by themed: move it away, if \(app.title) is to follow")
      throw ExitCode.failed
    }
  }

  /// Says what is missing in the user's files, or adds it; whether nothing is missing then.
  private func setUp(_ app: App) throws -> Bool {
    var isComplete = true
    for setup in app.neededSetups {
      do throws(UserFile.Refusal) {
        let file = try UserFile(setup, of: app.name)
        guard !file.isSetUp else { continue }
        guard write else {
          isComplete = false
          complain("note: \(file.advice)")
          continue
        }
        let copy = try file.insert()
        complain("note: added to \(setup.file.written)" + (copy.map { "; a copy is \($0)" } ?? ", which is new"))
      } catch {
        complain("\(error)")
        throw ExitCode.failed
      }
    }
    return isComplete
  }
}

struct DisableApp: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "disable",
    abstract: "Undo what enabling an app did.",
    discussion: """
      The app's line is taken out of the program's own file, which is then what it was, byte for byte; what themed-apply \
      has written for it is removed, and colors that were sent to terminals are taken back.
      """)

  @Argument(
    help: ArgumentHelp("The app: the name of its file, without '.app'.", valueName: "name"),
    completion: .custom { _, _, _ in EnabledList.names.filter(\.isCandidate).map(\.string) })
  var name: String

  func run() throws {
    let name = Text(self.name)
    let places = AppPlaces()
    let examination = places.examination(of: name)
    var list = try EnabledList()
    guard examination != nil || list.apps.names.contains(name) else { throw unknownApp(name, in: places) }
    try list.set(name, isEnabled: false)
    // Until then it may write them again.
    let isReleased = ApplyService.awaitRelease(of: name)
    if !isReleased { complain("note: themed-apply still says something of '\(name)'; see 'themectl doctor'") }
    if list.apps.names.isEmpty { ApplyService.stop() }
    guard let app = examination?.app else {
      complain("the app file is gone or wrong, so nobody can tell what else it asked for")
      throw ExitCode.failed
    }
    var isDone = true
    for setup in app.setups { isDone = restore(setup, of: app) && isDone }
    for write in app.writes { isDone = remove(write, of: app) && isDone }
    guard isDone else { throw ExitCode.failed }
    try say("\(printable(app.title)) is disabled")
  }

  /// Takes a line out of the user's file; false where that fails.
  private func restore(_ setup: App.Setup, of app: App) -> Bool {
    do throws(UserFile.Refusal) {
      let file = try UserFile(setup, of: app.name)
      if try !file.remove(), file.isSetUp {
        complain("note: the line in \(setup.file.written) is yours, and stays: \(setup.line)")
      }
      return true
    } catch {
      complain("\(error)")
      return false
    }
  }

  /// Removes a file that was written for the app; false where that fails.
  private func remove(_ write: App.Write, of app: App) -> Bool {
    guard let comment = write.comment, let path = write.file.resolved(in: AppPlaces.directories)?.string,
      let bytes = try? readFile(path, maximum: Template.maximumResult * 2),
      TargetMark(app: app.name, comment: comment).begins(bytes)
    else { return true }
    do throws(SystemError) {
      guard unsafe unlink(try target(of: path).string) == 0 else { throw SystemError("removing \(path)", errno) }
      return true
    } catch {
      complain("\(error)")
      return false
    }
  }
}
