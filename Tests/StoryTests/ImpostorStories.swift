import Testing
import ThemedTestSupport

/// Who may speak for the desktop, and who tries to.
@Suite(.ownThreads) struct ImpostorStories {
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
      try following.themed.errorLine(containing: "a portal signal from \(stranger.uniqueName), which is not")
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

  @Test func `a stranger's answer to a read is not taken for the portal's, whose own is awaited on`() throws {
    try withSession { session in
      let following = try Following.settled(session)
      let stranger = try session.startStranger()
      let themed = try following.portal.tell("caller")
      try following.portal.tell("manner held")
      try following.portal.tell("set color-scheme u:0")
      try following.portal.tell("emit color-scheme u:2")
      try following.portal.awaitRead()
      try stranger.tell("forge \(themed) 1 200 v:u:1")
      try following.themed.errorLine(containing: "ignored an answer from \(stranger.uniqueName), which was not asked")
      // A forged dark would come before it. The read may take five seconds.
      try following.portal.tell("flush")
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

  /// What strangers send straight to the daemon, and how often.
  private static let attacks = [
    // The daemon's own name for the portal's settings, but for its last letter, and half a million combining marks.
    "namespace=org.freedesktop.appearanc marks=460000 count=20 =v:u:1", "count=500 ay:900000", "count=3 ay:8388608",
    "count=3 z:2000000", "count=2000 h:", "count=20 m:460000,dark",
  ]

  @Test(arguments: attacks)
  func `whatever a stranger sends, everybody is answered, every change is heard, and the bus stays`(
    attack: String
  ) throws {
    try withSession { session in
      let following = try Following.settled(session)
      let stranger = try session.startStranger()
      let themed = try following.portal.tell("caller")
      let words = attack.split(separator: " ")
      let emission = "emit color-scheme \(words.last ?? "") to=\(themed) \(words.dropLast().joined(separator: " "))"
      let before = try following.themed.privateMemory()
      try stranger.process.send(line: emission)
      let client = try session.connect()
      for round in 0..<10 {
        let (scheme, word) = round.isMultiple(of: 2) ? (1, "dark") : (2, "light")
        try following.portal.tell("set color-scheme u:\(scheme)")
        try following.portal.tell("emit color-scheme u:\(scheme)")
        try following.expect(word)
        for _ in 0..<20 { #expect(try client.call("GetState").desktop == word) }
        for _ in 0..<2 { try following.portal.awaitRead() }
      }
      // All of it was sent, and what comes now comes behind it.
      #expect(try stranger.process.line() == "ok")
      try stranger.tell("emit color-scheme u:1 to=\(themed)")
      try following.expectTruth()
      #expect(try following.portal.tell("caller") == themed, "it never lost the bus")
      // Half of what one of the long messages has.
      #expect(try following.themed.privateMemory() - before < 2048, "KiB")
      let warnings = following.themed.errors.split(separator: "\n").count { $0.contains("warning") }
      #expect(warnings <= 2, "\(following.themed.errors)")
    }
  }

  @Test func `the portal's own nonsense of a megabyte holds nobody up, and is told of in a line`() throws {
    try withSession { session in
      let following = try Following.settled(session)
      for value in ["ay:900000", "m:460000,dark", "v:v:ay:900000"] {
        try following.portal.tell("set color-scheme \(value)")
        try following.portal.tell("emit color-scheme \(value) count=20")
        try following.expect("none")
        for _ in 0..<2 { try following.portal.awaitRead() }
        try following.portal.tell("set color-scheme u:2")
        try following.portal.tell("emit color-scheme u:2")
        try following.expect("light")
        for _ in 0..<2 { try following.portal.awaitRead() }
      }
      let lines = following.themed.errors.split(separator: "\n")
      #expect(lines.count { $0.contains("unexpected type") } == 1)
      #expect(lines.allSatisfy { $0.utf8.count < 400 })
    }
  }

  @Test func `a stranger's calls are told that there is nothing to be called, and more than can wait are not`() throws {
    try withSession { session in
      let following = try Following.settled(session)
      let themed = try following.portal.tell("caller")
      let unknown = try session.run(
        "gdbus", ["call", "--session", "--dest", themed, "--object-path", "/a", "--method", "a.b.C"])
      #expect(unknown.errors.contains("UnknownMethod"))
      let ping = try session.run(
        "gdbus",
        [
          "call", "--session", "--dest", themed, "--object-path", "/", "--method", "org.freedesktop.DBus.Peer.Ping",
        ])
      #expect(ping.status == .exited(0))
      try following.expectTruth()
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
