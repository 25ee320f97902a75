import ArgumentParser
import Glibc
import ThemeInterface
import ThemedText
import ThemedUnix

struct PortalCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "portal",
    abstract: "Have every program that asks the desktop's portal get what themed shows.",
    discussion: """
      Browsers, GTK and Qt programs ask the settings portal for light or dark. While themed-portal runs and the portal \
      asks it, they get what an override or the schedule decides, and else what the desktop asks for.
      """,
    subcommands: [PortalStatus.self, PortalEnable.self, PortalDisable.self], defaultSubcommand: PortalStatus.self)
}

struct PortalStatus: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Say whether the portal asks themed-portal; exits with 1 where it does not.")

  @OptionGroup var format: Format

  func run() throws {
    let chain = try chainFacts()
    try say(format.json ? chain.json : chain.sentence)
    guard chain.isSetUp else { throw ExitCode.failure }
  }
}

/// How long the portal is given to start, in seconds: it starts in less than one.
private let startPatience = 10
/// How long it is given then, in milliseconds, to answer as it should.
private let patience = 5_000

struct PortalEnable: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "enable",
    abstract: "Start themed-portal, and have the portal ask it first.",
    discussion: """
      Shows what it would write, and asks. Then it starts the service, restarts the portal, and looks whether that asks \
      it; if not, it takes everything back.
      """)

  @Flag(help: "Do not ask.")
  var yes = false

  func run() throws {
    try requireManager(
      otherwise: "start themed-portal with the session by hand, before the portal, and see themed-portal(1) for what "
        + "portals.conf has to say")
    let chain = try chainFacts()
    let plan: PortalPlan
    do throws(PortalPlan.Refusal) { plan = try .enabling(chain, read: PortalPlan.find) } catch {
      complain("\(error)")
      throw ExitCode.failed
    }
    // One that was started for now is still to be started at each login; one by hand is its starter's.
    let unit = PortalUnit.now
    if plan.changes.isEmpty, chain.isSetUp, unit.isEnabled || !unit.isActive { return try say(chain.sentence) }
    try agree(
      plan, ["start themed-portal.service, now and at each login", "restart xdg-desktop-portal.service"], yes, "enable")
    // From here on all is done, or nothing.
    StopSignals.hold()
    let before = (directories: plan.missingDirectories, unit: unit)
    try perform(plan)
    var trouble = "the portal was restarted and does not ask themed-portal first"
    PortalUnit.forgiveStarts()
    if PortalUnit.systemctl("enable", "--now", PortalUnit.name) {
      PortalUnit.restartPortal()
      if let chain = lookAtChain(until: \.isSetUp), chain.isSetUp { return try say(chain.sentence) }
    } else {
      trouble = "'systemctl --user enable --now \(PortalUnit.name)' has failed"
    }
    let areFilesBack = plan.takeBack(before.directories)
    let isUnitBack = before.unit.restore()
    let end =
      areFilesBack && isUnitBack
      ? "all is taken back" : "not all could be taken back; 'themectl portal disable' removes what is left"
    complain(StopSignals.isPending ? "interrupted: \(end)" : "\(trouble): \(end); 'themectl doctor' may say why")
    if let failure = PortalUnit.portalFailure { complain(failure) }
    throw ExitCode.failed
  }
}

struct PortalDisable: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "disable", abstract: "Stop themed-portal, and leave the portal's files as they were before.")

  @Flag(help: "Do not ask.")
  var yes = false

  func run() throws {
    try requireManager(
      otherwise: "end themed-portal by hand, and take out of portals.conf what 'themectl portal enable' has added")
    let chain = try chainFacts()
    let plan = PortalPlan.disabling(chain.ownFiles, read: PortalPlan.find)
    try agree(
      plan, ["stop themed-portal.service, and start it no more", "restart xdg-desktop-portal.service"], yes, "disable")
    // From here on all is done.
    StopSignals.hold()
    try perform(plan)
    plan.removeEmptyDirectories()
    let isStopped = PortalUnit.disable() && PortalUnit.systemctl("stop", PortalUnit.name)
    PortalUnit.restartPortal()
    for sentence in plan.left { complain(sentence.string) }
    guard isStopped else {
      complain("'systemctl --user disable --now \(PortalUnit.name)' has failed")
      throw ExitCode.failed
    }
    // One that was started by hand serves on.
    let isUntold = { (chain: PortalChainFacts) in chain.isAsked == nil && chain.isRunning && chain.process != nil }
    guard let chain = lookAtChain(until: { !isUntold($0) }) else {
      complain("the portal cannot be looked at, to see whether it still asks; 'themectl doctor' may say why")
      throw ExitCode.failed
    }
    if chain.isAsked == true || isUntold(chain) {
      let asks = chain.isAsked == true ? "asks it" : "does not answer whether it asks it"
      complain("themed-portal runs all the same, not started by its unit, and the portal \(asks); end it, too")
      throw ExitCode.failed
    }
    if let failure = PortalUnit.portalFailure {
      complain(failure)
      throw ExitCode.failed
    }
    guard chain.process != nil || PortalUnit.isPortalStarting else {
      complain(
        "themed-portal is stopped, and no portal runs: programs cannot ask for light or dark; 'themectl doctor' says why"
      )
      throw ExitCode.failed
    }
    try say(
      chain.process != nil
        ? "Programs that ask the portal get what the desktop asks for."
        : "themed-portal is stopped. The portal is still starting: 'systemctl --user status xdg-desktop-portal' tells more."
    )
    guard plan.left.isEmpty else { throw ExitCode.failed }
  }
}

