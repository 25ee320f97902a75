import ArgumentParser
import ThemeClient

struct ImportSchemes: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Make themes of base16 and base24 schemes.",
    discussion: """
      A scheme is a file of YAML, as the tinted-theming project specifies it. Two schemes whose files' names differ \
      only in 'light' and 'dark' become one theme. A file that is wrong gets a line that says why; the others are \
      imported.

      For example:
        themectl theme import ayu-light.yaml ayu-dark.yaml           the theme 'ayu', with both sides
        themectl theme import --name cat latte.yaml mocha.yaml       one theme of files with other names
      """)

  @Argument(help: ArgumentHelp("The files.", valueName: "file"), completion: .file(extensions: ["yaml", "yml"]))
  var files: [String]

  @Option(help: ArgumentHelp("What the theme is to be called, in the place of the files' name.", valueName: "name"))
  var name: String?

  @OptionGroup var installation: ThemeInstallation

  func validate() throws {
    guard let name, !Theme.isValidName(name) else { return }
    throw ValidationError("A theme's name has \(Theme.nameExpectation). For example: --name mint")
  }

  func run() throws {
    var isWhole = true
    func refuse(_ reason: String) {
      complain(printable(reason))
      isWhole = false
    }
    var schemes: [ReadScheme] = []
    for (path, answer) in zip(files, try readYAML(files)) {
      switch answer.flatMap({ file in Result { () throws(Scheme.Faults) in try Scheme(file) }.mapError(\.asProblem) }) {
      case .success(let scheme):
        schemes.append(ReadScheme(path: path, scheme: scheme))
        for note in scheme.passedOver { complain("note: \(printable(path)): \(note)") }
      case .failure(let problem): refuse("\(path): \(problem)")
      }
    }
    // One theme of all the files is not made of some of them.
    if name != nil, !isWhole { throw ExitCode.failure }
    let (themes, faults) = pair(schemes, name: name)
    for fault in faults { refuse("\(fault)") }
    for pair in themes {
      let path: String
      do throws(ThemeInstallation.Refusal) {
        path = try installation.write(pair.theme)
      } catch {
        refuse("\(pair.paths.joined(separator: ", ")): \(error)")
        continue
      }
      let sides = pair.theme.schemes.map(\.rawValue).joined(separator: ", ")
      try say("\(pair.theme.name)\t\(sides)\t\(printable(path))")
    }
    if !isWhole { throw ExitCode.failure }
  }
}

extension Scheme.Faults {
  fileprivate var asProblem: YAMLFile.Problem { YAMLFile.Problem(text: description) }
}
