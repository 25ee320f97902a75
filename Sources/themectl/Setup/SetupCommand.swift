import ThemeInterface
import ArgumentParser
import Glibc
import ThemeApps
import ThemeClientCore
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
    if !format.json { try SetupTest(daemon: daemon).show() }
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

/// Switches for a few seconds to show that programs follow.
///
/// The daemon ends the override by itself, even if this program is killed.
struct SetupTest {
  /// How long the test lasts, in seconds; slow programs may take two.
  private static let seconds: Int64 = 5
  /// How much later the override may end, in tenths of a second.
  private static let patience = 50

  let daemon: Daemon

  func show() throws {
    let before = try daemon.call { (theme) throws(ThemeClientError) in try theme.getState() }
    if let origin = before.resolution.origins["scheme"], origin.rule == Origin.Rule.override,
      origin.expiresAt != nil || origin.untilDesktopChanges
    {
      // A toggle would remove the override and its end.
      let said = before.scheme.rawValue
      return try say("You set \(said) for a limited time, so this skips the test; 'themectl toggle' switches by hand.")
    }
    let turned = try turn()
    try say("Switched to \(turned.rawValue) for a few seconds; these programs follow:")
    let rows = try desktop(after: turned) + followers(of: turned)
    for row in lines(of: rows, Style(ofOutput: .auto)) { try say("  \(row)") }
    for _ in 0..<(Self.patience + 10 * Int(Self.seconds)) {
      let now = try daemon.call { (theme) throws(ThemeClientError) in try theme.getState() }
      if now.scheme == before.scheme { return try say(lastWords(now.scheme)) }
      usleep(100_000)
    }
    throw failed("it is still \(turned.rawValue); run 'themectl toggle' to switch back")
  }

  private func turn() throws -> ColorScheme {
    let end = wallClock() + Self.seconds
    return try daemon.call(.toChange) { (theme) throws(ThemeClientError) in try theme.toggle(expiresAt: end) }.state
      .scheme
  }

  /// A row for the desktop itself, if it is kept in step.
  private func desktop(after scheme: ColorScheme) throws -> [[String]] {
    guard let report = try awaitDesktop(scheme, atMost: 10 * Int(Self.seconds - 1)) else { return [] }
    if report.isAt(scheme) { return [["the desktop", "turned"]] }
    return [["the desktop", report.note ?? "has not turned yet; 'themectl desktop' says why"]]
  }

  /// The last words of the test, after the desktop has turned back, too.
  private func lastWords(_ scheme: ColorScheme) throws -> String {
    let report = try awaitDesktop(scheme, atMost: Self.patience)
    let isLate = report?.isAt(scheme) == false
    return "Switched back to \(scheme.rawValue)."
      + (isLate ? " The desktop itself has not turned back yet; 'themectl desktop' says why." : "")
  }

  /// Waits until the desktop shows this, for at most so many tenths of a second; nil if it is left alone.
  private func awaitDesktop(_ scheme: ColorScheme, atMost tenths: Int) throws -> DesktopReport? {
    var report: DesktopReport?
    for _ in 0..<tenths {
      report = try DesktopReport(daemon)
      guard let report, report.step.isInStep else { return nil }
      if report.isAt(scheme) { break }
      usleep(100_000)
    }
    return report
  }

  private func followers(of scheme: ColorScheme) throws -> [[String]] {
    let (clients, overrides) = try daemon.call { (theme) throws(ThemeClientError) in
      (try theme.call(.clients), try theme.listOverrides())
    }
    let own = Set(overrides.filter { $0.scheme != nil }.compactMap(\.app))
    // Apps without files to apply are plugins, which are among the clients.
    let enabled = EnabledList.names.filter { AppPlaces().examination(of: $0)?.app?.needsApplying ?? true }
    let names = Set(clients.compactMap(\.app)).subtracting(enabled).sorted()
    let told = names.map { [printable($0), own.contains($0) ? "has an override of its own" : "notified"] }
    var waiting = enabled.filter { !own.contains($0) }
    for _ in 0..<(10 * Int(Self.seconds - 1)) where !waiting.isEmpty {
      guard let status = ApplyStatus() else { break }
      waiting.removeAll { status.apps[$0]?.isOver(scheme) == true }
      if !waiting.isEmpty { usleep(100_000) }
    }
    let status = ApplyStatus()
    return told
      + enabled.map { name in
        if own.contains(name) { return [printable(name), "has an override of its own"] }
        let entry = status?.apps[name]
        if let entry, entry.isOver(scheme) { return [printable(name), entry.words(wallClock())] }
        return [
          printable(name), status == nil ? "themed-apply is not running" : "not yet; 'themectl app' shows its progress",
        ]
      }
  }
}

extension DesktopReport {
  /// Whether the desktop is in step, and shows this.
  fileprivate func isAt(_ scheme: ColorScheme) -> Bool { state == .inStep && shown == scheme }
}

extension ApplyStatus.Entry {
  fileprivate func isOver(_ scheme: ColorScheme) -> Bool {
    guard case .object(let object) = json, object["scheme"] == .word(scheme.rawValue) else { return false }
    return state == "done" || state == "failed" || state == "idle"
  }
}
