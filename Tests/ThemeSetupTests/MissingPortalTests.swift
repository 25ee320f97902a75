import Testing
import ThemedInterface
import ThemedSystem

@testable import ThemeSetup

/// What the doctor takes from the running daemon about the session and the portal.
@Suite struct MissingPortalTests {
  private func diagnostics(session: Text, portal owner: String?) -> Diagnostics {
    var portal = Diagnostics.Portal()
    portal.owner = owner
    let file = Diagnostics.File(path: nil)
    return Diagnostics(
      version: "1", bus: .init(state: "connected"), session: session, portal: portal,
      configuration: file, state: file, changes: [])
  }

  @Test("Where the daemon knows of a session, a portal that does not run is a problem, and nowhere else")
  func session() {
    #expect(diagnostics(session: "up", portal: nil).missingPortal?.name == Finding.missingPortal)
    #expect(diagnostics(session: "up", portal: nil).missingPortal?.isProblem == true)
    #expect(diagnostics(session: "up", portal: ":1.2").missingPortal == nil)
    for session in ["down", "unknown", "of next year"] as [Text] {
      #expect(diagnostics(session: session, portal: nil).missingPortal == nil)
    }
  }
}
