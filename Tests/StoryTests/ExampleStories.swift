import Foundation
import Testing
import ThemedTestSupport

/// The programs of docs/examples that need nothing of ours: each as it stands there, with what any system has.
@Suite(.ownThreads) struct ExampleStories {
  private enum Example: String, CaseIterable {
    case c, py, sh

    static let directory = Products.package + "/docs/examples/"

    /// Starts it, by another program if that is given, with what it needs and no more.
    func start(_ session: Session, under wrapper: [String] = []) throws -> ChildProcess {
      let path = Self.directory + "follow." + rawValue
      switch self {
      case .c:
        let program = session.directory.path("follow")
        try session.check("cc", ["-Wall", "-Wextra", "-Werror", "-O2", "-o", program, path])
        return try session.spawn(wrapper + [program])
      // Isolated: its standard library alone.
      case .py: return try session.spawn(wrapper + ["python3", "-I", path])
      case .sh: return try session.spawn(wrapper + ["bash", path])
      }
    }
  }

  @Test(arguments: Example.allCases)
  private func `an example says what is shown now and after each change, once, and outlives the daemon`(
    example: Example
  ) throws {
    try withSession { session in
      // Before there is a daemon.
      let program = try example.start(session)
      var themed = try session.startThemed()
      #expect(try program.line() == "light")
      for signal in [ChildProcess.Signal.terminate, .kill] {
        _ = try session.themectl("set", "dark")
        #expect(try program.line() == "dark")
        // What is shown stays the same, and is not said again.
        _ = try session.themectl("set", "accent", "#123456")
        themed.send(signal)
        try themed.wait()
        themed = try session.startThemed()
        _ = try session.themectl("set", "light")
        #expect(try program.line() == "light")
      }
      #expect(program.isRunning)
      #expect(program.lines == ["light", "dark", "light", "dark", "light"])
      #expect(program.errors == "")
      program.send(.terminate)
      themed.send(.terminate)
      try themed.wait()
    }
  }

  @Test(arguments: Example.allCases)
  private func `an example finds the socket that THEMED_SOCKET names`(example: Example) throws {
    try withSession { session in
      let path = session.directory.path("run/elsewhere/socket")
      session.environment["THEMED_SOCKET"] = path
      let themed = try session.startThemed()
      session.environment["XDG_RUNTIME_DIR"] = "/nowhere"
      #expect(try example.start(session).line() == "light")
      themed.send(.terminate)
      try themed.wait()
    }
  }

  @Test(arguments: Example.allCases)
  private func `an example finds the socket where a session of ssh does not say`(example: Example) throws {
    for socket in [nil, ""] {
      try withSession { session in
        session.environment["THEMED_SOCKET"] = socket
        _ = try session.startThemed()
        #expect(try example.start(session, under: Session.usualPlace).line() == "light")
      }
    }
  }

  @Test func `each example program is under thirty lines`() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Example.directory)
      .filter { !$0.hasSuffix(".conf") }.sorted()
    #expect(names == ["follow.c", "follow.py", "follow.sh", "swift"])
    for name in names.dropLast() + ["swift/nio.swift"] {
      let text = try String(contentsOfFile: Example.directory + name, encoding: .utf8)
      #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count - 1 < 30, "\(name)")
    }
  }
}
