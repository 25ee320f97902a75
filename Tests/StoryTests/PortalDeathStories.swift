import Testing
import ThemedTestSupport

/// A portal that dies, hangs, fails, returns, or is another than one thought.
@Suite(.ownThreads) struct PortalDeathStories {
  @Test func `a portal that dies leaves its last value standing, and is read again when it is back`() throws {
    try withSession { session in
      let following = try Following.settled(session)
      try following.portal.crash()
      try following.expectNothing()
      #expect(try session.connect().call("GetState").desktop == "light")
      // It sends no signal.
      _ = try session.startFakePortal(scheme: 1)
      try following.expect("dark")
    }
  }

  @Test func `when another takes the portal's name, it is asked, and the former is heard no more`() throws {
    try withSession { session in
      let following = try Following.settled(session)
      let other = try session.startFakePortal(scheme: 1)
      try following.expect("dark")
      for _ in 0..<2 { try other.awaitRead() }
      try following.portal.tell("emit color-scheme u:2")
      let themed = try other.tell("caller")
      try following.portal.tell("emit color-scheme u:2 to=\(themed)")
      try following.themed.errorLine(containing: "which is not the portal")
      try following.expectNothing()
      try other.tell("release")
      try following.portal.tell("own")
      try following.expect("light")
    }
  }

  @Test func `a portal that hangs changes nothing and holds nothing up, and is asked again`() throws {
    try withSession { session in
      let following = try Following.settled(session)
      try following.portal.tell("set color-scheme u:1")
      try following.portal.tell("manner silent")
      try following.portal.tell("emit contrast u:1")
      #expect(try following.watch.frame().bool("parameters.state.highContrast") == true)
      try following.portal.awaitRead()
      try following.expectNothing()
      try following.themed.errorLine(containing: "cannot read the portal")
      try following.portal.tell("manner answered")
      try following.expect("dark")
    }
  }

  @Test func `a portal that answers late is waited for, and nothing else is`() throws {
    try withSession { session in
      let following = try Following.settled(session)
      try following.portal.tell("manner delayed 2000")
      try following.portal.tell("set color-scheme u:1")
      try following.portal.tell("emit color-scheme u:2")
      try following.portal.awaitRead()
      #expect(try session.connect().call("GetState").error == nil)
      try following.expect("dark")
    }
  }

  @Test func `a read that fails changes nothing, and is made again`() throws {
    try withSession { session in
      let following = try Following.settled(session, scheme: 1)
      try following.portal.tell("manner refused org.freedesktop.DBus.Error.Failed")
      try following.portal.tell("emit color-scheme u:1")
      try following.portal.awaitRead()
      try following.themed.errorLine(containing: "cannot read the portal")
      try following.expectNothing()
      try following.portal.tell("set color-scheme u:2")
      try following.portal.tell("manner answered")
      try following.expect("light")
    }
  }

  @Test(arguments: ["a reload", "somebody new"])
  func `a portal whose reads all failed is read again at once for`(cause: String) throws {
    try withSession { session in
      let following = try Following.settled(session)
      try following.portal.tell("manner refused org.freedesktop.DBus.Error.Failed")
      try following.portal.tell("set color-scheme u:1")
      try following.portal.tell("emit color-scheme u:2")
      // The first, and three more within 31 seconds.
      for _ in 0..<4 { try following.portal.awaitRead() }
      try following.expectNothing()
      try following.portal.tell("manner answered")
      // The refusal of the last may still be on its way: until it has come, there is nothing to be tried again.
      let reads = following.portal.calls("reduced-motion")
      try eventually("it is read again") {
        if cause == "a reload" { following.themed.send(.hangup) } else { _ = try session.subscribe() }
        return following.portal.calls("reduced-motion") > reads
      }
      try following.expect("dark")
    }
  }