/// What the daemon's program sees of the portal, since that takes D-Bus.
private func chainFacts() throws -> PortalChainFacts {
  if let chain = lookAtChain() { return chain }
  complain("the portal cannot be looked at; 'themectl doctor' may say why")
  throw ExitCode.failed
}

/// Looks at it until it is as it should be, since just after its start the portal may not answer yet, and then as it is.
private func lookAtChain(until isRight: (PortalChainFacts) -> Bool) -> PortalChainFacts? {
  // By the clock, since a look itself may take seconds on a busy machine; and more than once, however long one takes.
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
  guard UserManager.isThere else {
    complain("no systemd user manager runs here: \(advice)")
    throw ExitCode.failed
  }
}

/// Shows what is to be done, and asks whether it may be.
private func agree(_ plan: PortalPlan, _ steps: [String], _ isAgreed: Bool, _ command: String) throws {
  for change in plan.changes { try say(change.text) }
  for step in steps { try say("will \(step)") }
  if isAgreed { return }
  guard try agrees(toTyping: "themectl portal \(command) --yes") else { throw ExitCode.failure }
}

private func perform(_ plan: PortalPlan) throws {
  do { try plan.perform() } catch {
    complain("\(error); nothing was changed")
    throw ExitCode.failed
  }
}

/// How our unit stands.
private struct PortalUnit: Equatable {
  static let name = PortalChainFacts.unit.string

  let isEnabled: Bool
  let isActive: Bool

  /// As it stands now.
  static var now: PortalUnit {
    PortalUnit(isEnabled: systemctl("is-enabled", "--quiet", name), isActive: systemctl("is-active", "--quiet", name))
  }

  /// Leaves it as it was, and has the portal read its files again; whether it is as it was.
  func restore() -> Bool {
    if !isEnabled { _ = Self.disable() }
    if !isActive { _ = Self.systemctl("stop", Self.name) }
    Self.restartPortal()
    return Self.now == self
  }

  /// The manager is told as well: else it may still start our unit with the portal, which it did before.
  static func disable() -> Bool { systemctl("disable", name) && systemctl("daemon-reload") }

  /// The portal's own unit.
  private static let portal = "xdg-desktop-portal.service"

  /// One that hangs at its start, for which the manager gives it a minute and a half, holds up nobody who types.
  ///
  /// The manager refuses the sixth start within ten seconds, and counts those that somebody has typed too: what counts
  /// here is whether this one fails.
  static func restartPortal() {
    _ = systemctl("reset-failed", portal)
    _ = UserManager.run(["restart", portal], inItsOwnGroup: true, atMost: startPatience)
  }

  /// Why the portal does not run any more, and what to type; nil if it runs or the manager does not start it.
  static var portalFailure: String? {
    let lines = portalState
    guard lines.contains("LoadState=loaded"), lines.contains("ActiveState=failed") else { return nil }
    let result = lines.lazy.compactMap { $0.dropping(prefix: "Result=") }.first ?? "failed"
    return
      "\(portal) does not start (\(printable(result))), so programs cannot ask for light or dark: 'journalctl --user "
      + "-u \(portal)' says why; then type 'systemctl --user reset-failed \(portal); systemctl --user start \(portal)'"
  }

  /// Whether the portal's unit is on its way, as where a backend of its own does not start.
  static var isPortalStarting: Bool { portalState.contains("ActiveState=activating") }

  private static var portalState: [Text] {
    let words = ["show", "--property=LoadState", "--property=ActiveState", "--property=Result", portal]
    return UserManager.run(words, inItsOwnGroup: true)?.lines ?? []
  }

  /// Has the manager forget how often our unit was started: it refuses the eleventh start within a minute.
  static func forgiveStarts() { _ = systemctl("reset-failed", name) }

  /// Whether the user manager has done this; a Ctrl-C meanwhile is for us alone.
  static func systemctl(_ words: String...) -> Bool {
    UserManager.run(words, inItsOwnGroup: true)?.status == 0
  }
}

extension PortalChainFacts {
  /// Whether whoever asks the portal gets our word.
  var isSetUp: Bool { isAsked == true && isFirst }

  /// How it stands, for people.
  var sentence: String {
    switch (isAsked, isRunning) {
    case (true?, _) where !isFirst:
      return "The portal asks themed-portal after others, which go before what themed shows: \(below)."
    case (true?, _): return "Programs that ask the portal get what themed shows; below it, the portal asks \(below)."
    case (nil, true):
      return process == nil
        ? "themed-portal runs, and no portal does."
        : "themed-portal runs, and the portal does not answer whether it asks it. 'themectl doctor' may say why."
    case (_, true):
      return
        "themed-portal runs, and the portal does not ask it: it asks \(below). 'themectl portal enable' sets it up."
    default: return "\(offer)."
    }
  }

  /// The files of the user's that may have something of ours.
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
