import ArgumentParser
import Glibc
import ThemeApps
import ThemeClientCore
import ThemeInterface
import ThemeModel
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

      To undo it, run 'themectl app disable --all' for the programs, and 'themectl desktop disable' for the desktop.

      If it has no terminal to ask on, it changes nothing unless you give --yes. With --json it prints the plan, and \
      carries it out only with --yes.

      The exit status is 1 if you did not agree to the plan, and 2 if something failed. It is 3 if themed is not running \
      and cannot be started from here. In that case the plan begins with a note that you must start themed first.
      """)

  @Flag(help: "Do not ask.")
  var yes = false

  @OptionGroup var daemon: Daemon
  @OptionGroup var format: Format

  func run() throws {
    try EnvironmentComparison.requireSameFiles()
    let facts = try SetupFacts(daemon)
    let plan = SetupPlan(facts)
    if !format.json { for line in plan.lines { try say(printable(line)) } }
    guard !plan.steps.isEmpty else {
      if format.json { return try say(plan.json(failed: [])) }
      try say(plan.ending)
      if plan.absence != nil { throw ExitCode.noDaemon }
      return
    }
    guard try isAgreed(plan) else { throw ExitCode.failure }
    let failed = perform(plan)
    if format.json { try say(plan.json(failed: failed)) }
    guard failed.isEmpty else { throw ExitCode.failed }
    if plan.absence != nil {
      if !format.json { try say("The files are ready; programs follow as soon as themed runs.") }
      throw ExitCode.noDaemon
    }
    if !format.json { try SetupTest(daemon: daemon, expectsDesktop: plan.steps.contains(.desktop)).show() }
  }

  private func isAgreed(_ plan: SetupPlan) throws -> Bool {
    if yes { return true }
    if format.json {
      try say(plan.json(failed: []))
      return false
    }
    return try confirms(orSkipWith: "themectl setup --yes")
  }

  /// Carries out all steps, even if some fail, and returns the names of the failed ones, which it has reported.
  private func perform(_ plan: SetupPlan) -> [Text] {
    var failed: [Text] = []
    var enabled = false
    for step in plan.steps {
      switch step {
      case .start:
        // The socket unit creates the socket, so the daemon can be asked at once.
        if !Self.systemctl(["enable", "--now"] + SetupFacts.units) { failed.append("themed") }
      case .startLater:
        if !Self.systemctl(["enable"] + SetupFacts.units) { failed.append("themed") }
      case .enable(let name, _, _):
        do {
          let enabling = try AppEnabling(name)
          if try !enabling.perform(isQuiet: format.json) { failed.append(name) }
          enabled = enabled || enabling.app.needsApplying
        } catch { failed.append(name) }
      case .desktop:
        do { try DesktopEnabling(daemon).perform() } catch { failed.append("desktop") }
      case .portal:
        do { try PortalEnable.parse(["--yes"]).run() } catch { failed.append("portal") }
      case .apply: enabled = true
      }
    }
    // Without a user manager, the plan has said so.
    if enabled, UserManager.isRunning, let note = ApplyService.start(for: plan.enabledNames) {
      complain(note)
      failed.append("themed-apply")
    }
    return failed
  }

  private static func systemctl(_ words: [String]) -> Bool {
    if UserManager.run(words, inItsOwnGroup: true)?.status == 0 { return true }
    let command = (["systemctl", "--user"] + words).joined(separator: " ")
    complain("'\(command)' failed; run 'themectl doctor' to find out why")
    return false
  }
}
