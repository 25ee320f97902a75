import ArgumentParser
import Glibc
import ThemeApps
import ThemedClientCore
import ThemedInterface
import ThemedModel
import ThemeSetup
import ThemedSystem
import ThemedVarlink

struct Setup: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "setup",
    abstract: "Find the installed programs and make them switch between light and dark.",
    discussion: """
      Finds the installed programs, and how the installed version of each can switch between light and dark. Then it \
      shows a plan, which can have these steps:
        start themed's services
        make the desktop itself turn (see 'themectl desktop --help')
        make the portal ask themed, if nothing else answers there
        enable the programs that need an app file (see 'themectl app --help')
        add a line to a program's own configuration file, if the program needs it

      It asks, carries out the plan, and switches to dark or to light for a few seconds as a test. It also lists the \
      settings that only you can change. If some steps are not possible yet, run it again later.

      With --schedule, it also sets a schedule: sun, off, or two times such as 07:00-19:00. 'themectl schedule' has \
      more about them.

      With --undo, it takes everything back: the programs' files are as they were before, byte for byte, the desktop \
      and the portal have their own settings, and the services that themectl enabled are stopped. It also undoes \
      'themectl app enable', 'desktop enable' and 'portal enable'. Your overrides and your own settings in themed.conf \
      stay.

      If it has no terminal to ask on, it changes nothing unless you give --yes. With --print it only prints the plan. \
      With --json it prints the plan, and carries it out only with --yes.

      The exit status is 1 if you did not agree to the plan, and 2 if something failed. It is 3 if themed is not running \
      and cannot be started from here. In that case the plan begins with a note that you must start themed first.
      """)

  @Flag(help: "Undo what was set up instead.")
  var undo = false

  @Option(
    help: ArgumentHelp("Also switch by this schedule, such as sun or 07:00-19:00.", valueName: "schedule"),
    completion: .list(Schedule.words))
  var schedule: String?

  @Option(
    help: ArgumentHelp(
      "With '--schedule sun': where you are, in degrees; south and west are negative.",
      valueName: "latitude,longitude"))
  var at: String?

  @OptionGroup var consent: Consent
  @OptionGroup var daemon: Daemon
  @OptionGroup var format: Format

  func validate() throws {
    try consent.check(example: "themectl setup --print")
    _ = try Schedule.settings(of: schedule, at: at)
    guard undo, schedule != nil else { return }
    throw ValidationError(
      "--undo takes the schedule back, so it cannot be used with --schedule; try: themectl setup --undo")
  }

  func run() throws {
    try EnvironmentComparison.requireSameFiles()
    let plan =
      undo ? SetupPlan.undoing() : SetupPlan(try SetupFacts(socket: daemon.socket), schedule: schedule.map { Text($0) })
    func tellProblems() { for problem in plan.problems { _ = ended(by: problem) } }
    var notes: [String] = []
    if format.json {
      notes = recording(tellProblems).notes
    } else {
      tellProblems()
      for line in plan.lines { try say(printable(line)) }
    }
    guard !plan.steps.isEmpty else {
      if undo, !consent.isPrintedOnly { SetupRecord.forgetIfRestored() }
      try say(format.json ? plan.json(failed: [], notes: notes) : undo ? "Nothing is left to undo." : plan.ending)
      if plan.absence != nil { throw ExitCode.noDaemon }
      return
    }
    guard !consent.isPrintedOnly else { return format.json ? try say(plan.json(failed: [], notes: notes)) : () }
    guard try isAgreed(plan, notes) else { throw ExitCode.failure }
    var failed: [Text] = []
    if format.json {
      notes += recording { failed = perform(plan) }.notes
      try say(plan.json(failed: failed, notes: notes))
    } else {
      failed = perform(plan)
    }
    guard failed.isEmpty else { throw ExitCode.failed }
    if plan.absence != nil {
      if !format.json { try say("The files are ready; programs follow as soon as themed runs.") }
      throw ExitCode.noDaemon
    }
    guard !format.json else { return }
    if undo { return try say("Everything that was set up is undone; your own overrides and settings stay.") }
    try SetupTest(daemon: daemon, expectsDesktop: plan.steps.contains(.desktop)).show()
  }

  private func isAgreed(_ plan: SetupPlan, _ notes: [String]) throws -> Bool {
    if consent.yes { return true }
    if format.json {
      try say(plan.json(failed: [], notes: notes))
      return false
    }
    let words =
      undo
      ? ["--undo"]
      : [("--schedule", schedule), ("--at", at)].flatMap { option, value in
        value.map { [option, Text($0).asWord] } ?? []
      }
    return try confirms(orSkipWith: (["themectl setup"] + words + ["--yes"]).joined(separator: " "))
  }

  /// Carries out all steps, even if some fail, and returns the names of the failed ones, which it has reported.
  private func perform(_ plan: SetupPlan) -> [Text] {
    var failed: [Text] = []
    var enabled = false
    func attempt(_ name: Text, _ body: () throws -> Void) {
      do { try body() } catch {
        _ = ended(by: error)
        failed.append(name)
      }
    }
    let socket = daemon.socket.map { ["--socket", $0] } ?? []
    // Undoing may write into the file, too, even if no earlier command has recorded it.
    if !undo || plan.steps.contains(.leaveDesktop), let path = try? ConfigChange.usualPath() {
      SetupRecord.note([Text(path)])
    }
    let directories = SetupRecord.before.directories.union(EnabledRecord.all.flatMap(\.directories))
    for step in plan.steps {
      switch step {
      case .start:
        // The socket unit creates the socket, so the daemon can be asked at once.
        if !Self.systemctl(["enable", "--now"] + SetupFacts.units) { failed.append("themed") }
      case .startLater:
        if !Self.systemctl(["enable"] + SetupFacts.units) { failed.append("themed") }
      case .enable(let name, _, _):
        attempt(name) {
          let enabling = try AppEnabling(named: name)
          enabled = enabled || enabling.app.needsApplying
          // A setting of the user's that hides the theme is among what the plan leaves to do by hand.
          _ = try enabling.carryOut()
        }
      case .desktop: attempt("desktop") { try DesktopEnabling(socket: daemon.socket).perform() }
      case .portal: attempt("portal") { try PortalEnable.parse(["--yes"]).run() }
      case .schedule: attempt("schedule", setSchedule)
      case .apply: enabled = true
      case .leaveDesktop: attempt("desktop") { try DesktopDisable.parse(["--yes"] + socket).run() }
      case .leavePortal: attempt("portal") { try PortalDisable.parse(["--yes"]).run() }
      case .disable(let name, _, _): attempt(name) { try DisableApp.parse([name.string] + socket).run() }
      case .restoreConfiguration: attempt("themed.conf") { try ConfigChange.undoing()?.perform() }
      case .stop(let units):
        // A failed step may need the services when it is tried again.
        guard failed.isEmpty else {
          let names = failed.map { "'\(printable($0))'" }.joined(separator: ", ")
          complain("the services keep running, because this could not be undone: \(names); run this again")
          break
        }
        if !Self.systemctl(["disable", "--now"] + units.map(\.string)) { failed.append("themed") }
      }
    }
    if undo, failed.isEmpty {
      let isStopped = plan.steps.contains { if case .stop = $0 { true } else { false } }
      SetupRecord.forget(directories, isStopped: isStopped)
    }
    // Without a user manager, the plan has said so.
    if enabled, UserManager.isRunning, let note = ApplyService.start(for: plan.enabledNames) {
      complain(note)
      failed.append("themed-apply")
    }
    return failed
  }

  private func setSchedule() throws {
    let settings = try Schedule.settings(of: schedule, at: at) ?? []
    let update = try ConfigUpdate(settings, daemon)
    SetupRecord.noteSchedule(settings)
    guard try update.perform(), let problem = try daemon.schedule(isNew: true).0.problem else { return }
    throw Refusal("the schedule is set, but themed cannot follow it: \(printable(problem))")
  }

  private static func systemctl(_ words: [String]) -> Bool {
    if UserManager.run(words, inItsOwnGroup: true)?.status == 0 { return true }
    let command = (["systemctl", "--user"] + words).joined(separator: " ")
    complain("'\(command)' failed; run 'themectl doctor' to find out why")
    return false
  }
}
