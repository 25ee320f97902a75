import Foundation
import Testing
import ThemedTestSupport

/// Whatever the daemon is started with: descriptors, limits, a service manager that does not listen.
@Suite(.ownThreads) struct StartStories {
  @Test(arguments: ["2>&-", "0<&- 1>&- 2>&-", "1>&-"])
  func `a standard stream that is closed is nobody's file or socket`(closed: String) throws {
    try withSession { session in
      let themed = try session.startThemed(under: ["sh", "-c", "exec \"$0\" \(closed)"])
      _ = try session.connect().call("SetOverride", #"{"override":{"scheme":"dark"}}"#)
      for (number, name) in ["0<&-", "1>&-", "2>&-"].enumerated() where closed.contains(name) {
        #expect(try themed.destination(of: number) == "/dev/null")
      }
    }
  }

  @Test func `standard output may be what a supervisor is told on, and is nobody else's afterwards`() throws {
    try withSession { session in
      let themed = try session.spawnThemed(["--ready-fd=1"])
      #expect(try themed.line() == "")
      #expect(throws: Failure.self) { try themed.line() }
      _ = try session.connect().call("GetState")
      #expect(try themed.destination(of: 1) == "/dev/null")
    }
  }

  @Test func `a descriptor that the service manager handed over is not one to be ready on`() throws {
    try withSession { session in
      // The end of a stored queue: open for writing, and not a socket that listens.
      let script = "LISTEN_FDS=1 LISTEN_FDNAMES=what LISTEN_PID=$$ exec \"$0\" --ready-fd=3 3>&1"
      let themed = try session.run("sh", ["-c", script, Products.path("themed")])
      #expect(themed.status == .exited(1))
      #expect(themed.errors.contains("descriptor 3 is not open for writing"))
      #expect(themed.lines == [])
    }
  }

  @Test func `a descriptor that the log or the service manager's socket would get is not one to be ready on`() throws {
    try withSession { session in
      session.environment["NOTIFY_SOCKET"] = session.directory.path("nobody")
      let script = "JOURNAL_STREAM=$(stat -L -c %d:%i /proc/self/fd/2) exec \"$0\" --ready-fd=3 3>&-"
      let themed = try session.run("sh", ["-c", script, Products.path("themed")])
      #expect(themed.status == .exited(1))
      #expect(themed.errors.contains("descriptor 3 is not open for writing"))
    }
  }

  @Test func `a limit of the size of files is an error of each write, and not the daemon's end`() throws {
    try withSession { session in
      _ = try session.startDesktop(.dark)
      let script = "ulimit -f 0; exec \"$1\" 2> \"$0\""
      let themed = try session.startThemed(under: ["sh", "-c", script, session.directory.path("log")])
      // What it last heard is written to a file, as the log is, and the overrides.
      _ = try session.subscribe().frame { $0.desktop == "dark" }
      let set = try session.connect().call("SetOverride", #"{"override":{"scheme":"light"}}"#)
      #expect(set.bool("parameters.saved") == false)
      #expect(try session.connect().call("GetState").scheme == "light")
      themed.send(.terminate)
      #expect(try themed.wait() == .exited(0))
    }
  }

  @Test(arguments: [5_000, 300_000])
  func `a mistake of any length in the configuration keeps nobody from starting`(length: Int) throws {
    try withSession { session in
      for line in ["[appearance]\nno-desktop=", "rubbish "] {
        try session.configure(line + String(repeating: "x", count: length) + "\n")
        let themed = try session.startThemed()
        try themed.awaitStatus(containing: "themed.conf")
        themed.send(.terminate)
        #expect(try themed.wait() == .exited(0))
      }
    }
  }

  @Test(arguments: ["ENOBUFS", "ENOMEM", "EAGAIN"])
  func `memory that is short for a moment does not keep the service manager from hearing that it serves`(
    error: String
  ) throws {
    try withSession { session in
      let fault = "inject=sendmsg:error=\(error):when=1..3"
      let strace = try session.startThemed(under: ["strace", "-D", "-f", "-o", "/dev/null", "-e", fault])
      #expect(strace.isRunning)
    }
  }

  @Test func `who sends signals without end holds up nobody, and it ends when it is told to`() throws {
    try withSession { session in
      try session.configure(String(repeating: "[appearance]\nno-desktop=dark\n", count: 20_000))
      let themed = try session.startThemed()
      let storm = try session.spawn("sh", ["-c", "while kill -HUP \(themed.pid); do :; done"])
      let connection = try session.connect()
      // So long a file may take longer than the start waits for it.
      try eventually("what is configured") { try connection.call("GetState").scheme == "dark" }
      for _ in 0..<10 { #expect(try connection.call("GetState").scheme == "dark") }
      themed.send(.terminate)
      #expect(try themed.wait() == .exited(0))
      _ = try storm.wait()
    }
  }

  @Test func `at its end each descriptor leaves the loop before it is closed`() throws {
    try withSession { session in
      _ = try session.startBus()
      let trace = session.directory.path("trace")
      let strace = try session.startThemed(
        under: ["strace", "-D", "-f", "-o", trace, "-e", "trace=epoll_ctl,exit_group"])
      let watch = try session.subscribe()
      _ = try watch.frame()
      _ = try session.connect().call("Toggle")
      strace.send(.terminate)
      #expect(try strace.wait() == .exited(0))
      let calls = try String(contentsOfFile: trace, encoding: .utf8)
      #expect(calls.contains("EPOLL_CTL_DEL"))
      #expect(!calls.contains("EBADF"))
    }
  }
}

extension ChildProcess {
  /// What one of its descriptors is.
  fileprivate func destination(of descriptor: Int) throws -> String {
    try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(pid)/fd/\(descriptor)")
  }
}
