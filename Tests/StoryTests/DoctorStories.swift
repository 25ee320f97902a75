import Foundation
import Testing
import ThemedTestSupport

/// `themectl doctor` in setups that were arranged to be wrong, with the real portal and the real bus.
@Suite(.ownThreads) struct DoctorStories {
  @Test func `in a session where all is well it finds nothing`() throws {
    try withSession { session in
      _ = try session.startDesktop(.dark)
      _ = try session.startThemed()
      _ = try session.subscribe().frame { $0.desktop == "dark" }
      #expect(try session.awaitHealth().lines.last == "No problems found.")
      let check = try session.run(Products.path("themed"), ["--check"])
      #expect(check.status == .exited(0), "\(check.output)")
      #expect(try session.findings().contains { $0.name == "portal_value" && $0.what == "<<uint32 1>>" })
      // The file that themed.conf has taken over.
      try session.directory.write("[hooks]\ndarkman=yes\n", to: "config/themed/apply.conf")
      #expect(try session.problems() == ["old_settings"])
    }
  }

  @Test func `a dark theme of GTK's on a desktop that asks for light is told, and what is said to type mends it`()
    throws
  {
    try withSession { session in
      _ = try session.startDesktop(.light)
      _ = try session.startThemed()
      _ = try session.subscribe().frame { $0.desktop == "light" }
      try session.check("gsettings", ["set", "org.gnome.desktop.interface", "gtk-theme", "Adwaita-dark"])
      let doctor = try session.themectl("doctor")
      #expect(doctor.lines.contains("problem: the GTK theme is 'Adwaita-dark', but the desktop asks for light"))
      let typed = try #require(doctor.lines.first { $0.hasPrefix("  type: gsettings ") })
      try session.check("sh", ["-c", String(typed.dropFirst("  type: ".count))])
      _ = try session.subscribe().frame { $0.desktop == "dark" }
      #expect(try session.awaitHealth().lines.last == "No problems found.")
    }
  }

  @Test func `without a bus and without a daemon it says both, and what to type`() throws {
    try withSession { session in
      let doctor = try session.themectl("doctor")
      #expect(doctor.status == .exited(1))
      let words = ["problem: ", "  do: ", "  type: "]
      for word in words { #expect(doctor.lines.contains { $0.hasPrefix(word) }, "\(doctor.output)") }
      #expect(
        doctor.lines.allSatisfy { line in line.hasPrefix("problem: ") || line.hasPrefix("  ") }, "\(doctor.output)")
      #expect(try session.problems() == ["no_bus", "not_running"])
      let check = try session.run(Products.path("themed"), ["--check"])
      #expect(check.status == .exited(1))
      #expect(check.lines.count { $0.hasPrefix("problem: ") } == 1)
    }
  }

  @Test func `a bus that accepts and does not answer is told apart from none`() throws {
    try withSession { session in
      let silent = try Listener(path: session.directory.path("run/bus"))
      let found = try session.findings()
      #expect(found.first { $0.name == "no_bus" }?.what.contains("does not answer") == true)
      withExtendedLifetime(silent) {}
    }
  }

  @Test func `a socket that a crash has left is stale`() throws {
    try withSession { session in
      _ = try session.startBus()
      let themed = try session.startThemed()
      themed.send(.kill)
      try themed.wait()
      #expect(try session.problems().contains("stale_socket"))
      _ = try session.startThemed()
      #expect(try !session.problems().contains("stale_socket"))
    }
  }

  @Test func `a portal that is not installed, and one that does not run`() throws {
    try withSession { session in
      _ = try session.startBus()
      session.environment["DISPLAY"] = ":77"
      let found = try session.findings().first { $0.name == "no_portal" }
      #expect(found?.what == "no settings portal is installed")
      #expect(found?.commands == ["sudo apt install xdg-desktop-portal xdg-desktop-portal-gtk"])
    }
    try withSession { session in
      let desktop = try session.prepareDesktop()
      try desktop.bus.start()
      let found = try session.findings().first { $0.name == "no_portal" }
      #expect(found?.what == "the portal is installed but is not running")
      #expect(found?.commands?.first?.contains("StartServiceByName") == true)
      #expect(try session.problems().contains("no_portal"), "looking at it has not started it")
    }
  }

