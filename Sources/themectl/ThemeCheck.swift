import ArgumentParser
import ThemedText
import ThemeClientCore
import ThemedVarlink

struct CheckThemes: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Say what is wrong with themes, line by line.",
    discussion: """
      Warns too of images that are not there, of text that is hard to read (of a contrast ratio by WCAG 2 below 4.5 on \
      its background), of slots base08 to base0F that are so on base00, of an error that looks like text or like \
      success, and of a selection that cannot be seen. Without a word it looks at every theme that is installed. The \
      exit status is 1 where a theme cannot be shown as it is; warnings leave it at 0.
      """)

  @Argument(
    help: ArgumentHelp("The themes: names, or the paths of their files.", valueName: "theme"),
    completion: .custom { words, _, _ in ThemePlaces.candidates(after: words) })
  var themes: [String] = []

  @OptionGroup var daemon: Daemon
  @OptionGroup var format: Format

  func run() throws {
    var isFaulty = false
    let known = ThemePlaces.known(to: daemon.socket)
    if known.areUntold, themes.isEmpty {
      complain("note: where themed's own themes lie is not told here: these are the themes of this system")
    }
    for place in try places(known) {
      let examination = ThemeExamination(place)
      isFaulty = isFaulty || !examination.errors.isEmpty
      if format.json {
        try say(JSON.object(examination.object).text)
        continue
      }
      for remark in examination.remarks { try say(remark.line(for: place.shown)) }
      if examination.remarks.isEmpty { try say("\(printable(place.shown)): good") }
    }
    if themes.isEmpty {
      known.tellMisnamed()
      known.tellUnreadable()
    }
    if isFaulty { throw ExitCode.failure }
  }

  private func places(_ known: ThemePlaces) throws -> [ThemePlaces.Place] {
    guard !themes.isEmpty else { return known.all }
    return try themes.map { word in
      guard let place = known.place(meantBy: word) else { throw unknownTheme(Text(word), in: known) }
      return place
    }
  }
}

extension ThemeExamination {
  fileprivate var object: JSON.Object {
    let remarks = remarks.map { remark in
      JSON.object([
        "line": remark.line.map { .integer(Int64($0)) }, "severity": .word(remark.isError ? "error" : "warning"),
        "text": .word(remark.text),
      ])
    }
    return ["name": .string(place.name), "path": .word(place.path), "remarks": .array(remarks)]
  }
}
