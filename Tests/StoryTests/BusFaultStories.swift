import Foundation
import Testing
import ThemedTestSupport

/// A bus that is not there, not yet there, frozen, or another than before.
@Suite(.ownThreads) struct BusFaultStories {
  @Test func `without any bus overrides are served, and a bus that appears is followed`() throws {
    try withSession { session in
      session.environment["DBUS_SESSION_BUS_ADDRESS"] = nil
      _ = try session.startThemed()
      let watch = try session.subscribe()
      #expect(try watch.frame().desktop == "unavailable")
      #expect(try session.connect().call("SetOverride", #"{"override":{"scheme":"dark"}}"#).scheme == "dark")
      #expect(try watch.frame().scheme == "dark")
      session.environment["DBUS_SESSION_BUS_ADDRESS"] = session.busAddress
      _ = try session.startBus()
      _ = try session.startFakePortal(scheme: 1)
      #expect(try watch.frame().desktop == "dark")
    }
  }

  @Test func `a bus is followed though the directories above its socket come later`() throws {
    try withSession { session in
      session.busAddress = "unix:path=" + session.directory.path("run/a/b/bus")
      _ = try session.startThemed()
      let watch = try session.subscribe()
      _ = try watch.frame()
      try session.directory.directory("run/a")
      try session.directory.directory("run/a/b")
      _ = try session.startBus()
      _ = try session.startFakePortal(scheme: 1)
      #expect(try watch.frame().desktop == "dark")
    }
  }

  @Test func `a bus without a path is followed, and again after its restart`() throws {
    try withSession { session in
      session.busAddress = "unix:abstract=" + session.directory.path("bus")
      _ = try session.startThemed()
      let watch = try session.subscribe()
      _ = try watch.frame()
      let bus = try session.startBus()
      let portal = try session.startFakePortal(scheme: 1)
      #expect(try watch.frame().desktop == "dark")
      try bus.kill()
      try portal.process.wait()
      try bus.start()
      _ = try session.startFakePortal(scheme: 2)
      #expect(try watch.frame().desktop == "light")
    }
  }

  @Test func `an address that cannot be used is named, and overrides are served`() throws {
    try withSession { session in
      session.environment["DBUS_SESSION_BUS_ADDRESS"] = "tcp:host=localhost,port=1"
      let themed = try session.startThemed()
      try themed.errorLine(containing: "tcp:host=localhost,port=1")
      #expect(try session.connect().call("Toggle").scheme == "dark")
    }
  }

  @Test func `a bus that is frozen when the daemon starts holds nothing up, and is followed when it thaws`() throws {
    try withSession { session in
      let bus = try session.startBus()
      _ = try session.startFakePortal(scheme: 1)
      bus.freeze()
      _ = try session.startThemed()
      let watch = try session.subscribe()
      #expect(try watch.frame().desktop == "unavailable")
      #expect(try session.connect().call("Toggle").scheme == "dark")
      #expect(try watch.frame().desktop == "unavailable")
      bus.thaw()
      #expect(try watch.frame().desktop == "dark")
    }
  }

  @Test func `a bus that freezes later holds nothing up, and nothing that it kept is lost`() throws {
    try withSession { session in
      let following = try Following.settled(session)
      following.bus.freeze()
      try following.portal.process.send(line: "set color-scheme u:1")
      try following.portal.process.send(line: "emit color-scheme u:1")
      try following.expectNothing()
      following.bus.thaw()
      try following.expect("dark")
    }
  }

  @Test func `a bus that takes the place of one which accepts and never answers is followed`() throws {
    try withSession { session in
      let mute = try Listener(path: session.directory.path("run/bus"))
      _ = try session.startThemed()
      let watch = try session.subscribe()
      #expect(try watch.frame().desktop == "unavailable")
      try mute.accept()
      try mute.unlink()
      _ = try session.startBus()
      _ = try session.startFakePortal(scheme: 1)
      #expect(try watch.frame().desktop == "dark")
      withExtendedLifetime(mute) {}
    }
  }

  @Test func `other files that come and go beside its socket do not disturb the wait for a mute bus`() throws {
    try withSession { session in
      let mute = try Listener(path: session.directory.path("run/bus"))
      _ = try session.startThemed()
      let watch = try session.subscribe()
      _ = try watch.frame()
      try mute.accept()
      for number in 0..<5 { try session.directory.write("", to: "run/file-\(number)") }
      // A connection that was made because of them would be accepted in the place of this one.
      try mute.fill(leaving: 64)
      #expect(try session.connect().call("Toggle").scheme == "dark")
      #expect(try mute.waiting() == 1)
    }
  }

  @Test(arguments: [0, 1, 2])
  func `a bus that hangs with hardly a place in its queue does not hang the daemon`(places: Int) throws {
    try withSession { session in
      let mute = try Listener(path: session.directory.path("run/bus"))
      let crowd = try mute.fill(leaving: places)
      _ = try session.startThemed()
      let watch = try session.subscribe()
      #expect(try watch.frame().desktop == "unavailable")
      #expect(try session.connect().call("Toggle").scheme == "dark")
      #expect(try watch.frame().scheme == "dark")
      // Once there is room, it tries again, though nothing has changed in the file system.
      for _ in 0..<(crowd + 1) { try mute.accept() }
      try mute.unlink()
      _ = try session.startBus()
      _ = try session.startFakePortal(scheme: 2)
      #expect(try watch.frame().desktop == "light")
      withExtendedLifetime(mute) {}
    }
  }

  @Test func `a bus that restarts again and again is followed each time, and its values never flip between`() throws {
    try withSession { session in
      let following = try Following(session, scheme: 2)
      var portal = following.portal
      for round in 1...4 {
        try following.bus.kill()
        try portal.process.wait()
        if round.isMultiple(of: 2) { try following.bus.removeSocket() }
        try following.expectNothing()
        try following.bus.start()
        let (scheme, word) = round.isMultiple(of: 2) ? (2, "light") : (1, "dark")
        portal = try session.startFakePortal(scheme: scheme)
        try following.expect(word)
      }
    }
  }

  @Test(arguments: [BriefBus.Manner.accepts, .greets, .greetsAndOwns])
  func `a bus that hangs up at once is tried ever less often, and at once by a reload`(
    manner: BriefBus.Manner
  ) throws {
    try withSession { session in
      let brief = try BriefBus(path: session.directory.path("run/bus"), manner)
      let themed = try session.startThemed(["--verbose"])
      // Others' files are no reason to hurry.
      for number in 0..<20 { try session.directory.write("", to: "run/file-\(number)") }
      try themed.errorLine(containing: "next attempt in 5 s")
      // 20 ms and twice as much each time; what came in the first instants of the daemon comes beside that.
      #expect(brief.count <= 12)
      let (count, gone) = (brief.count, "lost the session bus")
      #expect(themed.errors.split(separator: "\n").count { $0.contains(gone) && $0.contains("warning") } <= 1)
      let diagnostics = try session.connect().call("GetDiagnostics")
      #expect(diagnostics.string("parameters.bus.problem")?.contains("next attempt in") == true)
      themed.send(.hangup)
      try brief.wait(for: count + 1)
      try brief.leave()
      _ = try session.startBus()
      _ = try session.startFakePortal(scheme: 1)
      let watch = try session.subscribe()
      _ = try watch.frame { $0.desktop == "dark" }
    }
  }
}
