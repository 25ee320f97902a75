import Glibc
import ThemedClientCore
package import ThemedInterface
import ThemedSystem

/// The examination of the daemon through its socket and its units.
package struct DaemonFindings {
  package let socket: String?
  /// The address of this program's session bus; nil if there is no bus.
  package let bus: String?
  /// The portal's answer just now; nil if it did not answer.
  package let answer: String?
  /// Whether no graphical session was seen just now that the portal would start with.
  let isPortalAwaited: Bool

  package var findings: [Finding] {
    let found = daemonFindings
    // Another machine or a container's host starts such a daemon, and units here would be in its way.
    return found + (found.areOfFollower ? [] : unitFindings)
  }

  // MARK: The daemon

  private var daemonFindings: [Finding] {
    do throws(CallError) {
      var theme = try ThemeConnection(socket: socket, timeout: .toRead)
      let version = try theme.call(.serviceInfo).version
      guard version == Text(themedVersion) else { return [otherVersion(version)] }
      let known = try theme.unlessReadOnly { (theme) throws(CallError) in try theme.call(.diagnostics) }
      guard let known else { return [.readOnly(version: version)] }
      let otherClients = try theme.otherClients(readOnly: known.readOnlySocket?.file.path)
      let desktop = try theme.desktopFindings(known)
      return examine(known) + otherClients + schedule(&theme) + desktop
    } catch { return [unreachable(error)] }
  }

  /// The problem with the schedule; a failure of this call is a finding of its own.
  private func schedule(_ theme: inout ThemeConnection) -> [Finding] {
    do throws(CallError) {
      return [try theme.call(.schedule).finding].compactMap(\.self)
    } catch {
      return [
        Finding(
          "schedule_unknown", "cannot read the schedule from themed: \(error)",
          why: "doctor cannot check the schedule", type: "themectl schedule")
      ]
    }
  }

  private func otherVersion(_ version: Text) -> Finding {
    Finding(
      "other_version", "the running themed is version \(version), but themectl is \(themedVersion)",
      why: "one of them may not understand the other", type: Self.restart)
  }

  private func unreachable(_ error: CallError) -> Finding {
    if error.isOfAnotherUser {
      return Finding(
        "another_users", error.advice(at: socket), why: "themed answers only the user who runs it",
        fix: "run 'themectl doctor' as that user, without sudo")
    }
    if error.code == .noSocketPath {
      return Finding(
        "no_socket_path", "XDG_RUNTIME_DIR is not set", why: "themectl cannot tell where themed listens",
        fix: "log in again, or set THEMED_SOCKET to the path of the socket")
    }
    if let failed = FailedUnits(explaining: error, at: socket) {
      return Finding(
        "failed_units", "themed failed repeatedly, and systemd no longer starts it (\(failed.words))",
        why: Self.unheard,
        fix: "find the reason in its log and fix it; then start themed again",
        type: "journalctl --user -u themed", FailedUnits.remedy)
    }
    guard error.code == .noDaemon, let path = error.path, let reason = error.reason else {
      return Finding("no_answer", "\(error)", why: Self.unheard, type: Self.restart)
    }
    guard unsafe access(path, F_OK) == 0 else {
      if FailedUnits.isServiceActive(at: socket) {
        return lostSocket("themed is running, but its socket \(path) was removed")
      }
      let isForUnits = FailedUnits.isForUnits(socket)
      return Finding(
        "not_running", "themed is not running: \(path) does not exist", why: Self.unheard,
        fix: isForUnits ? nil : "add themed to the programs that your session starts, or run it in a terminal:",
        type: isForUnits
          ? "systemctl --user enable --now themed.socket themed.service"
          : FailedUnits.isUsual(socket) ? "themed" : "themed --socket \(Text(path).asWord)")
    }
    return Finding(
      "stale_socket", "no program listens at \(path) (\(reason))",
      why: "themed exited without removing it, or its socket unit failed; \(Self.unheard)",
      fix: "start themed, which replaces the socket; under systemd:",
      type: "systemctl --user reset-failed themed.socket themed.service", "systemctl --user restart themed.socket")
  }

  private static let restart = "systemctl --user restart themed.service"
  private static let unheard = "programs do not switch between light and dark"

  private func examine(_ known: Diagnostics) -> [Finding] {
    let other = otherBus(known.bus)
    let desktop: [Finding?] =
      if let followed = known.upstream {
        [upstream(followed)]
      } else {
        (other.map { [$0] } ?? [bus(known.bus), isPortalAwaited ? known.missingPortal : nil, value(known.portal)])
          + [signal(known.portal)]
      }
    let rest = [
      configuration(known), configurationElsewhere(known), state(known.state), known.socket?.problem.map(lostSocket),
      known.readOnlySocket.map(readOnly),
    ]
    return [Finding(fact: "daemon", "themed \(known.version) is running")] + (desktop + rest).compactMap(\.self)
      + themes(known.themes ?? [])
  }

  private func readOnly(_ socket: Diagnostics.ReadOnlySocket) -> Finding {
    if let problem = socket.file.problem {
      return Finding(
        "no_read_only_socket", problem,
        why: "programs in containers and sandboxes do not switch between light and dark",
        fix: "fix that; if the socket does not come back by itself, start it again:",
        type: UserManager.isRunning ? FailedUnits.renewal : [])
    }
    let count = socket.connections == 1 ? "1 connection" : "\(socket.connections) connections"
    return Finding(fact: "read_only_socket", "themed's read-only socket is \(socket.file.path ?? "-"), with \(count)")
  }

  private func upstream(_ known: Diagnostics.Upstream) -> Finding {
    let isShared = known.source == "-"
    let source = isShared ? "another machine, by 'themectl share'" : "the themed at \(printable(known.source))"
    guard !known.isConnected else { return Finding(fact: "upstream", "themed follows \(source), not the desktop") }
    return Finding(
      "upstream_silent",
      "themed follows \(source), but is not connected to it (\(printable(known.problem ?? "it has not connected yet")))",
      why: known.heardAt == nil ? "the default is shown" : "the last state that it sent is shown",
      fix: isShared ? "run 'themectl share' with this machine's name on the machine that shares" : "start that themed")
  }

  /// The finding that the daemon answers, although new clients can no longer reach its socket.
  private func lostSocket(_ problem: String) -> Finding {
    let hasManager = UserManager.isRunning
    return Finding(
      "socket_gone", problem, why: "new clients cannot reach this themed; connected clients stay connected",
      fix: hasManager ? nil : "remove the file at that path, and restart themed",
      type: hasManager ? FailedUnits.renewal : [])
  }

  private func themes(_ files: [Diagnostics.File]) -> [Finding] {
    files.compactMap { file in
      file.problem.map { problem in
        Finding(
          "theme_not_read", "a chosen theme has a mistake: \(problem)",
          why: "its last good version is shown, or no theme; a missing image is left out",
          fix: file.path == nil ? "install it in ~/.local/share/themed/themes, or choose another:" : nil,
          type: file.path.map { ["${EDITOR:-nano} \(Text($0).asWord)"] } ?? ["themectl theme list"])
      }
    }
  }

  private func otherBus(_ daemons: Diagnostics.Bus) -> Finding? {
    guard daemons.state == "connected", let theirs = daemons.address, let own = bus, theirs != own,
      // One bus may have two addresses, and buses of other machines and containers cannot be compared from here.
      let their = FileIdentity(of: theirs), let mine = FileIdentity(of: own), their != mine
    else { return nil }
    return Finding(
      "other_bus",
      "themed follows the desktop on the session bus at \(theirs), but this terminal's session bus is \(own)",
      why: "the findings above about the portal are about a desktop that themed does not follow",
      fix: "run this in the session that themed follows, or let themed follow this one:",
      type: "systemctl --user import-environment DBUS_SESSION_BUS_ADDRESS", Self.restart)
  }

  private func bus(_ bus: Diagnostics.Bus) -> Finding? {
    // If this program does not see a portal either, an earlier finding says why.
    guard bus.state != "connected", answer != nil else { return nil }
    return Finding(
      "daemon_without_bus",
      "themed is not connected to the session bus at \(bus.address ?? "no address") (\(bus.problem ?? bus.state.string))",
      why: "the portal answers other programs, but themed cannot ask it",
      type: "systemctl --user import-environment DBUS_SESSION_BUS_ADDRESS", Self.restart)
  }

  private func value(_ portal: Diagnostics.Portal) -> Finding? {
    guard let answer, let value = portal.value, bare(value) != bare(answer), !portal.standsIn else { return nil }
    // The desktop may have changed between the two, and themed waits for it to settle.
    var again: Diagnostics?
    for _ in 0..<20 {
      usleep(100_000)
      again = try? latest()
      if let value = again?.portal.value, bare(value) == bare(answer) { return nil }
    }
    return Finding(
      "daemon_disagrees", "the portal answers \(answer), but themed has read \(again?.portal.value ?? value)",
      why: "what is shown is not what the desktop asks for", type: Self.restart)
  }

  private func latest() throws(CallError) -> Diagnostics {
    var theme = try ThemeConnection(socket: socket, timeout: .toRead)
    return try theme.call(.diagnostics)
  }

  /// A value without the variants around it, whose number depends on the method of the portal.
  private func bare(_ value: String) -> Text {
    let bytes = value.utf8.drop { $0 == UInt8(ascii: "<") }
    return Text(decoding: bytes.prefix { $0 != UInt8(ascii: ">") })
  }

  private func signal(_ portal: Diagnostics.Portal) -> Finding? {
    guard let signal = portal.deniedSignal else { return nil }
    return Finding(
      "signal_denied", "the portal sent a signal with \(signal), but gave another answer when themed read it",
      why: "programs that believe the signal may show the wrong color scheme; themed believes the answer",
      // A portal of the first version of the interface reads no portals.conf.
      fix: "update xdg-desktop-portal and its backends"
        + (portal.version == 1
          ? "; this version has no file that says which backend to ask"
          : ", or name one backend for org.freedesktop.impl.portal.Settings under [preferred] in "
            + "~/.config/xdg-desktop-portal/portals.conf"))
  }

  private func configuration(_ known: Diagnostics) -> Finding? {
    guard let problem = known.configuration.problem else { return nil }
    return Finding(
      "configuration_not_read", "themed cannot read its configuration: \(problem)",
      why: "the previous configuration stays in force", type: "themectl config")
  }

  /// The finding that the daemon started before the login had set the directory of the configuration in the user
  /// manager.
  private func configurationElsewhere(_ known: Diagnostics) -> Finding? {
    guard FailedUnits.isForUnits(socket), known.upstream == nil, let path = known.configuration.path,
      let own = BaseDirectory.configuration, EnvironmentComparison.willReadSameFiles
    else { return nil }
    let theirs = parent(of: parent(of: path))
    guard !EnvironmentComparison.current.isSame(Text(theirs), Text(own)) else { return nil }
    return Finding(
      "other_configuration", "themed reads \(path), but this session's configuration is in \(own)",
      why: "the configuration of this session has no effect", type: Self.restart)
  }

  private func state(_ file: Diagnostics.File) -> Finding? {
    guard let problem = file.problem else { return nil }
    let why = "when themed exits, changes since the last save are lost"
    guard let path = file.path else {
      return Finding(
        "not_saved", problem, why: "overrides are lost when themed exits",
        fix: "log in again, or set HOME or XDG_STATE_HOME")
    }
    // This program has the daemon's permissions, except for what a sandbox hides from the daemon.
    let directory = parent(of: path)
    let obstacle = [directory, path].first { (place: String) in
      unsafe access(place, F_OK) == 0 && access(place, W_OK) != 0
    }
    return Finding(
      "not_saved", problem, why: why,
      fix: obstacle.map { "make \($0) writable for you" }
        ?? "fix that; themed tries again by itself, or at once after 'systemctl --user reload themed.service'")
  }

  // MARK: The units

  private var unitFindings: [Finding] {
    guard UserManager.isRunning else { return [] }
    let units = ["themed.service", "themed.socket"]
    let states = UserManager.run(["is-enabled"] + units)?.lines ?? []
    guard !states.contains(where: { $0.hasPrefix("enabled") }) else { return [] }
    let what = states.isEmpty ? "themed.service is not installed" : "themed is not enabled"
    let enable = "systemctl --user enable --now themed.socket themed.service"
    return [
      Finding(
        "not_enabled", what, why: "it does not start with the session",
        fix: states.isEmpty ? "install themed with its units:" : nil,
        type: (states.isEmpty ? ["make install"] : []) + [enable])
    ]
  }
}

extension [Finding] {
  var areOfFollower: Bool { contains { $0.name == "upstream" || $0.name == "upstream_silent" } }
}

extension Forecast {
  package var finding: Finding? {
    if let problem {
      return Finding(
        "schedule", "the schedule is not followed as configured: \(problem)",
        why: scheme == nil ? "it is as if there were no schedule" : "the previous schedule still applies",
        fix: mode == "sun" ? "give your place, in degrees:" : nil,
        type: mode == "sun" ? "themectl schedule sun --at 52.52,13.40" : "themectl schedule")
    }
    return warning.map { Finding(fact: "schedule_skips", "the schedule: \($0)") }
  }
}

extension Diagnostics {
  /// The finding if the daemon sees a graphical session but no portal.
  ///
  /// Only the daemon remembers which displays were left behind by a session that has ended.
  var missingPortal: Finding? {
    guard session == "up", portal.owner == nil else { return nil }
    return Finding(
      Finding.missingPortal, "a graphical session is running, but the desktop's portal is not",
      why: "themed cannot find out whether the desktop is dark",
      type: "systemctl --user start xdg-desktop-portal.service")
  }
}
