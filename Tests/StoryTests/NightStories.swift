import Testing
import ThemedTestSupport

/// A suite of tests that block has threads of its own.
@Suite(.ownThreads) struct NightStories {
  @Test func `an override for one app leaves the others at what the desktop asks for`() throws {
    // Everything that is started ends with the session, whatever happens.
    try withSession { session in
      let following = try Following.settled(session, scheme: 2)
      #expect(try session.themectl("set", "dark", "--app", "nvim").lines == ["dark"])
      #expect(try session.themectl("get").lines == ["light"])
      try following.portal.tell("set color-scheme u:1")
      try following.portal.tell("emit color-scheme u:1")
      // Exactly the next frame: one that came in between would be a fault.
      try following.expect("dark")
    }
  }
}
