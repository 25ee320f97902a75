import Foundation
import Testing
import ThemedTestSupport

/// The real portal, in trouble.
@Suite(.ownThreads) struct RealPortalFaultStories {
  @Test func `a real portal that is killed leaves its value standing, and is read when something starts it again`()
    throws
  {
    try withSession { session in
      let desktop = try session.startDesktop(.dark)
      _ = try session.startThemed()
      let watch = try session.subscribe()
      _ = try watch.frame { $0.desktop == "dark" }
      try desktop.killPortal()
      try desktop.set(.light)
      // Another program's call starts it, unless the daemon has by now: there is a display, and so a graphical session.
      #expect(try desktop.portalAnswer() == "(<<uint32 2>>,)")
      // Between the two, nothing else was shown.
      #expect(try watch.frame().desktop == "light")
    }
  }

  @Test func `what the user switches while the portal's backend is away is followed once it is back`() throws {
    try withSession { session in
      let desktop = try session.startDesktop(.dark)
      _ = try session.startThemed()
      let watch = try session.subscribe()
      _ = try watch.frame { $0.desktop == "dark" }
      // The read that confirms the first one a second later would find it, too.
      try eventually("the last read is over") {
        let last = try session.connect().call("GetDiagnostics").int("parameters.portal.readAt") ?? .max
        return last < Int(Date().timeIntervalSince1970) - 2
      }
      try desktop.killGTKBackend()
      try desktop.set(.light)
      try desktop.startGTKBackend()
      #expect(try watch.frame { $0.desktop != "dark" }.desktop == "light")
    }
  }

  @Test func `a real portal that was started without a display has nothing to say until it is started with one`()
    throws
  {
    try withSession { session in
      let desktop = try session.prepareDesktop()
      let display = session.environment.removeValue(forKey: "DISPLAY")
      try desktop.bus.start()
      try desktop.set(.dark)
      try desktop.startPortal()
      let themed = try session.startThemed()
      let watch = try session.subscribe()
      #expect(try watch.frame().desktop == "unavailable")
      try themed.errorLine(containing: "the portal")
      #expect(try session.connect().call("GetState").desktop == "unavailable")

      // As the session does at login: the bus hears of the display, and the portal is started again.
      session.environment["DISPLAY"] = display
      try session.check("dbus-update-activation-environment", ["DISPLAY"])
      try desktop.killPortal()
      try desktop.startPortal()
      #expect(try watch.frame { $0.desktop != "unavailable" }.desktop == "dark")
    }
  }

  @Test func `of two real backends the lower one's lie is corrected by the portal's own answer`() throws {
    try withSession { session in
      let names = ["truth", "untruth"].map { "org.freedesktop.impl.portal.desktop." + $0 }
      for name in names {
        let text = "[portal]\nDBusName=\(name)\nInterfaces=org.freedesktop.impl.portal.Settings;\nUseIn=\(name)\n"
        try session.directory.write(text, to: "portals/\(name.split(separator: ".").last!).portal")
      }
      session.environment["XDG_DESKTOP_PORTAL_DIR"] = session.directory.path("portals")
      let desktop = try session.prepareDesktop()
      // The one that is in use in this desktop is asked first.
      session.environment["XDG_CURRENT_DESKTOP"] = names[0]
      try desktop.bus.start()
      let backends = try names.map { name in
        let backend = try session.startStranger()
        try backend.tell("set color-scheme u:\(name == names[0] ? 1 : 2)")
        try backend.tell("own \(name)")
        return backend
      }
      try desktop.startPortal()
      _ = try session.startThemed()
      let watch = try session.subscribe()
      _ = try watch.frame { $0.desktop == "dark" }
      #expect(try desktop.portalAnswer() == "(<<uint32 1>>,)")
      try backends[1].tell("emit color-scheme u:2 interface=org.freedesktop.impl.portal.Settings")
      #expect(try watch.frame().desktop == "light")
      #expect(try watch.frame().desktop == "dark")
    }
  }

  @Test func `a bus that freezes under the real portal holds nothing up, and nothing that it kept is lost`() throws {
    try withSession { session in
      let desktop = try session.startDesktop(.dark)
      _ = try session.startThemed()
      let watch = try session.subscribe()
      _ = try watch.frame { $0.desktop == "dark" }
      desktop.bus.freeze()
      let set = try session.spawn("gsettings", ["set", "org.gnome.desktop.interface", "color-scheme", "prefer-light"])
      #expect(try session.connect().call("SetOverride", #"{"override":{"scheme":"light"}}"#).scheme == "light")
      #expect(try watch.frame().desktop == "dark")
      desktop.bus.thaw()
      #expect(try set.wait() == .exited(0))
      #expect(try watch.frame().desktop == "light")
    }
  }
}
