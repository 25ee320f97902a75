import Foundation
import Testing
import ThemedTestSupport

/// The units that we ship, under a real systemd user manager.
@Suite(
  .ownThreads,
  .enabled(if: UserManager.isPossible, UserManager.need))
struct UserManagerStories {
  @Test func `the first connection starts the service, and a crash restarts it on the same socket`() throws {
    try withSession { session in
      try session.writeUnits()
      let manager = try UserManager(session: session)
      try manager.systemctl("start", "themed.socket")
      #expect(try manager.property("ActiveState", of: "themed.service") == "inactive")

      #expect(try session.connect().call("SetOverride", #"{"override":{"scheme":"dark"}}"#).scheme == "dark")
      // The manager reads what it is told when it likes.
      try eventually { try manager.property("ActiveState", of: "themed.service") == "active" }

      let first = try manager.property("MainPID", of: "themed.service")
      try manager.systemctl("kill", "--kill-whom=main", "--signal=KILL", "themed.service")
      #expect(try session.connect().call("GetState").scheme == "dark")
      #expect(try manager.property("MainPID", of: "themed.service") != first)

      try manager.systemctl("reload", "themed.service")
      try eventually { try manager.property("ActiveState", of: "themed.service") == "active" }

      try manager.systemctl("stop", "themed.service")
      #expect(try manager.property("Result", of: "themed.service") == "success")
      #expect(try session.connect().call("GetState").scheme == "dark")
    }
  }

