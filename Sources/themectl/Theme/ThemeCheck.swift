import ArgumentParser
import ThemeSetup
import ThemedSystem
import ThemedVarlink

struct CheckThemes: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Report mistakes in themes, line by line.",
    discussion: """
      Without an argument, the command checks every installed theme. The exit status is 1 if a theme has a mistake that \
      keeps themed from showing the theme.

      Warnings do not change the exit status. They are about:
        images that are missing or unreadable
        text that is hard to read on its background: a WCAG 2 contrast below 4.5
        slots base08 to base0F that are hard to read on base00
        colours of a terminal, except black and white, that are hard to read on the background
        an 'error' colour that looks like the 'text' or the 'success' colour
        an invisible selection
      There are no warnings about colours that themed derives.
      """)

  @Argument(
    help: ArgumentHelp("The themes: names, or the paths of their files.", valueName: "theme"),
    completion: .custom { words, _, _ in InstalledThemes.candidates(after: words) })
  var themes: [String] = []

  @OptionGroup var daemon: Daemon
  @OptionGroup var format: Format

  func run() throws {
    var isFaulty = false
    let known = InstalledThemes.known(to: daemon.socket)
    if known.hidesPaths, themes.isEmpty {
      complain(
        "note: themectl is connected to themed's read-only socket, which does not say where the themes are; checking "
          + "the themes that themectl itself finds")
    }
    for place in try places(known) {
      let examination = ThemeExamination(place)
      isFaulty = isFaulty || !examination.errors.isEmpty
      if format.json {
        try say(JSON.object(examination.object).text)
        continue
      }
      for remark in examination.remarks {
        try say(remark.shown(in: place.shown))
        if let line = examination.quotedLine(of: remark) { try say(line) }
      }
      if examination.remarks.isEmpty { try say("\(printable(place.shown)): good") }
    }
    if themes.isEmpty {
      known.warnOfMisnamedFiles()
      known.warnOfUnreadableDirectories()
    }
    if isFaulty { throw ExitCode.failure }
  }

  private func places(_ known: InstalledThemes) throws -> [InstalledThemes.Place] {
    guard !themes.isEmpty else { return known.all }
    return try themes.map { word in
      guard let place = known.place(meantBy: word) else { throw unknownTheme(Text(word), in: known) }
      return place
    }
  }
}

extension ThemeExamination {
  fileprivate var object: JSON.Object {
    ["name": .string(place.name), "path": .word(place.path), "remarks": .array(remarks.map { $0.json() })]
  }
}
