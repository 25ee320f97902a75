import TestSupport
import Testing

/// Who may speak for the desktop, and who tries to.
@Suite struct ImpostorStories {
  @Test func `a stranger's signal to everybody is not heard`() throws {
    try withSession { session in
      let following = try Following.settled(session)
      let stranger = try session.startStranger()
      try stranger.tell("emit color-scheme u:1")
      try following.expectTruth()
    }
  }

  @Test func `a stranger's signal straight to the daemon is refused, and said once`() throws {
    try withSession { session in
      let following = try Following.settled(session)
      let stranger = try session.startStranger()
      let themed = try following.portal.tell("caller")
      for _ in 0..<5 { try stranger.tell("emit color-scheme u:1 to=\(themed)") }
      try following.themed.errorLine(containing: "came from \(stranger.uniqueName), which is not the portal")
      try following.expectTruth()
      let warnings = following.themed.errors.split(separator: "\n").count { $0.contains("which is not the portal") }
      #expect(warnings == 1)
    }
  }

  @Test func `a stranger who tells in the bus's words that he is the portal is not believed`() throws {
    try withSession { session in
      let following = try Following.settled(session)
      let stranger = try session.startStranger()
      let themed = try following.portal.tell("caller")
      try stranger.tell("set color-scheme u:1")
      try stranger.tell("owner \(themed) \(stranger.uniqueName)")
      try stranger.tell("emit color-scheme u:1 to=\(themed)")
      try following.expectTruth()
      #expect(stranger.calls("Read") == 0)
    }
  }

  @Test func `a stranger's answer to a read is not taken for the portal's`() throws {
    try withSession { session in
      let following = try Following.settled(session)
      let stranger = try session.startStranger()
      try following.portal.tell("manner held")
      try following.portal.tell("emit color-scheme u:2")
      try following.portal.awaitRead()
      let themed = try following.portal.tell("caller")
      try stranger.tell("forge \(themed) 1 200 v:u:1")
      try following.themed.errorLine(containing: "came from \(stranger.uniqueName), who was not asked")
      try following.expectNothing()
      try following.portal.tell("manner answered")
      // The read that was spoilt is made again.
      try following.portal.tell("set color-scheme u:0")
      try following.expect("none")
    }
  }

  @Test(arguments: [
    "path=/org/freedesktop/portal/other", "interface=org.freedesktop.portal.Setting", "namespace=org.gnome.desktop",
  ])
  func `a signal that is another one, though the portal's own, changes nothing`(option: String) throws {
    try withSession { session in
      let following = try Following.settled(session)
      let themed = try following.portal.tell("caller")
      try following.portal.tell("emit color-scheme u:1 \(option)")
      try following.portal.tell("emit color-scheme u:1 to=\(themed) \(option)")
      try following.portal.tell("emit colour-scheme u:1 to=\(themed)")
      // The value is missing.
      try following.portal.tell("emit color-scheme = to=\(themed)")
      try following.expectTruth()
    }
  }

  @Test func `a message of a size that no portal sends costs the connection, which is made again`() throws {
    try withSession { session in
      let following = try Following.settled(session)
      let stranger = try session.startStranger()
      let themed = try following.portal.tell("caller")
      try stranger.tell("emit color-scheme z:2000000 to=\(themed)")
      try following.portal.awaitRead()
      try following.expectTruth()
      #expect(try following.portal.tell("caller") != themed)
    }
  }
}

extension Following {
  /// Expects that nothing has come of what was said up to now, and that the portal is still followed.
  fileprivate func expectTruth() throws {
    // The bus hands all of it over in order: once this is known, so is what came before it.
    try portal.tell("set color-scheme u:0")
    try portal.tell("emit color-scheme u:0")
    try expect("none")
    for _ in 0..<2 { try portal.awaitRead() }
    try expectNothing()
  }
}
