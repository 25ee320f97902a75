import ArgumentParser
import ThemeApps
import ThemedClientCore
import ThemedInterface
import ThemedModel
import ThemeSetup
import ThemedSystem
import ThemedVarlink

struct ListThemes: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the installed themes, and mark the chosen ones.",
    discussion: """
      In a terminal, the list shows the colours of both sides. Otherwise each line has the name, the sides that it \
      has, those for which it is chosen, and the title, with tabs in between. A hyphen ('-') in place of the sides means none.

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
    places.warnOfUnsearchedDirectories()
    places.warnOfMisnamedFiles()
    places.warnOfUnreadableDirectories()
    if format.json {
      let list = themes.map { JSON.object($0.object(choice)) }
      return try say(JSON.object(["themes": .array(list)]).text)
    }
    let table = ThemeTable(themes: themes, choice: choice, style: colors.style, columns: terminalColumns)
    for line in table.lines { try say(line) }
    if themes.isEmpty { complain("no themes are installed; make a theme with 'themectl theme new NAME'") }
  }

  /// The places of themes, the choice, and the themes that a read-only socket lists without their paths.
  private var known: (InstalledThemes, [ThemeExamination]?, ThemeChoice) {
    do throws(CallError) {
      var connection = try ThemeConnection(socket: daemon.socket, timeout: .seconds(2))
      let choice = try connection.unlessReadOnly { (daemon) throws(CallError) in
        try ThemeChoice(&daemon, app: audience.name)
      }
      if let choice { return (try InstalledThemes.ofUser.known(to: &connection), nil, choice) }
      let state = try connection.call(.state(app: audience.app))
      let listed = try connection.call(.themes).map { ThemeExamination($0) }
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
  fileprivate func object(_ choice: ThemeChoice) -> JSON.Object {
    func words(_ schemes: [ColorScheme]) -> JSON { .array(schemes.map { .word($0.rawValue) }) }
    return [
      "name": .string(place.name), "path": place.path.isEmpty ? nil : .word(place.path),
      "title": theme.map { .string($0.title) },
      "sides": words(theme?.schemes ?? []), "chosen": words(choice.sides(of: place.name)),
      "problem": errors.isEmpty ? nil : .word(errors.map(\.text).joined(separator: "; ")),
      "light": samples(.light), "dark": samples(.dark),
    ]
  }

  /// The colours of a side by which a chooser shows it; nil without this side.
  private func samples(_ scheme: ColorScheme) -> JSON? {
    guard let palette = theme?.palette(for: scheme) else { return nil }
    var object = JSON.Object()
    for role in [.background, .text] + Swatch.roles { object.append(role.rawValue, .word(palette[role].hexadecimal)) }
    return .object(object)
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
    completion: .custom { words, _, _ in InstalledThemes.candidates(after: words) })
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

struct ThemeTable {
  let themes: [ThemeExamination]
  let choice: ThemeChoice
  let style: Style
  /// The width of the terminal; nil if unknown.
  var columns: Int?

  var lines: [String] { style.isForPeople ? lines(in: themes.indices) : themes.map(plain) }

  /// A line of headings, and the lines of some of the themes, in columns that fit all themes.
  func lines(in range: Range<Int>) -> [String] {
    let layout = Layout(names: themes.map { printable($0.place.name).columns }.max() ?? 0, columns: columns)
    let head =
      "  " + "".padded(layout.name) + "  " + "light".padded(layout.swatch.width + 2)
      + "dark".padded(layout.swatch.width)
    return [head] + themes[range].map { row($0, layout) }
  }

  private func row(_ theme: ThemeExamination, _ layout: Layout) -> String {
    let isChosen = !choice.sides(of: theme.place.name).isEmpty
    let name = printable(theme.place.name).shortened(to: layout.name, style).padded(layout.name)
    let sides = ColorScheme.allCases.map { mark(theme, $0) + swatch(theme.theme, $0, layout.swatch) }
    let row = (isChosen ? "> " : "  ") + (isChosen ? style.bold(name) : name) + " " + sides.joined(separator: " ")
    guard let room = layout.title else { return row + "  " + title(theme) }
    let title = title(theme)
    if theme.theme == nil, title.columns > room, let columns {
      // The advice replaces the colours, since half of a command is useless.
      let start = (isChosen ? "> " : "  ") + (isChosen ? style.bold(name) : name) + "  "
      let rest = max(0, columns - layout.name - 4)
      return start + (title.columns <= rest ? title : "faulty".shortened(to: rest, style))
    }
    return room > 0 ? row + "  " + title.shortened(to: room, style) : row
  }

  private func plain(_ theme: ThemeExamination) -> String {
    let sides = theme.theme?.schemes.map(\.rawValue).joined(separator: ",") ?? "-"
    let chosen = choice.sides(of: theme.place.name).map(\.rawValue).joined(separator: ",")
    return "\(printable(theme.place.name))\t\(sides)\t\(chosen.isEmpty ? "-" : chosen)\t\(title(theme))"
  }

  private func title(_ theme: ThemeExamination) -> String {
    theme.theme.map { printable($0.title) } ?? "faulty; run 'themectl theme check \(printable(theme.place.name))'"
  }

  private func mark(_ theme: ThemeExamination, _ scheme: ColorScheme) -> String {
    choice[scheme] == theme.place.name ? ">" : " "
  }

  private func swatch(_ theme: Theme?, _ scheme: ColorScheme, _ swatch: Swatch) -> String {
    guard let palette = theme?.palette(for: scheme) else { return "".padded(swatch.width) }
    return style.swatch(palette, swatch)
  }
}

/// A sample of text on its background, and the colours that a program draws with, if they fit.
enum Swatch: CaseIterable {
  case wide, narrow, textAlone

  /// The roles whose colours it shows, besides text on its background.
  static let roles: [Role] = [.primary, .secondary, .error, .warning, .success, .info]

  fileprivate var patch: Int {
    switch self {
    case .wide: 2
    case .narrow: 1
    case .textAlone: 0
    }
  }

  var width: Int { self == .textAlone ? 4 : 5 + Self.roles.count * patch }
}

extension Style {
  func swatch(_ palette: Palette, _ swatch: Swatch) -> String {
    let sample = patch(" Aa ", palette[.text], on: palette[.background])
    guard swatch != .textAlone else { return sample }
    let patches = Swatch.roles.map { patch("".padded(swatch.patch), on: palette[$0]) }.joined()
    return sample + patches + patch(" ", on: palette[.background])
  }
}

/// The columns of the table that fit on a terminal: first the titles are dropped, then the colours, then the ends of
/// names.
private struct Layout {
  let name: Int
  let swatch: Swatch
  let title: Int?

  init(names: Int, columns: Int?) {
    let name = max(8, names)
    guard let columns else { (self.name, swatch, title) = (name, .wide, nil); return }
    func rest(_ swatch: Swatch) -> Int { columns - Self.width(name, swatch) }
    swatch = Swatch.allCases.first { rest($0) >= 0 } ?? .textAlone
    self.name = max(1, min(name, name + rest(swatch)))
    // A shorter title says nothing.
    title = rest(swatch) >= 2 + 6 ? rest(swatch) - 2 : 0
  }

  /// The width of the table without titles: two marks before each name, one before each swatch, and a blank between.
  private static func width(_ name: Int, _ swatch: Swatch) -> Int { 2 + name + 2 * (2 + swatch.width) }
}
