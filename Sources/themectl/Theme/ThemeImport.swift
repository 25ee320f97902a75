import ArgumentParser
import ThemedModel
import ThemeSetup
import ThemedSystem

struct ImportSchemes: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Make themes from the colour schemes of other programs.",
    discussion: """
      The command recognises these formats by the content of a file:
        \(SchemeFormat.all.map(\.title).joined(separator: ", "))

      The file '-' is standard input. If you name a directory, the command imports every colour scheme in it, also from \
      the directories in it, and skips other files.

      A light and a dark scheme become one theme if their file names differ only in 'light' and 'dark', even if you \
      imported one of them earlier. They also become one theme if their files give the same family \
      name, or if their titles differ only in the last word. If three or more schemes match in this \
      way, each becomes a theme of its own. If several files have one name, such as kitty.conf, the titles in the files \
      name the themes, or else the directories.

      If a file has a mistake, the command names the file, imports the others, and exits with 1. If 'theme check' has \
      warnings about the new themes, a note gives their number.

      For example:
        themectl theme import ayu-light.yaml ayu-dark.yaml
            makes the theme 'ayu', with both sides
        themectl theme import --light latte.yaml --dark mocha.yaml
            makes one theme from these two files
        themectl theme import --name cat latte.yaml mocha.yaml
            makes the same theme, called 'cat'
        themectl theme import --name cat mocha.yaml
            adds the side that the theme 'cat' lacks
        themectl theme import ~/iTerm2-Color-Schemes/ghostty
            makes a theme from every file in the directory
        curl -s https://example.org/latte.yaml | themectl theme import --name latte -
      """)

  private static let schemes = CompletionKind.file()

  @Argument(
    help: ArgumentHelp("The files of the schemes, or directories with such files.", valueName: "file"),
    completion: schemes)
  var files: [String] = []

  @Option(
    help: ArgumentHelp("The file for the light side, even if the file says that it is dark.", valueName: "file"),
    completion: schemes)
  var light: String?

  @Option(help: ArgumentHelp("The file for the dark side of the same theme.", valueName: "file"), completion: schemes)
  var dark: String?

  @Option(help: ArgumentHelp("The theme's name; by default it is made from the file names.", valueName: "name"))
  var name: String?

  @OptionGroup var installation: ThemeInstallation
  @OptionGroup var daemon: Daemon
  @OptionGroup var format: Format

  func validate() throws {
    guard !(files + [light, dark].compactMap(\.self)).isEmpty else {
      throw ValidationError("missing file; try: themectl theme import ayu-light.yaml ayu-dark.yaml")
    }
    guard let name else { return }
    guard !Text(name).hasSuffix(ThemeFile.suffix) else {
      throw ValidationError("a theme's name is its file's name without '\(ThemeFile.suffix)'; try: --name mint")
    }
    guard !Theme.isValidName(Text(name)) else { return }
    throw ValidationError("invalid theme name '\(name)': it must consist of \(Theme.nameExpectation); try: --name mint")
  }

  func run() throws {
    var isWhole = true
    func refuse(_ reason: String, quoting lines: [String] = []) {
      complain(reason, quoting: lines)
      isWhole = false
    }
    var schemes: [ReadScheme] = []
    var (others, unreadable) = (0, [Text]())
    let named = [(light, ColorScheme.light), (dark, .dark)].compactMap { path, side in path.map { ($0, Optional(side)) }
    }
    for (word, side) in named + files.map({ ($0, nil) }) {
      let isTree = isDirectory(word)
      for path in isTree ? SchemeFile.paths(inDirectory: word) : [word] {
        var bytes: [UInt8] = []
        do throws(SchemeFile.Problem) {
          bytes = try SchemeFile.bytes(ofFile: path)
          let read = try Scheme.all(in: bytes)
          guard side == nil || read.count == 1 else {
            throw SchemeFile.Problem(text: "the file has \(read.count) schemes, but --light and --dark take one")
          }
          for scheme in read {
            schemes.append(ReadScheme(path: path, scheme: scheme, side: side))
            // In a collection, nobody can act on the details.
            for note in isTree ? [] : scheme.ignored { complain("note: \(fileName(path)): \(note)") }
          }
        } catch {
          if isTree, error.kind != .mistake {
            if error.kind == .unreadable { unreadable.append(Text(path)) } else { others += 1 }
            continue
          }
          for mistake in error.parts.isEmpty ? [error] : error.parts {
            let line = quotedLine(mistake.line, of: bytes)
            refuse("\(fileName(path)): \(mistake)", quoting: line.map { [$0] } ?? [])
          }
        }
      }
    }
    if others > 0 {
      complain("note: skipped \(others == 1 ? "1 file" : "\(others) files") without colours in a known format")
    }
    if !unreadable.isEmpty {
      complain("note: skipped \(unreadable.few), which cannot be read; import one alone to see why")
    }
    if schemes.isEmpty, isWhole { refuse("nothing was imported, because no file has colours in a known format") }
    // One theme of several files is not made from some of them.
    if name != nil || !named.isEmpty, !isWhole { throw ExitCode.failure }
    let (themes, faults, doubts) = pair(schemes, name: name.map { Text($0) })
    for fault in faults { refuse("\(fault)") }
    for doubt in doubts { complain("note: \(printable(doubt))") }
    let installed = themes.isEmpty ? [] : OwnTheme.all
    var written: [(place: InstalledThemes.Place, line: String)] = []
    for pair in themes {
      do throws(Refusal) {
        written.append(try install(pair, beside: installed))
      } catch { refuse("cannot import \(pair.paths.map(fileName).joined(separator: ", ")): \(error)") }
    }
    // The themes are written, even if printing fails.
    for (_, line) in written { try say(line) }
    if let note = ThemeExamination.noteAboutWarnings(of: written.map(\.place)) { complain(note) }
    if !written.isEmpty { InstalledThemes.known(to: daemon.socket).warnOfUnsearchedDirectories() }
    if !isWhole { throw ExitCode.failure }
  }

  /// Installs a theme, together with the other side of an installed one; returns the line to print.
  private func install(
    _ pair: PairedTheme, beside installed: [OwnTheme]
  ) throws(Refusal) -> (place: InstalledThemes.Place, line: String) {
    // --force replaces a theme by these files alone.
    let installed = installed.filter { !installation.force || $0.theme.name != pair.theme.name }
    let completed = pair.completed(with: installed.map(\.theme), isNamed: name != nil)
    let whole = name == nil ? pair.whole(among: installed.map(\.theme)) : nil
    if let whole, !installation.force {
      throw Refusal(
        "the theme '\(whole.name)' already has this side; use --force to replace it, "
          + "or --name to make a theme with another name")
    }
    let theme = completed?.theme ?? whole.map(pair.replacing) ?? pair.theme
    let old = completed.flatMap { completed in installed.first { $0.theme == completed.other } }
    // A file with comments or other text of the user's is extended, not rewritten.
    let added = old.flatMap { $0.theme.name == theme.name ? $0 : nil }
    var bytes: [UInt8]?
    if let added { bytes = try added.adding(pair.theme) }
    let path = try installation.write(
      theme, bytes: bytes, isReplacing: added != nil, otherwise: "--name to give the new theme another name")
    if let old, old.theme.name != theme.name {
      complain("note: its \(old.theme.schemes[0].rawValue) side comes from \(old.path), which you can remove")
    }
    let sides = theme.schemes.map(\.rawValue).joined(separator: ", ")
    let place = InstalledThemes.Place(name: theme.name, path: path)
    return (place, "\(printable(theme.name))\t\(sides)\t\(printable(path))")
  }
}

private func fileName(_ path: String) -> String { SchemeFile.isStandardInput(path) ? "standard input" : path }
