import Testing
import ThemedInterface
import ThemedModel
import ThemedSystem
import ThemedTestSupport
import ThemedVarlink

@testable import ThemeClient

/// The client for programs that block, with a daemon that does what the test says.
@Suite(.ownThreadsAtOnce, .timeLimit(.minutes(10))) struct BlockingThemeClientTests {
  private let scratch: Scratch

  init() throws {
    scratch = try Scratch()
    scratch.makeDirectory()
  }

  @Test func `it asks, overrides and follows for its app`() throws {
    let (light, dark) = (sample(.light), sample(.dark, serial: 2))
    let change = Reply(["state": .object(dark.parameters), "saved": .bool(true)])
    let daemon = try ScriptedDaemon(at: scratch.socket) { listener in
      var calls = try listener.accept()
      #expect(try calls.callText() == #"{"method":"org.themed.theme.GetState","parameters":{"app":"a"}}"#)
      try calls.send(light, continues: false)
      #expect(try calls.callText().contains(#"SetOverride","parameters":{"override":{"scheme":"dark"}}"#))
      try calls.send(change)
      var following = try listener.accept()
      #expect(
        try following.callText() == #"{"method":"org.themed.theme.Monitor","parameters":{"app":"a"},"more":true}"#)
      try following.send(dark)
      try following.send(sample(.light, serial: 3))
      try following.awaitClose()
      try calls.awaitClose()
    }
    do {
      var client = try BlockingThemeClient(app: "a", socket: scratch.socket)
      #expect(try client.state() == ThemeState(light))
      let set = try client.setOverride(ThemeOverride(scheme: .dark))
      #expect(set.isSaved && set.state == ThemeState(dark))
      var last = try client.nextState()
      while last.scheme == .dark { last = try client.nextState() }
      #expect(last.scheme == .light)
    }
    daemon.join()
  }

  @Test func `after a lost connection or a late answer, the next call connects again`() throws {
    let daemon = try ScriptedDaemon(at: scratch.socket) { listener in
      do {
        var lost = try listener.accept()
        try lost.takeCall()
      }
      var late = try listener.accept()
      try late.takeCall()
      try late.awaitClose()
      try late.send(sample(.dark))
      var peer = try listener.accept()
      try peer.takeCall()
      try peer.send(Reply(.invalidParameter("app")))
      try peer.takeCall()
      try peer.send(sample(.light), continues: false)
    }
    var client = try BlockingThemeClient(socket: scratch.socket, timeout: .milliseconds(300))
    func code(_ client: inout BlockingThemeClient) -> ThemeError.Code? {
      do throws(ThemeError) {
        _ = try client.state()
        return nil
      } catch { return error.code }
    }
    #expect(code(&client) == .connectionLost)
    #expect(code(&client) == .timedOut)
    // From here on, slow machines may have their time.
    client = try BlockingThemeClient(socket: scratch.socket)
    #expect(code(&client) == .refused)
    #expect(code(&client) == nil, "an error reply leaves the connection as it is")
    daemon.join()
  }

  @Test func `without a daemon each call says so, and the client finds the one that comes`() throws {
    var client = try BlockingThemeClient(socket: scratch.socket)
    let error = #expect(throws: ThemeError.self) { try client.themes() }
    #expect(error?.code == .noDaemon && error?.path == scratch.socket)
    let daemon = try ScriptedDaemon(at: scratch.socket) { listener in
      var peer = try listener.accept()
      try peer.takeCall()
      try peer.send(Reply(["themes": .array([])]))
      try peer.awaitClose()
    }
    #expect(try client.themes().isEmpty)
    client = try BlockingThemeClient(socket: scratch.socket)
    daemon.join()
  }
}