  @Test func `a portal without the setting, or without any, is unavailable and not "no preference"`() throws {
    try withSession { session in
      _ = try session.startBus()
      let portal = try session.startFakePortal(scheme: 1, "interface off")
      let themed = try session.startThemed()
      let watch = try session.subscribe()
      #expect(try watch.frame().desktop == "unavailable")
      try themed.errorLine(containing: "has no Settings interface")
      try portal.crash()
      let bare = try session.startFakePortal(scheme: 1, "unset color-scheme", "set contrast u:1")
      let frame = try watch.frame()
      #expect(frame.desktop == "unavailable")
      #expect(frame.bool("parameters.state.highContrast") == true)
      try bare.tell("emit color-scheme u:0")
      #expect(try watch.frame().desktop == "none")
    }
  }

  @Test(arguments: [(version: 1, reads: 2, refused: 1), (version: 2, reads: 2, refused: 0)])
  func `a portal of either version is read, one setting at a time`(version: Int, reads: Int, refused: Int) throws {
    try withSession { session in
      let following = try Following(session, scheme: 1, "version \(version)")
      // The read, and the one that confirms it; a version 1 refuses what is asked of it first.
      for _ in 0..<reads + refused { try following.portal.awaitRead() }
      let (method, other, others) = version == 1 ? ("Read", "ReadOne", refused) : ("ReadOne", "Read", 0)
      for setting in ["color-scheme", "contrast", "accent-color", "reduced-motion"] {
        #expect(following.portal.calls("call \(method) org.freedesktop.appearance \(setting) ") == reads)
        #expect(following.portal.calls("call \(other) org.freedesktop.appearance \(setting) ") == others)
      }
      #expect(following.portal.calls("ReadAll") == 0)
      try following.portal.tell("set color-scheme u:2")
      try following.portal.tell("emit color-scheme u:2")
      try following.expect("light")
    }
  }

  @Test func `contrast, motion and accent colour come with the scheme, and a colour out of range is none`() throws {
    try withSession { session in
      let following = try Following.settled(session)
      let portal = following.portal
      for (key, value) in [("contrast", "u:1"), ("reduced-motion", "u:1"), ("accent-color", "c:0.25,0.5,1")] {
        try portal.tell("set \(key) \(value)")
        try portal.tell("emit \(key) \(value)")
      }
      let whole = try following.watch.frame { $0.value("parameters.state.accentColor") != nil }
      #expect(whole.bool("parameters.state.highContrast") == true)
      #expect(whole.bool("parameters.state.reducedMotion") == true)
      #expect(whole.string("parameters.state.accentColor")?.hasPrefix("#40") == true)
      #expect(whole.string("parameters.state.origins.reducedMotion.rule") == "portal")
      try portal.tell("set accent-color c:0.25,0.5,1.5")
      try portal.tell("emit accent-color c:0.25,0.5,1.5")
      #expect(try following.watch.frame().value("parameters.state.accentColor") == nil)
    }
  }

  @Test(arguments: [
    ("i:1", "dark", true), ("x:1", "dark", true), ("y:1", "dark", true), ("t:1", "dark", true),
    ("i:-1", "none", true), ("u:7", "none", false), ("s:prefer-dark", "none", true), ("b:true", "none", true),
    ("d:1", "none", true), ("a:", "none", true), ("c:1,1,1", "none", true), ("v:u:1", "dark", false),
    ("v:v:u:1", "dark", false), ("v:v:v:v:v:v:u:1", "none", true), ("=u:1", "dark", false), ("z:100000", "none", true),
  ])
  func `a value of a wrong type or out of range is read with indulgence or not at all`(
    value: String, desktop: String, isToldOf: Bool
  ) throws {
    try withSession { session in
      let following = try Following.settled(session)
      try following.portal.tell("set color-scheme \(value)")
      try following.portal.tell("emit color-scheme \(value)")
      try following.expect(desktop)
      for _ in 0..<2 { try following.portal.awaitRead() }
      try following.expectNothing()
      if isToldOf { try following.themed.errorLine(containing: "the portal's color-scheme has an unexpected type") }
      let warnings = following.themed.errors.split(separator: "\n").count { $0.contains("unexpected type") }
      #expect(warnings == (isToldOf ? 1 : 0), "once, however often it is read")
      try following.portal.tell("set color-scheme u:2")
      try following.portal.tell("emit color-scheme u:2")
      try following.expect("light")
    }
  }
}
