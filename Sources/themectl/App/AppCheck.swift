import ArgumentParser
import ThemeSetup
import ThemedSystem
import ThemedVarlink

struct CheckApps: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check app files and their templates, line by line.",
    discussion: """
      Without an argument it checks every app file. The exit status is 1 if an error keeps an app from being enabled. \
      Warnings do not change the exit status.
      """)

  @Argument(
    help: ArgumentHelp("The apps: their names, or the paths of their app files.", valueName: "app"),
    completion: .custom { _, _, _ in AppPlaces.candidates })
  var apps: [String] = []

  @OptionGroup var daemon: Daemon
  @OptionGroup var format: Format

  func run() throws {
    let places = AppPlaces()
    let examinations =
      apps.isEmpty
      ? places.all
      : try apps.map { word in
        guard let examination = places.examination(meantBy: word) else { throw unknownApp(Text(word), in: places) }
        return examination
      }
    for examination in examinations {
      if format.json {
        try say(JSON.object(examination.object).text)
        continue
      }
      for (path, remark) in examination.remarks { try say(remark.shown(in: path)) }
      if examination.remarks.isEmpty { try say("\(printable(examination.path)): good") }
    }
    if examinations.contains(where: { !$0.errors.isEmpty }) { throw ExitCode.failure }
  }
}

extension AppExamination {
  fileprivate var object: JSON.Object {
    ["name": .string(name), "path": .word(path), "remarks": .array(remarks.map { $0.remark.json(path: $0.path) })]
  }
}
