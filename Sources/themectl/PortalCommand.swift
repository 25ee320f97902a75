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
    try requireManager()
    let chain = try chainFacts()
    let plan: PortalPlan
    do throws(PortalPlan.Refusal) { plan = try .enabling(chain, read: PortalPlan.find) } catch {
      complain("\(error)")
      throw ExitCode.failed
    }
    if plan.changes.isEmpty, chain.isSetUp { return try say(chain.sentence) }
    try agree(plan, ["start themed-portal.service, now and at each login", "restart xdg-desktop-portal.service"], yes)
    // From here on all is done, or nothing.
    holdSignals()
    try perform(plan)
    restart(["enable", "--now", "themed-portal.service"])
    for _ in 0..<20 where !isInterrupted {
      // Just after its start the portal may not answer yet.
      if let chain = lookAtChain(), chain.isSetUp { return try say(chain.sentence) }
      usleep(250_000)
    }
    complain(
      isInterrupted
        ? "interrupted: all is taken back"
        : "the portal was restarted and does not ask themed-portal first: all is taken back; 'themectl doctor' may say why"
    )
    try perform(plan.inverse)
    restart(["disable", "--now", "themed-portal.service"])
    throw ExitCode.failed
  }
}

struct PortalDisable: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "disable", abstract: "Stop themed-portal, and leave the portal's files as they were before.")

  @Flag(help: "Do not ask.")
  var yes = false

  func run() throws {
    try requireManager()
    let chain = try chainFacts()
    let plan = PortalPlan.disabling(chain.ownFiles, read: PortalPlan.find)
    try agree(plan, ["stop themed-portal.service, and start it no more", "restart xdg-desktop-portal.service"], yes)
    try perform(plan)
    restart(["disable", "--now", "themed-portal.service"])
    try say("Programs that ask the portal get what the desktop asks for.")
  }
}

/// What the daemon's program sees of the portal, since that takes D-Bus.
private func chainFacts() throws -> PortalChainFacts {
  if let chain = lookAtChain() { return chain }
  complain("the portal cannot be looked at; 'themectl doctor' may say why")
  throw ExitCode.failed
}

private func lookAtChain() -> PortalChainFacts? {
  let lines = themedProgram().flatMap { Program.run([$0, "--check", "--json"]) }?.lines ?? []
  for finding in lines.compactMap({ Finding(json: $0.string) }) where finding.name == PortalChainFacts.finding {
    if let chain = PortalChainFacts(json: finding.what) { return chain }
  }
  return nil
}

private let ends = [SIGINT, SIGTERM, SIGHUP]

/// Has what would end this process wait, so that nothing is left half done.
private func holdSignals() {
  var signals = sigset_t()
  unsafe sigemptyset(&signals)
  for signal in ends { unsafe sigaddset(&signals, signal) }
  unsafe sigprocmask(SIG_BLOCK, &signals, nil)
}

private var isInterrupted: Bool {
  var pending = sigset_t()
  unsafe sigpending(&pending)
  return ends.contains { unsafe sigismember(&pending, $0) == 1 }
}

private func requireManager() throws {
  guard FailedUnits.isManagerThere else {
    complain(
      "no systemd user manager runs here: start themed-portal with the session by hand, before the portal, and see "
        + "themed-portal(1) for what portals.conf has to say")
    throw ExitCode.failed
  }
}

/// Shows what is to be done, and asks whether it may be.
private func agree(_ plan: PortalPlan, _ steps: [String], _ isAgreed: Bool) throws {
  for change in plan.changes { try say(change.text) }
  for step in steps { try say("will \(step)") }
  if isAgreed { return }
  guard isatty(STDIN_FILENO) != 0 else {
    complain("nobody can be asked here; --yes does it without asking")
    throw ExitCode.failed
  }
  try write("Go on? [y/N] ")
  guard let answer = readLine(), Text(answer) == "y" || Text(answer) == "yes" else {
    try say("Nothing was changed.")
    throw ExitCode.failure
  }
}