  /// The ways in which the documentation starts the daemon; none of them names themed-apply.
  @Test(arguments: ["enable --now themed", "enable --now themed.socket themed", "start themed.socket"])
  func `a hook works from the moment when it is there, however the daemon was started`(start: String) throws {
    try withSession { session in
      try session.writeUnits()
      let manager = try UserManager(session: session)
      try manager.systemctl(start.split(separator: " ").map(String.init))
      // The first program that asks starts the daemon behind its socket.
      _ = try session.connect().call("GetState")
      try eventually("it runs") { try manager.property("ActiveState", of: "themed-apply.service") == "active" }
      try session.addHook("say", #"echo "$1" >> "$HOME/said""#)
      try eventually { session.text("home/said") == "light\n" }
      try eventually { try manager.property("StatusText", of: "themed-apply.service") == "apps and hooks: 1" }
      try FileManager.default.removeItem(atPath: session.directory.path("config/themed/hooks.d/say"))
      try eventually { try manager.property("StatusText", of: "themed-apply.service") == "apps and hooks: 0" }
      try session.addHook("say", #"echo "again $1" >> "$HOME/said""#)
      try eventually { session.text("home/said") == "light\nagain light\n" }
      #expect(try manager.property("NRestarts", of: "themed-apply.service") == "0")
    }
  }

  /// The service begins with the manager, and the session tells the manager its variables later, and again at each login.
  @Test func `hooks get the display and the PATH of the session that there is now, though the service began before it`()
    throws
  {
    try withSession { session in
      try session.writeUnits()
      try UserManager.write(
        "[Service]\nEnvironment=EDITOR=ours\n", as: "themed-apply.service.d/own.conf", in: session)
      try session.addHook("say", #"echo "$1 ${DISPLAY-none} $EDITOR $(say-it)" >> "$HOME/said""#)
      for place in ["early", "late"] {
        let program = try session.directory.write("#!/bin/sh\necho \(place)\n", to: "\(place)/say-it")
        #expect(unsafe chmod(program, 0o755) == 0)
      }
      let path = try #require(session.environment["PATH"])
      let manager = try UserManager(session: session)
      try manager.systemctl("unset-environment", "DISPLAY")
      try manager.systemctl("set-environment", "PATH=\(session.directory.path("early")):\(path)")
      try manager.systemctl("start", "dbus.socket", "themed.socket", "themed-apply.service")
      func said() -> String { session.text("home/said") ?? "" }
      try eventually { said().hasPrefix("light none ours early\n") }
      let late = "\(session.directory.path("late")):\(path)"
      try manager.systemctl("set-environment", "DISPLAY=:7", "EDITOR=theirs", "PATH=\(late)")
      _ = try session.themectl("set", "dark")
      try eventually { said().hasSuffix("dark :7 ours late\n") }
      try manager.systemctl("unset-environment", "DISPLAY")
      _ = try session.themectl("set", "light")
      try eventually { said().hasSuffix("light none ours late\n") }
    }
  }

  @Test func `a command that fails before there is a display is tried again when there is one`() throws {
    try withSession { session in
      try session.writeUnits()
      let show = try session.directory.write(
        "#!/bin/sh\n[ -n \"$DISPLAY\" ] && echo \"$1 $DISPLAY\" >> \"$HOME/shown\"\n", to: "show")
      #expect(unsafe chmod(show, 0o755) == 0)
      try session.directory.write(
        "[app]\nprogram=sh\n[reload]\ncommand=\(show) {scheme}\n", to: "config/themed/apps/view.app")
      let manager = try UserManager(session: session)
      try manager.systemctl("unset-environment", "DISPLAY", "WAYLAND_DISPLAY")
      try manager.systemctl("start", "dbus.socket", "themed.socket")
      let enabled = try session.themectl("app", "enable", "view", "--yes")
      #expect(enabled.status == .exited(0), "\(enabled)")
      func shown() throws -> String { try session.themectl("app", "show", "view").output }
      try eventually { try shown().contains("exit status 1") }
      try manager.systemctl("set-environment", "DISPLAY=:7")
      try eventually { session.text("home/shown") == "light :7\n" }
    }
  }

  @Test func `a share is a service for each machine, started, restarted, stopped, and not tried for ever`() throws {
    try withSession { session in
      try session.writeUnits()
      let cable = try Cable(session)
      let server = try Server(session, name: "far-off", at: cable.farAddress)
      let closed = try Server(session, name: "closed", door: .nobody)
      try UserManager.write("[Service]\nRestartSec=100ms\n", as: "themed-share@closed.service.d/soon.conf", in: session)
      let sshd = try server.listen(under: cable.enter(cable.far))
      let routes = try [server, closed].map { try String(contentsOfFile: $0.path("ssh_config"), encoding: .utf8) }
      let configuration = try session.directory.write(routes.joined(), to: "ssh_config")
      let near = cable.enter(cable.near).joined(separator: " ")
      let ssh = try session.directory.write(
        "#!/bin/sh\nexec \(near) \(try Products.system("ssh")) -F \(configuration) \"$@\"\n", to: "bin/ssh")
      #expect(unsafe chmod(ssh, 0o755) == 0)
      let manager = try UserManager(session: session)
      try manager.systemctl("set-environment", "PATH=" + session.directory.path("bin") + ":/usr/bin:/bin")
      let unit = "themed-share@far-off.service"
      // It starts the daemon, too.
      try manager.systemctl("start", unit)
      try eventually("it follows") { try server.themectl("get").lines == ["light"] && server.entries() == 1 }
      _ = try session.themectl("set", "dark")
      try eventually("a change arrives") { try server.themectl("get").lines == ["dark"] }
      let first = try manager.property("MainPID", of: unit)
      try manager.systemctl("restart", unit)
      #expect(try manager.property("MainPID", of: unit) != first)
      _ = try session.themectl("set", "light")
      try eventually("a change arrives again") { try server.themectl("get").lines == ["light"] }
      try manager.systemctl("stop", unit)
      #expect(try manager.property("ActiveState", of: unit) == "inactive")
      #expect(try manager.property("Result", of: unit) == "success")
      try eventually("no ssh is left") { try sshd.descendants().isEmpty }
      try eventually("what was told holds there") {
        try server.themectl("status").output.contains("light, its last answer: not connected")
      }
      // Nobody can be asked: it is tried some more times, and then no more.
      let other = "themed-share@closed.service"
      try manager.systemctl("start", other)
      try eventually("it has failed") { try manager.property("ActiveState", of: other) == "failed" }
      #expect(try manager.property("ExecMainStatus", of: other) == "2")
      #expect(try manager.property("NRestarts", of: other) != "0")
    }
  }

  @Test func `a share that is refused while no agent has its key yet is there once one has`() throws {
    try withSession { session in
      try session.writeUnits()
      try UserManager.write("[Service]\nRestartSec=3\n", as: "themed-share@far.service.d/soon.conf", in: session)
      let (key, told) = (session.directory.path("key"), session.directory.path("told"))
      let script = """
        #!/bin/sh
        test -e \(key) || { echo 'me@far: Permission denied (publickey).' >&2; exit 255; }
        echo 'themed-upstream 1'
        exec cat > \(told)

        """
      let ssh = try session.directory.write(script, to: "bin/ssh")
      #expect(unsafe chmod(ssh, 0o755) == 0)
      let manager = try UserManager(session: session)
      try manager.systemctl("set-environment", "PATH=" + session.directory.path("bin") + ":/usr/bin:/bin")
      let unit = "themed-share@far.service"
      try manager.systemctl("start", unit)
      try eventually("it is refused") { try manager.property("ExecMainStatus", of: unit) == "2" }
      try session.directory.write("", to: "key")
      try eventually("it shares") { session.text("told")?.contains(#""scheme":"light""#) == true }
      #expect(try manager.property("ActiveState", of: unit) == "active")
    }
  }

  @Test func `the journal knows each change by its fields, its message and its unit`() throws {
    try withSession { session in
      try session.writeUnits()
      let journal = try Journald(session: session)
      let manager = try UserManager(session: session, journal: journal)
      try manager.systemctl("start", "themed.socket")
      let connection = try session.connect()
      _ = try connection.call("SetOverride", #"{"override":{"scheme":"dark"}}"#)
      _ = try connection.call("SetOverride", #"{"override":{"app":"nvim","scheme":"light"}}"#)
      let dark = try journal.entries("THEMED_SCHEME=dark")
      let change = try #require(dark.first)
      #expect(dark.count == 1, "\(dark)")
      #expect(change["PRIORITY"] as? String == "6")
      #expect((change["MESSAGE"] as? String)?.hasPrefix("dark: override (SetOverride by process ") == true)
      #expect((change["THEMED_CAUSE"] as? String)?.hasPrefix("SetOverride by process ") == true)
      #expect(change["THEMED_EXPIRES_AT"] == nil)
      #expect(change["SYSLOG_IDENTIFIER"] as? String == "themed")
      let changes = try journal.entries("--user-unit=themed", "MESSAGE_ID=7d78c271916f48bba70672d4912c824c")
      #expect(changes.map { $0["THEMED_APP"] as? String } == [nil, "nvim"])
      let lines = try journal.entries("--user-unit=themed", "_COMM=themed")
      #expect(lines.count == 3, "one for the start, and one for each change: \(lines)")
    }
  }

  @Test func `as services of one manager, daemon, bus and portal find each other`() throws {
    try withSession { session in
      try session.writeUnits()
      _ = try session.prepareDesktop()
      let manager = try UserManager(session: session)
      try manager.systemctl("start", "dbus.socket", "themed.socket")
      try session.set(.dark)
      let watch = try session.subscribe()
      _ = try watch.frame { $0.desktop == "dark" }
      try session.set(.light)
      #expect(try watch.frame().desktop == "light")
      try eventually("the portal is the manager's") {
        try manager.property("ActiveState", of: "xdg-desktop-portal.service") == "active"
      }
    }
  }
}

/// Logins that come after the daemon, as a tty's client makes them: under a real user manager, with the real portal.
@Suite(
  .ownThreads,
  .enabled(if: UserManager.isPossible, UserManager.need))
struct LoginStories {
  @Test func `the portal is started at each login, not before, and does not return after the logout`() throws {
    try withSession { session in
      try session.writeUnits()
      let login = try Login(session)
      let watch = try session.subscribe()
      #expect(try watch.frame().desktop == "unavailable")
      let process = try login.manager.property("MainPID", of: "themed.service")
      try session.set(.dark)
      // Jobs have the daemon look for a session.
      try login.manager.systemctl("start", "timers.target")
      try login.logIn()
      _ = try watch.frame { $0.desktop == "dark" }
      // The manager hears of the portal's name by itself: maybe later than those who ask the portal.
      try eventually("the portal runs") { try login.portalState() == "active" }

      try login.logOut()
      do {
        _ = try session.diagnostics {
          $0.value("parameters.portal.owner") == nil && $0.string("parameters.session") == "down"
        }
      } catch {
        throw Failure("\(error); the manager says: \(try login.units())")
      }
      try session.set(.light)
      try login.manager.systemctl("restart", "timers.target")
      #expect(try session.connect().call("GetState").desktop == "dark", "the last value stands")
      try eventually("the portal is stopped") { try login.portalState() == "inactive" }

      try login.logIn()
      _ = try watch.frame { $0.desktop == "light" }
      try login.manager.systemctl("kill", "--kill-whom=main", "--signal=KILL", "xdg-desktop-portal.service")
      try session.set(.dark)
      _ = try watch.frame { $0.desktop == "dark" }
      try eventually("the portal runs again") { try login.portalState() == "active" }
      #expect(try login.manager.property("MainPID", of: "themed.service") == process, "logging out ends no daemon")
    }
  }

  @Test func `a portal that is restarted again and again has not failed, and one that is stopped then is started`()
    throws
  {
    try withSession { session in
      try session.writeUnits()
      let login = try Login(session)
      let watch = try session.subscribe()
      try session.set(.dark)
      try login.logIn()
      _ = try watch.frame { $0.desktop == "dark" }
      for _ in 0..<5 {
        try login.manager.systemctl("restart", "xdg-desktop-portal.service")
        // Else systemd itself would refuse to start it so often.
        try login.manager.systemctl("reset-failed", "xdg-desktop-portal.service")
      }
      let before = try login.manager.property("MainPID", of: "xdg-desktop-portal.service")
      try login.manager.systemctl("stop", "xdg-desktop-portal.service")
      try eventually {
        let process = try login.manager.property("MainPID", of: "xdg-desktop-portal.service")
        return try login.portalState() == "active" && process != before
      }
      try session.set(.light)
      _ = try watch.frame { $0.desktop == "light" }
    }
  }

  @Test func `a desktop that only imports its display is noticed at the next job or subscriber`() throws {
    try withSession { session in
      try session.writeUnits()
      let login = try Login(session)
      let watch = try session.subscribe()
      #expect(try watch.frame().desktop == "unavailable")
      try session.set(.dark)
      try login.importDisplay()
      let newcomer = try session.subscribe()
      _ = try newcomer.frame { $0.desktop == "dark" }
      _ = try watch.frame { $0.desktop == "dark" }
    }
  }
}

/// A user who logs in graphically after all else is up.
private struct Login {
  let manager: UserManager
  private let display: [String]

  init(_ session: Session) throws {
    _ = try session.prepareDesktop()
    display = ["DISPLAY", "XDG_CURRENT_DESKTOP"].compactMap { name in
      session.environment[name].map { "\(name)=\($0)" }
    }
    for name in ["DISPLAY", "XDG_CURRENT_DESKTOP"] { session.environment[name] = nil }
    try UserManager.write(
      "[Unit]\nBindsTo=graphical-session.target\nBefore=graphical-session.target\n"
        + "[Service]\nExecStart=sleep infinity\n", as: "desktop.service", in: session)
    manager = try UserManager(session: session)
    try manager.systemctl("start", "dbus.socket", "themed.socket")
  }

  func importDisplay() throws { try manager.systemctl(["set-environment"] + display) }

  func logIn() throws {
    try importDisplay()
    try manager.systemctl("start", "desktop.service")
  }

  /// Leaves the display behind, as many desktops do.
  func logOut() throws { try manager.systemctl("stop", "desktop.service") }

  /// The units of the session with their states and jobs, for a failure.
  func units() throws -> String {
    try manager.systemctl("list-units", "--all", "--plain", "desktop.*", "graphical-session.target", "xdg-*", "themed*")
      + manager.systemctl("list-jobs")
      + ((try? manager.systemctl("show", "graphical-session.target")) ?? "")
  }

  func portalState() throws -> String { try manager.property("ActiveState", of: "xdg-desktop-portal.service") }
}

extension Session {
  /// Installs the units as `make install` does, with the programs of this build.
  func writeUnits(_ arguments: String = "") throws {
    // A path without spaces, which a unit would have to quote.
    let directory = directory.path("programs")
    if !FileManager.default.fileExists(atPath: directory) {
      try FileManager.default.createSymbolicLink(atPath: directory, withDestinationPath: Products.directory())
    }
    for name in [
      "themed.service", "themed.socket", "themed-readonly.socket", "themed-apply.service",
      "themed-portal.service", "themed-share@.service",
    ] {
      let unit = try String(contentsOfFile: Products.package + "/systemd/" + name, encoding: .utf8)
        .replacingOccurrences(of: "=/usr/bin/", with: "=\(directory)/")
        .replacingOccurrences(of: "/themed\n", with: "/themed\(arguments)\n")
      try UserManager.write(unit, as: name, in: self)
    }
  }
}
