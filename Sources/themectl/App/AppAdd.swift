import ArgumentParser
import ThemeApps
import ThemedModel
import ThemeSetup
import ThemedSystem

struct AddApp: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Make an app file from a repository of base16 templates.",
    discussion: """
      Reads templates/config.yaml, as the template builders of tinted-theming do, and copies the templates that you name. It \
      copies nothing else and runs nothing from the repository. Afterwards, edit the new app file: it has to say how \
      the program is notified of a change (see themed.app(5)).

      For example:
        themectl app add ~/src/base16-vim --file ~/.vim/colors/themed.vim
        themectl app add ~/src/tinted-terminal --name st \\
          --template st --file ~/.config/st/
      """)

  @Argument(
    help: ArgumentHelp("The repository, a directory with templates/config.yaml.", valueName: "path"),
    completion: .directory)
  var path: String

  @Option(help: ArgumentHelp("The app's name; by default the name of the directory.", valueName: "name"))
  var name: String?

  @Option(
    help: ArgumentHelp("A template of the repository; required if the repository has several.", valueName: "name"))
  var template: [String] = []

  @Option(
    help: ArgumentHelp(
      "The file for the program's colours. If the path ends in a slash, it is a directory to write into. Give --file once for each "
        + "template.",
      valueName: "path"),
    completion: .file())
  var file: [String] = []

  @Flag(help: "Replace your existing app file of the same name.")
  var force = false

  @OptionGroup var daemon: Daemon
  @OptionGroup var format: Format

  func run() throws {
    let repository = try TemplateRepository(at: path)
    for line in repository.ignored { complain("note: \(line)") }
    try add(repository)
  }

  private func add(_ repository: TemplateRepository) throws(Refusal) {
    let entries = try chosen(of: repository)
    let name = try appName()
    guard let configuration = BaseDirectory.configuration else {
      throw Refusal("cannot find your app files: neither XDG_CONFIG_HOME nor HOME is set")
    }
    let path = "\(configuration)/themed/apps/\(name)\(App.suffix)"
    guard force || FileIdentity(of: path) == nil else {
      throw Refusal("\(path) already exists; replace it with --force, or choose another name with --name")
    }
    let shadowed = AppPlaces().examination(of: name).flatMap { Text($0.path) == Text(path) ? nil : $0.path }
    if let shadowed, !force, EnabledList.names.contains(name) {
      throw Refusal(
        "'\(name)' is enabled with \(Text(shadowed).belowHome), instead of which your app file would be used; choose "
          + "another name with --name, or run 'themectl app disable \(name.asWord)' first")
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
      throw Refusal("\(copy.path) already exists; replace it with --force, or choose another name with --name")
    }
    // The names come from the repository, so the file is read back and has to say exactly what is meant.
    let text = Array(ThemeFile.text(of: groups).utf8)
    let read = AppFile(name: name, text)
    guard read.remarks.isEmpty, read.app == app else {
      throw Refusal(read.remarks.first?.text ?? "no app file can express this template's settings")
    }
    do throws(SystemError) {
      for copy in copies { try writeFile(copy.path, copy.bytes) }
      try writeFile(path, text)
    } catch { throw Refusal("\(error)") }
    do { try say(path) } catch {}
    if let shadowed { complain("note: your app file '\(name)' is now used instead of \(shadowed)") }
    complain("note: add to it how the program learns of a change, then run 'themectl app enable \(name.asWord)'")
  }

  private func chosen(of repository: TemplateRepository) throws(Refusal) -> [TemplateRepository
    .Entry]
  {
    let known = repository.entries
    guard !known.isEmpty else { throw Refusal("\(path) has no template that can be rendered") }
    let names = known.map { printable($0.name) }.joined(separator: ", ")
    guard !template.isEmpty || known.count == 1 else {
      throw Refusal("\(path) has several templates; choose a template with --template: \(names)")
    }
    var chosen = template.isEmpty ? known : []
    for word in template {
      guard let entry = known.first(where: { $0.name == Text(word) }) else {
        throw Refusal("\(path) has no template '\(word)' that can be rendered; choose one of: \(names)")
      }
      chosen.append(entry)
    }
    guard file.count == chosen.count else {
      let example = chosen.map { "--file ~/.config/…/\(printable($0.fileName))" }.joined(separator: " ")
      throw Refusal("give --file once for each template, such as \(example)")
    }
    return chosen
  }

  private func appName() throws(Refusal) -> Text {
    let name = name.map { Text($0) } ?? Text(path).split("/", omittingEmpty: true).last ?? ""
    guard App.isValidName(name) else {
      throw Refusal("invalid app name '\(name)'; use --name to give a name of letters, digits, '.', '_', '+' or '-'")
    }
    return name
  }

  /// The group `[write]` of one template, as a value and as the text of the app file.
  private static func write(
    _ entry: TemplateRepository.Entry, template: Text, target: String, isOnly: Bool
  ) throws(Refusal) -> (write: App.Write, group: ThemeFile.Group) {
    let word = Text(target)
    var path = word.hasSuffix("/") ? "\(word)\(entry.fileName)" : word
    // The shell has expanded '~'; the app file gets '~' back, so that it works in other home directories, too.
    if let home = BaseDirectory.home, let below = path.dropping(prefix: "\(home)/") { path = "~/\(below)" }
    guard let file = AppPath(path) else { throw Refusal("invalid path '\(target)' for --file; give an absolute path") }
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
