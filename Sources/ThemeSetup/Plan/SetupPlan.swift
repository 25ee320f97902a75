import ThemeApps
import ThemedClientCore
internal import ThemedInterface
import ThemedModel
package import ThemedSystem
import ThemedVarlink

package struct SetupFacts: Equatable {
  package enum Service: Equatable {
    case runs
    case canStart
    /// Nothing starts the daemon: why, and what to do.
    case absent(Text)
  }

  /// The desktop's own light/dark setting.
  package enum Desktop: Equatable {
    /// No desktop runs here.
    case absent
    /// It is left alone, because nobody has said otherwise.
    case alone
    /// It is left alone, because the user wants that.
    case refused
    case inStep
  }

  package struct Program: Equatable {
    package var name: Text
    package var title: Text
    package var kind: AppState.Kind
    package var words: Text
    package var isConnected = false
    var isProposed = true
    package var lines: [Text] = []
    var obstacle: Text?
    /// The setting that the user has to make by hand; nil if there is none.
    package var missing: Text?
    package var hidden: Text?
    package var needsApplying = true
  }

  package var service: Service
  /// Whether the daemon starts with each session; nil if that is unknown.
  package var isEnabled: Bool?
  /// Whether the daemon knows the desktop's setting.
  var hearsDesktop = true
  package var desktop = Desktop.absent
  /// The user's own settings that win over those of the desktop.
  var desktopNotes: [SetupPlan.Note] = []
  /// Whether a schedule is configured; nil if that is unknown.
  var hasSchedule: Bool?
  /// Whether no backend of the portal says what the desktop shows, so that ours is needed.
  var lacksBackend = false
  var isApplied: Bool
  var hasManager: Bool
  package var programs: [Program]
}

