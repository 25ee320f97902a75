import ArgumentParser
import Glibc
import ThemeApps
import ThemedText
import ThemedUnix

struct Setup: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "setup",
    abstract: "Look at this machine, and have the programs that are installed follow.",
    discussion: """
      Looks which programs are installed and how each follows in its version, and shows what it would do: start the \
      services, enable what follows by an app file, and add the line that each needs to its own file. Then it asks, \
      does it, and turns dark, or light, for some seconds, which ends by itself. What only you can set it shows. Typed \
      again, it does what is left.

      Where no terminal is, nothing is changed without --yes; with --json the plan is shown, and carried out with --yes \
      alone. The exit status is 1 where the plan was not agreed to, 2 where something failed, and 3 where themed does not run and cannot be \
      started from here, so that nothing follows yet; the plan begins with that. 'themectl app disable' \
      undoes what was enabled.
      """)

  @Flag(help: "Do not ask.")
  var yes = false

  @OptionGroup var daemon: Daemon
  @OptionGroup var format: Format

  func run() throws {
    try EnvironmentComparison.requireSameFiles()
    let facts = try SetupFacts(daemon)
    let plan = SetupPlan(facts)
    if !format.json { try show(plan) }
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
    if !format.json { try SetupProof(daemon: daemon).show() }
  }

  private func show(_ plan: SetupPlan) throws {
    for line in plan.lines { try say(printable(line)) }
  }

  /// Whether the user agrees to the plan.
  private func isAgreed(_ plan: SetupPlan) throws -> Bool {
    if yes { return true }
    if format.json {
      try say(plan.json(failed: []))
      return false
    }
    return try agrees(toTyping: "themectl setup --yes")
  }

  /// Does all of it, whatever fails; the names of what did, of which the user was told.
  private func perform(_ plan: SetupPlan) -> [Text] {
    var failed: [Text] = []
    var enabled = false
    for step in plan.steps {
      switch step {
      case .start:
        // Its unit makes the socket, so it can be asked at once.
        if !Self.systemctl(["enable", "--now"] + SetupFacts.units) { failed.append("themed") }
      case .startLater:
        if !Self.systemctl(["enable"] + SetupFacts.units) { failed.append("themed") }
      case .enable(let name, _, _):
        do {
          let enabling = try AppEnabling(name)
          if try !enabling.perform(isQuiet: format.json) { failed.append(name) }
          enabled = enabled || enabling.app.needsApplying
        } catch { failed.append(name) }
      case .apply: enabled = true
      }
    }
    // Where there is no manager, the plan has said so.
    if enabled, UserManager.isThere, let note = ApplyService.start(for: plan.enabledNames) {
      complain(note)
      failed.append("themed-apply")
    }
    return failed
  }

  private static func systemctl(_ words: [String]) -> Bool {
    if UserManager.run(words, inItsOwnGroup: true)?.status == 0 { return true }
    let command = (["systemctl", "--user"] + words).joined(separator: " ")
    complain("'\(command)' has failed; 'themectl doctor' may say why")
    return false
  }
}
