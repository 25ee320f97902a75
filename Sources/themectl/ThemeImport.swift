import ThemeResolution
import ThemeModel
import ArgumentParser
import ThemedText

struct ImportSchemes: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Make themes of schemes: base16, base24, tinted8, kitty's and Alacritty's.",
    discussion: """
      A scheme is a file as the tinted-theming project specifies it, or the colours of kitty or Alacritty. Two schemes \
      whose files' names differ only in 'light' and 'dark' become one theme, also where one of them was imported \
      before; so do a light and a dark one that are each other's only kin by family or title. A file that is wrong \
      gets a line that says why; the others are imported. Where colours look doubtful, a note says how many warnings \
      'theme check' has of them. The file '-' is standard input.

      For example:
        themectl theme import ayu-light.yaml ayu-dark.yaml           the theme 'ayu', with both sides
        themectl theme import --light latte.yaml --dark mocha.yaml   one theme of these two
        themectl theme import --name cat latte.yaml mocha.yaml       the same, called 'cat'
        themectl theme import --name cat mocha.yaml                  adds the side that the theme 'cat' has not
        curl -s https://example.org/latte.yaml | themectl theme import --name latte -
      """)

  private static let schemes = CompletionKind.file(extensions: ["yaml", "yml", "toml", "conf"])

  @Argument(help: ArgumentHelp("The files.", valueName: "file"), completion: schemes)
  var files: [String] = []

  @Option(
    help: ArgumentHelp("The file of the light side, whatever it says that it is for.", valueName: "file"),
    completion: schemes)
  var light: String?

  @Option(
    help: ArgumentHelp("The file of the dark side, of the same theme.", valueName: "file"), completion: schemes)
  var dark: String?

  @Option(help: ArgumentHelp("What the theme is to be called, in the place of the files' name.", valueName: "name"))
  var name: String?

  @OptionGroup var installation: ThemeInstallation
  @OptionGroup var daemon: Daemon

  func validate() throws {
    guard !(files + [light, dark].compactMap(\.self)).isEmpty else {
      throw ValidationError("No file is named. For example: themectl theme import ayu-light.yaml ayu-dark.yaml")
    }
    guard let name, !Theme.isValidName(Text(name)) else { return }
    throw ValidationError("A theme's name has \(Theme.nameExpectation). For example: --name mint")
  }

  func run() throws {
    var isWhole = true
    func refuse(_ reason: String) {
      complain(reason)
      isWhole = false
    }
    var schemes: [ReadScheme] = []
    let named = [(light, ColorScheme.light), (dark, .dark)].compactMap { path, side in path.map { ($0, Optional(side)) }
    }
    for (path, side) in named + files.map({ ($0, nil) }) {
      do throws(SchemeFile.Problem) {
        let scheme = try Scheme(path: path)
        schemes.append(ReadScheme(path: path, scheme: scheme, side: side))
        for note in scheme.passedOver { complain("note: \(fileName(path)): \(note)") }
      } catch { refuse("\(fileName(path)): \(error)") }
    }
    // One theme of several files is not made of some of them.
    if name != nil || !named.isEmpty, !isWhole { throw ExitCode.failure }
    let (themes, faults, doubts) = pair(schemes, name: name.map { Text($0) })
    for fault in faults { refuse("\(fault)") }
    for doubt in doubts { complain("note: \(printable(doubt))") }
    let installed = themes.isEmpty ? [] : installation.ownThemes
    var written: [(place: ThemePlaces.Place, line: String)] = []
    for pair in themes {
      do throws(ThemeInstallation.Refusal) {
        written.append(try install(pair, beside: installed))
      } catch { refuse("\(pair.paths.map(fileName).joined(separator: ", ")): \(error)") }
    }
    // Whatever becomes of the words, the themes are there.
    for (_, line) in written { try say(line) }
    ThemeExamination.noteWarnings(of: written.map(\.place))
    if !written.isEmpty { ThemePlaces.known(to: daemon.socket).tellUnseen() }
    if !isWhole { throw ExitCode.failure }
  }

  /// Installs a theme, with the other side of one that is there already; returns what is said of it.
  private func install(
    _ pair: PairedTheme, beside installed: [ThemeInstallation.Own]
  ) throws(ThemeInstallation.Refusal) -> (place: ThemePlaces.Place, line: String) {
    // What --force replaces is made of these files alone.
    let installed = installed.filter { !installation.force || $0.theme.name != pair.theme.name }
    let completed = pair.completed(with: installed.map(\.theme), isNamed: name != nil)
    let whole = name == nil ? pair.whole(among: installed.map(\.theme)) : nil
    if let whole, !installation.force {
      throw ThemeInstallation.Refusal(
        description: "the theme '\(whole.name)' has this side already; --force replaces it there, "
          + "--name makes a theme of another name")
    }
    let theme = completed?.theme ?? whole.map(pair.replacing) ?? pair.theme
    let old = completed.flatMap { completed in installed.first { $0.theme == completed.other } }
    // What somebody wrote by hand is not lost: a file that says more than the theme is not written anew.
    let added = old.flatMap { $0.theme.name == theme.name ? $0 : nil }
    var bytes: [UInt8]?
    if let added { bytes = try added.adding(pair.theme) }
    let path = try installation.write(
      theme, bytes: bytes, isReplacing: added != nil, otherwise: "--name gives it another name")
    if let old, old.theme.name != theme.name {
      complain("note: its \(old.theme.schemes[0].rawValue) side is that of \(old.path), which is not needed any more")
    }
    let sides = theme.schemes.map(\.rawValue).joined(separator: ", ")
    let place = ThemePlaces.Place(name: theme.name, path: path)
    return (place, "\(printable(theme.name))\t\(sides)\t\(printable(path))")
  }
}

/// A file as messages name it.
private func fileName(_ path: String) -> String { SchemeFile.isStandardInput(path) ? "standard input" : path }

extension Scheme {
  /// Reads a file; throws why it is none, in one line.
  fileprivate init(path: String) throws(SchemeFile.Problem) {
    let bytes = try SchemeFile.bytes(ofFile: path)
    try self.init(bytes, as: SchemeNotation(of: bytes, path: Text(path)))
  }
}
