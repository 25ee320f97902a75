import Testing
import ThemedClientCore
import ThemedInterface
import ThemedModel
import ThemedSystem
import ThemedTestSupport
import ThemedVarlink

/// Calls to a daemon that does what the test says.
@Suite(.ownThreadsAtOnce, .timeLimit(.minutes(10))) struct ThemeConnectionTests {
  private let scratch: Scratch

  init() throws {
    scratch = try Scratch()
    scratch.makeDirectory()
  }

  @Test func `calls that are begun are answered in their turn, and what is not asked for is passed over`() throws {
    let light = sample(.light)
    let shown = #"{"parameters":{"state":\#(light.json)}}"#
    let overrides = #"{"parameters":{"overrides":[{"scheme":"dark"}]}}"#
    let daemon = try answering([
      (#"{"method":"org.themed.theme.GetState"}"#, shown),
      (#"{"method":"org.themed.admin.ListClients"}"#, #"{"error":"org.varlink.service.PermissionDenied"}"#),
      (#"{"method":"org.themed.theme.ListOverrides"}"#, overrides),
      (#"{"method":"org.themed.theme.GetState"}"#, shown),
      (#"{"method":"org.themed.theme.ListOverrides"}"#, overrides),
    ])
    var theme = try ThemeConnection(socket: scratch.socket)
    let state = ThemeRequest.state().call
    try theme.begin([state, ThemeRequest.clients.call, ThemeRequest.overrides.call, state])
    #expect(try theme.call(.state()) == light)
    #expect(try theme.call(.overrides).count == 1)
    // Not begun, behind one that was.
    #expect(try theme.call(.overrides).count == 1)
    daemon.join()
  }

  /// What is asked, as it goes over the wire, and what comes back.
  @Test("Each method asks with what applies, and nothing null, and reads its answer")
  func methods() throws {
    let light = sample(.light)
    let change = #"{"parameters":{"state":\#(light.json),"saved":true,"newer":1}}"#
    let daemon = try answering([
      (#"{"method":"org.themed.theme.GetState"}"#, #"{"parameters":{"state":\#(light.json)}}"#),
      (
        #"{"method":"org.themed.theme.GetState","parameters":{"app":"a/b"}}"#,
        #"{"parameters":{"state":\#(light.json)}}"#
      ),
      (#"{"method":"org.themed.theme.SetOverride","parameters":{"override":{"scheme":"dark"}}}"#, change),
      (
        #"{"method":"org.themed.theme.SetOverride","parameters":{"override":{"app":"a","auto":["highContrast"]},"clear":["scheme"]}}"#,
        change
      ),
      (#"{"method":"org.themed.theme.ClearOverride"}"#, change),
      (
        #"{"method":"org.themed.theme.Toggle","parameters":{"app":"x"}}"#,
        #"{"parameters":{"state":\#(light.json),"saved":false}}"#
      ),
      (
        #"{"method":"org.themed.theme.Toggle","parameters":{"expiresAt":7,"untilDesktopChanges":true}}"#, change
      ),
      (
        #"{"method":"org.themed.theme.ListOverrides"}"#,
        #"{"parameters":{"overrides":[{"scheme":"dark"},{"app":"a","auto":["scheme"],"newer":null}]}}"#
      ),
      (
        #"{"method":"org.themed.admin.ListClients"}"#,
        #"{"parameters":{"clients":[{"pid":7},{"app":"a","pid":8}],"omitted":3}}"#
      ),
      (
        #"{"method":"org.varlink.service.GetInfo"}"#,
        #"{"parameters":{"vendor":"v","product":"p","version":"1","url":"u","interfaces":["a.b"]}}"#
      ),
    ])
    var theme = try ThemeConnection(socket: scratch.socket)
    #expect(try theme.call(.state()) == light)
    #expect(try theme.call(.state(app: "a/b")) == light)
    let set = try theme.call(.setOverride(Override(scheme: .dark)))
    #expect(set.state == light)
    #expect(set.isSaved)
    #expect(try theme.call(.setOverride(Override(app: "a", auto: [.highContrast]), clearing: [.scheme])) == set)
    #expect(try theme.call(.clearOverride()) == set)
    #expect(try !theme.call(.toggle(app: "x")).isSaved)
    #expect(try theme.call(.toggle(expiresAt: 7, untilDesktopChanges: true)) == set)
    let overrides = [Override(scheme: .dark), Override(app: "a", auto: [.scheme])]
    #expect(try theme.call(.overrides) == ThemeItems(overrides))
    let clients = [Client(app: nil, processID: 7), Client(app: "a", processID: 8)]
    #expect(try theme.call(.clients) == ThemeItems(clients, omitted: 3))
    #expect(try theme.call(.serviceInfo).interfaces == ["a.b"])
    daemon.join()
  }

  @Test("An error is thrown with what it says, and the connection goes on")
  func errorReply() throws {
    let light = sample(.light)
    let daemon = try answering([
      (nil, #"{"error":"org.varlink.service.InvalidParameter","parameters":{"parameter":"app"}}"#),
      (nil, #"{"parameters":{"state":\#(light.json)}}"#),
    ])
    var theme = try ThemeConnection(socket: scratch.socket)
    let error = caught { () throws(CallError) in _ = try theme.call(.state(app: "x")) }
    #expect(error == .refused(error: "org.varlink.service.InvalidParameter", parameter: "app"))
    #expect(error?.description.contains("InvalidParameter") == true)
    #expect(error?.description.contains("(parameter 'app')") == true)
    #expect(try theme.call(.state()) == light)
    daemon.join()
  }

  @Test(
    "An answer that is none is a violation, and the connection is of no further use",
    arguments: [
      "[]", "{", "", #"{"parameters":{}}"#, #"{"parameters":{"state":{}}}"#, #"{"parameters":{"state":null}}"#,
      #"{"result":1}"#, #"{"parameters":{"state":{"instance":"i","serial":1,"scheme":"grey","desktop":"none"}}}"#,
    ])
  func violation(text: String) throws {
    let daemon = try answering([(nil, text)])
    var theme = try ThemeConnection(socket: scratch.socket)
    let error = caught { () throws(CallError) in _ = try theme.call(.state()) }
    guard error?.code == .protocolViolation else {
      Issue.record("\(text) gave \(String(describing: error))")
      return
    }
    daemon.join()
  }

  @Test("An answer that announces more, or comes unasked, is a violation")
  func tooManyReplies() throws {
    let answer = #"{"parameters":{"state":\#(sample(.light).json)}"#
    for text in [answer + #","continues":true}"#, answer + "}\0{}"] {
      let daemon = try answering([(nil, text)])
      var theme = try ThemeConnection(socket: scratch.socket)
      let errors = (0..<2).map { _ in caught { () throws(CallError) in _ = try theme.call(.state()) } }
      guard errors.compactMap({ $0 }).last?.code == .protocolViolation else {
        Issue.record("\(text) gave \(errors)")
        return
      }
      daemon.join()
    }
  }

  @Test("A reply of more than a mebibyte is refused before it has ended")
  func tooLong() throws {
    let daemon = try ScriptedDaemon(at: scratch.socket) { listener in
      var peer = try listener.accept()
      try peer.takeCall()
      try peer.send([UInt8](repeating: 0x20, count: 1 << 21))
      try peer.awaitClose()
    }
    var error: CallError?
    do {
      var theme = try ThemeConnection(socket: scratch.socket)
      error = caught { () throws(CallError) in _ = try theme.call(.state()) }
    }
    #expect(error == .violation("the message is longer than 1048576 bytes"))
    daemon.join()
  }

  @Test("A reply may come byte by byte")
  func byteByByte() throws {
    let light = sample(.light)
    let daemon = try ScriptedDaemon(at: scratch.socket) { listener in
      var peer = try listener.accept()
      try peer.takeCall()
      for byte in Reply(["state": .object(light.parameters)]).frame { try peer.send([byte]) }
      try peer.awaitClose()
    }
    do {
      var theme = try ThemeConnection(socket: scratch.socket)
      #expect(try theme.call(.state()) == light)
    }
    daemon.join()
  }

  @Test("A daemon that does not answer, or not to the end, is given up in time", arguments: [[], Array("{\"par".utf8)])
  func timeout(beginning: [UInt8]) throws {
    let daemon = try ScriptedDaemon(at: scratch.socket) { listener in
      var peer = try listener.accept()
      try peer.takeCall()
      try peer.send(beginning)
      try peer.awaitClose()
    }
    let time = SuspendingClock().measure {
      let error = caught { () throws(CallError) in
        var theme = try ThemeConnection(socket: scratch.socket, timeout: .milliseconds(50))
        let error = caught { () throws(CallError) in _ = try theme.call(.state()) }
        #expect(error == .timedOut(after: .milliseconds(50)))
        _ = try theme.call(.state())
      }
      #expect(error == .timedOut(after: .milliseconds(50)), "a late answer would be taken for another call's")
    }
    #expect(time >= .milliseconds(50))
    daemon.join()
  }

  @Test("A daemon that goes before it answers is told from one that does not speak the protocol")
  func closed() throws {
    for (beginning, isViolation) in [("", false), ("{\"par", true)] {
      let daemon = try ScriptedDaemon(at: scratch.socket) { listener in
        var peer = try listener.accept()
        try peer.takeCall()
        try peer.send(Array(beginning.utf8))
      }
      var theme = try ThemeConnection(socket: scratch.socket)
      let error = caught { () throws(CallError) in _ = try theme.call(.state()) }
      #expect(error?.code == (isViolation ? .protocolViolation : .connectionLost))
      daemon.join()
    }
  }

  @Test("Without a daemon it says what to start")
  func noDaemon() {
    let error = caught { () throws(CallError) in _ = try ThemeConnection(socket: scratch.socket) }
    #expect(error == .noDaemon(path: scratch.socket, reason: "No such file or directory"))
    #expect(error?.description.contains("systemctl --user start themed.socket") == true)
  }

  @Test("A path that is too long for a socket is refused, not cut")
  func longPath() {
    let error = caught { () throws(CallError) in
      _ = try ThemeConnection(socket: "/tmp/" + String(repeating: "x", count: 200))
    }
    #expect(error?.code == .system)
  }

  /// A daemon that expects these calls, where they are given, and answers so.
  private func answering(_ script: [(call: String?, reply: String)]) throws -> ScriptedDaemon {
    try ScriptedDaemon(at: scratch.socket) { listener in
      var peer = try listener.accept()
      for (call, reply) in script {
        let text = try peer.callText()
        #expect(text == call ?? text)
        try peer.send(Array(reply.utf8) + [0])
      }
    }
  }
}

/// The error that `body` throws, if it does.
func caught(_ body: () throws(CallError) -> Void) -> CallError? {
  do throws(CallError) { try body() } catch { return error }
  return nil
}
