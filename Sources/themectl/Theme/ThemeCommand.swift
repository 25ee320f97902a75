import ArgumentParser
import ThemedClientCore
import ThemedInterface
import ThemedModel
import ThemeSetup
import ThemedSystem

struct ThemeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "theme",
    abstract: "List, choose, preview, make, import and export themes.",
    discussion: """
      A theme is a file NAME.theme in ~/.local/share/themed/themes or in a system directory; themed.theme(5) describes \
      its format. A theme has a light side, a dark side, or both: a side is the set of colours for light or for dark. You \
      choose one theme for the light side and one for the dark side, which may be the same: with 'themectl set theme', or \
      from a list with 'themectl theme choose'. Commands that take a theme accept its name or the path of its file.
      """,
    subcommands: [
      ListThemes.self, ShowTheme.self, ChooseTheme.self, NextTheme.self, PreviousTheme.self, PreviewTheme.self,
      NewTheme.self, CheckThemes.self, ImportSchemes.self, ExportTheme.self,
    ], defaultSubcommand: ListThemes.self)
}

/// Reads the theme that a user means; if the file has mistakes, complains and exits.
func readTheme(_ word: String, in places: InstalledThemes) throws -> (theme: Theme, place: InstalledThemes.Place) {
  guard let place = places.place(meantBy: word) else { throw unknownTheme(Text(word), in: places) }
  let examination = ThemeExamination(place)
  guard let theme = examination.theme else {
    for error in examination.errors {
      complain(error.shown(in: place.shown), quoting: [examination.quotedLine(of: error)].compactMap(\.self))
    }
    throw ExitCode.failed
  }
  return (theme, place)
}

/// Reads the theme that a user means from the daemon.
///
/// Its read-only socket gives a theme without the path of its file. A theme that the daemon does not have may still be
/// among this user's files.
func readTheme(_ word: String, of daemon: Daemon) throws -> (theme: Theme, place: InstalledThemes.Place) {
  let places = InstalledThemes.known(to: daemon.socket)
  guard places.hidesPaths, !isPath(word) else { return try readTheme(word, in: places) }
  let told = try daemon.call(.toChange) { (daemon) throws(CallError) -> InstalledTheme? in
    do throws(CallError) { return try daemon.call(.theme(named: word)) } catch {
      guard error.code == .unknownTheme else { throw error }
      return nil
    }
  }
  guard let told else { return try readTheme(word, in: places) }
  return (told.theme, InstalledThemes.Place(name: told.theme.name, path: told.path.string))
}

/// Tells the user that the theme is unknown, and suggests similar names.
func unknownTheme(_ name: Text, in places: InstalledThemes) -> ExitCode {
  let near = words(near: name, among: places.all.map(\.name)).map { "'\($0)'" }
  complain(
    "unknown theme '\(name)'; "
      + (near.isEmpty ? "'themectl theme list' lists the installed themes" : "did you mean \(near.alternatives)?"))
  return .failed
}

/// The theme that is shown, for a command without the name of a theme; if no theme is shown, complains and exits.
func shownTheme(_ daemon: Daemon, _ audience: Audience) throws -> String {
  let state = try daemon.call { (daemon) throws(CallError) in try daemon.call(.state(app: audience.app)) }
  guard let theme = state.resolution.theme else {
    throw failed(
      "no theme is shown; give the name of a theme ('themectl theme list' lists the names), or choose a theme with "
        + "'themectl set theme'")
  }
  return theme.name.string
}

struct SideOption: ParsableArguments {
  @Flag(exclusivity: .exclusive, help: "Only this side.")
  var side: ColorScheme?

  /// The side that the user names; without a name, the only one, or else the one that is shown.
  func one(of theme: Theme, for purpose: String, shown: () -> ColorScheme?) throws -> ColorScheme {
    guard let side else {
      if theme.schemes.count == 1 { return theme.schemes[0] }
      if let shown = shown() { return shown }
      throw ValidationError(
        "\(purpose) has room for one side, and '\(theme.name)' has two; themed does not say which one is shown, "
          + "so add --light or --dark")
    }
    try require(side, of: theme)
    return side
  }

  /// The theme; if the user names a side, with that side alone.
  func narrowed(_ theme: Theme) throws -> Theme {
    guard let side else { return theme }
    try require(side, of: theme)
    var theme = theme
    theme[side.opposite] = nil
    return theme
  }

  private func require(_ side: ColorScheme, of theme: Theme) throws {
    guard theme[side] == nil else { return }
    throw failed("the theme '\(theme.name)' has no \(side.rawValue) side")
  }
}

extension InstalledThemes {
  func warnOfMisnamedFiles() { for note in notesAboutNames { complain(note) } }

  func warnOfUnreadableDirectories() { for note in notesAboutUnreadableDirectories { complain(note) } }

  func warnOfUnsearchedDirectories() { for note in notesAboutUnsearchedDirectories { complain(note) } }

  /// The names of all themes, for a shell to complete after these words; with a side, of the themes that have it.
  static func candidates(after words: [String], with scheme: ColorScheme? = nil) -> [String] {
    known(to: socket(in: words), within: .seconds(1)).all.filter { place in
      scheme.map { ThemeExamination(place).theme?[$0] != nil } ?? true
    }.map(\.name.string)
  }
}
