import ThemeInterface
import ThemedText
import Glibc
import ThemeClientCore
import ThemedUnix

/// What can be told of the daemon by its socket and its units.
struct Examination {
  /// The option that names a socket.
  let socket: String?
  /// Where the session bus of this program is; nil where there is none.
  let bus: String?
  /// What the portal answered just now; nil where it did not.
  let answer: String?
  /// Whether no graphical session was seen just now that the portal would start with.
  let isPortalAwaited: Bool

  var findings: [Finding] {
    let found = daemonFindings
    // One that another machine or the host of a container starts is nobody's unit here, and these would be in its way.
    return found + (found.areOfFollower ? [] : unitFindings)
  }

  // MARK: The daemon

  private var daemonFindings: [Finding] {
    do throws(ThemeClientError) {
      var theme = try ThemeConnection(socket: socket, timeout: Patience.toRead.time)
      let version = try theme.getInfo().version
      guard version == Text(themedVersion) else { return [otherVersion(version)] }
      let known = try theme.unlessReadOnly { (theme) throws(ThemeClientError) in try theme.getDiagnostics() }
      guard let known else { return [.readOnly(version: version)] }
      let neighbours = try theme.neighbours(readOnly: known.readOnlySocket?.file.path)
      return examine(known) + neighbours + schedule(&theme)
    } catch {
      return [unreachable(error)]
    }
  }

  /// What is wrong with the schedule; where that is not answered, the rest was answered all the same.
  private func schedule(_ theme: inout ThemeConnection) -> [Finding] {
    do throws(ThemeClientError) {
      return [try theme.getSchedule().finding].compactMap(\.self)
    } catch {
      return [
        Finding(
          "schedule_unknown", "themed does not tell of its schedule: \(error)",
          why: "what is wrong with it is not seen here", type: "themectl schedule")
      ]
    }
  }

  private func otherVersion(_ version: Text) -> Finding {
    Finding(
      "other_version", "the themed that runs is version \(version), and themectl is \(themedVersion)",
      why: "what one of them knows the other may not", type: Self.restart)
  }

  private func unreachable(_ error: ThemeClientError) -> Finding {
    if error.isAnothers {
      return Finding(
        "another_users", error.advice(at: socket), why: "one user's themed tells another nothing",
        fix: "run 'themectl doctor' as that user, without sudo")
    }
    if error.code == .noSocketPath {
      return Finding(
        "no_socket_path", "XDG_RUNTIME_DIR is not set", why: "nobody can tell where themed listens",
        fix: "log in anew, or name the socket by THEMED_SOCKET")
    }
    if let failed = FailedUnits(explaining: error, at: socket) {
      return Finding(
        "failed_units", "themed failed again and again, and systemd starts it no more (\(failed.words))",
        why: Self.unheard,
        fix: "look in its log for the reason, and mend that; then start it anew",
        type: "journalctl --user -u themed", FailedUnits.remedy)
    }
    guard error.code == .noDaemon, let path = error.path, let reason = error.reason else {
      return Finding(
        "no_answer", "\(error)", why: Self.unheard, type: Self.restart)
    }
    guard unsafe access(path, F_OK) == 0 else {
      if FailedUnits.isServiceActive(at: socket) {
        return lostSocket("themed runs, and there is no \(path): the socket's file was removed")
      }
      let isForUnits = FailedUnits.isForUnits(socket)
      return Finding(
        "not_running", "no themed runs: there is no \(path)", why: Self.unheard,
        fix: isForUnits ? nil : "have your session start it, or run it in a terminal:",
        type: isForUnits
          ? "systemctl --user enable --now themed.socket themed.service"
          : FailedUnits.isUsual(socket) ? "themed" : "themed --socket \(Text(path).asWord)")
    }
    return Finding(
      "stale_socket", "nobody listens at \(path) (\(reason))",
      why: "themed has ended without removing it, or its socket unit has failed; \(Self.unheard)",
      fix: "start themed, which replaces the socket; under systemd:",
      type: "systemctl --user reset-failed themed.socket themed.service", "systemctl --user restart themed.socket")
  }

