import Glibc
package import ThemeApps
import ThemedClientCore
import ThemedInterface
import ThemedModel
import ThemedSystem

/// Makes the desktop turn with themed: what is needed, checked before anything is changed.
package struct DesktopEnabling {
  /// How long the desktop may take to be in step, in seconds: a portal may have to start.
  package static let patience = 10
  /// How long themed-apply may take to read the desktop's settings, in milliseconds.
  static let patienceWithWriter = 5_000

  private let socket: String?
  private let change: ConfigChange
  /// The app files that describe this desktop, and whose programs are installed.
  private let apps: [App]
  /// Whether the user manager has to start the daemon.
  private let startsDaemon: Bool
  private let startsApply: Bool
  /// Whether nothing runs themed-apply, and only the session can start it.
  private let lacksApply: Bool

  /// Throws why the desktop cannot be kept in step from here.
  ///
  /// - Parameter added: the apps that are enabled by name at the same time.
  package init(socket: String?, adding added: [App] = []) throws {
    try EnvironmentComparison.requireSameFiles()
    self.socket = socket
    let known = try Self.diagnostics(socket)
    startsDaemon = known == nil
    _ = try known?.stepOfDesktop
    if let problem = known?.configuration.problem {
      throw Refusal("\(problem); correct that, because themed does not read the file until then, and run this again")
    }
    let apps = unique(added + SessionDesktop.apps)
    self.apps = apps.filter(\.isInstalled)
    guard !self.apps.isEmpty else { throw Refusal(Self.noWriter(apps)) }
    change = try ConfigChange(
      [(key: .desktopInStep, value: "yes")], in: known?.configuration.path ?? ConfigChange.usualPath())
    let (isApplied, hasManager) = (ApplyStatus() != nil, UserManager.isRunning)
    (startsApply, lacksApply) = (!isApplied && hasManager, !isApplied && !hasManager)
  }

  /// Why nothing can write this desktop's settings.
  private static func noWriter(_ apps: [App]) -> String {
    let programs = unique(apps.flatMap(\.programs)).map { "'\($0)'" }.joined(separator: " or ")
    guard programs.isEmpty else {
      return "this desktop cannot turn, since \(programs), which writes its settings, is not in PATH"
    }
    let name = SessionDesktop.names.map { printable($0) }.joined(separator: ":")
    return
      "no app file describes \(name.isEmpty ? "a desktop" : "the desktop '\(name)'"), so it cannot turn; themed.app(5) says "
      + "how to write one"
  }

  /// The daemon's diagnostics; nil if it does not run, but systemd can start it.
  private static func diagnostics(_ socket: String?) throws -> Diagnostics? {
    do throws(CallError) {
      var theme = try ThemeConnection(socket: socket, timeout: .toRead)
      return try theme.call(.diagnostics)
    } catch {
      guard error.code == .noDaemon, SetupFacts.canStartDaemon(at: socket) else {
        throw Refusal(error, at: socket)
      }
      return nil
    }
  }

  /// Whether there is nothing left to do.
  package var isDone: Bool { !change.isNeeded && !startsDaemon && !startsApply }

  /// The changes, line by line, for people.
  package var plan: [String] {
    if isDone { return [] }
    var lines = ["The desktop:"]
    if change.isNeeded { lines.append("  \(change.plan)") }
    if startsDaemon { lines.append("  starts themed, now and with each session") }
    if startsApply { lines.append("  starts themed-apply, now and with each session") }
    lines.append("  turns light or dark whenever themed does; themed-apply writes its settings:")
    for app in apps {
      let names = app.namesOfSettings(on: SessionDesktop.names)
      lines.append("    \(app.title): \(names.joined(separator: ", "))")
    }
    for (title, words) in OwnSetting.onDesktop { lines.append("  but \(title) stays \(words)") }
    if lacksApply { lines.append("  but nothing turns until your session starts 'themed-apply'") }
    return lines
  }

  package func perform() throws {
    SetupRecord.note([Text(change.path)])
    try change.perform()
    if startsDaemon, UserManager.run(["enable", "--now"] + SetupFacts.units, inItsOwnGroup: true)?.status != 0 {
      throw Refusal("'systemctl --user enable --now themed.service' failed; run 'themectl doctor' to find out why")
    }
    // Without a user manager, the report says that themed-apply is not running.
    if startsApply, let problem = ApplyService.start(for: []) { throw Refusal(problem) }
  }

  /// How it went.
  package struct Outcome {
    /// Whether the desktop turns.
    package let isInStep: Bool
    package let note: String?
    /// The sentence for the user.
    package let words: String
  }

  /// Carries out the plan, and waits until it is known whether the desktop turns.
  package func carryOut() throws -> Outcome {
    try perform()
    let report = try awaitStep()
    func failure(_ words: String) -> Outcome {
      Outcome(isInStep: false, note: nil, words: "in-step=yes is set, but \(words) \(Self.later)")
    }
    guard report.state == .inStep else { return failure(obstacle(report)) }
    // If the desktop shows the right side already, nothing was written, which proves nothing.
    let status = ApplyStatus.ofDesktop(waiting: Self.patienceWithWriter)
    if let obstacle = WriterReport(status: status, apps: apps).obstacle {
      return failure(
        "the desktop will not turn at the next change: \(obstacle); run 'themectl doctor' to find out why.")
    }
    return Outcome(
      isInStep: true, note: status?.troubleWithDesktop.map { "note: not all settings of the desktop turn: \($0)" },
      words: "\(report.sentence) From now on, it turns when themed does: try 'themectl toggle'.")
  }

  /// Waits until the desktop is in step, or something is known to be in the way.
  private func awaitStep() throws -> DesktopReport {
    let start = monotonicMilliseconds()
    while true {
      let report = try DesktopReport(socket: socket)
      let waited = monotonicMilliseconds() - start
      switch report.state {
      case .inStep: return report
      // A portal that has just been asked, and a service that has just started, need a moment.
      case .stuck, .unknown: if waited > 3_000 { return report }
      case .off, .leaving, .turning: break
      }
      if waited > 1_000 * Self.patience { return report }
      usleep(100_000)
    }
  }

  /// The words about a setting that has no effect yet.
  private static let later =
    "The setting stays, so the desktop turns once that is fixed; 'themectl desktop disable' takes it back."

  /// The reason why the desktop is not in step, for the user.
  private func obstacle(_ report: DesktopReport) -> String {
    switch report.state {
    case .off, .leaving:
      "themed does not use \(Text(change.path).belowHome); run 'themectl config' to see what it uses."
    case .unknown:
      "no portal says what the desktop shows, so themed cannot tell whether it turns; run 'themectl doctor' to find out "
        + "why."
    case .turning, .stuck, .inStep: report.failure
    }
  }
}
