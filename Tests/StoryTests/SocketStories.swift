import Foundation
import Testing
import ThemedTestSupport

/// What the socket answers, and how it comes and goes; no desktop is needed for it.
@Suite(.ownThreads) struct SocketStories {
  @Test(arguments: [
    ("{\"method\":", "the message is not JSON: expected a value, but the text ends at byte 10"),
    ("[]", "the message is not a JSON object"), ("{}", "the call has no method"),
    (#"{"method":7}"#, "the message's member 'method' has the wrong type"),
    (#"{"method":"org.themed.theme.GetState","more":1}"#, "the message's member 'more' has the wrong type"),
    (#"{"method":"org.themed.theme.GetState","surprise":true}"#, "the message has an unknown member 'surprise'"),
    (
      #"{"method":"org.themed.theme.Monitor","more":true,"oneway":true}"#,
      "the call sets more than one of oneway, more and upgrade"
    ),
  ])
  func `a malformed message closes its own connection, is logged, and disturbs no other`(
    message: String, mistake: String
  ) throws {
    try withSession { session in
      let themed = try session.startThemed()
      let watch = try session.subscribe()
      _ = try watch.frame()
      let other = try session.connect()
      let bad = try session.connect()
      try bad.send(message)
      try bad.expectClose()
      let line = try themed.errorLine(containing: "closed")
      #expect(line == "warning: closed the connection of process \(getpid()): \(mistake)")

      #expect(try other.call("SetOverride", #"{"override":{"scheme":"dark"}}"#).scheme == "dark")
      #expect(try watch.frame().scheme == "dark")
      #expect(themed.isRunning)
    }
  }

  @Test(arguments: [
    ("{\"method\":\"org.themed.theme.GetState\"}\n", "the message ends with a newline instead of a NUL byte"),
    ("{\"method\":'org.themed.theme.GetState'}\0", "the message is not JSON: "),
  ])
  func `the log says what is wrong with what somebody typed, and of a thousand such it says so a few times`(
    bytes: String, told: String
  ) throws {
    try withSession { session in
      let themed = try session.startThemed()
      let file = try session.directory.write(bytes, to: "typed")
      let typed = try session.run("socat", ["-t", "9", "OPEN:\(file),rdonly", "UNIX-CONNECT:\(session.socketPath)"])
      #expect(typed.output == "")
      try themed.errorLine(containing: told)
      for _ in 0..<1000 {
        let connection = try session.connect()
        try connection.send("[]")
        try connection.expectClose()
      }
      try themed.errorLine(containing: "not logged for a while")
      #expect(themed.errors.split(separator: "\n").count { $0.contains("closed the connection of process") } < 30)
    }
  }

  @Test(arguments: [
    ("GetState", #"{"colour":1}"#, "colour"),
    ("GetState", #"{"app":7}"#, "app"),
    ("SetOverride", "{}", "override"),
    ("SetOverride", #"{"override":{"scheme":"purple"}}"#, "scheme"),
    ("SetOverride", #"{"override":{"scheme":"dark","tint":1}}"#, "tint"),
    ("SetOverride", #"{"override":{"scheme":"dark"},"force":true}"#, "force"),
    ("org.varlink.service.GetInterfaceDescription", "{}", "interface"),
  ])
  func `an unknown parameter or value is refused by its name`(method: String, parameters: String, name: String) throws {
    try withSession { session in
      _ = try session.startThemed()
      let connection = try session.connect()
      let reply = try connection.call(method, parameters)
      #expect(reply.error == "org.varlink.service.InvalidParameter")
      #expect(reply.string("parameters.parameter")?.contains(name) == true, "\(reply.text)")
      #expect(try connection.call("GetState").scheme == "light")
    }
  }

  @Test func `calls that are sent at once are answered in their order`() throws {
    try withSession { session in
      _ = try session.startThemed()
      let connection = try session.connect()
      let words = ["dark", "light", "dark", "light"]
      for word in words {
        try connection.send(
          #"{"method":"org.themed.theme.SetOverride","parameters":{"override":{"scheme":"\#(word)"}}}"#)
      }
      try connection.send(#"{"method":"org.varlink.service.GetInfo"}"#)
      for word in words { #expect(try connection.frame().scheme == word) }
      let interfaces = try connection.frame().value("parameters.interfaces") as? [String]
      #expect(interfaces?.contains("org.themed.theme") == true)
      #expect(interfaces?.contains("org.varlink.service") == true)
    }
  }

  @Test func `what the interface offers is told by name, and Monitor asks for more`() throws {
    try withSession { session in
      _ = try session.startThemed()
      let connection = try session.connect()
      #expect(try connection.call("org.nowhere.Method").error == "org.varlink.service.InterfaceNotFound")
      #expect(try connection.call("Repaint").error == "org.varlink.service.MethodNotFound")
      #expect(try connection.call("Monitor").error == "org.varlink.service.ExpectedMore")
    }
  }

  @Test func `whoever monitors is listed with the number of its process`() throws {
    try withSession { session in
      _ = try session.startThemed()
      let watch = try session.subscribe()
      _ = try watch.frame()
      let reply = try session.connect().call("ListClients")
      let clients = reply.value("parameters.clients") as? [[String: Any]]
      #expect(clients?.map { $0["pid"] as? Int } == [Int(ProcessInfo.processInfo.processIdentifier)])
    }
  }

  @Test func `an override that cannot be saved takes effect, and everybody is told`() throws {
    try withSession { session in
      // Permissions mean nothing to root, a file where a directory is needed stops anybody.
      try session.directory.write("in the way", to: "state/themed")
      let themed = try session.startThemed()
      let watch = try session.subscribe()
      _ = try watch.frame()

      let reply = try session.connect().call("SetOverride", #"{"override":{"scheme":"dark"}}"#)
      #expect(reply.bool("parameters.saved") == false)
      #expect(reply.scheme == "dark")
      #expect(try watch.frame().scheme == "dark")
      try themed.errorLine(containing: session.directory.path("state/themed"))

      let set = try session.themectl("set", "light")
      #expect(set.status == .exited(4))
      #expect(set.lines == ["light"])
      #expect(!set.errors.isEmpty)
    }
  }

  @Test func `a saved override is in the file before the reply`() throws {
    try withSession { session in
      _ = try session.startThemed()
      let reply = try session.connect().call("SetOverride", #"{"override":{"scheme":"dark"}}"#)
      #expect(reply.bool("parameters.saved") == true)
      #expect(try String(contentsOfFile: session.overridesPath, encoding: .utf8).contains("dark"))
    }
  }

  @Test func `a second daemon says that one is running, and the first is untouched`() throws {
    try withSession { session in
      let first = try session.startThemed()
      let watch = try session.subscribe()
      _ = try watch.frame()
      let second = try session.spawnThemed()
      #expect(try second.wait() == .exited(1))
      #expect(second.errors.contains("running"))
      #expect(first.isRunning)
      #expect(try session.connect().call("Toggle").scheme == "dark")
      #expect(try watch.frame().scheme == "dark")
    }
  }

  @Test func `a socket left behind by a crash is replaced`() throws {
    try withSession { session in
      let first = try session.startThemed()
      first.send(.kill)
      #expect(try first.wait() == .signaled(9))
      #expect(FileManager.default.fileExists(atPath: session.socketPath))
      _ = try session.startThemed()
      #expect(try session.connect().call("GetState").scheme == "light")
    }
  }

  @Test(arguments: ["0", "022", "077"])
  func `the socket is its owner's alone, whatever the umask`(mask: String) throws {
    try withSession { session in
      _ = try session.startThemed(under: ["sh", "-c", "umask \(mask); exec \"$0\""])
      #expect(try permissions(session.socketPath) == 0o600)
      #expect(try permissions((session.socketPath as NSString).deletingLastPathComponent) == 0o700)
    }
  }

  @Test func `an inherited socket is served and never removed`() throws {
    try withSession { session in
      let listener = try Listener(path: session.socketPath)
      let early = try session.subscribe()
      let first = try session.startThemed(inheriting: listener)
      #expect(try early.frame().scheme == "light")
      #expect(try session.connect().call("SetOverride", #"{"override":{"scheme":"dark"}}"#).scheme == "dark")
      first.send(.terminate)
      #expect(try first.wait() == .exited(0))
      #expect(FileManager.default.fileExists(atPath: session.socketPath))

      let later = try session.subscribe()
      _ = try session.startThemed(inheriting: listener)
      #expect(try later.frame().scheme == "dark")
    }
  }

  @Test func `a file at the socket's path that is no socket is not removed`() throws {
    try withSession { session in
      let path = try session.directory.write("my notes", to: "notes.txt")
      let themed = try session.spawnThemed(["--socket", path])
      #expect(try themed.wait() == .exited(1))
      #expect(themed.errors.contains("is not a socket"))
      #expect(try String(contentsOfFile: path, encoding: .utf8) == "my notes")
    }
  }
}

private func permissions(_ path: String) throws -> Int? {
  try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
}
