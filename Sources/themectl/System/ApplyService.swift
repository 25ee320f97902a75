import Glibc
import ThemeApps
import ThemedSystem

/// The service that applies app files and starts hooks.
///
/// It also runs while nothing is enabled, because a hook works as soon as its file exists.
enum ApplyService {
  static let unit = "themed-apply.service"

  /// Starts the service, now and with each session; returns a note for the user if that fails.
  ///
  /// - Parameter names: the apps that were enabled.
  static func start(for names: [Text]) -> String? {
    guard UserManager.isThere else {
      guard ApplyStatus() == nil else { return nil }
      return
        "note: \(names.few): nothing follows yet, since no systemd user manager is running: have your session start "
        + "'themed-apply'; until then, run it in a terminal"
    }
    // If the session has started themed-apply, that one keeps running, since a second one could not start.
    let words = ApplyStatus() == nil ? ["enable", "--now", unit] : ["enable", unit]
    guard UserManager.run(words, atMost: patience)?.status == 0 else {
      return "note: '\(unit)' did not start; run 'systemctl --user enable --now \(unit)' to see why"
    }
    return nil
  }

  /// How long the user manager may take to start the service, in seconds; the unit itself allows ten.
  static let patience = 15

  /// How far themed-apply has released an app that was disabled.
  enum Release {
    /// themed-apply has released the app.
    case whole
    /// themed-apply no longer writes the app's files, but some terminals still have its colors, for this reason.
    case butTerminals(String)
    /// themed-apply may still write the app's files; its state.
    case none(String)
  }

  /// Waits until themed-apply no longer writes the app's files, for at most ten seconds, and says so after one second.
  static func awaitRelease(of app: Text) -> Release {
    let start = monotonicMilliseconds()
    var (isTold, releasedAt) = (false, Int?.none)
    while true {
      guard let status = ApplyStatus(), let entry = status.apps[app] else { return .whole }
      let now = monotonicMilliseconds()
      if entry.isReleased {
        // Terminals take a moment. If their output is stopped, the user learns of it, and themed-apply tries again.
        if releasedAt == nil { releasedAt = now }
        if entry.problem != nil && entry.state != "running" || now - (releasedAt ?? now) > 3_000 {
          return .butTerminals(entry.words(Int64(time(nil))))
        }
      } else if now - start > 10_000 {
        return .none(entry.words(Int64(time(nil))))
      } else if now - start > 1_000, !isTold {
        isTold = true
        complain("waiting for themed-apply to stop writing the files of '\(app)'")
      }
      usleep(50_000)
    }
  }
}
