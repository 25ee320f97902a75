import Foundation
import Testing
import ThemedTestSupport

/// The log goes to whatever standard error is, and nobody waits for who reads it.
@Suite(.ownThreads) struct LogStories {
  @Test(arguments: ["terminal", "pipe"])
  func `where nobody reads the log, a thousand changes are told, and what it had no room for is counted`(
    kind: String
  ) throws {
    try withSession { session in
      let themed = try session.startThemed(loggingTo: kind)
      try session.change(1000)
      try themed.write("read\n")
      // It is told with the first line for which there is room again.
      let end = Date(timeIntervalSinceNow: 60)
      while Date() < end, !themed.lines.contains(where: { $0.contains("could not be written") }) {
        try session.change(1)
      }
      let lines = themed.lines.dropFirst()
      #expect(lines.contains { $0.wholeMatch(of: #/warning: [1-9]\d* lines? of the log could not be written/#) != nil })
      let isWhole =
        #/themed .* serves .*|cannot connect to the session bus.*|warning: \d+ lines?.*|a+: (light|dark): override( until the desktop changes)? \(SetOverride by .*\)/#
      #expect(lines.filter { $0.wholeMatch(of: isWhole) == nil } == [])
      themed.send(.terminate)
      #expect(try themed.wait() == .exited(0))
    }
  }

  @Test(arguments: ["terminal", "pipe"])
  func `a log that nobody reads does not hold up the end`(kind: String) throws {
    try withSession { session in
      let themed = try session.startThemed(loggingTo: kind)
      try session.change(1000)
      themed.send(.terminate)
      #expect(try themed.wait() == .exited(0))
    }
  }

  @Test func `what a stranger says is one line of the log, and gives a terminal no orders`() throws {
    try withSession { session in
      try session.configure("[appearance]\nno-desktop=\u{1B}[31mred\u{202E}\u{2028}\n")
      let themed = try session.spawnThemed()
      let line = try themed.errorLine(containing: "no-desktop")
      #expect(line.contains("no-desktop is '?[31mred??', but should be"))
    }
  }

  @Test func `a program that cannot start says why, whatever it says it to`() throws {
    try withSession { session in
      session.environment["XDG_RUNTIME_DIR"] = session.directory.path("none")
      for _ in 0..<20 {
        let themed = try session.run("sh", ["-c", "ulimit -n 16; exec \"$0\"", Products.path("themed")])
        #expect(themed.status == .exited(1))
        #expect(themed.errors.hasPrefix("error: "))
      }
    }
  }
}

extension Session {
  /// Starts the daemon with a terminal or a pipe as its standard error, which is read once it is sent a line.
  fileprivate func startThemed(loggingTo kind: String) throws -> ChildProcess {
    let themed = try spawn("python3", ["-c", unread, kind, Products.path("themed")], input: [])
    // By then it serves.
    guard try themed.line().isEmpty else { throw Failure("the daemon said something else than that it is ready") }
    return themed
  }

  /// Changes what is shown, so many times, and waits until a subscriber has heard of each change.
  fileprivate func change(_ count: Int) throws {
    let (caller, watch) = (try connect(), try connect())
    try watch.send(#"{"method":"org.themed.theme.Monitor","parameters":{"app":"\#(app)"},"more":true}"#)
    let first = try watch.frame()
    var scheme = first.scheme
    var serial = try #require(first.int("parameters.state.serial"))
    for number in 0..<count {
      scheme = scheme == "dark" ? "light" : "dark"
      let override =
        #"{"app":"\#(app)","scheme":"\#(scheme ?? "")","untilDesktopChanges":\#(number.isMultiple(of: 3))}"#
      _ = try caller.call("SetOverride", #"{"override":\#(override)}"#)
      serial += 1
      let heard = serial
      _ = try watch.frame { $0.int("parameters.state.serial") == heard }
    }
  }
}

/// A name that makes lines long: a thousand of them are more than a pipe, and another one on the way to it, hold.
private let app = String(repeating: "a", count: 250)

/// Becomes the daemon; beside it stays who could read what it logs, and does so when told to, to the end.
private let unread = """
  import os, pty, select, sys
  kind, themed = sys.argv[1:]
  reading, writing = pty.openpty() if kind == "terminal" else os.pipe()
  if os.fork():
      os.close(reading)
      os.dup2(writing, 2)
      os.execv(themed, [themed, "--ready-fd=1"])
  os.close(writing)
  os.dup2(os.open("/dev/null", os.O_WRONLY), 2)
  poll = select.poll()
  poll.register(reading, 0)
  poll.register(0, select.POLLIN)
  poll.poll()
  while True:
      try: data = os.read(reading, 65536)
      except OSError: break
      if not data: break
      os.write(1, data.replace(b"\\r", b""))
  """
