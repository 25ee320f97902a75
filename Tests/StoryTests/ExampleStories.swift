import Foundation
import Testing
import ThemedTestSupport

/// The programs of docs/examples that need nothing of ours: each as it is there, if the system has its language and its
/// packages.
@Suite(.ownThreads) struct ExampleStories {
  private enum Example: String, CaseIterable {
    case c, go, js, lua, py, rs, sh

    static let directory = Products.package + "/docs/examples/"

    /// Whether this system has the language, and the packages that the example needs.
    var isPossible: Bool {
      switch self {
      case .c: Self.has("cc") && Self.succeeds("pkg-config", "--exists", "libcjson")
      case .go: Self.has("go")
      case .js: Self.has("node")
      case .lua: Self.interpreter != nil
      case .py: true
      case .rs: Self.has("cargo") && Self.hasCrate
      case .sh: Self.has("jq") && Self.has("socat")
      }
    }

    /// What is missing if it is not possible.
    var need: String {
      switch self {
      case .c: "cc and libcjson"
      case .go: "go"
      case .js: "node"
      case .lua: "lua with posix and cjson"
      case .py: "python3"
      case .rs: "cargo, and serde_json in \(Self.crates)"
      case .sh: "jq and socat"
      }
    }

    /// The examples that this system can run; says which ones it cannot run.
    static let possible = allCases.filter { example in
      if !example.isPossible { print("left out follow.\(example): it needs \(example.need)") }
      return example.isPossible
    }

    /// Where Debian's packages have the sources of crates, since the tests do not use the network.
    static let crates = "/usr/share/cargo/registry"

    /// The Lua that has the modules: in Debian, each version has modules of its own.
    private static let interpreter = ["lua5.4", "lua5.3", "lua"].first {
      has($0) && succeeds($0, "-e", "require('posix'); require('cjson')")
    }

    private static let hasCrate =
      (try? FileManager.default.contentsOfDirectory(atPath: crates))?.contains { $0.hasPrefix("serde_json-1") } == true

    private static func has(_ program: String) -> Bool { (try? Products.system(program)) != nil }

    private static func succeeds(_ program: String, _ arguments: String...) -> Bool {
      var succeeds = false
      try? withSession { succeeds = try $0.run(program, arguments).status == .exited(0) }
      return succeeds
    }

    /// Builds it if its language needs that; the words that start it.
    func words(_ session: Session) throws -> [String] {
      let (path, program) = (Self.directory + "follow." + rawValue, session.directory.path("follow"))
      switch self {
      case .c:
        try session.check("cc", ["-Wall", "-Wextra", "-Werror", "-O2", "-o", program, path, "-lcjson"])
        return [program]
      case .go:
        try session.check("go", ["build", "-o", program, path])
        return [program]
      case .js: return ["node", path]
      case .lua: return [try #require(Self.interpreter), path]
      // Isolated: its standard library alone.
      case .py: return ["python3", "-I", path]
      case .rs:
        let package = try session.directory.directory("package")
        try session.directory.write(String(contentsOfFile: path, encoding: .utf8), to: "package/src/main.rs")
        try session.directory.write(
          """
          [package]
          name = "follow"
          version = "0.1.0"
          edition = "2021"
          [dependencies]
          serde_json = "1"
          """, to: "package/Cargo.toml")
        // Its own directories are in the home of whoever runs the tests.
        let home = ProcessInfo.processInfo.environment["HOME"] ?? ""
        try session.check(
          "env",
          ["HOME=\(home)", "RUSTFLAGS=-Dwarnings", "cargo", "build", "--offline", "--quiet"]
            + ["--config", "source.crates-io.replace-with='debian'"]
            + ["--config", "source.debian.directory='\(Self.crates)'", "--manifest-path", package + "/Cargo.toml"])
        return [package + "/target/debug/follow"]
      case .sh: return ["bash", path]
      }
    }

    /// Starts it, by another program if that is given.
    func start(_ session: Session, under wrapper: [String] = []) throws -> ChildProcess {
      try session.spawn(wrapper + words(session))
    }
  }

  @Test(arguments: Example.possible)
  private func `an example prints what is shown for it now and after each change, once, and outlives the daemon`(
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
        // The scheme stays the same, and is not printed again.
        _ = try session.themectl("set", "accent", "#123456")
        themed.send(signal)
        try themed.wait()
        themed = try session.startThemed()
        _ = try session.themectl("set", "light")
        #expect(try program.line() == "light")
      }
      // Of this program alone.
      _ = try session.themectl("set", "dark", "--app", "org.example.Follow")
      #expect(try program.line() == "dark")
      #expect(program.isRunning)
      #expect(program.lines == ["light", "dark", "light", "dark", "light", "dark"])
      #expect(program.errors == "")
      program.send(.terminate)
      themed.send(.terminate)
      try themed.wait()
    }
  }

  @Test(arguments: Example.possible)
  private func `an example reads replies that come in parts or together, and reports an error`(example: Example) throws
  {
    try withSession { session in
      let daemon = try DaemonInDisguise(session)
      let program = try example.start(session)
      try daemon.awaits("call")
      let reply = DaemonInDisguise.state("dark", #","theme":"mint","themeTitle":"scheme: \"light\" é""#)
      for part in [reply.prefix(30), reply.dropFirst(30).prefix(100), reply.dropFirst(130)] {
        #expect(program.lines.isEmpty)
        try daemon.send(String(part))
      }
      #expect(try program.line() == "dark")
      try daemon.send(
        DaemonInDisguise.state("light") + DaemonInDisguise.state("light") + DaemonInDisguise.state("dark")
          + "{\"parameters\"")
      #expect(try program.line() == "light")
      #expect(try program.line() == "dark")
      try daemon.close()
      try daemon.awaits("call")
      try daemon.send(#"{"error":"org.varlink.service.PermissionDenied"}"# + "\0")
      #expect(try program.wait() == .exited(1))
      #expect(program.errors.contains("org.varlink.service.PermissionDenied"), "\(program.errors)")
      #expect(program.lines == ["dark", "light", "dark"])
    }
  }

  @Test(arguments: Example.possible)
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

  @Test(arguments: Example.possible)
  private func `an example finds the socket where a session of ssh does not say`(example: Example) throws {
    for socket in [nil, ""] {
      try withSession { session in
        session.environment["THEMED_SOCKET"] = socket
        _ = try session.startThemed()
        #expect(try example.start(session, under: Session.usualPlace).line() == "light")
      }
    }
  }

  @Test(arguments: Example.possible)
  private func `an example exits after the reader of its output has exited`(example: Example) throws {
    try withSession { session in
      _ = try session.startThemed()
      // The tests ignore SIGPIPE, and a program of a terminal does not.
      let words = ["env", "--default-signal=PIPE", "bash", "-c", #""$@" | head -n 1"#, "bash"]
      let pipeline = try example.start(session, under: words)
      #expect(try pipeline.line() == "light")
      // The reader may still run at the first change.
      try eventually("its end") {
        _ = try session.themectl("toggle")
        return !pipeline.isRunning
      }
    }
  }

  @Test func `each example program is listed here, gives its name, and is short`() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Example.directory)
      .filter { !$0.hasSuffix(".conf") }.sorted()
    #expect(names == Example.allCases.map { "follow.\($0)" } + ["swift"])
    for name in names.dropLast() {
      let text = try String(contentsOfFile: Example.directory + name, encoding: .utf8)
      #expect(text.contains("`themectl set dark --app org.example.Follow`"), "\(name)")
      #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count - 1 < 60, "\(name)")
    }
  }
}
