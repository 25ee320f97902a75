import ArgumentParser
import Glibc
import ThemeApps
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
      agree, or if a setting of yours that it could not comment out still overrides the new colours. It is 2 if \
      something failed.

      For example:
        themectl app enable kitty
        themectl app enable kitty tmux nvim --yes
      """)

  @Argument(
    help: ArgumentHelp("The names of the apps: the names of their app files without '.app'.", valueName: "name"),
    completion: .custom { _, _, _ in AppPlaces.candidates })
  var names: [String]

  @Flag(name: .customLong("print"), help: "Only show what would be changed.")
  var isPrintedOnly = false

  @Flag(help: "Do not ask.")
  var yes = false

  @OptionGroup var daemon: Daemon

  func validate() throws {
    guard !(isPrintedOnly && yes) else {
      throw ValidationError(
        "--print changes nothing, so it cannot be used with --yes; try: themectl app enable kitty --yes")
    }
  }

  func run() throws {
    let enablings = try checked()
    let toDo = enablings.filter { !$0.isDone }
    for enabling in enablings where enabling.isDone { try say("\(printable(enabling.app.title)) is already enabled") }
    let startsService = !toDo.isEmpty && ApplyStatus() == nil && enablings.contains { $0.app.needsApplying }
    for line in toDo.flatMap(\.plan) { try say(printable(line)) }
    if startsService, UserManager.isThere { try say("themed-apply: starts now and with each session") }
    if isPrintedOnly || toDo.isEmpty { return }
    let words = names.map { Text($0).asWord }.joined(separator: " ")
    guard try yes || agrees(toTyping: "themectl app enable \(words) --yes") else { throw ExitCode.failure }
    var status = ExitCode.success
    for enabling in toDo {
      do {
        if try !enabling.perform(), status == .success { status = .failure }
      } catch let code as ExitCode { status = code }
    }
    guard startsService || toDo.contains(where: \.app.needsApplying) else { return try end(status) }
    if let problem = ApplyService.start(for: toDo.filter(\.app.needsApplying).map(\.app.name)) {
      complain(problem)
      // Without a user manager the session has to start themed-apply, and the note says so.
      if UserManager.isThere { status = .failed }
    }
    try end(status)
  }

  /// All apps to enable, each checked before anything is changed.
  private func checked() throws -> [AppEnabling] {
    var seen: Set<Text> = []
    var enablings: [AppEnabling] = []
    var problem: ExitCode?
    for name in names.map({ Text($0) }) where seen.insert(name).inserted {
      do { enablings.append(try AppEnabling(name)) } catch let code as ExitCode { problem = code }
    }
    if let problem {
      if names.count > 1 { complain("nothing was changed") }
      throw problem
    }
    return enablings
  }

  private func end(_ status: ExitCode) throws {
    if status != .success { throw status }
  }
}