/// The plan of `themectl setup`, made from the facts: its steps, the steps to do by hand, and what is unchanged.
package struct SetupPlan: Equatable {
  package enum Step: Equatable {
    /// Start the daemon, now and with each session.
    case start
    /// Make the running daemon start with each session.
    case startLater
    /// Keep the desktop's own setting in step.
    case desktop
    /// Make the portal ask our backend.
    case portal
    /// Enable an app, with the lines that the user's files need.
    case enable(Text, title: Text, lines: [Text])
    /// Switch by this schedule: `sun`, `off`, or two times.
    case schedule(Text)
    /// Start themed-apply for the apps that are enabled already.
    case apply
    /// Undo ``desktop``.
    case leaveDesktop
    /// Undo ``portal``.
    case leavePortal
    /// Disable an app, which restores or removes the files in these lines.
    case disable(Text, title: Text, lines: [Text])
    /// Take back what was written into themed.conf, in words.
    case restoreConfiguration(Text)
    /// Stop units, and no longer start them with each session.
    case stop([Text])
  }

  package struct Note: Equatable {
    package let title: Text
    package let words: Text
  }

  package var steps: [Step] = []
  /// The steps that the user has to do by hand.
  private(set) var byHand: [Note] = []
  /// The programs that stay as they are, and why.
  package var left: [Note] = []
  /// The programs that can be enabled by name, by the names of their apps.
  private(set) var optional: [Text] = []
  /// The programs that could follow but do not, by their titles.
  private(set) var unsettled: [Text] = []
  /// Why a step could not be planned in full.
  package var problems: [Refusal] = []
  /// Why no program follows, even if it is enabled; nil if the daemon runs or can be started.
  package private(set) var absence: Text?

  package init() {}

  /// Plans to set up what the facts name, and this schedule, if there is one.
  package init(_ facts: SetupFacts, schedule: Text? = nil) {
    switch (facts.service, facts.isEnabled) {
    case (.canStart, _): steps.append(.start)
    case (.runs, false): steps.append(.startLater)
    case (.runs, _): break
    case (.absent(let words), _):
      absence = words
      byHand.append(Note(title: "themed", words: words))
    }
    switch facts.desktop {
    case .alone: steps.append(.desktop)
    case .refused:
      left.append(
        Note(
          title: "the desktop",
          words: "left alone, because of in-step=no in themed.conf; 'themectl desktop enable' makes it turn, too"))
    case .absent, .inStep: break
    }
    if [.alone, .inStep].contains(facts.desktop) { byHand += facts.desktopNotes }
    if facts.lacksBackend {
      steps.append(.portal)
    } else if facts.service == .runs, !facts.hearsDesktop {
      left.append(
        Note(title: "the desktop", words: "its settings portal does not answer; run 'themectl doctor' to find out why"))
    }
    for program in facts.programs { plan(program) }
    if let schedule {
      steps.append(.schedule(schedule))
    } else if facts.hasSchedule == false {
      left.append(
        Note(title: "the schedule", words: "off; 'themectl setup --schedule sun' also switches at sunrise and sunset"))
    }
    let toApply = Set(facts.programs.filter(\.needsApplying).map(\.name))
    let hasApps = facts.programs.contains { $0.kind == .enabled && $0.needsApplying }
    let enables = steps.contains { step in
      if case .enable(let name, _, _) = step { toApply.contains(name) } else { step == .desktop }
    }
    guard hasApps || enables || facts.desktop == .inStep, !facts.isApplied else { return }
    if !facts.hasManager {
      byHand.append(
        Note(
          title: "themed-apply",
          words: "have your session start 'themed-apply', which writes the files of enabled programs"))
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
      // A plugin that is connected needs no line from us.
      if program.isConnected, isNew { return left.append(note(program.words)) }
      if program.obstacle != nil {
        unsettled.append(program.title)
        return left.append(note(program.words))
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
  package var words: [String] {
    switch self {
    case .start: ["start themed, now and with each session"]
    case .startLater: ["start themed with each session"]
    case .desktop:
      ["make the desktop itself turn light and dark: its panel, windows, wallpaper and themes ('themectl desktop')"]
    case .portal: ["make browsers and other programs that ask the portal follow ('themectl portal')"]
    case .schedule("sun"): ["switch to light at sunrise and to dark at sunset ('themectl schedule')"]
    case .schedule("off"): ["switch off the schedule"]
    case .schedule(let times): ["switch to light and to dark at \(times) ('themectl schedule')"]
    case .apply: ["start themed-apply, now and with each session"]
    case .leaveDesktop: ["leave the desktop alone again, and give it its own settings back"]
    case .leavePortal: ["make the portal ask the desktop alone"]
    case .disable(_, let title, let lines): ["disable \(title)"] + lines.map { "  \($0)" }
    case .restoreConfiguration(let words): ["take back the settings of setup: \(words)"]
    case .stop(let units):
      ["stop \(units.few), and no longer start \(units.count == 1 ? "it" : "them") with each session"]
    case .enable(_, let title, let lines): ["enable \(title)"] + lines.map { "  \($0)" }
    }
  }

  fileprivate var json: JSON {
    switch self {
    case .start: .object(["step": .word("start")])
    case .startLater: .object(["step": .word("start-later")])
    case .desktop: .object(["step": .word("desktop")])
    case .portal: .object(["step": .word("portal")])
    case .schedule(let schedule): .object(["step": .word("schedule"), "schedule": .string(schedule)])
    case .apply: .object(["step": .word("apply")])
    case .leaveDesktop: .object(["step": .word("leave-desktop")])
    case .leavePortal: .object(["step": .word("leave-portal")])
    case .restoreConfiguration: .object(["step": .word("restore-configuration")])
    case .stop(let units): .object(["step": .word("stop"), "units": .array(units.map { .string($0) })])
    case .enable(let name, let title, let lines): Self.json("enable", name, title, lines)
    case .disable(let name, let title, let lines): Self.json("disable", name, title, lines)
    }
  }
}

extension SetupPlan.Step {
  private static func json(_ step: String, _ name: Text, _ title: Text, _ lines: [Text]) -> JSON {
    .object([
      "step": .word(step), "app": .string(name), "title": .string(title), "lines": .array(lines.map { .string($0) }),
    ])
  }
}

extension SetupPlan {
  /// The plan for people, in lines that the caller has to filter for the terminal.
  package var lines: [String] {
    func part(_ title: String, _ lines: [String]) -> [String] { lines.isEmpty ? [] : [title] + lines.map { "  \($0)" } }
    func words(_ notes: [Note]) -> [String] { notes.map { "\($0.title): \($0.words)" } }
    let absence = absence.map { ["themed is not running, so nothing follows yet: \($0)"] } ?? []
    return absence + part("The plan:", steps.flatMap(\.words))
      + part("To do by hand:", words(byHand))
      + part("Unchanged:", words(left))
  }

  package var enabledNames: [Text] {
    steps.compactMap { if case .enable(let name, _, _) = $0 { name } else { nil } }
  }

  /// The sentence to print if there is nothing left to do; it names what is still not set up.
  package var ending: String {
    var rest: [String] = []
    if !byHand.isEmpty { rest.append("the steps that you have to do by hand") }
    if !unsettled.isEmpty { rest.append("programs that do not follow (\(unsettled.few))") }
    if !optional.isEmpty {
      let names = optional.map(\.asWord).joined(separator: " ")
      rest.append("programs that you have not enabled ('themectl app enable \(names)')")
    }
    return rest.isEmpty ? "Everything is set up." : "Everything is set up, except \(rest.joined(separator: ", and "))."
  }

  /// The plan as JSON, with the steps that failed, and the notes that were printed meanwhile.
  package func json(failed: [Text], notes told: [String] = []) -> String {
    func notes(_ notes: [Note]) -> JSON {
      .array(
        notes.map { note in
          .object(["title": .string(note.title), "words": .string(note.words)])
        })
    }
    return JSON.object([
      "steps": .array(steps.map(\.json)), "byHand": notes(byHand), "left": notes(left),
      "failed": .array(failed.map { .string($0) }), "notes": .array(told.map { .string(Text($0)) }),
    ]).text
  }
}

extension SetupFacts {
  package static let units = ["themed.socket", "themed.service", "themed-apply.service"]

  /// Looks at the daemon, its units, and the installed programs; throws for users who cannot have a daemon.
  package init(socket: String?) throws(Refusal) {
    hasManager = UserManager.isRunning
    let states = Self.unitStates(for: socket)
    // themed-apply alone does not start the daemon.
    isEnabled = states.map { states in states.prefix(2).contains { $0.hasPrefix("enabled") } }
    var listing = AppListing(AppPlaces())
    do throws(CallError) {
      var theme = try ThemeConnection(socket: socket, timeout: .toRead)
      if let clients = try theme.unlessReadOnly({ (theme) throws(CallError) in try theme.call(.clients) }) {
        listing.clients = clients
      }
      hearsDesktop = try theme.call(.state()).resolution.desktop != .unavailable
      service = .runs
      let known = try theme.unlessReadOnly { (theme) throws(CallError) in try theme.call(.diagnostics) }
      // The units would be in the way of the daemon that another machine's 'themectl share' starts.
      if known?.upstream != nil { isEnabled = nil }
      desktop = try Self.desktop(&theme, known?.desktop, hearsDesktop: hearsDesktop)
    } catch {
      if error.isOfAnotherUser { throw Refusal(error, at: socket) }
      service = Self.absence(error, socket, areInstalled: states != nil)
      if service == .canStart { desktop = Self.desktopWithoutDaemon }
    }
    if desktop != .absent, !hearsDesktop || service != .runs { lacksBackend = PortalSetup.isNeeded }
    hasSchedule = ConfigChange.hasSchedule
    desktopNotes = OwnSetting.onDesktop.map { SetupPlan.Note(title: $0.title, words: $0.words) }
    isApplied = listing.isApplied
    // The desktop has a step of its own.
    programs = listing.listed.filter { !$0.isDesktop || $0.isEnabled }.map { app in
      Program(app, isConnected: listing.isConnected(app.name))
    }
  }

  /// Whether systemd can start the daemon that listens at `socket`.
  static func canStartDaemon(at socket: String?) -> Bool { unitStates(for: socket) != nil }

  /// Whether each of the units is enabled, in systemd's words; nil if systemd does not have them all, or they do not
  /// serve `socket`.
  private static func unitStates(for socket: String?) -> [Text]? {
    guard FailedUnits.isForUnits(socket) else { return nil }
    let states = UserManager.run(["is-enabled"] + units)?.lines ?? []
    return states.count == units.count && !states.contains("not-found") ? states : nil
  }

  private static func desktop(
    _ theme: inout ThemeConnection, _ step: Diagnostics.DesktopStep?, hearsDesktop: Bool
  ) throws(CallError) -> Desktop {
    guard let step else { return .absent }
    if step.isInStep { return .inStep }
    guard hearsDesktop || SessionDesktop.isRunning else { return .absent }
    return try theme.call(.configuration(of: DesktopReport.settings)).hasRefusedDesktop ? .refused : .alone
  }

  /// The same from the configuration file, for a daemon that does not run yet.
  private static var desktopWithoutDaemon: Desktop {
    guard SessionDesktop.isRunning, let path = try? ConfigChange.usualPath() else { return .absent }
    switch ConfigChange.value(.desktopInStep, in: path) {
    case "yes": return .inStep
    case nil: return .alone
    default: return .refused
    }
  }

  private static func absence(
    _ error: CallError, _ socket: String?, areInstalled: Bool
  ) -> Service {
    if let failed = FailedUnits(explaining: error, at: socket) { return .absent(Text(failed.text)) }
    guard error.code == .noDaemon else { return .absent(Text(error.advice(at: socket))) }
    if areInstalled { return .canStart }
    return .absent(
      FailedUnits.isForUnits(socket)
        ? "themed.service is not installed: run 'make install', or have your session start 'themed'"
        : "nothing starts it: have your session start 'themed'")
  }
}

extension SetupFacts.Program {
  package init(_ appState: AppState, isConnected: Bool) {
    let app = appState.examination?.app
    self.init(
      name: appState.name, title: app?.title ?? appState.name, kind: appState.kind,
      words: Text(appState.words(isConnected: isConnected, now: wallClock())), isConnected: isConnected,
      isProposed: app?.isProposed(on: SessionDesktop.names) ?? true)
    missing = appState.way?.setting
    lines = kind == .available ? appState.needs.plan : appState.needs.lines
    obstacle = appState.needs.obstacle
    let hiding = lines.isEmpty ? appState.needs.hidden : appState.needs.hiddenOnceEnabled
    hidden = hiding.map { "\(Text($0.words)); to see the theme, \(Text($0.remedy))" }
    needsApplying = app?.needsApplying ?? true
    if appState.needs.lacksVersion, obstacle == nil { obstacle = words }
  }
}
