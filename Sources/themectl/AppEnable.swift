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
    completion: .custom { _, _, _ in AppPlaces.candidates })
  var name: String

  @Flag(help: "Add the line that the program's own file needs.")
  var write = false

  @OptionGroup var daemon: Daemon

  func run() throws {
    let isComplete = try AppEnabling(Text(name)).enable(writing: write)
    if !isComplete, !write {
      try say("'themectl app enable \(Text(name).asWord) --write' adds what is missing, and keeps a copy")
    }
    if let note = ApplyService.start() { complain(note) }
  }
}

/// Enables an app; what is in the way is told to the user, and ends the command.
struct AppEnabling {
  private let app: App
  /// Where its file is.
  private let path: String

  /// Reads its file.
  init(_ name: Text) throws { (app, path) = try Self.readApp(name, in: AppPlaces()) }

  /// Has it follow, and adds what its own files need, or says so; whether nothing is left that could be added.
  func enable(writing: Bool, isQuiet: Bool = false) throws -> Bool {
    if !app.isInstalled {
      let names = app.programs.map { printable($0) }.joined(separator: " or ")
      complain("note: no \(names) is in PATH; what it reads is written all the same")
    }
    let version = app.dependsOnVersion ? app.installedVersion : nil
    guard app.isFor(version) else {
      let installed = version.map { "\($0) is installed" } ?? "another one is installed"
      complain("'\(app.name)' is for versions \(app.versions), and \(installed); 'themectl app' lists what is for that")
      throw ExitCode.failed
    }
    if app.isInstalled, app.enablingDependsOnVersion, version == nil {
      let command = app.versionCommand.map(\.string).joined(separator: " ")
      complain("note: '\(command)' tells no version, so what is for some versions only is left out")
    }
    let isComplete = try EnabledList.locked {
      try refuseOthersFiles(version)
      try leaveFormerFiles()
      do throws(SystemError) {
        try EnabledAsOf(app.name).keep(path)
      } catch {
        complain("\(error)")
        throw ExitCode.failed
      }
      let isComplete = try setUp(version, writing)
      var list = try EnabledList()
      try list.set(app.name, isEnabled: true)
      return isComplete
    }
    if !isQuiet { try say("\(printable(app.title)) is enabled") }
    return isComplete
  }

  /// The app that can be enabled; else that is told to the user, and ends the command.
  private static func readApp(_ name: Text, in places: AppPlaces) throws -> (app: App, path: String) {
    guard let examination = places.examination(of: name) else { throw unknownApp(name, in: places) }
    for error in examination.errors { complain(error.shown) }
    guard let app = examination.app, examination.errors.isEmpty else { throw ExitCode.failed }
    guard app.canBeEnabled else {
      let ways = app.ways.map { "\($0.means.words)\($0.versions.words)\($0.whatItNeeds)" }.joined(separator: "; ")
      complain("there is nothing to enable: \(app.title) follows \(ways)")
      throw ExitCode.failed
    }
    return (app, examination.path)
  }

  /// A file of somebody else's would stay as it is.
  private func refuseOthersFiles(_ version: Version?) throws {
    for write in app.writes where write.versions.contains(version) {
      guard let target = AppTarget(write, of: app.name) else {
        complain("no variable says where \(write.file.written) is")
        throw ExitCode.failed
      }
      guard case .other(let reason) = target.owner else { continue }
      complain("\(target.path) is in the way, since \(reason): move it away, if \(app.title) is to follow")
      throw ExitCode.failed
    }
  }

  /// Takes our lines out of files that the app file named when it was enabled before, and names no more, and removes those
  /// that were written for it: nobody would know of them then.
  private func leaveFormerFiles() throws {
    guard let former = EnabledAsOf(app.name).app(app.name) else { return }
    do {
      for setup in former.setups where !app.setups.contains(where: { ($0.name, $0.file) == (setup.name, setup.file) }) {
        _ = try UserFile(setup, of: app.name).remove()
      }
      // By another name, it may be the same file.
      let files = Set(app.writes.compactMap { AppTarget($0, of: app.name).map { Text($0.file) } })
      for write in former.writes {
        guard let target = AppTarget(write, of: app.name), target.owner == .themed, !files.contains(Text(target.file))
        else { continue }
        try target.remove()
      }
    } catch {
      complain("\(error)")
      throw ExitCode.failed
    }
  }

  /// Says what is missing in the user's files, or adds it; whether nothing is left that could be added.
  private func setUp(_ version: Version?, _ writing: Bool) throws -> Bool {
    var isComplete = true
    for setup in app.setups where setup.versions.contains(version) {
      do throws(UserFile.Refusal) {
        let file = try UserFile(setup, of: app.name)
        guard !file.isSetUp else { continue }
        guard writing else {
          isComplete = isComplete && file.rivalry != nil
          complain("note: \(file.rivalry ?? file.advice)")
          continue
        }
        let copy = try file.insert().map { "; a copy is \(Text($0).belowHome)" }
        complain("note: added to \(setup.file.shown): \(setup.lines)\(copy ?? "")")
      } catch {
        complain("\(error)")
        throw ExitCode.failed
      }
    }
    return isComplete
  }
}
