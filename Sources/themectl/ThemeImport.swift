import ArgumentParser
import ForeignText
import ThemeClient

struct ImportSchemes: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Make themes of base16 and base24 schemes.",
    discussion: """
      A scheme is a file of YAML, as the tinted-theming project specifies it. Two schemes whose files' names differ \
      only in 'light' and 'dark' become one theme. A file that is wrong gets a line that says why; the others are \
      imported. Where colours look doubtful, a note says how many warnings 'theme check' has of them.

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
    for path in files {
      do throws(YAMLFile.Problem) {
        let scheme = try Scheme(path: path)
        schemes.append(ReadScheme(path: path, scheme: scheme))
        for note in scheme.passedOver { complain("note: \(path): \(note)") }
      } catch { refuse("\(path): \(error)") }
    }
    // One theme of all the files is not made of some of them.
    if name != nil, !isWhole { throw ExitCode.failure }
    let (themes, faults) = pair(schemes, name: name.map { Text($0) })
    for fault in faults { refuse("\(fault)") }
    var written: [ThemePlaces.Place] = []
    for pair in themes {
      let path: String
      do throws(ThemeInstallation.Refusal) {
        path = try installation.write(pair.theme)
      } catch {
        refuse("\(pair.paths.joined(separator: ", ")): \(error)")
        continue
      }
      let sides = pair.theme.schemes.map(\.rawValue).joined(separator: ", ")
      written.append(ThemePlaces.Place(name: pair.theme.name, path: path))
      try say("\(printable(pair.theme.name))\t\(sides)\t\(printable(path))")
    }
    ThemeExamination.noteWarnings(of: written)
    if !isWhole { throw ExitCode.failure }
  }
}

extension Scheme {
  /// Reads a file; throws why it is none, in one line.
  fileprivate init(path: String) throws(YAMLFile.Problem) {
    let file = try YAMLFile(path: path)
    do throws(Faults) { try self.init(file) } catch { throw YAMLFile.Problem(text: error.description) }
  }
}
