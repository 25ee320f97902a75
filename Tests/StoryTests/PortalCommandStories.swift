import Foundation
import Testing
import ThemedTestSupport

/// `themectl portal` and what the doctor says of our backend.
@Suite(.ownThreads) struct PortalCommandStories {
  @Test func `status says whether the portal asks us, and what is below`() throws {
    try withSession { session in
      let desktop = try session.prepareDesktop()
      try desktop.offerBackend()
      try desktop.bus.start()
      try desktop.set(.light)
      _ = try session.startThemed()
      try desktop.startPortal()
      let off = try session.themectl("portal", "status")
      #expect(off.status == .exited(1))
      #expect(off.output.contains("themed-portal is not running; the portal asks gtk"))
      _ = try desktop.startBackend()
      let on = try session.themectl("portal")
      #expect(on.status == .exited(0))
      #expect(
        on.lines == ["Programs that ask the portal get what themed shows; after themed-portal, the portal asks gtk."])
      let json = try session.themectl("portal", "status", "--json").output
      #expect(json.contains(#""isAsked":true"#))
      // An override that differs from the backend below is no fault, if the desktop is left alone on purpose.
      _ = try session.themectl("desktop", "disable")
      _ = try session.themectl("set", "dark")
      try eventually { try desktop.portalAnswer() == "(<<uint32 1>>,)" }
      #expect(try session.awaitHealth().output.contains("after themed-portal it asks gtk"))
    }
  }

  @Test func `a backend that the portal does not know is named by the doctor`() throws {
    try withSession { session in
      let desktop = try session.startDesktop(.light)
      _ = try session.startThemed()
      try desktop.startPortal()
      _ = try desktop.startBackend()
      let doctor = try session.themectl("doctor")
      #expect(doctor.status == .exited(1))
      #expect(doctor.output.contains("themed-portal is running, but the portal does not ask it"))
      #expect(try session.themectl("portal", "status").status == .exited(1))
    }
  }

  @Test func `a backend that the portal asks after another is named so, and does not count as set up`() throws {
    try withSession { session in
      let desktop = try session.prepareDesktop()
      try session.offerAfterAnother(desktop)
      try desktop.bus.start()
      _ = try session.startThemed()
      try desktop.startPortal()
      _ = try desktop.startBackend()
      let status = try session.themectl("portal", "status")
      #expect(status.status == .exited(1))
      #expect(status.output.contains("asks other backends before themed-portal"), "\(status.output)")
      let doctor = try session.themectl("doctor")
      #expect(doctor.status == .exited(1))
      #expect(doctor.output.contains("the portal asks other backends before themed-portal"), "\(doctor.output)")
    }
  }

  @Test func `without a user manager nothing is written, and it is said what to do`() throws {
    try withSession { session in
      let desktop = try session.startDesktop(.light)
      try desktop.startPortal()
      let enable = try session.themectl("portal", "enable", "--yes")
      #expect(enable.status == .exited(2))
      #expect(enable.errors.contains("no systemd user manager is running"))
    }
  }

  @Test(.enabled(if: UserManager.isPossible, UserManager.need))
  func `under a user manager it is enabled, proved, and disabled again`() throws {
    try withSession { session in
      try session.writeUnits()
      let desktop = try session.prepareDesktop()
      try desktop.offerBackend()
      let manager = try UserManager(session: session)
      try manager.systemctl("start", "dbus.socket", "themed.socket")
      try session.set(.light)
      let watch = try session.subscribe()
      _ = try watch.frame { $0.desktop == "light" }

      let unasked = try session.themectl("portal", "enable")
      #expect(unasked.status == .exited(1))
      #expect(unasked.errors.contains("--yes"))
      #expect(try manager.property("ActiveState", of: "themed-portal.service") == "inactive")

      let holder = try session.lockConfiguration()
      let enable = try session.spawnThemectl("portal", "enable", "--yes")
      try enable.errorLine(containing: ", which has locked ")
      try holder.send(line: "")
      #expect(try enable.wait() == .exited(0), "\(enable.errors)")
      try FileManager.default.removeItem(atPath: session.directory.path("config/themed"))
      #expect(
        try session.themectl("portal").lines.last
          == "Programs that ask the portal get what themed shows; after themed-portal, the portal asks gtk.")
      _ = try session.themectl("set", "dark")
      try eventually { try desktop.portalAnswer() == "(<<uint32 1>>,)" }
      #expect(try session.connect().call("GetState").desktop == "light")

      // One that was started for now is started at each login from then on.
      let unit = "themed-portal.service"
      try manager.systemctl("disable", unit)
      let enableAgain = try session.themectl("portal", "enable", "--yes")
      #expect(enableAgain.status == .exited(0), "\(enableAgain)")
      #expect(try session.run("systemctl", ["--user", "is-enabled", unit]).output == "enabled")

      // Where no user manager runs, nothing is called undone.
      let runtime = session.environment["XDG_RUNTIME_DIR"]
      session.environment["XDG_RUNTIME_DIR"] = try session.directory.directory("no-manager")
      let unable = try session.themectl("setup", "--undo", "--yes")
      #expect(unable.status == .exited(2) && !unable.output.contains("is undone"), "\(unable)")
      session.environment["XDG_RUNTIME_DIR"] = runtime

      let disable = try session.themectl("setup", "--undo", "--yes")
      #expect(disable.status == .exited(0), "\(disable)")
      #expect(disable.lines.contains("  make the portal ask the desktop alone"), "\(disable)")
      try eventually { try desktop.portalAnswer() == "(<<uint32 2>>,)" }
      #expect(session.files(below: "config").keys.allSatisfy { $0.hasPrefix("systemd") })
      #expect(try manager.property("ActiveState", of: "themed-portal.service") == "inactive")
      #expect(try session.themectl("portal", "status").status == .exited(1))

      // What somebody has started by hand does not end by that, which is said.
      let file = "\(Products.package)/packaging/aaa-themed.portal"
      let administrators = try String(contentsOfFile: file, encoding: .utf8) + "# Ours\n"
      try session.directory.write(administrators, to: "portals/aaa-themed.portal")
      let own = try desktop.startBackend()
      try manager.systemctl("restart", "xdg-desktop-portal.service")
      try eventually { try session.themectl("portal", "status").status == .exited(0) }
      let again = try session.themectl("portal", "disable", "--yes")
      #expect(again.status == .exited(2))
      #expect(again.errors.contains("is still running, since its unit did not start it"), "\(again)")
      own.stop()
    }
  }

  @Test(.enabled(if: UserManager.isPossible, UserManager.need))
  func `however often it is enabled and disabled, the portal runs in the end, and one that does not is told`() throws {
    try withSession { session in
      try session.writeUnits()
      let desktop = try session.prepareDesktop()
      try desktop.offerBackend()
      // An administrator's, which disabling leaves.
      let file = "\(Products.package)/packaging/aaa-themed.portal"
      let administrators = try String(contentsOfFile: file, encoding: .utf8) + "# Ours\n"
      try session.directory.write(administrators, to: "portals/aaa-themed.portal")
      let portal = "xdg-desktop-portal.service"
      for unit in [portal, "themed-portal.service"] {
        try UserManager.write(
          "[Unit]\nStartLimitIntervalSec=1000\nStartLimitBurst=2\n", as: unit + ".d/seldom.conf", in: session)
      }
      let manager = try UserManager(session: session)
      try manager.systemctl("start", "dbus.socket", "themed.socket")
      try session.set(.light)
      for round in 0..<3 {
        let enable = try session.themectl("portal", "enable", "--yes")
        #expect(enable.status == .exited(0), "round \(round): \(enable)")
        let disable = try session.themectl("portal", "disable", "--yes")
        #expect(disable.status == .exited(0), "round \(round): \(disable)")
        try eventually { try manager.property("ActiveState", of: portal) == "active" }
        try eventually { try desktop.portalAnswer() == "(<<uint32 2>>,)" }
      }
      let enable = try session.themectl("portal", "enable", "--yes")
      #expect(enable.status == .exited(0), "\(enable)")
      // The daemon has it started again meanwhile, and for a second each time it is not known that it fails.
      let start = "ExecStart=\nExecStart=/bin/sh -c 'sleep 1; exit 1'\n"
      try UserManager.write("[Service]\n\(start)", as: portal + ".d/fails.conf", in: session)
      try manager.systemctl("daemon-reload")
      let disable = try session.themectl("portal", "disable", "--yes")
      #expect(disable.status == .exited(2), "\(disable)")
      #expect(!disable.output.contains("get what the desktop asks for"), "\(disable)")
      #expect(disable.errors.contains("programs cannot ask for light or dark"), "\(disable)")
    }
  }

  @Test(.enabled(if: UserManager.isPossible, UserManager.need))
  func `a portal that hangs at its start is not waited for as long as the manager does, and everything was undone`()
    throws
  {
    try withSession { session in
      try session.writeUnits()
      try session.prepareDesktop().offerBackend()
      // Longer than a test waits.
      try UserManager.write(
        "[Service]\nExecStart=\nExecStart=/usr/bin/sleep 1000\nTimeoutStartSec=1000\n",
        as: "xdg-desktop-portal.service.d/hang.conf", in: session)
      let manager = try UserManager(session: session)
      try manager.systemctl("start", "dbus.socket", "themed.socket")
      let enable = try session.spawnThemectl("portal", "enable", "--yes")
      // Each part of it waits in turn.
      #expect(try enable.wait(seconds: 3 * patience) == .exited(2))
      #expect(enable.errors.contains("everything was undone"), "\(enable.account)")
      #expect(try manager.property("ActiveState", of: "themed-portal.service") == "inactive")
      #expect(try manager.property("ActiveState", of: "xdg-desktop-portal.service") == "activating")
    }
  }

  @Test(.enabled(if: UserManager.isPossible, UserManager.need))
  func `where nobody has asked for our backend, that it does not run is no problem`() throws {
    try withSession { session in
      try session.writeUnits()
      try session.prepareDesktop().offerBackend()
      // Our file and that of GTK are made for it, and no portals.conf says anything.
      session.environment["XDG_CURRENT_DESKTOP"] = "GNOME"
      let manager = try UserManager(session: session)
      try manager.systemctl("start", "dbus.socket", "themed.socket")
      // It is of a version that asks by UseIn.
      _ = try session.startFakePortal(scheme: 2)
      let problem = "problem: the portal should ask themed-portal, but themed-portal is not running"
      func expectOffer() throws {
        let status = try #require(session.themectl("portal", "status").lines.first)
        #expect(
          status == "themed-portal is not running; the portal asks gtk. Run 'themectl portal enable' to set it up.")
        let doctor = try session.themectl("doctor").lines
        #expect(doctor.contains("fine: \(status.dropLast())") && !doctor.contains(problem), "\(doctor)")
      }
      try expectOffer()
      try manager.systemctl("enable", "themed-portal.service")
      #expect(try session.themectl("doctor").lines.contains(problem))
      try manager.systemctl("disable", "themed-portal.service")
      try expectOffer()
      try session.directory.write("[preferred]\ndefault=aaa-themed;gtk\n", to: "portals/portals.conf")
      #expect(try session.themectl("doctor").lines.contains(problem))
    }
  }

  @Test(.enabled(if: UserManager.isPossible, UserManager.need))
  func `a backend that hangs is ended when somebody waits for it, and started anew, and ends when it is told`() throws {
    try withSession { session in
      try session.writeUnits()
      let desktop = try session.prepareDesktop()
      try desktop.offerBackend()
      let manager = try UserManager(session: session)
      let unit = "themed-portal.service"
      try manager.systemctl("start", "dbus.socket", "themed.socket", unit)
      try desktop.awaitBackend()
      try desktop.startPortal()
      // The first that it hears of the daemon starts that: until then it waits.
      try eventually { try desktop.portalAnswer("org.themed", "status").output == "(<<'following'>>,)" }
      #expect(try manager.property("NRestarts", of: unit) == "0")
      try manager.systemctl("kill", "--kill-whom=main", "--signal=STOP", unit)
      _ = try desktop.portalAnswer("org.themed", "status")
      try eventually { try manager.property("NRestarts", of: unit) == "1" }
      try eventually { try desktop.portalAnswer("org.themed", "status").output == "(<<'following'>>,)" }
      // With its watchdog, which takes no signal but that.
      try manager.systemctl("stop", unit)
      #expect(try manager.property("Result", of: unit) == "success")
      #expect(try manager.property("ActiveState", of: unit) == "inactive")
    }
  }

  @Test(.enabled(if: UserManager.isPossible, UserManager.need))
  func `where another backend runs already, ours is not started again and again`() throws {
    try withSession { session in
      try session.writeUnits()
      let desktop = try session.prepareDesktop()
      let manager = try UserManager(session: session)
      let unit = "themed-portal.service"
      try manager.systemctl("start", "dbus.socket", "themed.socket")
      _ = try desktop.startBackend()
      // Whether it has said that it is ready before it is told that the name is taken, or not.
      try manager.systemctl("start", "--no-block", unit)
      try eventually { try manager.property("ActiveState", of: unit) == "failed" }
      #expect(try manager.property("ExecMainStatus", of: unit) == "69")
      #expect(try manager.property("NRestarts", of: unit) == "0")
    }
  }

  @Test(.enabled(if: UserManager.isPossible, UserManager.need))
  func `where the portal asks another before us, enabling takes everything back`() throws {
    try withSession { session in
      try session.writeUnits()
      let desktop = try session.prepareDesktop()
      try session.offerAfterAnother(desktop)
      let manager = try UserManager(session: session)
      try manager.systemctl("start", "dbus.socket", "themed.socket")
      let enable = try session.themectl("portal", "enable", "--yes")
      #expect(enable.status == .exited(2))
      #expect(enable.errors.contains("everything was undone"), "\(enable)")
      try eventually { try manager.property("ActiveState", of: "themed-portal.service") == "inactive" }
      #expect(try session.run("systemctl", ["--user", "is-enabled", "themed-portal.service"]).output == "disabled")
      // Where the manager does not take it back, that is said, and how to do it.
      let half = try session.withSystemctl("disable", "exit 1") { try session.themectl("portal", "enable", "--yes") }
      #expect(half.status == .exited(2))
      #expect(half.errors.contains("not everything could be undone; 'themectl portal disable'"), "\(half)")
      // A Ctrl-C while that is done, and another one, change nothing.
      // Between it and systemctl is what limits the time.
      let twice = "read -r _ _ _ parent _ < /proc/$PPID/stat; kill -INT $parent; kill -INT $parent"
      let off = try session.withSystemctl("disable", twice) { try session.themectl("portal", "disable", "--yes") }
      #expect(off.status == .exited(0), "\(off)")
      #expect(try manager.property("ActiveState", of: "themed-portal.service") == "inactive")
      #expect(try session.run("systemctl", ["--user", "is-enabled", "themed-portal.service"]).output == "disabled")
      // The directory counts as the user's own here, so ours was taken out of it.
      try session.offerAfterAnother(desktop)
      let back = try session.withSystemctl("disable", twice) { try session.themectl("portal", "enable", "--yes") }
      #expect(back.status == .exited(2))
      #expect(back.errors.contains("everything was undone"), "\(back)")
      // One while it is enabled takes it back.
      let ended = try session.withSystemctl("enable", twice) { try session.themectl("portal", "enable", "--yes") }
      #expect(ended.status == .exited(2))
      #expect(ended.errors.contains("interrupted: everything was undone"), "\(ended)")
      #expect(try manager.property("ActiveState", of: "themed-portal.service") == "inactive")
      #expect(try session.run("systemctl", ["--user", "is-enabled", "themed-portal.service"]).output == "disabled")
    }
  }
}

extension Session {
  /// Has a shell do this first wherever `systemctl` is told `verb` meanwhile.
  fileprivate func withSystemctl(_ verb: String, _ words: String, _ body: () throws -> Finished) throws -> Finished {
    let path = environment["PATH"] ?? "/usr/bin:/bin"
    let program = try directory.write(
      "#!/bin/sh\ncase \"$2\" in \(verb)) \(words) ;; esac\nPATH=\(shellWord(path)) exec systemctl \"$@\"\n",
      to: "bin/systemctl")
    guard unsafe chmod(program, 0o755) == 0 else { throw Failure("chmod") }
    environment["PATH"] = "\(directory.path("bin")):\(path)"
    defer { environment["PATH"] = path }
    return try body()
  }

  /// Lets portals that start from now on know our backend, and of a desktop of their own another before it.
  fileprivate func offerAfterAnother(_ desktop: Desktop) throws {
    try desktop.offerBackend()
    try directory.write(
      """
      [portal]
      DBusName=org.freedesktop.impl.portal.desktop.other
      Interfaces=org.freedesktop.impl.portal.Settings;
      UseIn=Other;

      """, to: "portals/other.portal")
    environment["XDG_CURRENT_DESKTOP"] = "Other"
  }
}
