import ArgumentParser
import ThemedInterface
import ThemeSetup
import ThemedSystem

struct PortalCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "portal",
    abstract: "Make browsers, GTK and Qt programs follow themed, through the desktop portal.",
    discussion: """
      Browsers, GTK and Qt programs ask the settings portal for light or dark. The portal can get its answer from themed, \
      through the service themed-portal. While themed-portal runs and the portal asks it, these programs get your \
      override. Without an override they get the schedule's choice, and without a schedule the desktop's own setting.
      """,
    subcommands: [PortalStatus.self, PortalEnable.self, PortalDisable.self], defaultSubcommand: PortalStatus.self)
}

struct PortalStatus: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Say whether the portal asks themed-portal, and exit with 1 if it does not.")

  @OptionGroup var format: Format

  func run() throws {
    let chain = try PortalSetup.chain()
    try say(format.json ? chain.json : chain.sentenceBesidesDesktop)
    guard chain.isSetUp else { throw ExitCode.failure }
  }
}

struct PortalEnable: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "enable",
    abstract: "Start themed-portal and make the portal ask it before the desktop.",
    discussion: """
      Shows what it would write, and asks. Then it starts the service, restarts the portal, and checks that the portal asks \
      themed-portal. If the portal does not ask it, the command undoes everything.
      """)

  @Flag(help: "Do not ask.")
  var yes = false

  @OptionGroup var format: Format

  func run() throws {
    try requireManager(
      otherwise:
        "have your session start themed-portal, before the portal, and see themed-portal(1) for the lines that "
        + "portals.conf needs")
    let chain = try PortalSetup.chain()
    let plan = try PortalPlan.enabling(chain, read: PortalPlan.find)
    // If the unit runs but is not enabled, it still has to be enabled. If the user started themed-portal by hand, it stays.
    let unit = PortalUnit.now
    if plan.changes.isEmpty, chain.isSetUp, unit.isEnabled || !unit.isActive { return try say(chain.sentence) }
    if let note = chain.noteAboutDesktop { complain("note: \(note)") }
    try agree(
      plan, ["start themed-portal.service, now and at each login", "restart xdg-desktop-portal.service"], yes, "enable")
    try say(PortalSetup.enable(plan, from: unit))
  }
}

struct PortalDisable: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "disable", abstract: "Stop themed-portal and restore the portal's files.")

  @Flag(help: "Do not ask.")
  var yes = false

  @OptionGroup var format: Format

  func run() throws {
    let chain = try PortalSetup.chain()
    let plan = PortalPlan.disabling(chain.ownFiles, read: PortalPlan.find)
    if plan.changes.isEmpty, !chain.isRunning, plan.left.isEmpty, !PortalUnit.now.isEnabled {
      return try say("The portal asks the desktop alone: it was not set up.")
    }
    try requireManager(
      otherwise: "stop themed-portal by hand, and remove from portals.conf what 'themectl portal enable' added")
    try agree(
      plan, ["stop themed-portal.service, and no longer start it at login", "restart xdg-desktop-portal.service"], yes,
      "disable")
    let sentence = try PortalSetup.disable(plan)
    for line in plan.left { complain(line.string) }
    try say(sentence)
    guard plan.left.isEmpty else { throw ExitCode.failed }
  }
}

private func requireManager(otherwise advice: String) throws {
  guard UserManager.isRunning else { throw Refusal("no systemd user manager is running: \(advice)") }
}

private func agree(_ plan: PortalPlan, _ steps: [String], _ isAgreed: Bool, _ command: String) throws {
  for change in plan.changes { try say(change.text) }
  for step in steps { try say("will \(step)") }
  if isAgreed { return }
  guard try confirms(orSkipWith: "themectl portal \(command) --yes") else { throw ExitCode.failure }
}
