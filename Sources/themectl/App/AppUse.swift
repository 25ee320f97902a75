import ArgumentParser
import Glibc
import ThemeApps
import ThemedModel
import ThemeSetup
import ThemedSystem

struct UseApp: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "use",
    abstract: "Show your own two files or themes in a program, instead of the colours of the theme.",
    discussion: """
      Give two files in the program's own format: themed-apply then copies the file for the side that is shown to the \
      place of the file that it would write, and copies it again when you change it. For a few programs, such as Helix, \
      you can also give the names of two of the program's own themes; a path then needs a slash, as in ./night.toml.

      Enables the app if it is not enabled, as 'themectl app enable' does, with the same exit status. 'themectl app \
      disable' undoes this, too.

      For example:
        themectl app use kitty --light ~/.config/kitty/day.conf --dark ~/.config/kitty/night.conf
        themectl app use helix --light catppuccin_latte --dark catppuccin_mocha
        themectl app use kitty --reset
      """)

  @Argument(
    help: ArgumentHelp("The app: the name of its app file without '.app'.", valueName: "name"),
    completion: .custom { _, _, _ in AppPlaces.candidates })
  var name: String

  @Option(help: "The file or theme for light.", completion: .file())
  var light: String?

  @Option(help: "The file or theme for dark.", completion: .file())
  var dark: String?

  @Flag(help: "Show the colours of the theme again.")
  var reset = false

  @OptionGroup var consent: Consent

  @OptionGroup var daemon: Daemon
  @OptionGroup var format: Format

  func validate() throws {
    try consent.check(example: "themectl app use kitty --light day.conf --dark night.conf --yes")
    guard reset ? light == nil && dark == nil : light != nil && dark != nil else {
      throw ValidationError(
        "give both --light and --dark, or --reset; try: themectl app use kitty --light ./day.conf --dark ./night.conf")
    }
  }

  func run() throws {
    let places = AppPlaces()
    let text = Text(name)
    guard let light, let dark else {
      let change = try OwnLook.choosing(nil, for: text)
      guard change.isNeeded else {
        guard places.examination(of: text) != nil else { throw unknownApp(text, in: places) }
        return try say("'\(text)' shows the colours of the theme already")
      }
      if consent.isPrintedOnly { return try say("'\(text)' would show the colours of the theme") }
      try EnvironmentComparison.requireSameFiles()
      try change.perform()
      return try say("'\(text)' shows the colours of the theme")
    }
    guard let examination = places.examination(of: text) else { throw unknownApp(text, in: places) }
    for error in examination.errors { complain(error) }
    guard let app = examination.app, examination.errors.isEmpty else { throw ExitCode.failed }
    let kinds = LookKinds(app, in: places, at: examination.path)
    let words = try [light, dark].map { try kinds.word($0) }
    guard let look = OwnLook(light: words[0], dark: words[1]) else {
      throw failed("give two files or two names of themes, and not one of each")
    }
    try EnvironmentComparison.requireSameFiles(for: [app])
    // A file that cannot be changed is found before the app is enabled.
    let change = try OwnLook.choosing(look, for: text)
    if consent.isPrintedOnly { try say("\(printable(app.title)): shows \(look.words)") }
    var status = ExitCode.success
    let wasEnabled = EnabledList.names.contains(text)
    if !wasEnabled {
      let flags = consent.isPrintedOnly ? ["--print"] : consent.yes ? ["--yes"] : []
      let command =
        "themectl app use \(text.asWord) --light \(Text(light).asWord) --dark \(Text(dark).asWord) --yes"
      do { try EnableApp.parse([name] + flags).run(orSkipWith: command) } catch {
        let code = ended(by: error)
        // A setting of the user's may hide the files, which are then right all the same.
        guard EnabledList.names.contains(text) else { throw code }
        status = code
      }
    }
    if consent.isPrintedOnly { return }
    try change.perform()
    if look.isFiles, let versions = app.terminal?.versions, versions.isAll || versions.contains(app.installedVersion) {
      complain("note: open windows of \(app.title) get their own colours back; new windows read your files")
    }
    let isApplied = ApplyStatus() != nil || !wasEnabled && UserManager.isRunning
    try say("\(printable(app.title)) shows \(look.words)\(isApplied ? "" : " as soon as themed-apply runs")")
    if !isApplied, wasEnabled { complain("note: themed-apply is not running: \(ApplyService.advice)") }
    if status != .success { throw status }
  }
}

/// Which looks of the user's own an app can show.
private struct LookKinds {
  private let app: App
  private let takesFiles, takesNames: Bool

  init(_ app: App, in places: AppPlaces, at path: String) {
    let version = app.dependsOnVersion ? app.installedVersion : nil
    self.app = app
    takesFiles = app.mainTemplate(for: version) != nil
    takesNames = app.templates.contains { name in
      guard let path = places.path(ofTemplate: name, for: path),
        let bytes = try? readFile(path, maximum: Template.maximumSize), let template = try? Template(parsing: bytes)
      else { return false }
      return template.mentions.contains { $0.name == "value" }
    }
  }

  /// The path or the name for `themed.conf`; if the app cannot show it, the command says why not and fails.
  func word(_ typed: String) throws -> Text {
    let text = Text(typed)
    if !text.contains("/"), takesNames {
      guard text.isPlainName else { throw failed("'\(text.shown())' is not a name of a theme") }
      return text
    }
    guard takesFiles else {
      if takesNames { throw failed("\(app.title) takes names of its themes, and no files") }
      let isPlugin = app.ways.contains { $0.means == .plugin }
      throw failed(
        "\(app.title) cannot show your own files, since "
          + (isPlugin
            ? "its plugin switches it: choose two colour schemes there, see themed-programs(7)"
            : "themed-apply writes no file that is plainly the main one"))
    }
    let path = absolutePath(typed)
    guard FileIdentity(of: path) != nil else {
      throw failed(
        text.contains("/")
          ? "\(text.shown()) does not exist"
          : "\(app.title) takes files, and no names of themes: give a path, such as ./\(text.shown())")
    }
    guard isRegularFile(path) == true else { throw failed("\(text.shown()) is not a regular file") }
    do throws(SystemError) { _ = try readFile(path, maximum: Template.maximumSize) } catch {
      guard error.code == EFBIG else { throw failed("\(error)") }
      throw failed("\(text.shown()) is longer than \(Template.maximumSize >> 10) KiB")
    }
    // themed-apply would copy the file onto itself, again and again.
    guard !app.targetPaths.contains(where: { FileIdentity(of: $0.string) == FileIdentity(of: path) }) else {
      throw failed("\(text.shown()) is the file that themed-apply writes for \(app.title): give a copy of it instead")
    }
    return Text(path).belowHome
  }
}
