import ThemeResolution
import ThemeModel
import ArgumentParser
import ThemedText

struct NewTheme: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "new",
    abstract: "Begin a theme, and print where its file is.",
    discussion: """
      The file has both sides, and says what can stand in it. With --from it is another theme's, to be changed. \
      'themectl theme check' tells what is wrong with it, and 'themectl theme preview' shows it.

      For example:
        $EDITOR "$(themectl theme new dusk)"
        $EDITOR "$(themectl theme new dusk --from mint)"
      """)

  @Argument(help: ArgumentHelp("What it is to be called: letters, digits, '.', '_', '+' and '-'.", valueName: "name"))
  var name: String

  @Option(help: ArgumentHelp("What people are to call it.", valueName: "text"))
  var title: String?

  @Option(
    help: ArgumentHelp("The theme to begin with: its name, or the path of its file.", valueName: "theme"),
    completion: .custom { words, _, _ in ThemePlaces.candidates(after: words) })
  var from: String?

  @OptionGroup var installation: ThemeInstallation
  @OptionGroup var daemon: Daemon

  func validate() throws {
    guard !Text(name).hasSuffix(ThemeFile.suffix) else {
      throw ValidationError(
        "A theme's name is that of its file without '\(ThemeFile.suffix)'. For example: themectl theme new dusk")
    }
    guard !Theme.isValidName(Text(name)) else { return }
    throw ValidationError("A theme's name has \(Theme.nameExpectation). For example: themectl theme new dusk")
  }

  func run() throws {
    let theme = try begin()
    let text = from == nil ? Self.explanation + ThemeFile.text(of: theme) : ThemeFile.text(of: theme)
    let path: String
    do throws(ThemeInstallation.Refusal) {
      path = try installation.write(theme, bytes: Array(text.utf8), otherwise: "or choose another name")
    } catch {
      complain("\(error)")
      throw ExitCode.failed
    }
    try say(path)
    ThemePlaces.known(to: daemon.socket).tellUnseen()
  }

  private func begin() throws -> Theme {
    guard let from else {
      let accent = Color(hexadecimal: "#2f80ed")
      let (black, white) = (Color(hexadecimal: "#1b1e24"), Color(hexadecimal: "#f7f8fa"))
      func side(_ background: Color?, _ text: Color?) -> Side {
        let colors: [Role: Color?] = [.background: background, .text: text, .primary: accent]
        return Side(colors: colors.compactMapValues(\.self))
      }
      return Theme(name: Text(name), title: title.map { Text($0) }, light: side(white, black), dark: side(black, white))
    }
    var (theme, place) = try readTheme(from, in: .known(to: daemon.socket))
    theme.name = Text(name)
    theme.title = Text(title ?? name)
    // The file lies elsewhere than the images that it names.
    return theme.withAssets(place.assetPath)
  }

  private static let explanation = """
    # A theme of themed; themed.theme(5) has every role, and how those are derived that are not given.
    # A theme may have one side alone: then remove the groups of the other.
    # [light.assets] may name images, such as wallpaper=~/Pictures/day.jpg, and
    # [light.values] what single programs want to hear, such as bat=OneHalfLight.


    """
}
