internal import ThemeClientCore
internal import ThemedSystem
internal import ThemedVarlink

extension Apply {
  /// The content of `status.json`: which lanes are up to date, and their problems.
  var status: JSON {
    // An app is told as long as anything of it is looked after: its terminals may have to get their colours back still.
    let names = Set(lanes.keys.filter { $0.kind != .hook }.map(\.name)).sorted()
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
    return .object([
      "problem": (setup?.unknown).map { .string(Text($0.text)) },
      "advice": (setup?.unknown).map { .string(Text($0.advice)) }, "apps": .array(known + unusable),
      "hooks": .array(hooks.map { Self.entry($0.key.name, [$0.value]) }),
    ])
  }

  /// The problem of an app file, and what is used meanwhile.
  func words(_ app: Setup.Unusable) -> String {
    app.problem.text + (setup?.isLastGood(app.name) == true ? "; using the last good version" : "")
  }

  private static func entry(_ name: Text, _ lanes: [Lane], isReleased: Bool = false) -> JSON {
    let words = lanes.map(\.word)
    let state = ["running", "failed", "waiting", "idle"].first { words.contains($0) } ?? "done"
    let last = lanes.filter { $0.when != nil }.max { ($0.when ?? 0) < ($1.when ?? 0) }
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

extension Lane {
  /// The state of the lane, as in `status.json`.
  fileprivate var word: String {
    switch phase {
    case .queued, .running: "running"
    case .waiting where outcome?.problem != nil && !comesAgain: "waiting"
    case .waiting, .idle: outcome == nil ? "idle" : outcome?.problem == nil ? "done" : "failed"
    }
  }
}
