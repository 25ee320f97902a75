import ArgumentParser
import Glibc
import ThemeApps
import ThemeModel
import ThemedText
import ThemedUnix

struct AddApp: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Make an app file of a repository of base16 templates.",
    discussion: """
      Reads templates/config.yaml, as the builders of tinted-theming do, and copies the templates that are named; nothing \
      else of the repository is copied, and nothing of it is run. How the program is told of a change has to be \
      added to the app file, as themed.app(5) describes it.

      For example:
        themectl app add ~/src/base16-vim --file ~/.vim/colors/themed.vim
        themectl app add ~/src/tinted-terminal --name st \\
          --template st --file ~/.config/st/
      """)

  @Argument(
    help: ArgumentHelp("The repository: a directory with templates/config.yaml.", valueName: "path"),
    completion: .directory)
  var path: String

  @Option(help: ArgumentHelp("What the app is to be called; else it is called as the directory is.", valueName: "name"))
  var name: String?

  @Option(
    help: ArgumentHelp("A template of the repository; it is needed where that has several.", valueName: "name"))
  var template: [String] = []

  @Option(
    help: ArgumentHelp(
      "The file that is written, or with a slash at its end the directory that it is written in: for each template one.",
      valueName: "path"),
    completion: .file())
  var file: [String] = []

  @Flag(help: "Replace an app file of yours that is called so.")
  var force = false

  @OptionGroup var daemon: Daemon

  func run() throws {
    do throws(TemplateRepository.Refusal) {
      let repository = try TemplateRepository(at: path)
      for line in repository.passedOver { complain("note: \(line)") }
      try add(repository)
    } catch {
      complain("\(error)")
      throw ExitCode.failed
    }
  }

  private func add(_ repository: TemplateRepository) throws(TemplateRepository.Refusal) {
    let entries = try chosen(of: repository)
    let name = try appName()
    guard let configuration = BaseDirectory.configuration else {
      throw TemplateRepository.Refusal(description: "neither XDG_CONFIG_HOME nor HOME says where app files are kept")
    }
    let path = "\(configuration)/themed/apps/\(name)\(App.suffix)"
    guard force || FileIdentity(of: path) == nil else {
      throw TemplateRepository.Refusal(description: "there is \(path) already; --force replaces it, or give --name")
    }
    var app = App(name: name)
    var groups = [ThemeFile.Group("app", [ThemeFile.Entry("title", name)])]
    var copies: [(path: String, bytes: [UInt8])] = []
    for (entry, target) in zip(entries, file) {
      let copy: Text = "\(name)-\(entry.name).mustache"
      let write = try Self.write(entry, template: copy, target: target, isOnly: entries.count == 1)
      app.writes.append(write.write)
      groups.append(write.group)
      copies.append(("\(configuration)/themed/templates/\(copy)", entry.bytes))
    }
    for copy in copies where !force && FileIdentity(of: copy.path) != nil {
      guard (try? readFile(copy.path, maximum: Template.maximumSize)) != copy.bytes else { continue }
      throw TemplateRepository.Refusal(
        description: "there is \(copy.path) already; --force replaces it, or give --name")
    }
    // Whatever the repository calls things, the file says what is meant and nothing else.
    let text = Array(ThemeFile.text(of: groups).utf8)
    let read = AppFile(name: name, text)
    guard read.remarks.isEmpty, read.app == app else {
      throw TemplateRepository.Refusal(description: read.remarks.first?.text ?? "no app file can say what it asks for")
    }
    do throws(SystemError) {
      for copy in copies { try writeFile(copy.path, copy.bytes) }
      try writeFile(path, text)
    } catch { throw TemplateRepository.Refusal(description: "\(error)") }
    do { try say(path) } catch {}
    complain("note: say in it how the program is told of a change; then 'themectl app enable \(name.asWord)'")
  }

  /// The templates that are meant.
  private func chosen(of repository: TemplateRepository) throws(TemplateRepository.Refusal) -> [TemplateRepository
    .Entry]
  {
    let known = repository.entries
    guard !known.isEmpty else {
      throw TemplateRepository.Refusal(description: "no template of it can be rendered")
    }
    let names = known.map { printable($0.name) }.joined(separator: ", ")
    guard !template.isEmpty || known.count == 1 else {
      throw TemplateRepository.Refusal(description: "name one by --template; it has these: \(names)")
    }
    var chosen = template.isEmpty ? known : []
    for word in template {
      guard let entry = known.first(where: { $0.name == Text(word) }) else {
        throw TemplateRepository.Refusal(description: "it has no template '\(word)' that can be rendered, but \(names)")
      }
      chosen.append(entry)
    }
    guard file.count == chosen.count else {
      let example = chosen.map { "--file ~/.config/…/\(printable($0.fileName))" }.joined(separator: " ")
      throw TemplateRepository.Refusal(
        description: "say by --file which file is written, for each template one, such as \(example)")
    }
    return chosen
  }

  private func appName() throws(TemplateRepository.Refusal) -> Text {
    let name = name.map { Text($0) } ?? Text(path).split("/", omittingEmpty: true).last ?? ""
    guard App.isValidName(name) else {
      throw TemplateRepository.Refusal(
        description:
          "an app cannot be called '\(name)'; give a name by --name, with letters, digits, '.', '_', '+' and '-'")
    }
    return name
  }

  /// What writes one template: as it is meant, and as the app file says it.
  private static func write(
    _ entry: TemplateRepository.Entry, template: Text, target: String, isOnly: Bool
  ) throws(TemplateRepository.Refusal) -> (write: App.Write, group: ThemeFile.Group) {
    let word = Text(target)
    var path = word.hasSuffix("/") ? "\(word)\(entry.fileName)" : word
    // The shell has put the home directory in the place of '~', and files are shared between homes.
    if let home = BaseDirectory.home, let below = path.dropping(prefix: "\(home)/") { path = "~/\(below)" }
    guard let file = AppPath(path) else {
      throw TemplateRepository.Refusal(description: "--file should be an absolute path, and '\(target)' is none")
    }
    let comment = CommentStyle.guessed(from: entry.bytes)
    let name = isOnly ? "" : entry.name
    let write = App.Write(
      name: name, template: template, file: file, comment: comment?.comment, escape: .html, system: entry.system)
    let entries: [ThemeFile.Entry] = [
      .init("template", template), .init("file", path), .init("comment", comment?.word ?? "none"),
      .init("escape", "html"), .init("system", Text(entry.system.rawValue)),
    ]
    return (write, ThemeFile.Group(isOnly ? "write" : "write \(name)", entries))
  }
}
