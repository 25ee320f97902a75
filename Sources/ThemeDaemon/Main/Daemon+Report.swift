internal import ThemeInterface
internal import ThemeModel
internal import ThemedDBus
internal import ThemedSystem
internal import ThemedVarlink

// The reports about the daemon: in the log, to the service manager, and for GetDiagnostics.

extension Daemon {
  /// Logs a change, and records it for the diagnostics.
  func report(_ change: Change) {
    let program = change.caller.flatMap { $0.program ?? server.connection($0.connection)?.program }
    let cause = change.cause.string + (program?.string ?? "")
    let states = [(nil, change.common)] + change.apps.sorted { $0.key < $1.key }.map { (Optional($0.key), $0.value) }
    for case (let app, let state?) in states {
      let prefix = app.map { "\($0.shown()): " } ?? ""
      log.change(
        "\(prefix)\(state.resolution.summary(now: WallClock.now, zone: schedule.zone)) (\(cause))",
        state.journalFields(app: app, cause: cause))
      let shown = state.resolution
      changes.append(
        .init(
          time: WallClock.now, app: app, scheme: shown.scheme, desktop: shown.desktop, cause: cause,
          theme: shown.theme?.name))
    }
    changes.removeFirst(max(0, changes.count - Limits.changes))
    tellStatus()
  }

  /// Sends the service manager what is shown and what is wrong.
  func tellStatus() {
    guard manager.isThere else { return }
    let problem =
      configuration.problem ?? upstream?.problem ?? schedule.problem ?? themes.trouble
      ?? socketWatches.lazy.compactMap(\.problem).first
    let shown = engine.core.state(for: nil).resolution.summary(now: WallClock.now, zone: schedule.zone)
    manager.status(shown + (problem.map { "; \($0)" } ?? ""))
  }

  /// The reply to GetDiagnostics.
  var diagnostics: Diagnostics {
    Diagnostics(
      version: themedVersion, features: ThemeInterface.features,
      bus: upstream == nil ? desktop.busState : Diagnostics.Bus(state: "unused"), session: desktop.sessionState,
      portal: desktop.portalState, configuration: .init(path: configuration.path, problem: configuration.problem),
      state: .init(path: kept.path, problem: kept.problem), changes: changes, themes: themes.diagnostics,
      socket: .init(path: sockets.listeners[0].path, problem: socketWatches.first?.problem),
      readOnlySocket: readOnlySocket, upstream: upstream?.diagnostics)
  }

  private var readOnlySocket: Diagnostics.ReadOnlySocket? {
    guard var file = sockets.readOnly else { return nil }
    file.problem = file.problem ?? socketWatches.dropFirst().first?.problem
    return Diagnostics.ReadOnlySocket(file, connections: Int64(server.readers))
  }

  /// The reply to GetConfiguration.
  var configurationParameters: JSON.Object {
    var settings = configuration.configuration.settings
    let unknown = configuration.configuration.unknown.prefix(Limits.themeWarnings)
    if settings.isEmpty, let read = try? Configuration(parsing: [], origin: "") { settings = read.settings }
    if let upstream {
      settings.append(
        .init(name: ThemeConfiguration.Setting.upstream, value: upstream.diagnostics.source, origin: "command line"))
    }
    return [
      "path": configuration.path.map(JSON.word), "problem": configuration.problem.map(JSON.word),
      "settings": .array(settings.map { .object($0.parameters) }),
      "unknown": unknown.isEmpty ? nil : .array(unknown.map(JSON.string)),
    ]
  }
}
