import ArgumentParser
import ThemeClientCore
import ThemeInterface
import ThemeModel
import ThemedSystem
import ThemedVarlink

struct ListThemes: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the installed themes, and mark the chosen ones.",
    discussion: """
      In a terminal, the list shows the colours of both sides. Otherwise each line has the name, the sides, the sides \
      for which the theme is chosen, and the title, with tabs in between. A hyphen ('-') means that there is no side.

      The list has the themes that themed finds. If themed is not running, the list has the themes that themectl itself \
      finds, and no theme is marked as chosen.
      """)

  @OptionGroup var daemon: Daemon
  @OptionGroup var audience: Audience
  @OptionGroup var colors: ColorOption
  @OptionGroup var format: Format

  func run() throws {
    let (places, listed, choice) = known
    let themes = listed ?? places.all.map { ThemeExamination($0) }
    places.tellUnseen()
    places.tellMisnamed()
    places.tellUnreadable()
    if format.json {
      let list = themes.map { JSON.object($0.object(choice)) }
      return try say(JSON.object(["themes": .array(list)]).text)
    }
    let table = ThemeTable(themes: themes, choice: choice, style: colors.style, columns: terminalColumns)
    for line in table.lines { try say(line) }
    if themes.isEmpty { complain("no themes are installed; make a theme with 'themectl theme new NAME'") }
  }

  /// The places of themes, the choice, and the themes that a read-only socket lists without their paths.
  private var known: (ThemePlaces, [ThemeExamination]?, ThemeChoice) {
    do throws(ThemeClientError) {
      var connection = try ThemeConnection(socket: daemon.socket, timeout: .seconds(2))
      let choice = try connection.unlessReadOnly { (daemon) throws(ThemeClientError) in
        try ThemeChoice(&daemon, app: audience.name)
      }
      if let choice { return (try ThemePlaces.ofUser.known(to: &connection), nil, choice) }
      let state = try connection.getState(app: audience.app)
      let listed = try connection.listThemes().themes.map { ThemeExamination($0) }
      return (.ofUser, listed, ThemeChoice(shown: state))
    } catch {
      if error.code == .timedOut {
        complain("note: \(error); listing the themes that themectl itself finds, without marking the chosen ones")
      }
      return (.ofUser, nil, ThemeChoice())
    }
  }
}

extension ThemeExamination {
  /// A theme of the list, for programs.
  fileprivate func object(_ choice: ThemeChoice) -> JSON.Object {
    func words(_ schemes: [ColorScheme]) -> JSON { .array(schemes.map { .word($0.rawValue) }) }
    return [
      "name": .string(place.name), "path": place.path.isEmpty ? nil : .word(place.path),
      "title": theme.map { .string($0.title) },
      "sides": words(theme?.schemes ?? []), "chosen": words(choice.sides(of: place.name)),
      "problem": errors.isEmpty ? nil : .word(errors.map(\.text).joined(separator: "; ")),
    ]
  }
}

struct ShowTheme: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Print a theme's colours, images and values (settings for individual programs).",
    discussion: """
      Without a name, this prints the theme that is shown now. Each colour is 'given' by the theme's file or 'derived' \
      from the given ones. With --json, the output is a Theme as described in org.themed.theme(7).
      """)

  @Argument(
    help: ArgumentHelp("The theme: its name, or the path of its file.", valueName: "theme"),
    completion: .custom { words, _, _ in ThemePlaces.candidates(after: words) })
  var theme: String?

  @OptionGroup var side: SideOption
  @OptionGroup var daemon: Daemon
  @OptionGroup var audience: Audience
  @OptionGroup var colors: ColorOption
  @OptionGroup var format: Format

  func run() throws {
    let (theme, place) = try readTheme(theme ?? shownTheme(daemon, audience), of: daemon)
    let exported = ExportedTheme(theme: try side.narrowed(theme), path: place.path, assetPath: place.assetPath)
    guard !format.json else { return try write(exported.json) }
    for line in lines(of: exported, colors.style) { try say(line) }
  }

  private func lines(of exported: ExportedTheme, _ style: Style) -> [String] {
    let theme = exported.theme
    var lines = [style.bold(printable(theme.title)), aligned("name", printable(theme.name))]
    if let author = theme.author { lines.append(aligned("author", printable(author))) }
    if !exported.path.isEmpty { lines.append(aligned("file", printable(exported.path))) }
    for scheme in theme.schemes { lines += self.lines(of: scheme, exported, style) }
    return lines
  }

  private func lines(of scheme: ColorScheme, _ exported: ExportedTheme, _ style: Style) -> [String] {
    let side = exported.theme[scheme] ?? Side()
    let colors = Palette(side.colors, for: scheme).all.map { role, color in
      let origin = side.colors[role] == nil ? "derived" : "given"
      let patch = style.hasColor ? style.patch("    ", on: color) + "  " : ""
      return "  " + patch + aligned("\(role.rawValue)", color.hexadecimal) + "  \(origin)"
    }
    let assets = side.assets.sorted { $0.key < $1.key }.map {
      "  " + aligned("asset \($0)", printable(exported.assetPath($1)))
    }
    let values = side.values.sorted { $0.key < $1.key }.map { "  " + aligned("value \($0)", printable($1)) }
    return ["", style.bold(scheme.rawValue)] + colors + assets + values
  }

  private func aligned(_ name: String, _ value: String) -> String {
    name + String(repeating: " ", count: max(1, 16 - name.count)) + value
  }
}
