import ArgumentParser
import Glibc
import ThemeInterface
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
    let chain = try chainFacts()
    try say(format.json ? chain.json : chain.sentenceBesidesDesktop)
    guard chain.isSetUp else { throw ExitCode.failure }
  }
}

/// How long the portal may take to start, in seconds; it needs less than one.
private let startPatience = 10
/// How long the portal may take after its start to give the expected answer, in milliseconds.
private let patience = 5_000

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

  /// Whether the portal runs, and no backend but ours could answer for settings.
  static var isNeeded: Bool {
    guard UserManager.isRunning, let chain = lookAtChain() else { return false }
    return chain.process != nil && chain.others.isEmpty && !chain.isSetUp
  }

  func run() throws {
    try requireManager(
      otherwise:
        "have your session start themed-portal, before the portal, and see themed-portal(1) for the lines that "
        + "portals.conf needs")
    let chain = try chainFacts()
    let plan = try PortalPlan.enabling(chain, read: PortalPlan.find)
    // If the unit runs but is not enabled, it still has to be enabled. If the user started themed-portal by hand, it stays.
    let unit = PortalUnit.now
    if plan.changes.isEmpty, chain.isSetUp, unit.isEnabled || !unit.isActive { return try say(chain.sentence) }
    if let note = chain.noteAboutDesktop { complain("note: \(note)") }
    try agree(
      plan, ["start themed-portal.service, now and at each login", "restart xdg-desktop-portal.service"], yes, "enable")
    // From here on, the command does everything or nothing.
    StopSignals.hold()
    let before = (directories: plan.missingDirectories, unit: unit)
    SetupRecord.note(plan.changes.map(\.path))
    try perform(plan)
    var trouble = "the portal does not ask themed-portal first, although it was restarted"
    PortalUnit.resetStartCount()
    if PortalUnit.systemctl("enable", "--now", PortalUnit.name) {
      PortalUnit.restartPortal()
      if let chain = lookAtChain(until: \.isSetUp), chain.isSetUp { return try say(chain.sentence) }
    } else {
      trouble = "'systemctl --user enable --now \(PortalUnit.name)' failed"
    }
    let areFilesBack = (try? EnabledList.locked { _ in plan.takeBack(before.directories) }) ?? false
    let isUnitBack = before.unit.restore()
    let end =
      areFilesBack && isUnitBack
      ? "everything was undone" : "not everything could be undone; 'themectl portal disable' removes the rest"
    complain(
      StopSignals.isPending ? "interrupted: \(end)" : "\(trouble): \(end); run 'themectl doctor' to find out why")
    if let failure = PortalUnit.portalFailure { complain(failure) }
    throw ExitCode.failed
  }
}

struct PortalDisable: ParsableCommand {
  /// Whether there is anything to undo.
  static var isNeeded: Bool {
    guard UserManager.isRunning else { return false }
    if SetupRecord.units.contains(PortalChainFacts.unit) { return true }
    return lookAtChain().map { !PortalPlan.disabling($0.ownFiles, read: PortalPlan.find).changes.isEmpty } ?? false
  }

  static let configuration = CommandConfiguration(
    commandName: "disable", abstract: "Stop themed-portal and restore the portal's files.")

  @Flag(help: "Do not ask.")
  var yes = false

  func run() throws {
    try requireManager(
      otherwise: "stop themed-portal by hand, and remove from portals.conf what 'themectl portal enable' added")
    let chain = try chainFacts()
    let plan = PortalPlan.disabling(chain.ownFiles, read: PortalPlan.find)
    try agree(
      plan, ["stop themed-portal.service, and no longer start it at login", "restart xdg-desktop-portal.service"], yes,
      "disable")
    // From here on, the command does everything.
    StopSignals.hold()
    try perform(plan)
    plan.removeEmptyDirectories()
    let isStopped = PortalUnit.disable() && PortalUnit.systemctl("stop", PortalUnit.name)
    PortalUnit.restartPortal()
    for sentence in plan.left { complain(sentence.string) }
    guard isStopped else { throw failed("'systemctl --user disable --now \(PortalUnit.name)' failed") }
    // A themed-portal that the user started by hand keeps running.
    let isUntold = { (chain: PortalChainFacts) in chain.isAsked == nil && chain.isRunning && chain.process != nil }
    var failure: String?
    let now = lookAtChain { chain in
      // While it starts, or the daemon has it started again, neither is known.
      failure = PortalUnit.portalFailure
      return !isUntold(chain) && (chain.process != nil || failure != nil)
    }
    guard let chain = now else {
      throw failed("cannot check whether the portal still asks themed-portal; run 'themectl doctor' to find out why")
    }
    if chain.isAsked == true || isUntold(chain) {
      let asks = chain.isAsked == true ? "asks it" : "does not say whether it asks it"
      throw failed(
        "themed-portal is still running, since its unit did not start it, and the portal \(asks); stop it, too")
    }
    if let failure { throw failed(failure) }
    guard chain.process != nil || PortalUnit.isPortalStarting else {
      throw failed(
        "themed-portal is stopped, but no portal is running, so programs cannot ask for light or dark; run 'themectl doctor'"
      )
    }
    try say(
      chain.process != nil
        ? "Programs that ask the portal get what the desktop asks for."
        : "themed-portal is stopped. The portal is still starting: see 'systemctl --user status xdg-desktop-portal'."
    )
    guard plan.left.isEmpty else { throw ExitCode.failed }
  }
}

