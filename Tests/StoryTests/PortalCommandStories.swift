import Foundation
import ThemedTestSupport
import Testing

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
      #expect(off.output.contains("themed-portal does not run; the portal asks gtk"))
      _ = try desktop.startBackend()
      let on = try session.themectl("portal")
      #expect(on.status == .exited(0))
      #expect(on.lines == ["Programs that ask the portal get what themed shows; below it, the portal asks gtk."])
      let json = try session.themectl("portal", "status", "--json").output
      #expect(json.contains(#""isAsked":true"#))
      // An override that differs from the backend below is no fault.
      _ = try session.themectl("set", "dark")
      try eventually { try desktop.portalAnswer() == "(<<uint32 1>>,)" }
      let doctor = try session.themectl("doctor")
      #expect(doctor.status == .exited(0), "\(doctor.output)")
      #expect(doctor.output.contains("below themed-portal it asks gtk"))
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
      #expect(doctor.output.contains("themed-portal runs, and the portal does not ask it"))
      #expect(try session.themectl("portal", "status").status == .exited(1))
    }
  }

  @Test func `without a user manager nothing is written, and it is said what to do`() throws {
    try withSession { session in
      let desktop = try session.startDesktop(.light)
      try desktop.startPortal()
      let enable = try session.themectl("portal", "enable", "--yes")
      #expect(enable.status == .exited(2))
      #expect(enable.errors.contains("no systemd user manager runs here"))
    }
  }

  @Test(.enabled(if: UserManager.isPossible, "needs root, on a machine that lets a test have a systemd user manager"))
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
      #expect(unasked.status == .exited(2))
      #expect(unasked.errors.contains("--yes"))
      #expect(try manager.property("ActiveState", of: "themed-portal.service") == "inactive")

      let enable = try session.themectl("portal", "enable", "--yes")
      #expect(enable.status == .exited(0), "\(enable)")
      #expect(enable.lines.last == "Programs that ask the portal get what themed shows; below it, the portal asks gtk.")
      _ = try session.themectl("set", "dark")
      try eventually { try desktop.portalAnswer() == "(<<uint32 1>>,)" }
      #expect(try session.connect().call("GetState").desktop == "light")

      let disable = try session.themectl("portal", "disable", "--yes")
      #expect(disable.status == .exited(0), "\(disable)")
      try eventually { try desktop.portalAnswer() == "(<<uint32 2>>,)" }
      #expect(try manager.property("ActiveState", of: "themed-portal.service") == "inactive")
      #expect(try session.themectl("portal", "status").status == .exited(1))
    }
  }
}
