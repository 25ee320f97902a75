import Glibc
import ThemeApps
import ThemedText
import ThemedUnix

/// The service that carries out what app files say, and starts hooks: it stays when nothing is enabled, since a hook works
/// from the moment when its file is there.
enum ApplyService {
  static let unit = "themed-apply.service"

  /// Starts it, now and with each session; what to tell the user, nil where all is well.
  static func start() -> String? {
    guard UserManager.isThere else {
      guard ApplyStatus() == nil else { return nil }
      return "note: no systemd user manager runs here, so nothing follows yet: have your session start 'themed-apply'"
    }
    guard UserManager.run(["enable", "--now", unit])?.status == 0 else {
      return "note: '\(unit)' does not start; 'systemctl --user enable --now \(unit)' says why"
    }
    return nil
  }

  /// Waits until it has let go of an app: until then it may write the app's files.
  ///
  /// False where it has not within ten seconds.
  static func awaitRelease(of app: Text) -> Bool {
    for _ in 0..<200 {
      guard let status = ApplyStatus(), status.apps[app] != nil else { return true }
      usleep(50_000)
    }
    return false
  }
}
