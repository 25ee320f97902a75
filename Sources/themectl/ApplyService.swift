import Glibc
import ThemeApps
import ThemedText
import ThemedUnix

/// The service that carries out what app files say, and starts hooks: it stays when nothing is enabled, since a hook works
/// from the moment when its file is there.
enum ApplyService {
  static let unit = "themed-apply.service"

  /// Starts it, now and with each session; what to tell the user, nil where all is well.
  ///
  /// - Parameter names: what was enabled.
  static func start(for names: [Text]) -> String? {
    guard UserManager.isThere else {
      guard ApplyStatus() == nil else { return nil }
      return "note: \(names.few): nothing follows yet: have your session start 'themed-apply', which no systemd user "
        + "manager does here; for now, run it in a terminal: themed-apply"
    }
    // One that the session has started keeps running: a second one could not.
    let words = ApplyStatus() == nil ? ["enable", "--now", unit] : ["enable", unit]
    guard UserManager.run(words, atMost: patience)?.status == 0 else {
      return "note: '\(unit)' does not start; 'systemctl --user enable --now \(unit)' says why"
    }
    return nil
  }

  /// How long the user manager may take to start it, in seconds; it has ten itself.
  static let patience = 15

  /// How far themed-apply is with an app that was disabled.
  enum Release {
    /// It has nothing to do with it any more.
    case whole
    /// It writes no file of the app's; why some terminals still have the app's colors.
    case butTerminals(String)
    /// It may still write files of the app's; how it stands.
    case none(String)
  }

  /// Waits until it writes no file of an app's any more, ten seconds at most, and says so after one.
  static func awaitRelease(of app: Text) -> Release {
    let start = monotonicMilliseconds()
    var (isTold, releasedAt) = (false, Int?.none)
    while true {
      guard let status = ApplyStatus(), let entry = status.apps[app] else { return .whole }
      let now = monotonicMilliseconds()
      if entry.isReleased {
        // Terminals take a moment, unless their output is stopped: that is told, and tried again without us.
        if releasedAt == nil { releasedAt = now }
        if entry.problem != nil && entry.state != "running" || now - (releasedAt ?? now) > 3_000 {
          return .butTerminals(entry.words(Int64(time(nil))))
        }
      } else if now - start > 10_000 {
        return .none(entry.words(Int64(time(nil))))
      } else if now - start > 1_000, !isTold {
        isTold = true
        complain("waiting for themed-apply, which may still write the files of '\(app)'")
      }
      usleep(50_000)
    }
  }
}
