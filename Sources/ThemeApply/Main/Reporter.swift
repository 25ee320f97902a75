internal import ThemeApps
internal import ThemedClientCore
internal import ThemedModel
internal import ThemedSystem
internal import ThemedVarlink

/// Reports the state of everything: in `status.json` and `hooks.done`, to the service manager, and in the log.
final class Reporter {
  private let log: Log
  private let notice: NotificationSender?
  private let status: KeptFile
  private let finishedHooks: KeptFile
  /// The same for the next session.
  private let hooksForNextSession: KeptFile
  /// The warnings about files that have been logged.
  private var warnings: Set<Text> = []

  init(_ places: Places, _ log: Log) throws(SystemError) {
    self.log = log
    notice = places["NOTIFY_SOCKET"].flatMap { SocketAddress(notifySocket: $0) }.map { NotificationSender(to: $0) }
    let directory = places.directories.runtime.map { "\($0)/themed-apply" }
    status = try KeptFile(directory.map { "\($0)/status.json" })
    finishedHooks = try KeptFile(directory.map { "\($0)/hooks.done" })
    hooksForNextSession = try KeptFile(places.directories.state.map(FinishedHooks.path))
  }

  /// Readable when one of its files is written.
  var descriptors: [CInt] { [status, finishedHooks, hooksForNextSession].map(\.descriptor) }

  /// The hooks that had finished when an earlier process was killed.
  func hooksFinishedBefore() -> [Text: UInt64] {
    FinishedHooks.reading(finishedHooks.content(atMost: FinishedHooks.maximumSize))
  }

  /// Takes the results of writing its files.
  func finish() {
    status.finish()
    finishedHooks.finish()
    hooksForNextSession.finish()
  }

  /// Writes the status of all lanes.
  func tell(_ core: Apply) {
    status.write(core.status.bytes + [0x0A])
    let finished = FinishedHooks.bytes(core.finishedHooks)
    finishedHooks.write(finished)
    // What earlier sessions have finished is known once the files have been read; at the end, all is forgotten.
    if core.setup != nil, !core.isEnding { hooksForNextSession.write(finished) }
    let failed = core.lanes.filter { $0.value.outcome?.problem != nil }.keys.sorted().map(\.words)
    let words =
      failed.isEmpty ? "apps and hooks: \(core.lanes.count)" : "failed: \(failed.joined(separator: ", "))"
    tell("STATUS=" + Text(words).shown(atMost: 400))
  }

  /// Notifies the service manager; if its queue is full, the notification is dropped.
  private func tell(_ assignments: String) { try? notice?.send(assignments) }

  /// Logs warnings and problems of the files.
  func tell(_ reading: SetupReader.Reading, _ core: Apply, before: Setup?) {
    for warning in reading.warnings where !warnings.contains(Text(warning)) { log.warning(warning) }
    warnings = Set(reading.warnings.map { Text($0) })
    if let problem = reading.setup.unknown, before?.unknown != problem {
      log.warning("\(problem.text); \(problem.advice)")
    }
    for app in reading.setup.unusable where before?.unusable.contains(app) != true {
      log.warning("\(app.name.shown()): \(core.words(app)); \(app.problem.advice)")
    }
    // It is ready once it knows what to do, even if that is nothing.
    if before == nil { tell("READY=1") }
  }

  /// Logs the outcome of a run; a repeated problem is logged for debugging only.
  func tell(_ lane: LaneName, _ outcome: Outcome, wasTold: Bool) {
    for action in outcome.actions where action.state == .left || action.state == .skipped {
      log.debug("\(lane.words): \(action.name.shown()): \(action.detail)")
    }
    guard let problem = outcome.problem else { return log.debug("\(lane.words): done") }
    let text = "\(lane.words): \(problem.text); \(problem.advice)"
    log.logger.log(wasTold ? .debug : .warning, text, lane.fields)
  }

  /// Removes the status, since the program exits.
  func end() {
    tell("STOPPING=1")
    status.remove()
    finishedHooks.remove()
    hooksForNextSession.close()
    log.info("stopping")
    log.finish()
  }
}

