import ThemeApps
import ThemedText
import ThemedVarlink

/// What `themectl setup` has seen.
struct SetupFacts: Equatable {
  /// How it stands with the daemon.
  enum Service: Equatable {
    /// It answers; of an override or the desktop's word nothing is decided here.
    case runs
    /// systemd would start it.
    case canStart
    /// Nobody here starts it: why, and what to do.
    case absent(Text)
  }

  /// A program.
  struct Program: Equatable {
    var name: Text
    var title: Text
    var kind: AppStanding.Kind
    /// How it follows, for people.
    var words: Text
    var isConnected = false
    var isProposed = true
    /// The lines that files of the user's have to have, and have not.
    var lines: [Text] = []
    /// Why it is not to be enabled, or a line not to be written; nil where nothing is in the way.
    var obstacle: Text?
    /// What has to be set by hand; nil where nothing has.
    var missing: Text?
    /// The user's own setting that wins over what we write; nil if none is known.
    var hidden: Text?
    /// Whether themed-apply does something for it.
    var needsApplying = true
  }

  var service: Service
  /// Whether it starts with each session; nil where nobody here can tell.
  var isEnabled: Bool?
  /// Whether it has heard what the desktop asks for.
  var hearsDesktop = true
  /// Whether themed-apply runs.
  var isApplied: Bool
  /// Whether a systemd user manager runs.
  var hasManager: Bool
  /// The programs that there are app files for.
  var programs: [Program]
}

/// What `themectl setup` is to do, what it leaves to the user, and what alone: made of what it has seen.
struct SetupPlan: Equatable {
  /// What is done.
  enum Step: Equatable {
    /// Start the daemon, now and with each session.
    case start
    /// Have the daemon that runs start with each session.
    case startLater
    /// Enable an app, with the lines that the user's files need.
    case enable(Text, title: Text, lines: [Text])
    /// Start themed-apply, which carries out what is enabled already.
    case apply
  }

  /// What is said of a program, or of the daemon.
  struct Note: Equatable {
    let title: Text
    let words: Text
  }

  /// In the order in which they are done.
  private(set) var steps: [Step] = []
  /// What only the user does.
  private(set) var byHand: [Note] = []
  /// What stays as it is, and why.
  private(set) var left: [Note] = []
  /// The programs that can be enabled by name, by the names of their apps.
  private(set) var optional: [Text] = []
  /// The programs that could follow, and do not, by their titles.
  private(set) var unsettled: [Text] = []
  /// Why nothing follows, whatever is enabled; nil if the daemon runs or can be started.
  private(set) var absence: Text?

  init(_ facts: SetupFacts) {
    switch (facts.service, facts.isEnabled) {
    case (.canStart, _): steps.append(.start)
    case (.runs, false): steps.append(.startLater)
    case (.runs, _): break
    case (.absent(let words), _):
      absence = words
      byHand.append(Note(title: "themed", words: words))
    }
    if facts.service == .runs, !facts.hearsDesktop {
      left.append(Note(title: "the desktop", words: "its settings portal is not heard, and 'themectl doctor' says why"))
    }
    for program in facts.programs { plan(program) }
    let toApply = Set(facts.programs.filter(\.needsApplying).map(\.name))
    let hasApps = facts.programs.contains { $0.kind == .enabled && $0.needsApplying }
    let enables = steps.contains { if case .enable(let name, _, _) = $0 { toApply.contains(name) } else { false } }
    guard hasApps || enables, !facts.isApplied else { return }
    if !facts.hasManager {
      byHand.append(
        Note(title: "themed-apply", words: "have your session start 'themed-apply', which applies what is enabled"))
    } else if !enables {
      steps.append(.apply)
    }
  }

  private mutating func plan(_ program: SetupFacts.Program) {
    func note(_ words: Text) -> Note { Note(title: program.title, words: words) }
    switch program.kind {
    case .notInstalled: break
    case .faulty:
      unsettled.append(program.title)
      left.append(note(program.words))
    case .unable: left.append(note(program.words))
    case .enabled, .available:
      let isNew = program.kind == .available
      if isNew, !program.isProposed {
        if program.obstacle == nil { optional.append(program.name) } else { unsettled.append(program.title) }
        return left.append(note(program.words))
      }
      // A plugin that is connected needs no line of ours.
      if program.isConnected, isNew { return left.append(note(program.words)) }
      if let obstacle = program.obstacle {
        unsettled.append(program.title)
        return left.append(note(obstacle))
      }
      guard isNew || !program.lines.isEmpty else {
        if program.hidden != nil { unsettled.append(program.title) }
        return left.append(note(program.words))
      }
      if let hidden = program.hidden { byHand.append(note(hidden)) }
      steps.append(.enable(program.name, title: program.title, lines: program.lines))
    case .plugin where program.isConnected: left.append(note(program.words))
    case .plugin, .itself:
      guard let missing = program.missing else { return left.append(note(program.words)) }
      byHand.append(note(missing))
    }
  }
}

extension SetupPlan.Step {
  /// What it does, for people.
  var words: [String] {
    switch self {
    case .start: ["start themed, now and with each session"]
    case .startLater: ["have themed start with each session"]
    case .apply: ["start themed-apply, now and with each session"]
    case .enable(_, let title, let lines): ["enable \(title)"] + lines.map { "  \($0)" }
    }
  }

  fileprivate var json: JSON {
    switch self {
    case .start: .object(["step": .word("start")])
    case .startLater: .object(["step": .word("start-later")])
    case .apply: .object(["step": .word("apply")])
    case .enable(let name, let title, let lines):
      .object([
        "step": .word("enable"), "app": .string(name), "title": .string(title),
        "lines": .array(lines.map { .string($0) }),
      ])
    }
  }
}

extension SetupPlan {
  /// The plan, for people: a line each, of which none is filtered yet.
  var lines: [String] {
    func part(_ title: String, _ lines: [String]) -> [String] { lines.isEmpty ? [] : [title] + lines.map { "  \($0)" } }
    func words(_ notes: [Note]) -> [String] {
      notes.map { "\($0.title): \($0.words)" }
    }
    let absence = absence.map { ["themed does not run, so nothing follows yet: \($0)"] } ?? []
    return absence + part("To be done:", steps.flatMap(\.words))
      + part("For you to do by hand:", words(byHand))
      + part("Left as it is:", words(left))
  }

  /// The apps that it enables.
  var enabledNames: [Text] {
    steps.compactMap { if case .enable(let name, _, _) = $0 { name } else { nil } }
  }

  /// What to say if nothing is left to be done: what is not set up all the same.
  var ending: String {
    var rest: [String] = []
    if !byHand.isEmpty { rest.append("what is for you to do by hand") }
    if !unsettled.isEmpty { rest.append("what does not follow (\(unsettled.few))") }
    if !optional.isEmpty {
      let names = optional.map(\.asWord).joined(separator: " ")
      rest.append("what you have not enabled ('themectl app enable \(names)')")
    }
    return rest.isEmpty ? "All is set up." : "All is set up but \(rest.joined(separator: ", and "))."
  }

  /// The plan, for programs: one line.
  func json(failed: [Text]) -> String {
    func notes(_ notes: [Note]) -> JSON {
      .array(
        notes.map { note in
          .object(["title": .string(note.title), "words": .string(note.words)])
        })
    }
    return JSON.object([
      "steps": .array(steps.map(\.json)), "byHand": notes(byHand), "left": notes(left),
      "failed": .array(failed.map { .string($0) }),
    ]).text
  }
}
