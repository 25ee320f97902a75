import Testing
import ThemedInterface
import ThemedModel
import ThemedSystem
import ThemedVarlink

/// The diagnostics' way onto the wire and back.
@Suite struct DiagnosticsTests {
  private static let bare = Diagnostics(
    version: "1", bus: .init(state: "waiting"), session: "unknown", portal: .init(),
    configuration: .init(path: nil), state: .init(path: nil), changes: [])

  /// Diagnostics without a field that is null.
  static let full: Diagnostics = {
    var portal = Diagnostics.Portal()
    (portal.owner, portal.version, portal.value, portal.readAt) = (":1.7", 2, "<uint32 1>", 9)
    (portal.standsIn, portal.deniedSignal, portal.lastError, portal.lastErrorAt) = (true, "<uint32 2>", "é\n", 8)
    var upstream = Diagnostics.Upstream(source: "-")
    (upstream.isConnected, upstream.heardAt, upstream.problem) = (true, 7, "p")
    return Diagnostics(
      version: "1", bus: .init(state: "connected", address: "/run/bus", problem: "p"),
      session: "up", portal: portal, configuration: .init(path: "/c", problem: "[x]"),
      state: .init(path: "/s", problem: "full"),
      changes: [
        .init(time: 1, scheme: .dark, desktop: .unavailable, cause: "c"),
        .init(time: 2, app: "a", scheme: .light, desktop: .dark, cause: "", theme: "mint"),
      ], themes: [.init(path: "/t/mint.theme", problem: "p"), .init(path: nil)],
      socket: .init(path: "/k", problem: "p"), readOnlySocket: .init(.init(path: "/r", problem: "p"), connections: 3),
      upstream: upstream,
      desktop: .init(
        isInStep: true, asked: .light, reported: .dark, target: .light, since: 5, writers: 1, problem: "p",
        switchedBackAt: 6))
  }()

  @Test("They come back as they went, through their text", arguments: [bare, full])
  func roundTrip(diagnostics: Diagnostics) throws {
    #expect(try Diagnostics(read(JSON.object(diagnostics.parameters).text)) == diagnostics)
  }

  @Test("What is null is left out")
  func nulls() {
    #expect(
      JSON.object(Self.bare.parameters).text
        == #"{"version":"1","bus":{"state":"waiting"},"session":"unknown","portal":{"standsIn":false},"#
        + #""configuration":{},"state":{},"changes":[]}"#)
  }

  @Test("Newer fields are passed over, and a field that is missing or wrong is named")
  func strictness() throws {
    let text = JSON.object(Self.bare.parameters).text
    let newer = text.replacing(#"{"state":"waiting"}"#, with: #"{"state":"waiting","newer":1}"#)
    #expect(try Diagnostics(read(newer)) == Self.bare)
    for (part, instead, name) in [
      (#""version":"1","#, "", "version"),
      (#"{"state":"waiting"}"#, "{}", "bus.state"), (#""changes":[]"#, #""changes":[{}]"#, "changes.time"),
      (#""standsIn":false"#, #""standsIn":0"#, "portal.standsIn"),
    ] {
      #expect(throws: VarlinkError.invalidParameter(name)) {
        try Diagnostics(read(text.replacing(part, with: instead)))
      }
    }
  }

  private func read(_ text: String) throws -> Parameters {
    guard case .object(let object) = try JSON(parsing: Array(text.utf8)) else { throw Violation.notAnObject }
    return Parameters(object)
  }
}
