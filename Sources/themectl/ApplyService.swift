import Glibc
import ThemeApps
import ThemedText
import ThemedUnix

/// The service that carries out what app files say.
enum ApplyService {
  static let unit = "themed-apply.service"

  /// Starts it, now and with each session; what to tell the user, nil where all is well.
  static func start() -> String? {
    guard UserManager.isThere else {
      return "note: no systemd manager runs for you: have your session start 'themed-apply', which applies what is "
        + "enabled"
    }
    guard UserManager.run(["enable", "--now", unit])?.status == 0 else {
      return "note: '\(unit)' does not start; 'systemctl --user enable --now \(unit)' says why"
    }
    return nil
  }

  /// Whether the user has hooks, which it runs though no app is enabled.
  private static var hasHooks: Bool {
    guard let configuration = BaseDirectory.configuration else { return false }
    let directory = "\(configuration)/themed"
    return !names(inDirectory: "\(directory)/hooks.d").isEmpty || FileIdentity(of: "\(directory)/apply.conf") != nil
  }

  /// Ends it for later sessions, and now unless it still has something to do, after which it ends by itself; not if
  /// there are hooks.
  static func stop(atOnce: Bool) {
    guard UserManager.isThere, !hasHooks else { return }
    _ = UserManager.run((atOnce ? ["disable", "--now"] : ["disable"]) + [unit], atMost: patience)
  }

  /// How long the user manager may take to start or stop it, in seconds; it has ten itself.
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

extension ApplyService.Release {
  /// Whether nothing is left to do.
  var isWhole: Bool { if case .whole = self { true } else { false } }
}
