import ArgumentParser
import ThemeApps
import ThemeSetup
import ThemedSystem

struct EnableApp: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "enable",
    abstract: "Enable apps, so that their programs switch between light and dark.",
    discussion: """
      Shows what it would change, asks, and changes it. It adds the line that the program's own file needs, between \
      two comments. It comments out your own lines that would override the new line. Then it starts themed-apply, which \
      writes the program's colours and notifies the program, now and at each change. 'themectl app disable' undoes all \
      of it.

      If it has no terminal to ask on, it changes nothing unless you give --yes. The exit status is 1 if you did not \
      agree. It is also 1 if a setting of your own still overrides the new colours, because the command cannot comment \
      that setting out. It is 2 if something failed.

      For example:
        themectl app enable kitty
        themectl app enable kitty tmux nvim --yes
      """)

  @Argument(
    help: ArgumentHelp("The names of the apps: the names of their app files without '.app'.", valueName: "name"),
    completion: .custom { _, _, _ in AppPlaces.candidates })
  var names: [String]

  @OptionGroup var consent: Consent

  @OptionGroup var daemon: Daemon
  @OptionGroup var format: Format

  func validate() throws { try consent.check(example: "themectl app enable kitty --yes") }

  func run() throws {
    let words = names.map { Text($0).asWord }.joined(separator: " ")
    try run(orSkipWith: "themectl app enable \(words) --yes")
  }

  /// Enables the apps; `command` does what the user wants without the question.
  func run(orSkipWith command: String) throws {
    let enablings = try checked()
    let toDo = enablings.filter { !$0.isDone }
    let desktops = enablings.map(\.app).filter { $0.desktop != nil }
    let desktop = desktops.isEmpty ? nil : try DesktopEnabling(socket: daemon.socket, adding: desktops)
    for enabling in enablings where enabling.isDone { try say("\(printable(enabling.app.title)) is already enabled") }
    let startsService = !toDo.isEmpty && ApplyStatus() == nil && enablings.contains { $0.app.needsApplying }
    for line in toDo.flatMap(\.plan) + (desktop?.plan ?? []) { try say(printable(line)) }
    if startsService, desktop?.isDone != false, UserManager.isRunning {
      try say("themed-apply: starts now and with each session")
    }
    if consent.isPrintedOnly || toDo.isEmpty && desktop?.isDone != false { return }
    guard try consent.yes || confirms(orSkipWith: command) else { throw ExitCode.failure }
    var status = ExitCode.success
    for enabling in toDo {
      do {
        if try !enabling.carryOut(), status == .success { status = .failure }
      } catch { status = ended(by: error) }
    }
    // Without a user manager the session has to start themed-apply, and the note says so.
    do {
      if let code = try desktop?.show(), code.rawValue > status.rawValue,
        UserManager.isRunning || ApplyStatus() != nil
      {
        status = code
      }
    } catch { status = ended(by: error) }
    if startsService || toDo.contains(where: \.app.needsApplying),
      let problem = ApplyService.start(for: toDo.filter(\.app.needsApplying).map(\.app.name))
    {
      complain(problem)
      // Without a user manager the session has to start themed-apply, and the note says so.
      if UserManager.isRunning { status = .failed }
    }
    if status != .success { throw status }
  }

  private func checked() throws -> [AppEnabling] {
    var seen: Set<Text> = []
    var enablings: [AppEnabling] = []
    var problem: ExitCode?
    for name in names.map({ Text($0) }) where seen.insert(name).inserted {
      do { enablings.append(try AppEnabling(named: name)) } catch { problem = ended(by: error) }
    }
    if let problem {
      if names.count > 1 { complain("nothing was changed") }
      throw problem
    }
    return enablings
  }
}

extension AppEnabling {
  /// Looks at the app of this name, and tells the user what to know before.
  init(named name: Text) throws {
    let places = AppPlaces()
    guard let examination = places.examination(of: name) else { throw unknownApp(name, in: places) }
    try self.init(examination)
    for note in notes { complain(note) }
  }

  /// Enables the app, and tells the user; false if a setting of the user's own hides the theme.
  func carryOut() throws -> Bool {
    let outcome = try perform()
    for note in outcome.notes { complain(note) }
    if outcome.isVisible { try say(outcome.words) } else { complain(outcome.words) }
    return outcome.isVisible
  }
}
