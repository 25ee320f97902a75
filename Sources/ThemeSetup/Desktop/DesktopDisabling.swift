import Glibc
import ThemedClientCore
import ThemedInterface
import ThemedModel
import ThemedSystem

/// Leaves the desktop alone again, which gives it its own settings back.
package struct DesktopDisabling {
  private let socket: String?
  /// Whether the desktop is to be kept in step now.
  package let isOn: Bool
  package let change: ConfigChange

  package init(socket: String?) throws {
    self.socket = socket
    let path = try ConfigChange.path(readAt: socket) ?? ConfigChange.usualPath()
    isOn = ConfigChange.value(.desktopInStep, in: path) == "yes"
    change = try ConfigChange([(key: .desktopInStep, value: "no")], in: path)
  }

  /// Waits until the desktop has its own settings, and returns the sentence about that.
  package func perform() throws -> String {
    try change.perform()
    let report: DesktopReport
    do { report = try awaited() } catch let refusal as Refusal where refusal.lacksDaemon {
      guard ApplyStatus.remembersDesktop else { throw refusal }
      let rest = "the desktop keeps its present settings until themed and themed-apply run again"
      throw Refusal(reasons: refusal.reasons + [rest], lacksDaemon: true)
    }
    if report.state != .off {
      throw Refusal("themed still keeps the desktop in step; run 'themectl doctor' to find out why")
    }
    guard !ApplyStatus.remembersDesktop else { throw Refusal(leftover(report)) }
    let shows = report.desktop.map { " It shows \($0.rawValue)." } ?? ""
    return isOn ? "The desktop has its own settings again.\(shows)" : "The desktop is left alone, as before.\(shows)"
  }

  /// Why the desktop does not have its own settings back yet.
  private func leftover(_ report: DesktopReport) -> String {
    guard report.isApplied else {
      return "the desktop keeps its present settings until themed-apply runs again and restores them"
    }
    if let trouble = report.trouble { return "the desktop does not have all of its own settings back: \(trouble)" }
    guard ["done", "idle"].contains(ApplyStatus()?.desktop?.state) else {
      return
        "themed-apply has not given the desktop all of its own settings back yet; 'themectl desktop' says how far it is"
    }
    return
      "some settings belong to a desktop that is not running now; they come back when you log in there again"
  }

  /// Waits until the desktop has its own settings again, or the time is over.
  private func awaited() throws -> DesktopReport {
    let end = monotonicMilliseconds() + 1_000 * DesktopEnabling.patience
    while true {
      let report = try DesktopReport(socket: socket)
      let isOver = report.state == .off && (!ApplyStatus.remembersDesktop || !report.isApplied)
      // What is asked next has to know it, too.
      if try isOver && hasRefusedDesktop || monotonicMilliseconds() > end { return report }
      usleep(100_000)
    }
  }

  /// Whether the daemon has read that the user wants the desktop to be left alone.
  private var hasRefusedDesktop: Bool {
    get throws(Refusal) {
      try withDaemon(at: socket) { (theme) throws(CallError) in
        try theme.call(.configuration(of: DesktopReport.settings))
      }.hasRefusedDesktop
    }
  }
}