  private static let restart = "systemctl --user restart themed.service"
  private static let unheard = "no program hears of light and dark"

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
    return [Finding(fact: "daemon", "themed \(known.version) runs")] + (desktop + rest).compactMap(\.self)
      + themes(known.themes ?? [])
  }

  private func readOnly(_ socket: Diagnostics.ReadOnlySocket) -> Finding {
    if let problem = socket.file.problem {
      return Finding(
        "no_read_only_socket", problem,
        why: "containers and sandboxes that were given it do not hear of light and dark",
        fix: "mend that; where the socket does not come back by itself, start it anew",
        type: UserManager.isThere ? FailedUnits.renewal(of: "themed-readonly.socket") : [])
    }
    let count = socket.connections == 1 ? "1 connection" : "\(socket.connections) connections"
    return Finding(
      fact: "read_only_socket", "its socket for reading only is \(socket.file.path ?? "-"), with \(count)")
  }

  /// No desktop is followed, but another daemon.
  private func upstream(_ known: Diagnostics.Upstream) -> Finding {
    let isShared = known.source == "-"
    let source = isShared ? "what 'themectl share' sends" : "the themed at \(printable(known.source))"
    guard !known.isConnected else { return Finding(fact: "upstream", "themed follows \(source), and no desktop") }
    return Finding(
      "upstream_silent", "themed follows \(source), and does not hear it (\(printable(known.problem ?? "not yet")))",
      why: known.heardAt == nil ? "the default is shown" : "what it last said holds",
      fix: isShared ? "type 'themectl share' and this machine's name on the one that shares" : "start that themed")
  }

  /// The daemon can be asked by a way that it does not know of, or by a connection that it had inherited.
  private func lostSocket(_ problem: String) -> Finding {
    let hasManager = UserManager.isThere
    return Finding(
      "socket_gone", problem, why: "who connects at that place does not find this themed; who is connected stays",
      fix: hasManager ? nil : "remove what lies there, and restart themed",
      type: hasManager ? FailedUnits.renewal(of: "themed.socket") : [])
  }

  private func themes(_ files: [Diagnostics.File]) -> [Finding] {
    files.compactMap { file in
      file.problem.map { problem in
        Finding(
          "theme_not_read", "a theme that is chosen cannot be shown as its file says: \(problem)",
          why: "what it said before it went wrong is shown, or no theme; an image that is missing is left out",
          fix: file.path == nil ? "install it below ~/.local/share/themed/themes, or choose another" : nil,
          type: file.path.map { ["${EDITOR:-nano} \(Text($0).asWord)"] } ?? ["themectl theme list"])
      }
    }
  }

  /// The daemon and this program each have a bus, and with it a desktop, of their own.
  private func otherBus(_ daemons: Diagnostics.Bus) -> Finding? {
    guard daemons.state == "connected", let theirs = daemons.address, let own = bus, theirs != own,
      // One may have two names, and one of another machine, or of a container, cannot be told apart from here.
      let their = FileIdentity(of: theirs), let mine = FileIdentity(of: own), their != mine
    else { return nil }
    return Finding(
      "other_bus", "themed follows the desktop on the session bus at \(theirs), and the bus of this terminal is \(own)",
      why: "what is said above of the portal is of a desktop that themed does not follow",
      fix: "run this in the session of themed's bus, or let themed follow this one:",
      type: "systemctl --user import-environment DBUS_SESSION_BUS_ADDRESS", Self.restart)
  }

  private func bus(_ bus: Diagnostics.Bus) -> Finding? {
    // Where this program sees no portal either, what keeps both from it was said already.
    guard bus.state != "connected", answer != nil else { return nil }
    return Finding(
      "daemon_without_bus",
      "themed is not connected to the session bus at \(bus.address ?? "no address") (\(bus.problem ?? bus.state.string))",
      why: "the portal answers others, and themed does not hear it",
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
      "daemon_disagrees", "the portal answers \(answer), and themed has read \(again?.portal.value ?? value)",
      why: "what is shown is not what the desktop asks for", type: Self.restart)
  }

  private func latest() throws(ThemeClientError) -> Diagnostics {
    var theme = try ThemeConnection(socket: socket, timeout: Patience.toRead.time)
    return try theme.getDiagnostics()
  }

  /// A value without the variants around it, whose number depends on the method that was called.
  private func bare(_ value: String) -> Text {
    let bytes = value.utf8.drop { $0 == UInt8(ascii: "<") }
    return Text(decoding: bytes.prefix { $0 != UInt8(ascii: ">") })
  }

  private func signal(_ portal: Diagnostics.Portal) -> Finding? {
    guard let signal = portal.deniedSignal else { return nil }
    return Finding(
      "signal_denied", "the portal has sent a signal saying \(signal), and answered otherwise when it was read",
      why: "programs that trust its signals may show the wrong color scheme; themed trusts the answer",
      // A portal of the first version of the interface reads no portals.conf.
      fix: "update xdg-desktop-portal and its backends"
        + (portal.version == 1
          ? "; this one can be told by no file which of them to ask"
          : ", or name one backend for org.freedesktop.impl.portal.Settings under [preferred] in "
            + "~/.config/xdg-desktop-portal/portals.conf"))
  }

  private func configuration(_ known: Diagnostics) -> Finding? {
    guard let problem = known.configuration.problem else { return nil }
    return Finding(
      "configuration_not_read", "themed could not read its configuration: \(problem)",
      why: "what held before it went wrong stays in force", type: "themectl config")
  }

  /// The daemon began before the login had told the user manager where the configuration is.
  private func configurationElsewhere(_ known: Diagnostics) -> Finding? {
    guard FailedUnits.isForUnits(socket), known.upstream == nil, let path = known.configuration.path,
      let own = BaseDirectory.configuration, EnvironmentComparison.willReadSameFiles
    else { return nil }
    let theirs = parent(of: parent(of: path))
    guard !EnvironmentComparison.current.isSame(Text(theirs), Text(own)) else { return nil }
    return Finding(
      "other_configuration", "themed reads \(path), and the configuration of this session is below \(own)",
      why: "what is configured there does nothing", type: Self.restart)
  }

  private func state(_ file: Diagnostics.File) -> Finding? {
    guard let problem = file.problem else { return nil }
    let why = "when themed ends, what was saved last comes back"
    guard let path = file.path else {
      return Finding(
        "not_saved", problem, why: "they end with themed", fix: "log in anew, or set HOME or XDG_STATE_HOME")
    }
    // This program sees what the daemon does, but for what a sandbox hides from that.
    let directory = parent(of: path)
    let obstacle = [directory, path].first { (place: String) in
      unsafe access(place, F_OK) == 0 && access(place, W_OK) != 0
    }
    return Finding(
      "not_saved", problem, why: why,
      fix: obstacle.map { "make \($0) writable for you" }
        ?? "mend that; it is tried again by itself, and at once by 'systemctl --user reload themed.service'")
  }

  // MARK: The units

  private var unitFindings: [Finding] {
    guard UserManager.isThere else { return [] }
    let units = ["themed.service", "themed.socket"]
    let states = UserManager.run(["is-enabled"] + units)?.lines ?? []
    guard !states.contains(where: { $0.hasPrefix("enabled") }) else { return [] }
    let what = states.isEmpty ? "no themed.service is installed for systemd" : "themed is not enabled"
    let enable = "systemctl --user enable --now themed.socket themed.service"
    return [
      Finding(
        "not_enabled", what, why: "it does not start with the session",
        fix: states.isEmpty ? "install it, with its units" : nil,
        type: (states.isEmpty ? ["make install"] : []) + [enable])
    ]
  }
}

extension [Finding] {
  /// Whether they are of a daemon that follows another one in the desktop's place.
  var areOfFollower: Bool { contains { $0.name == "upstream" || $0.name == "upstream_silent" } }
}