  @Test func `a portal whose backends are not there, or were started without a display, has no settings`() throws {
    try withSession { session in
      session.environment["XDG_DESKTOP_PORTAL_DIR"] = try session.directory.directory("portals")
      let desktop = try session.prepareDesktop()
      try desktop.bus.start()
      try session.startPortal()
      let found = try session.findings().first { $0.name == "no_settings" }
      #expect(found?.what.contains("no backend is installed") == true)
      #expect(found?.commands?.first == "sudo apt install xdg-desktop-portal-gtk")
    }
    try withSession { session in
      let desktop = try session.prepareDesktop()
      session.environment["DISPLAY"] = ":7777"
      try desktop.bus.start()
      try session.startPortal()
      let found = try session.findings().first { $0.name == "no_settings" }
      #expect(found?.what.contains("the backend gtk should provide it") == true)
      #expect(found?.commands?.first?.hasPrefix("kill ") == true)
    }
  }

  @Test func `a backend that this portal refuses does not count, and why it does is said`() throws {
    try withSession { session in
      session.environment["XDG_DESKTOP_PORTAL_DIR"] = session.directory.path("portals")
      let text = "[portal]\nDBusName=org.example.impl\nInterfaces=org.freedesktop.impl.portal.Settings;\n"
      let file = try session.directory.write(text, to: "portals/mine.portal")
      let desktop = try session.prepareDesktop()
      try desktop.bus.start()
      try session.startPortal()
      let found = try #require(try session.findings().first { $0.name == "no_settings" })
      #expect(found.what.contains("no backend is installed; the portal rejects \(file): UseIn is missing"), "\(found)")
    }
  }

  @Test func `a portal that was started before its backend was installed is to be restarted`() throws {
    try withSession { session in
      session.environment["XDG_DESKTOP_PORTAL_DIR"] = session.directory.path("portals")
      func install(_ name: String) throws {
        let text = "[portal]\nDBusName=org.example.\(name)\nInterfaces=org.freedesktop.impl.portal.Settings;\n"
        try session.directory.write(text + "UseIn=x\n", to: "portals/\(name).portal")
      }
      for name in ["second", "third"] { try install(name) }
      let desktop = try session.prepareDesktop()
      try desktop.bus.start()
      let backends = try ["first", "second", "third"].map { name in
        let backend = try session.startStranger()
        try backend.tell("set color-scheme u:\(name == "second" ? 1 : 2)")
        try backend.tell("own org.example.\(name)")
        return backend
      }
      try session.startPortal()
      let before = try session.findings()
      #expect(!before.contains { $0.name == "backends_disagree" }, "the portal asks the third one later")
      try install("first")
      let found = try #require(try session.findings().first { $0.name == "backends_disagree" })
      #expect(found.what == "the backend first says light, but the portal says dark")
      #expect(found.commands?.count == 1 && found.commands?[0].hasPrefix("kill ") == true, "\(found)")
      let lines = try session.themectl("doctor").lines
      #expect(lines.contains { $0.hasPrefix("  type: kill ") }, "\(lines)")
      withExtendedLifetime(backends) {}
    }
  }

  @Test func `a socket's file that is gone, or another's, is told of where the daemon can be asked`() throws {
    try withSession { session in
      let listener = try Listener(path: session.socketPath)
      let themed = try session.startThemed(inheriting: listener)
      let hidden = session.directory.path("run/hidden")
      #expect(unsafe link(session.socketPath, hidden) == 0)
      try listener.unlink()
      try themed.errorLine(containing: "systemctl --user stop themed.socket")
      session.environment["THEMED_SOCKET"] = hidden
      let found = try #require(try session.findings().first { $0.name == "socket_gone" })
      #expect(found.what.contains("the socket file \(session.socketPath) is gone"), "\(found)")
    }
  }

