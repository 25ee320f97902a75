internal import Glibc
internal import ThemedText

/// The variables of the session, which the user's service manager is told at the login: after this service began.
///
/// The service begins with the manager, before there is a display, and outlives the session. Without them a hook that
/// sets a wallpaper would find no display, or the last session's.
enum SessionVariables {
  /// What a program gets that is started now.
  static func environment(_ run: Run) -> [Text: Text] {
    let own = run.places.environment
    // Who started us by hand has given us what programs are to have.
    guard own["SYSTEMD_EXEC_PID"] == Text("\(getpid())") else { return own }
    // Where nobody can be asked, as on a bus of its own, there is nothing newer.
    guard let manager = try? BusCalls.managerEnvironment(run) else { return own }
    return merged(own, with: manager)
  }

  /// Our variables, with those of the session in the place of older ones, and what else we lack; of others, such as PATH,
  /// the unit may have its own.
  static func merged(_ own: [Text: Text], with manager: [Text]) -> [Text: Text] {
    var all = own
    for assignment in manager {
      let parts = assignment.split("=", maxSplits: 1)
      guard parts.count == 2, all[parts[0]] == nil || ofSession.contains(parts[0]) else { continue }
      all[parts[0]] = parts[1]
    }
    return all
  }

  private static let ofSession: Set<Text> = [
    "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_CURRENT_DESKTOP", "XDG_SESSION_CLASS", "XDG_SESSION_DESKTOP",
    "XDG_SESSION_ID", "XDG_SESSION_TYPE", "XDG_SEAT", "XDG_VTNR", "DESKTOP_SESSION", "SSH_AGENT_PID", "SSH_AUTH_SOCK",
    "SWAYSOCK", "I3SOCK", "HYPRLAND_INSTANCE_SIGNATURE", "NIRI_SOCKET",
  ]
}
