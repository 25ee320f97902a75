import Testing
import ThemedInterface
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
      do {
        var peer = try listener.accept()
        try peer.takeCall()
        try peer.send(Reply(.invalidParameter("app")))
        try peer.takeCall()
        try peer.send(sample(.light), continues: false)
      }
      var late = try listener.accept()
      try late.takeCall()
      try late.awaitClose()
      try late.send(sample(.dark))
      var next = try listener.accept()
      try next.takeCall()
      try next.send(sample(.light), continues: false)
    }
    var client = try BlockingThemeClient(socket: scratch.socket)
    func code(_ client: inout BlockingThemeClient) -> ThemeError.Code? {
      do throws(ThemeError) {
        _ = try client.state()
        return nil
      } catch { return error.code }
    }
    #expect(code(&client) == .connectionLost)
    #expect(code(&client) == .refused)
    #expect(code(&client) == nil, "an error reply leaves the connection as it is")
    client = try BlockingThemeClient(socket: scratch.socket, timeout: .milliseconds(300))
    #expect(code(&client) == .timedOut)
    // From here on, slow machines may have their time.
    client = try BlockingThemeClient(socket: scratch.socket)
    #expect(code(&client) == nil)
    daemon.join()
  }

  @Test func `a daemon that was restarted between two calls is found by the second one`() throws {
    var client = try BlockingThemeClient(socket: scratch.socket)
    for scheme in [ColorScheme.light, .dark] {
      let daemon = try ScriptedDaemon(at: scratch.socket) { listener in
        var peer = try listener.accept()
        try peer.takeCall()
        try peer.send(sample(scheme), continues: false)
      }
      #expect(try client.state() == ThemeState(sample(scheme)))
      daemon.join()
    }
  }

  private static let change = Reply(["state": .object(sample(.light).parameters), "saved": .bool(false)])
  /// The calls of both clients with all their arguments, as the daemon gets them.
  private static let calls = [
    #"{"method":"org.themed.theme.GetState","parameters":{"app":"a","details":true}}"#,
    #"{"method":"org.themed.theme.SetOverride","parameters":{"override":{"app":"b","auto":["scheme"]},"clear":["accentColor"]}}"#,
    #"{"method":"org.themed.theme.ClearOverride","parameters":{"app":"b","fields":["scheme","darkTheme"]}}"#,
    #"{"method":"org.themed.theme.ClearOverride","parameters":{"everyApp":true,"fields":["highContrast"]}}"#,
    #"{"method":"org.themed.theme.Toggle","parameters":{"app":"b","expiresAt":7,"untilDesktopChanges":true}}"#,
    #"{"method":"org.themed.theme.GetTheme","parameters":{"name":"mint"}}"#,
  ]

  /// A daemon that expects these calls, and answers each of them.
  private func answering() throws -> ScriptedDaemon {
    try ScriptedDaemon(at: scratch.socket) { listener in
      var peer = try listener.accept()
      for (number, call) in Self.calls.enumerated() {
        #expect(try peer.callText() == call)
        switch number {
        case 0: try peer.send(sample(.dark), continues: false)
        case Self.calls.count - 1:
          try peer.send(Reply(["theme": .object(InstalledTheme(theme: Theme(name: "mint"), path: "").parameters)]))
        default: try peer.send(Self.change)
        }
      }
      try peer.awaitClose()
    }
  }

  @Test func `each call of the blocking client has its arguments`() throws {
    let daemon = try answering()
    do {
      var client = try BlockingThemeClient(app: "a", details: true, socket: scratch.socket)
      #expect(try client.state().scheme == .dark)
      let set = try client.setOverride(ThemeOverride(app: "b", pinned: [.scheme]), clearing: [.accentColor])
      #expect(!set.isSaved && set.state.scheme == .light)
      #expect(try client.clearOverride(app: "b", fields: [.scheme, .darkTheme]) == set)
      #expect(try client.clearEveryOverride(fields: [.highContrast]) == set)
      #expect(try client.toggle(app: "b", expiresAt: ThemeTime(secondsSinceEpoch: 7), untilDesktopChanges: true) == set)
      let theme = try client.theme(named: "mint")
      #expect(theme.name == "mint" && theme.path == nil)
    }
    daemon.join()
  }

  @Test func `each call of the asynchronous client has its arguments`() async throws {
    let daemon = try answering()
    do {
      let client = AsyncThemeClient(app: "a", details: true, socket: scratch.socket)
      #expect(try await client.state().scheme == .dark)
      let set = try await client.setOverride(ThemeOverride(app: "b", pinned: [.scheme]), clearing: [.accentColor])
      #expect(!set.isSaved && set.state.scheme == .light)
      #expect(try await client.clearOverride(app: "b", fields: [.scheme, .darkTheme]) == set)
      #expect(try await client.clearEveryOverride(fields: [.highContrast]) == set)
      let end = ThemeTime(secondsSinceEpoch: 7)
      #expect(try await client.toggle(app: "b", expiresAt: end, untilDesktopChanges: true) == set)
      #expect(try await client.theme(named: "mint").name == "mint")
    }
    daemon.join()
  }

  @Test func `a source gives states, and throws a refusal each time`() throws {
    let daemon = try ScriptedDaemon(at: scratch.socket) { listener in
      var peer = try listener.accept()
      try peer.takeCall()
      try peer.send(sample(.dark))
      try peer.send(Reply(.invalidParameter("app")))
      try peer.awaitClose()
    }
    var source = try ThemeSource(app: "a", socket: scratch.socket)
    var (states, errors): ([ThemeScheme], [ThemeError.Code]) = ([], [])
    while errors.isEmpty {
      do throws(ThemeError) {
        if let state = try source.nextState() { states.append(state.scheme) }
      } catch { errors.append(error.code) }
      if errors.isEmpty { try awaitReadiness(of: source.descriptor) }
    }
    #expect(states == [.dark] && errors == [.refused])
    #expect(throws: ThemeError.self) { try source.nextState() }
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
