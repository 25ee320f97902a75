import Foundation
import Glibc
import Testing
import ThemedTestSupport

/// Clients as they should not be, against the real daemon: none of them keeps another from what it wants.
@Suite(.ownThreads) struct SocketFaultStories {
  private static let getState = Array(#"{"method":"org.themed.theme.GetState"}"#.utf8) + [0]
  private static let monitor = Array(#"{"method":"org.themed.theme.Monitor","more":true}"#.utf8) + [0]

  @Test func `a call is answered wherever its bytes are cut, and byte for byte as the protocol has it`() throws {
    try withSession { session in
      _ = try session.startThemed()
      let call = Array(#"{"method":"org.themed.theme.Monitor"}"#.utf8) + [0]
      let refusal = #"{"error":"org.varlink.service.ExpectedMore","parameters":{}}"#
      let connection = try session.connect()
      for cut in 1..<call.count {
        try connection.send(bytes: Array(call[..<cut]))
        try connection.send(bytes: Array(call[cut...]))
        #expect(try connection.frame().text == refusal)
      }
      for byte in call { try connection.send(bytes: [byte]) }
      #expect(try connection.frame().text == refusal)
      let wrong = try connection.call("GetState", #"{"app":"a/b","x/y":1}"#)
      #expect(wrong.text == #"{"error":"org.varlink.service.InvalidParameter","parameters":{"parameter":"x/y"}}"#)
    }
  }

  @Test func `a subscriber that sends on, or ends what it sends, still hears of each change`() throws {
    try withSession { session in
      _ = try session.startThemed()
      let chatty = try session.connect()
      try chatty.send(bytes: Self.monitor + Self.getState + [0, 0, 1] + Self.getState)
      let quiet = try session.subscribe()
      quiet.endSending()
      let subscribers = [chatty, quiet]
      for subscriber in subscribers { #expect(try subscriber.frame().scheme == "light") }
      for scheme in ["dark", "light", "dark"] {
        _ = try session.connect().call("SetOverride", #"{"override":{"scheme":"\#(scheme)"}}"#)
        for subscriber in subscribers { #expect(try subscriber.frame().scheme == scheme) }
      }
    }
  }

  @Test func `what was asked before the client ended what it sends is answered, and then the connection closed`() throws
  {
    try withSession { session in
      _ = try session.startThemed()
      let connection = try session.connect()
      try connection.send(#"{"method":"org.themed.theme.SetOverride","parameters":{"override":{"scheme":"dark"}}}"#)
      try connection.send(bytes: Self.getState + Self.getState)
      connection.endSending()
      #expect(try connection.frame().bool("parameters.saved") == true)
      for _ in 0..<2 { #expect(try connection.frame().scheme == "dark") }
      try connection.expectClose()
    }
  }

  @Test func `a oneway call of a client that is gone at once is still carried out`() throws {
    try withSession { session in
      _ = try session.startThemed()
      let watch = try session.subscribe()
      _ = try watch.frame()
      for scheme in ["dark", "light", "dark", "light"] {
        try session.connect().send(
          #"{"method":"org.themed.theme.SetOverride","oneway":true,"parameters":{"override":{"scheme":"\#(scheme)"}}}"#)
        #expect(try watch.frame().scheme == scheme)
      }
    }
  }

  @Test func `a call may have 64 KiB, and one that is longer closes its connection without an answer`() throws {
    try withSession { session in
      let themed = try session.startThemed()
      let text = #"{"method":"org.themed.theme.GetState"}"#
      let connection = try session.connect()
      try connection.send(String(repeating: " ", count: 65_536 - text.utf8.count) + text)
      #expect(try connection.frame().scheme == "light")
      // More than that is not taken from it, so it may be closed while it is still sending.
      try? connection.send(String(repeating: " ", count: 65_537 - text.utf8.count) + text)
      try connection.expectClose()
      let brackets = try session.connect()
      try? brackets.send(bytes: [UInt8](repeating: UInt8(ascii: "["), count: 65_537))
      try brackets.expectClose()
      for _ in 0..<2 { try themed.errorLine(containing: "longer than 65536 bytes") }
      #expect(try session.connect().call("GetState").scheme == "light")
    }
  }

  @Test func `a message that was begun has to be finished, and who has begun none may wait as long as it likes`() throws
  {
    try withSession { session in
      let themed = try session.startThemed()
      let idle = try session.connect()
      let slow = try session.connect()
      try slow.send(bytes: Self.getState + [UInt8(ascii: "{")])
      #expect(try slow.frame().scheme == "light")
      try slow.expectClose()
      try themed.errorLine(containing: "not finished in time")
      #expect(try idle.call("GetState").scheme == "light")
    }
  }

  @Test func `a subscriber that stalls gets little of what it missed, and the newest state in the end`() throws {
    try withSession { session in
      _ = try session.startThemed()
      let stalled = try session.subscribe()
      let other = try session.connect()
      var newest = 0
      for number in 1...500 {
        let scheme = number.isMultiple(of: 2) ? "dark" : "light"
        newest =
          try other.call("SetOverride", #"{"override":{"scheme":"\#(scheme)","highContrast":true}}"#)
          .int("parameters.state.serial") ?? 0
      }
      var serials: [Int] = []
      while serials.last != newest { serials.append(try stalled.frame().int("parameters.state.serial") ?? 0) }
      #expect(newest >= 500)
      #expect(serials == serials.sorted())
      #expect(serials.count < 100, "the kernel keeps a few, and the daemon two")
    }
  }

  @Test func `floods of calls, answered or not, keep no change from a subscriber`() throws {
    try withSession { session in
      let themed = try session.startThemed()
      let watch = try session.subscribe()
      _ = try watch.frame()
      let other = try session.connect()
      // None of them ever reads, and all of them send whatever goes.
      let flooders = try (0..<20).map { _ in try session.connect() }
      let flood = Array(repeatElement(Self.getState, count: 500).joined())
      for number in 0..<50 {
        for flooder in flooders { _ = flooder.sendSome(of: flood) }
        let scheme = number.isMultiple(of: 2) ? "dark" : "light"
        _ = try other.call("SetOverride", #"{"override":{"scheme":"\#(scheme)"}}"#)
        #expect(try watch.frame().scheme == scheme)
      }
      // By now their replies fill every buffer: they are not read from, and nothing more is taken.
      #expect(flooders.allSatisfy { $0.sendSome(of: flood) < flood.count })
      #expect(themed.isRunning)
    }
  }

  @Test func `beyond the configured number of connections others are refused, which is logged once`() throws {
    try withSession { session in
      try session.configure("[limits]\nconnections=16\n")
      let themed = try session.startThemed()
      var connections = try (0..<16).map { _ in try session.subscribe() }
      for connection in connections { _ = try connection.frame() }
      for _ in 0..<20 { try session.connect().expectClose() }
      try themed.errorLine(containing: "refusing new connections")
      connections.removeFirst(4)
      // The daemon learns of the four ends in its own time.
      let state = try eventually { try? session.connect().call("GetState") }
      #expect(state.scheme == "light")
      #expect(themed.errors.components(separatedBy: "refusing new connections").count == 2)
    }
  }

  @Test func `out of descriptors the daemon sleeps, says so once, serves whom it has, and recovers`() throws {
    try withSession { session in
      // More descriptors are inherited than the daemon reckons with, so that the limit comes before its own. Of the
      // other 54, up to 18 are open at its start, while its threads read files, and another 24 have to be free.
      let script = #"for number in {10..65}; do eval "exec $number< /dev/null"; done; ulimit -n 110; exec "$0""#
      let themed = try session.startThemed(under: ["bash", "-c", script])
      let watch = try session.subscribe()
      _ = try watch.frame()
      var connections: [VarlinkConnection] = []
      func isExhausted() -> Bool { themed.errors.contains("cannot accept connections") }
      while !isExhausted() {
        let connection = try session.connect()
        connections.append(connection)
        try connection.send(bytes: Self.monitor)
        try eventually { connection.hasInput || isExhausted() }
      }
      let early = try session.connect()
      try early.send(bytes: Self.getState)
      // Where it woke for those that it cannot accept, it would never be at rest: it looks again every 30 seconds.
      try eventually("it is at rest") { (try sleepLeft(of: themed) ?? 0) > 5 }

      connections.removeFirst(10)
      #expect(try early.frame().scheme == "light")
      let other = try session.connect()
      #expect(try other.call("Toggle").scheme == "dark")
      #expect(try watch.frame().scheme == "dark")
      #expect(themed.errors.components(separatedBy: "cannot accept connections").count == 2)
    }
  }

  @Test(.enabled(if: getuid() == 0, "needs root, who alone can be another user"))
  func `another user is refused, and the log says so`() throws {
    try withSession { session in
      let themed = try session.startThemed()
      // As if somebody had opened the way to it.
      for path in ["", "run", "run/themed"] { unsafe chmod(session.directory.path(path), 0o755) }
      unsafe chmod(session.socketPath, 0o666)
      let program = """
        import os, socket, sys
        os.setgroups([]); os.setgid(65534); os.setuid(65534)
        peer = socket.socket(socket.AF_UNIX)
        peer.connect(sys.argv[1])
        try:
          peer.sendall(b'{"method":"org.themed.theme.GetState"}\\0')
          print(peer.recv(100))
        except (BrokenPipeError, ConnectionResetError):
          print(b'')
        """
      let finished = try session.run("python3", ["-c", program, session.socketPath])
      #expect(finished.output == "b''", "\(finished.errors)")
      try themed.errorLine(containing: "refused a connection from user")
      #expect(try session.connect().call("GetState").scheme == "light")
    }
  }

  @Test func `out of the whole system's descriptors the daemon says so once, and tries again`() throws {
    try withSession { session in
      // Descriptors that others hold come free untold.
      let fault = "inject=accept4:error=ENFILE:when=3..5"
      let strace = try session.startThemed(under: ["strace", "-D", "-f", "-o", "/dev/null", "-e", fault])
      let connections = try (0..<3).map { _ in try session.connect() }
      for connection in connections { #expect(try connection.call("GetState").scheme == "light") }
      #expect(strace.errors.components(separatedBy: "cannot accept connections").count == 2)
    }
  }

  @Test(.enabled(if: descriptorLimit() > 10_100, "the hard limit of open files is below 10100: ulimit -Hn 16384"))
  func `ten thousand subscribers hear of every change`() throws {
    try withSession { session in
      let count = 10_000
      let themed = try session.startThemed()
      let load = try session.spawnLoad("hold", session.socketPath, "\(count)")
      #expect(try load.line() == "ready")
      let other = try session.connect()
      for _ in 0..<3 {
        let serial = try other.call("Toggle").int("parameters.state.serial") ?? 0
        try load.write("\(serial)\n")
        #expect(try load.line() == "all \(count) have \(serial)")
      }
      let clients = try other.call("ListClients").value("parameters.clients") as? [Any]
      #expect(clients?.count == count)
      #expect(themed.isRunning)
    }
  }
}

/// How many descriptors a process of ours may have.
private func descriptorLimit() -> Int {
  var limit = rlimit()
  guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 0 }
  return Int(clamping: limit.rlim_max)
}