private func perform(_ plan: PortalPlan) throws {
  var done = PortalPlan(changes: [])
  do throws(SystemError) {
    for change in plan.changes {
      try change.perform()
      done = PortalPlan(changes: done.changes + [change])
    }
  } catch {
    for change in done.inverse.changes { try? change.perform() }
    complain("\(error); nothing was changed")
    throw ExitCode.failed
  }
}

/// Does this with our unit, and has the portal read its files again.
private func restart(_ words: [String]) {
  _ = Program.run(["systemctl", "--user"] + words)
  _ = Program.run(["systemctl", "--user", "restart", "xdg-desktop-portal.service"])
}

extension PortalPlan {
  /// What takes it back.
  var inverse: PortalPlan {
    PortalPlan(changes: changes.reversed().map { Change(path: $0.path, before: $0.after, after: $0.before) })
  }

  /// What lies at a path.
  static func find(_ path: Text) -> File {
    // Its directory may be missing, too.
    guard unsafe access(path.string, F_OK) == 0 || isSymbolicLink(path.string) else { return .missing }
    if isSymbolicLink(path.string) { return .untouchable("it is a link to elsewhere") }
    guard let bytes = try? readFile(path.string, maximum: 1 << 20) else { return .untouchable("it cannot be read") }
    // A system's is only read.
    let isOwn = owner(of: path.string) == geteuid()
    if isOwn, unsafe access(path.string, W_OK) != 0 { return .untouchable("it is read-only") }
    return .text(bytes)
  }
}

/// The number of the user whose file it is.
private func owner(of path: String) -> uid_t? {
  var status = stat()
  return unsafe stat(path, &status) == 0 ? status.st_uid : nil
}

extension PortalPlan.Change {
  /// For people: the file, and the lines that come and go.
  var text: String {
    guard let after else { return "will remove \(printable(path))" }
    let (old, new) = (lines(before ?? []), lines(after))
    let gone = old.filter { !new.contains($0) }.map { "  - \($0.shown())" }
    let come = new.filter { !old.contains($0) }.map { "  + \($0.shown())" }
    return (["will \(before == nil ? "make" : "change") \(printable(path)):"] + gone + come).joined(separator: "\n")
  }

  private func lines(_ bytes: [UInt8]) -> [Text] {
    bytes.split(separator: UInt8(ascii: "\n")).map { Text(decoding: $0) }
  }

  func perform() throws(SystemError) {
    if let after { return try writeFile(path.string, after) }
    guard unsafe unlink(path.string) == 0 || errno == ENOENT else { throw SystemError("removing \(path)", errno) }
  }
}

extension PortalChainFacts {
  /// Whether whoever asks the portal gets our word.
  var isSetUp: Bool { isAsked == true && isFirst }

  /// How it stands, for people.
  var sentence: String {
    let below = others.isEmpty ? "no backend" : others.map { $0.shown() }.joined(separator: ", ")
    switch (isAsked, isRunning) {
    case (true?, _) where !isFirst:
      return "The portal asks themed-portal after others, which go before what themed shows: \(below)."
    case (true?, _): return "Programs that ask the portal get what themed shows; below it, the portal asks \(below)."
    case (_, true):
      return process == nil
        ? "themed-portal runs, and no portal does."
        : "themed-portal runs, and the portal does not ask it: it asks \(below). 'themectl portal enable' sets it up."
    default: return "themed-portal does not run; the portal asks \(below). 'themectl portal enable' sets it up."
    }
  }

  /// The files of the user's that may have something of ours.
  var ownFiles: [Text] {
    var files: [Text] = []
    if let directory {
      files += names(inDirectory: directory.string).filter { $0.hasSuffix("portals.conf") }.map { "\(directory)/\($0)" }
    }
    if let dataDirectory { files.append("\(dataDirectory)/\(Self.backend).portal") }
    return files
  }
}
