import ArgumentParser
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
    completion: .custom { _, _, _ in AppDisabling.known.filter(\.isCandidate).map(\.string) })
  var names: [String] = []

  @Flag(help: "Disable every app that is enabled.")
  var all = false

  @Flag(help: "Has no effect: this command never asks.")
  var yes = false

  @OptionGroup var daemon: Daemon
  @OptionGroup var format: Format

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
    let apps = all ? AppDisabling.known : names.map { Text($0) }
    if apps.isEmpty { return try say("no app is enabled") }
    let places = AppPlaces()
    var problem: ExitCode?
    for name in apps where !AppDisabling.known.contains(name) && places.examination(of: name) == nil {
      problem = unknownApp(name, in: places)
    }
    if let problem { throw problem }
    for name in apps {
      do { try say(AppDisabling(name) { complain($0, quoting: $1) }.perform()) } catch { problem = ended(by: error) }
    }
    if let problem { throw problem }
  }
}
