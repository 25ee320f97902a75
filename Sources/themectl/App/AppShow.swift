import ArgumentParser
import ThemeApps
import ThemedClientCore
import ThemedInterface
import ThemeSetup
import ThemedSystem
import ThemedVarlink

struct ShowApp: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show what an app file changes, what it needs, and how the last switch went.")

  @Argument(
    help: ArgumentHelp("The app: its name, or the path of its app file.", valueName: "name"),
    completion: .custom { _, _, _ in AppPlaces.candidates })
  var name: String

  @OptionGroup var daemon: Daemon
  @OptionGroup var format: Format

  func run() throws {
    let places = AppPlaces()
    guard let examination = places.examination(meantBy: name) else { throw unknownApp(Text(name), in: places) }
    for error in examination.errors { complain(error) }
    guard let app = examination.app else { throw ExitCode.failed }
    let appState = AppState(
      examination.name, examination, version: app.dependsOnVersion && app.isInstalled ? app.installedVersion : nil,
      isEnabled: EnabledList.names.contains(examination.name), ApplyStatus())
    if format.json { return try say(JSON.object(object(app, appState)).text) }
    for line in lines(app, appState) { try say(printable(line)) }
  }

  private func lines(_ app: App, _ appState: AppState) -> [String] {
    let now = wallClock()
    let isConnected = appState.way?.means == .plugin && isConnected(app.name)
    var lines = [
      "\(app.title) (\(app.name)): \(appState.words(isConnected: isConnected, now: now))",
      "file: \(appState.examination?.path ?? "")",
    ]
    if let note = app.note { lines.append("note: \(note)") }
    if let program = app.installedProgram { lines.append("program: \(program)") }
    if let version = appState.version { lines.append("version: \(version)") }
    lines += app.ways.map { "follows: \($0.means.words)\($0.versions.words)\($0.whatItNeeds)" }
    lines += app.writes.map { "writes: \($0.file.shown), from \($0.template)\($0.versions.words)" }
    lines += app.reloads.map { "then: \($0.action.words)\($0.versions.words)" }
    if let terminal = app.terminal {
      let processes = terminal.processes.joined(separator: ", ")
      lines.append("then: sends colours to the terminals of \(processes)\(terminal.versions.words)")
    }
    if let desktop = app.desktop {
      let names = desktop.names + (desktop.isFallback ? ["every desktop without an app file of its own"] : [])
      lines.append("desktop: \(names.map { $0.shown() }.joined(separator: ", "))")
      lines.append("settings: \(desktop.settings.map { $0.name.shown() }.joined(separator: ", "))")
    }
    if let undo = app.undo {
      lines.append("when disabled: \(App.Action.command(undo.words, timeout: undo.timeout).words)")
    }
    if let idle = appState.needs.idle { lines.append("not visible: \(idle)") }
    if let hidden = appState.needs.hidden { lines.append("not visible: \(hidden.words)") }
    lines += (appState.entry?.actions ?? []).map { "result: \($0)" }
    return lines
      + app.setupsForShell.map { setup in
        if let plugin = app.plugin(insteadOf: setup) {
          return "plugin: \(plugin.belowHome), without a line in your files"
        }
        let file = try? UserFile(setup, of: app.name)
        let state = file?.isSetUp == true ? "there" : "missing"
        return
          "needs: \(file?.shown ?? "its file"): \((file?.setup ?? setup).lines)\(setup.versions.words) (\(state))"
      }
  }

  private func isConnected(_ app: Text) -> Bool {
    do throws(CallError) {
      var theme = try ThemeConnection(socket: daemon.socket, timeout: .toRead)
      return try theme.call(.clients).contains { $0.app == app }
    } catch { return false }
  }

  private func object(_ app: App, _ appState: AppState) -> JSON.Object {
    var object = appState.object
    object["note"] = app.note.map { .string($0) }
    object["program"] = app.installedProgram.map(JSON.word)
    object["writes"] = .array(
      app.writes.map { write in
        let path = write.file.resolved(in: AppPlaces.directories)
        return .object(["template": .string(write.template), "file": path.map { .string($0) }])
      })
    if let desktop = app.desktop {
      object["desktops"] = .array((desktop.names + (desktop.isFallback ? ["*"] : [])).map { .string($0) })
      object["settings"] = .array(desktop.settings.map { .string($0.name) })
    }
    object["setups"] = .array(
      app.setupsForShell.map { setup in
        let file = try? UserFile(setup, of: app.name)
        return .object([
          "file": file?.path.map(JSON.word),
          "line": setup.template == nil ? .string(file?.setup.line ?? setup.line) : nil,
          "template": setup.template.map { .string($0) },
          "there": .bool(file?.isSetUp ?? false),
        ])
      })
    return object
  }
}

extension App.Action {
  fileprivate var words: String {
    switch self {
    case .signal(let signal): "sends SIG\(signal.rawValue)"
    case .command(let words, _): "runs \(words.map(\.asWord).joined(separator: " "))"
    case .call(let call): "calls \(call.interface).\(call.member) at \(call.destination)"
    case .touch(let path): "touches \(path.shown)"
    case .tmux(let path): "each tmux server reads \(path.shown)"
    case .ipc(let manager, .words(let words)): "sends '\(words)' to \(manager.rawValue)"
    case .ipc(let manager, .template(let name)): "sends the commands of \(name) to \(manager.rawValue)"
    }
  }
}