/// The facts about the portal from `themed --check`, since this program does not use D-Bus.
private func chainFacts() throws -> PortalChainFacts {
  if let chain = lookAtChain() { return chain }
  throw failed("cannot look at the portal; run 'themectl doctor' to find out why")
}

/// Looks at the portal until it is as expected or the time is over, since it may not answer just after its start.
private func lookAtChain(until isRight: (PortalChainFacts) -> Bool) -> PortalChainFacts? {
  // A check may take seconds on a busy machine, so there are at least three, whatever the time.
  let end = monotonicMilliseconds() + patience
  var last: PortalChainFacts?
  var looks = 0
  repeat {
    if looks > 0 { usleep(250_000) }
    last = lookAtChain() ?? last
    if let last, isRight(last) { return last }
    looks += 1
  } while !StopSignals.isPending && (looks < 3 || monotonicMilliseconds() < end)
  return last
}

private func lookAtChain() -> PortalChainFacts? {
  let lines = themedProgram().flatMap(checkByDaemonsProgram)?.lines ?? []
  for finding in lines.compactMap({ Finding(json: $0.string) }) where finding.name == PortalChainFacts.finding {
    if let chain = PortalChainFacts(json: finding.what) { return chain }
  }
  return nil
}

private func requireManager(otherwise advice: String) throws {
  guard UserManager.isRunning else { throw failed("no systemd user manager is running: \(advice)") }
}

private func agree(_ plan: PortalPlan, _ steps: [String], _ isAgreed: Bool, _ command: String) throws {
  for change in plan.changes { try say(change.text) }
  for step in steps { try say("will \(step)") }
  if isAgreed { return }
  guard try confirms(orSkipWith: "themectl portal \(command) --yes") else { throw ExitCode.failure }
}

private func perform(_ plan: PortalPlan) throws {
  try EnabledList.locked { _ in
    do { try plan.perform() } catch { throw failed("\(error)") }
  }
}

private struct PortalUnit: Equatable {
  static let name = PortalChainFacts.unit.string

  let isEnabled: Bool
  let isActive: Bool

  static var now: PortalUnit {
    PortalUnit(isEnabled: systemctl("is-enabled", "--quiet", name), isActive: systemctl("is-active", "--quiet", name))
  }

  /// Restores this state and makes the portal read its files again; false if the state could not be restored.
  func restore() -> Bool {
    if !isEnabled { _ = Self.disable() }
    if !isActive { _ = Self.systemctl("stop", Self.name) }
    Self.restartPortal()
    return Self.now == self
  }

  /// Disables the unit and reloads the manager, which might otherwise still start the unit with the portal.
  static func disable() -> Bool { systemctl("disable", name) && systemctl("daemon-reload") }

  private static let portal = "xdg-desktop-portal.service"

  /// Restarts the portal, and waits only a few seconds for a portal that hangs at its start.
  ///
  /// The manager refuses the sixth start within ten seconds, and counts starts by the user, too. So its count is reset, to
  /// see whether this start fails.
  static func restartPortal() {
    _ = systemctl("reset-failed", portal)
    _ = UserManager.run(["restart", portal], inItsOwnGroup: true, atMost: startPatience)
  }

  /// Why the portal stopped, and what to type; nil if it is running or the manager does not start it.
  static var portalFailure: String? {
    let lines = portalState
    guard lines.contains("LoadState=loaded"), lines.contains("ActiveState=failed") else { return nil }
    let result = lines.lazy.compactMap { $0.dropping(prefix: "Result=") }.first ?? "failed"
    return
      "\(portal) does not start (\(printable(result))), so programs cannot ask for light or dark: 'journalctl --user "
      + "-u \(portal)' shows why; then run 'systemctl --user reset-failed \(portal); systemctl --user start \(portal)'"
  }

  static var isPortalStarting: Bool { portalState.contains("ActiveState=activating") }

  private static var portalState: [Text] {
    let words = ["show", "--property=LoadState", "--property=ActiveState", "--property=Result", portal]
    return UserManager.run(words, inItsOwnGroup: true)?.lines ?? []
  }

  /// Resets the manager's count of our unit's starts, since it refuses the eleventh start within a minute.
  static func resetStartCount() { _ = systemctl("reset-failed", name) }

  /// Whether the user manager has done this; Ctrl-C does not reach `systemctl`.
  static func systemctl(_ words: String...) -> Bool { UserManager.run(words, inItsOwnGroup: true)?.status == 0 }
}

extension PortalChainFacts {
  var isSetUp: Bool { isAsked == true && isFirst }

  var sentence: String {
    switch (isAsked, isRunning) {
    case (true?, _) where !isFirst:
      return "The portal asks other backends before themed-portal, and they decide: \(below)."
    case (true?, _):
      return "Programs that ask the portal get what themed shows; after themed-portal, the portal asks \(below)."
    case (nil, true):
      return process == nil
        ? "themed-portal is running, but no portal is."
        : "themed-portal is running, but the portal does not say whether it asks it. Run 'themectl doctor' to find out why."
    case (_, true):
      return "themed-portal is running, but the portal does not ask it: it asks \(below). Run 'themectl portal enable'."
    default: return "\(offer)."
    }
  }

  /// The user's files that may have lines of ours.
  var ownFiles: [Text] {
    var files: [Text] = []
    if let directory {
      let names = names(inDirectory: directory.string).filter { $0.hasSuffix(PortalPlan.general) }
      files += names.map { "\(directory)/\($0)" }
    }
    if let dataDirectory { files.append("\(dataDirectory)/\(Self.backend).portal") }
    return files
  }
}
