import Glibc
package import ThemeApps
import ThemedSystem

/// The report of themed-apply about the desktop's settings, which tells whether it can write them.
package struct WriterReport {
  /// The status of themed-apply; nil if it is not running.
  package let status: ApplyStatus?
  /// The app files that describe this desktop.
  package let apps: [App]
  /// Whether the command that reads a setting fails, which is asked only for a setting without a value.
  var isUnreadable: (App.DesktopSetting) -> Bool = \.isUnreadable

  /// The reason why themed-apply cannot turn the desktop at the next change; nil if it can.
  var obstacle: String? {
    guard let status else { return "themed-apply is not running" }
    guard status.desktop?.isOver == true else { return "themed-apply has not read the desktop's settings yet" }
    let files = status.desktopFiles
    guard !files.isEmpty else {
      return status.troubleWithDesktop.map { "themed-apply cannot turn it: \($0)" }
        ?? "themed-apply uses no app file for this desktop"
    }
    let used = apps.filter { files.contains($0.name) }
    let schemes = used.compactMap { app in app.desktop?.schemeSetting.map { (app: app, setting: $0) } }
    if schemes.isEmpty, let app = used.first {
      return "the app file '\(app.name)' does not have the setting from which the desktop reports light and dark"
    }
    let rows = status.settings
    let unread = schemes.first { scheme in
      let row = rows.first { $0.app == scheme.app.name && $0.name == scheme.setting.name }
      return row?.value == nil && (row == nil || isUnreadable(scheme.setting))
    }
    return unread.map { app, setting in
      let reason = status.troubleWithDesktop.map { ": \($0)" } ?? ""
      return "themed-apply cannot read the setting \(setting.name.shown()) of \(printable(app.title))\(reason)"
    }
  }
}

extension ApplyStatus {
  /// Why themed-apply cannot write a setting, with the advice; nil if it can write all.
  package var troubleWithDesktop: String? {
    guard let entry = desktop, entry.problem != nil else { return nil }
    return [entry.problem, entry.advice].compactMap(\.self).map(\.string).joined(separator: "; ")
  }

  /// The status as soon as themed-apply has read the desktop's settings, or when the time is over; nil if it is not
  /// running.
  package static func ofDesktop(waiting milliseconds: Int) -> ApplyStatus? {
    let end = monotonicMilliseconds() + milliseconds
    while true {
      guard let status = ApplyStatus() else { return nil }
      let hasRead = status.desktop?.isOver == true && !status.desktopFiles.isEmpty
      if hasRead || monotonicMilliseconds() > end { return status }
      usleep(50_000)
    }
  }
}

extension ApplyStatus.Entry {
  /// Whether a run has ended, even if it failed.
  fileprivate var isOver: Bool { ["done", "failed", "waiting"].contains(state) }
}

extension App.DesktopSetting {
  /// Whether the command that reads the setting fails.
  fileprivate var isUnreadable: Bool {
    guard let read else { return false }
    let programs = read[0].split("|")
    let program = programs.first { programInPath($0) != nil } ?? programs[0]
    let run = Program.run([program.string] + read.dropFirst().map(\.string), atMost: timeout)
    return run?.status != 0
  }
}