extension Apply {
  /// The content of `status.json`: which lanes are up to date, and their problems.
  var status: JSON {
    // An app is told as long as anything of it is looked after: its terminals may have to get their colours back still.
    let names = Set(lanes.keys.filter { $0.kind == .app || $0.kind == .terminal }.map(\.name)).sorted()
    let hooks = lanes.filter { $0.key.kind == .hook }.sorted { $0.key < $1.key }
    let unusable = (setup?.unusable ?? []).map { app in
      JSON.object([
        "name": .string(app.name), "state": .string("failed"), "problem": .string(Text(words(app))),
        "advice": .string(Text(app.problem.advice)), "actions": .array([]),
      ])
    }
    let known = names.filter { name in setup?.unusable.contains { $0.name == name } != true }.map { name in
      let kinds = [LaneName(kind: .app, name: name), LaneName(kind: .terminal, name: name)]
      // Disabled, its files are nobody's any more while its terminals may still have its colours.
      return Self.entry(name, kinds.compactMap { lanes[$0] }, isReleased: lanes[kinds[0]] == nil)
    }
    // Enabled by name, it is done with the desktop.
    let ofDesktop = (setup?.desktops ?? []).filter { recipe in
      recipe.isByName && !names.contains(recipe.app.name)
        && setup?.unusable.contains { $0.name == recipe.app.name } != true
    }
    .map { Self.entry($0.app.name, [lanes[.desktop]].compactMap(\.self)) }
    return .object([
      "read": readAt.map { .integer(Int64($0)) },
      "problem": (setup?.unknown).map { .string(Text($0.text)) },
      "advice": (setup?.unknown).map { .string(Text($0.advice)) }, "apps": .array(known + ofDesktop + unusable),
      "desktop": lanes[.desktop].map { lane in
        var entry = Self.entry("desktop", [lane])
        if case .object(var object) = entry {
          object.append("files", .array((lane.outcome?.desktop?.apps ?? []).map { .string($0) }))
          object.append("settings", .array((lane.outcome?.desktop?.rows ?? []).map(\.json)))
          entry = .object(object)
        }
        return entry
      },
      "hooks": .array(hooks.map { Self.entry($0.key.name, [$0.value]) }),
    ])
  }

  /// The problem of an app file, and what is used meanwhile.
  func words(_ app: Setup.Unusable) -> String {
    app.problem.text + (setup?.isLastGood(app.name) == true ? "; using the last good version" : "")
  }

  private static func entry(_ name: Text, _ lanes: [Lane], isReleased: Bool = false) -> JSON {
    let words = lanes.isEmpty ? ["idle"] : lanes.map(\.word)
    let state = ["running", "failed", "waiting", "idle"].first { words.contains($0) } ?? "done"
    let last = lanes.filter { $0.when != nil || $0.lastShown != nil }.max { ($0.when ?? 0) < ($1.when ?? 0) }
    let problem = lanes.compactMap(\.outcome?.problem).first
    let actions = lanes.flatMap { $0.outcome?.actions ?? [] }
    return .object([
      "name": .string(name), "state": .word(state), "released": isReleased ? .bool(true) : nil,
      "when": last?.when.map { .integer($0) },
      "scheme": last?.lastShown.map { .word($0.state.scheme.rawValue) },
      "theme": last?.lastShown.map { .string($0.theme) },
      "problem": problem.map { .string(Text($0.text)) }, "advice": problem.map { .string(Text($0.advice)) },
      "actions": .array(
        actions.map { action in
          .object([
            "name": .string(action.name), "state": .word(action.state.rawValue),
            "detail": action.detail.isEmpty ? nil : .string(Text(action.detail)),
          ])
        }),
    ])
  }
}

extension DesktopReport.Row {
  /// The setting, its value now, what comes back when the desktop is left, and the value of each side.
  fileprivate var json: JSON {
    func json(_ value: SettingValue?) -> JSON? { value.map { $0.text.map { .string($0) } ?? .null } }
    return .object([
      "app": .string(app), "name": .string(name), "value": json(memory.seen), "original": json(memory.original),
      "light": json(memory.chosen[.light]?.value ?? memory.last[.light]),
      "dark": json(memory.chosen[.dark]?.value ?? memory.last[.dark]),
    ])
  }
}

extension Lane {
  /// The state of the lane, as in `status.json`.
  fileprivate var word: String {
    switch phase {
    case .queued, .running: "running"
    case .waiting where outcome?.problem != nil && !comesAgain: "waiting"
    case .waiting, .idle: outcome?.problem != nil ? "failed" : outcome == nil && done == nil ? "idle" : "done"
    }
  }
}
