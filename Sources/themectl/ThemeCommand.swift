import ArgumentParser
import ThemeClient

struct ThemeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "theme",
    abstract: "Choose themes, look at them, make them, and bring them in from elsewhere.",
    discussion: """
      A theme is a file NAME.theme, as themed.theme(5) describes it, in ~/.local/share/themed/themes or in a system's \
      directory. One is chosen for the light side and one for the dark side. Where a THEME is asked for, it is a name or the path of such a file.
      """,
    subcommands: [
      ListThemes.self, ShowTheme.self, SetTheme.self, UnsetTheme.self, NextTheme.self, PreviousTheme.self,
      ImportSchemes.self, ExportTheme.self, NewTheme.self, CheckThemes.self, PreviewTheme.self,
    ], defaultSubcommand: ListThemes.self)
}

/// A theme that a command is about.
struct ThemeArgument: ParsableArguments {
  @Argument(
    help: ArgumentHelp("The theme: its name, or the path of its file.", valueName: "theme"),
    completion: .custom { _, _, _ in ThemePlaces.candidates })
  var theme: String

  /// The theme, and where it is; what is wrong with it is told to the user, and ends the command.
  func read() throws -> (theme: Theme, place: ThemePlaces.Place) { try readTheme(theme) }
}

/// Reads the theme that a user means; what is wrong with it is told to the user, and ends the command.
func readTheme(_ word: String) throws -> (theme: Theme, place: ThemePlaces.Place) {
  guard let place = ThemePlaces.ofUser.place(meantBy: word) else { throw unknownTheme(word) }
  let examination = ThemeExamination(place)
  guard let theme = examination.theme else {
    for error in examination.errors { complain(error.line(for: place.path)) }
    throw ExitCode.failed
  }
  return (theme, place)
}

/// Tells the user that no theme is called so.
func unknownTheme(_ name: some CustomStringConvertible) -> ExitCode {
  complain("there is no theme '\(name)'; 'themectl theme list' has those that there are")
  return .failed
}

extension ThemeExamination.Remark {
  /// The remark behind its place, as compilers have it.
  func line(for path: String) -> String {
    let place = printable(path) + (line.map { ":\($0)" } ?? "")
    return "\(place): \(isError ? "error" : "warning"): \(printable(text))"
  }
}

/// One side of a theme, for a command that takes one.
struct SideOption: ParsableArguments {
  @Option(help: "Of this side only: light or dark.")
  var side: ColorScheme?

  /// The side that is meant: the one that is named, else the only one.
  func one(of theme: Theme, for purpose: String) throws -> ColorScheme {
    guard let side else {
      if theme.schemes.count == 1 { return theme.schemes[0] }
      throw ValidationError(
        "\(purpose) holds one side, and '\(theme.name)' has two. For example: --side \(ColorScheme.dark.rawValue)")
    }
    try require(side, of: theme)
    return side
  }

  /// The theme, with the named side alone if one is named.
  func narrowed(_ theme: Theme) throws -> Theme {
    guard let side else { return theme }
    try require(side, of: theme)
    var theme = theme
    theme[side.opposite] = nil
    return theme
  }

  private func require(_ side: ColorScheme, of theme: Theme) throws {
    guard theme[side] == nil else { return }
    complain("the theme '\(theme.name)' has no \(side.rawValue) side")
    throw ExitCode.failed
  }
}
