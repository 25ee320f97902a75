import Foundation
import Testing
import ThemedTestSupport

/// A portal that does everything wrong that portals have been seen to do.
@Suite(.ownThreads) struct PortalFaultStories {
  @Test func `outside of a graphical session no portal is started, which would stay broken`() throws {
    try withSession { session in
      try session.offerPortal(running: "touch \(session.directory.path("tmp/started"))")
      _ = try session.startBus()
      _ = try session.startThemed()
      let watch = try session.subscribe()
      _ = try watch.frame { $0.desktop == "unavailable" }
      // It speaks to the bus in order: what it is told by this portal comes after all that it would have asked before.
      _ = try session.startFakePortal(scheme: 1)
      _ = try watch.frame { $0.desktop == "dark" }
      #expect(!FileManager.default.fileExists(atPath: session.directory.path("tmp/started")))
    }
  }

  @Test func `a portal that takes long to start holds nothing up, and is followed when it is there`() throws {
    try withSession { session in
      let (started, go) = (session.directory.path("tmp/started"), session.directory.path("tmp/go"))
      try session.offerPortal(
        running: """
          touch \(started)
          while [ ! -e \(go) ] && [ -e \(started) ]; do sleep 0.1; done
          exec \(shellWord(Products.path("themed-fake-portal"))) 'set color-scheme u:1' own
          """)
      session.environment["DISPLAY"] = ":nowhere"
      _ = try session.startBus()
      _ = try session.startThemed()
      let watch = try session.subscribe()
      #expect(try watch.frame().desktop == "unavailable")
      try awaitFile(started)
      #expect(try session.connect().call("SetOverride", #"{"override":{"scheme":"dark"}}"#).scheme == "dark")
      #expect(try watch.frame().desktop == "unavailable")
      try session.directory.write("", to: "tmp/go")
      #expect(try watch.frame().desktop == "dark")
    }
  }

  @Test func `a stale reply that comes after a newer signal is not taken`() throws {
    try withSession { session in
      let following = try Following.settled(session)
      let portal = following.portal
      try portal.tell("manner held")
      try portal.tell("emit color-scheme u:2")
      try portal.awaitRead()
      try portal.tell("set color-scheme u:1")
      try portal.tell("manner answered")
      try portal.tell("emit color-scheme u:1")
      try portal.tell("flush")
      try following.expect("dark")
      for _ in 0..<2 { try portal.awaitRead() }
      try following.expectNothing()
    }
  }

  @Test func `a signal that lies is shown at once, and corrected by what the portal answers`() throws {
    try withSession { session in
      let following = try Following.settled(session, scheme: 1)
      try following.portal.tell("emit color-scheme u:0")
      try following.expect("none")
      try following.expect("dark")
      for _ in 0..<2 { try following.portal.awaitRead() }
      try following.expectNothing()
    }
  }

  @Test func `a signal that lies takes no override away from a desktop that is kept in step`() throws {
    try withSession { session in
      try session.configure("[desktop]\nin-step=yes\n")
      let following = try Following(session, scheme: 2)
      let targets = try session.follow("GetDesktopTarget")
      _ = try session.themectl("set", "dark")
      let number = try targets.frame { $0.int("parameters.target.number") != nil }.int("parameters.target.number") ?? 0
      for word in ["set", "emit"] { try following.portal.tell("\(word) color-scheme u:1") }
      _ = try session.connect().call("ReportDesktopTarget", #"{"number":\#(number)}"#)
      _ = try targets.frame { $0.value("parameters.target") == nil }
      try following.portal.tell("emit color-scheme u:2")
      for _ in 0..<2 { try following.portal.awaitRead() }
      try eventually {
        try session.connect().call("GetDiagnostics").string("parameters.portal.deniedSignal") != nil
      }
      #expect(try session.themectl("overrides").lines.count == 1)
      #expect(try session.themectl("get").lines == ["dark"])
    }
  }

  @Test func `a second backend's lie right after the first one's truth is never shown`() throws {
    try withSession { session in
      // So long that both come within it on the busiest machine too.
      try session.configure("[portal]\nsettle-time=2000\n")
      let following = try Following.settled(session, scheme: 1)
      try following.portal.tell("set color-scheme u:2")
      try following.portal.tell("burst 2 color-scheme u:2 u:0")
      try following.expect("light")
      for _ in 0..<2 { try following.portal.awaitRead() }
      try following.expectNothing()
    }
  }

  @Test func `a signal that tells the old value misleads nobody`() throws {
    try withSession { session in
      let following = try Following.settled(session, scheme: 1)
      try following.portal.tell("set color-scheme u:2")
      try following.portal.tell("emit color-scheme u:1")
      try following.expect("light")
    }
  }

  @Test func `a value that the portal has only a moment after it was read is found by the second read`() throws {
    try withSession { session in
      let following = try Following.settled(session, scheme: 1)
      try following.portal.tell("manner held")
      try following.portal.tell("emit color-scheme u:1")
      try following.portal.awaitRead()
      try following.portal.tell("set color-scheme u:2")
      try following.portal.tell("manner answered")
      try following.portal.tell("flush")
      try following.expect("light")
    }
  }

  @Test func `a burst of a hundred signals is broadcast once at its first change and once at its end`() throws {
    try withSession { session in
      try session.configure("[portal]\nsettle-time=2000\n")
      let following = try Following.settled(session)
      try following.portal.tell("burst 100 color-scheme u:1 u:2")
      try following.expect("dark")
      try following.expect("light")
      for _ in 0..<2 { try following.portal.awaitRead() }
      try following.expectNothing()
    }
  }

  @Test func `duplicates, and the same change in another namespace, are broadcast to nobody`() throws {
    try withSession { session in
      let following = try Following.settled(session)
      try following.portal.tell("burst 20 color-scheme u:2")
      try following.portal.tell("emit color-scheme s:prefer-dark namespace=org.gnome.desktop.interface")
      for _ in 0..<2 { try following.portal.awaitRead() }
      try following.expectNothing()
    }
  }

  @Test func `a desktop that says 0 for light shows what is configured for no preference`() throws {
    try withSession { session in
      try session.configure("[appearance]\nno-preference=dark\nno-desktop=light\n")
      let following = try Following(session, scheme: 2)
      try following.portal.tell("set color-scheme u:0")
      try following.portal.tell("emit color-scheme u:0")
      let frame = try following.watch.frame { $0.desktop == "none" }
      #expect(frame.scheme == "dark")
      #expect(frame.string("parameters.state.origins.scheme.rule") == "default")
    }
  }

  @Test func `a desktop that has not been heard is told apart from one without a preference`() throws {
    try withSession { session in
      _ = try session.startBus()
      _ = try session.startThemed()
      let watch = try session.subscribe()
      #expect(try watch.frame().desktop == "unavailable")
      #expect(try session.themectl("status").output.contains("unavailable"))
      _ = try session.startFakePortal(scheme: 0)
      #expect(try watch.frame().desktop == "none")
      #expect(try !session.themectl("status").output.contains("unavailable"))
    }
  }
}

extension Session {
  /// Lets the bus start a portal by running these lines of a shell.
  func offerPortal(running script: String) throws {
    let file = try directory.write(script, to: "portal.sh")
    let name = "org.freedesktop.portal.Desktop"
    try directory.write("[D-BUS Service]\nName=\(name)\nExec=/bin/sh \(file)\n", to: "services/\(name).service")
  }
}

/// Waits for a file to be there.
func awaitFile(_ path: String) throws {
  try eventually(path) { FileManager.default.fileExists(atPath: path) }
}