  @Test func `a mistake in the configuration is said once, whether a daemon runs or not`() throws {
    try withSession { session in
      _ = try session.startBus()
      try session.configure("[appearance]\nno-preference=purple\n")
      #expect(try session.problems().filter { $0.hasPrefix("configuration") } == ["configuration"])
      _ = try session.startThemed()
      #expect(try session.problems().filter { $0.hasPrefix("configuration") } == ["configuration"])
    }
  }

  @Test func `for a configuration that cannot be read no line is to be corrected`() throws {
    try withSession { session in
      _ = try session.startBus()
      try session.directory.write("", to: "config/themed/themed.conf/inside")
      _ = try session.startThemed()
      let doctor = try session.themectl("doctor").output
      #expect(doctor.contains("do: make the file readable, or remove it"), "\(doctor)")
      #expect(!doctor.contains("that line"))
      #expect(try session.themectl("config").errors.contains("themed keeps the earlier configuration"))
    }
  }

  @Test func `a daemon on another bus hears nothing, and one that cannot save loses overrides`() throws {
    try withSession { session in
      _ = try session.startDesktop(.dark)
      try session.directory.write("", to: "state/themed")
      session.environment["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=" + session.directory.path("run/elsewhere")
      _ = try session.startThemed()
      _ = try session.themectl("set", "light")
      session.environment["DBUS_SESSION_BUS_ADDRESS"] = session.busAddress
      try session.startPortal()
      #expect(try session.problems() == ["daemon_without_bus", "not_saved"])
    }
  }

  @Test func `a daemon on another bus than the terminal is told of, and a bus by two names is one`() throws {
    try withSession { session in
      _ = try session.startDesktop(.dark)
      _ = try session.startThemed()
      let name = session.directory.path("run/name")
      #expect(unsafe symlink(session.directory.path("run/bus"), name) == 0)
      session.environment["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=" + name
      #expect(try !session.problems().contains("other_bus"))
      try withSession { other in
        _ = try other.startBus()
        session.environment["DBUS_SESSION_BUS_ADDRESS"] = other.busAddress
        let found = try #require(try session.findings().first { $0.name == "other_bus" })
        #expect(found.what.contains(session.directory.path("run/bus")), "\(found)")
        #expect(found.what.contains(other.directory.path("run/bus")), "\(found)")
      }
    }
  }

  @Test func `a daemon of another version is named`() throws {
    try withSession { session in
      _ = try session.startBus()
      try session.directory.directory("run/themed")
      let script = """
        import socket, sys
        server = socket.socket(socket.AF_UNIX)
        server.bind(sys.argv[1])
        server.listen()
        print("ready", flush=True)
        while True:
            client, _ = server.accept()
            if client.recv(65536):
                client.sendall(b'{"parameters":{"vendor":"v","product":"themed","version":"0.0.9","url":"",'
                               b'"interfaces":["org.themed.theme"]}}\\0')
            client.close()
        """
      let old = try session.spawn("python3", ["-c", script, session.socketPath])
      #expect(try old.line() == "ready")
      let found = try session.findings().first { $0.name == "other_version" }
      #expect(found?.what.contains("0.0.9") == true)
      #expect(found?.commands == ["systemctl --user restart themed.service"])
    }
  }

  @Test func `check and json are options of the daemon that go together`() throws {
    try withSession { session in
      let alone = try session.run(Products.path("themed"), ["--json"])
      #expect(alone.status == .exited(64))
      #expect(alone.errors.contains("--check"))
    }
  }
}

/// The doctor under a real user manager.
@Suite(
  .ownThreads,
  .enabled(if: UserManager.isPossible, UserManager.need))
struct DoctorUnderManagerStories {
  @Test func `a manager without a display, and units that are not enabled`() throws {
    try withSession { session in
      try session.writeUnits()
      let manager = try UserManager(session: session)
      try manager.systemctl("start", "dbus.socket", "themed.socket")
      // Which starts it: who only asks does not wait for long.
      _ = try session.connect().call("GetState")
      #expect(try session.problems() == ["not_enabled"])
      try manager.systemctl("enable", "themed.socket", "themed.service")
      #expect(try session.problems() == [])
      session.environment["WAYLAND_DISPLAY"] = "wayland-7"
      let found = try session.findings().first { $0.name == "no_display" }
      #expect(found?.commands?.first?.hasPrefix("systemctl --user import-environment") == true)
    }
  }

  @Test func `a socket's file that was removed under a running service is told apart, and comes back by what is said`()
    throws
  {
    try withSession { session in
      try session.writeUnits()
      let manager = try UserManager(session: session)
      try manager.systemctl("start", "dbus.socket")
      try manager.systemctl("enable", "--now", "themed.socket", "themed.service")
      let watch = try session.subscribe()
      _ = try watch.frame()
      #expect(unsafe unlink(session.socketPath) == 0)
      // Who asks often is not to wait for systemctl.
      let refused = try session.themectl("status")
      #expect(refused.status == .exited(3))
      #expect(refused.errors.contains("run 'themectl doctor'"), "\(refused)")
      let found = try #require(try session.findings().first { $0.why != nil })
      #expect(found.name == "socket_gone" && found.what.contains(session.socketPath), "\(found)")
      let commands: [String] = try #require(found.commands)
      #expect(!commands.isEmpty)
      for command in commands {
        #expect(command.hasPrefix("systemctl --user "))
        try manager.systemctl(command.split(separator: " ").dropFirst(2).map(String.init))
      }
      try watch.expectClose()
      #expect(try session.themectl("set", "dark").lines == ["dark"])
      #expect(try session.problems() == [])
    }
  }
}

/// A line of `themectl doctor --json`.
struct Found: Decodable {
  let name: String
  let what: String
  let why: String?
  let fix: String?
  let commands: [String]?
}

extension Session {
  /// What the doctor finds.
  func findings() throws -> [Found] {
    let doctor = try themectl("doctor", "--json")
    let findings = try doctor.lines.map { try JSONDecoder().decode(Found.self, from: Data($0.utf8)) }
    let isWrong = findings.contains { $0.why != nil }
    guard doctor.status == .exited(isWrong ? 1 : 0) else {
      throw Failure("the doctor ended with \(doctor.status): \(doctor.output) \(doctor.errors)")
    }
    let isSaid = findings.allSatisfy { ($0.fix == nil && $0.commands == nil) == ($0.why == nil) }
    guard isSaid else { throw Failure(doctor.output) }
    return findings
  }

  /// The names of what is wrong.
  func problems() throws -> [String] { try findings().filter { $0.why != nil }.map(\.name) }

  /// Waits until the doctor finds no problem: on a busy machine, the portal may answer it too late once.
  func awaitNoProblem() throws {
    try eventually("no problem: \((try? problems()) ?? [])") { try problems() == [] }
  }

  /// What the doctor prints when it finds no problem.
  func awaitHealth() throws -> Finished {
    try eventually("no problem: \((try? themectl("doctor").output) ?? "")") {
      let doctor = try themectl("doctor")
      return doctor.status == .exited(0) ? doctor : nil
    }
  }

  /// Has the bus start the portal, as a program would that asks it.
  fileprivate func startPortal() throws {
    try check(
      "gdbus",
      [
        "call", "--session", "--dest", "org.freedesktop.DBus", "--object-path", "/", "--method",
        "org.freedesktop.DBus.StartServiceByName", "org.freedesktop.portal.Desktop", "0",
      ])
  }
}
