import Foundation
import Testing
import ThemedTestSupport

/// The programs of README and docs/your-programs.md, as they stand there: each prints into a pipe at once, and lives on
/// when the daemon is restarted.
@Suite(.ownThreads) struct ReadmeStories {
  private enum Example: CaseIterable {
    case command, bash, python

    /// How its block begins, and what that is.
    var block: (language: String, beginning: String) {
      switch self {
      case .command: ("sh", "themectl monitor --json |")
      case .bash: ("bash", "while :; do")
      case .python: ("python", "import ")
      }
    }

    func start(_ session: Session) throws -> ChildProcess {
      let page = try String(contentsOfFile: Products.package + "/docs/your-programs.md", encoding: .utf8)
      let blocks = page.components(separatedBy: "```\(block.language)\n").dropFirst()
        .compactMap { $0.components(separatedBy: "```\n").first }
      let text = try #require(blocks.first { $0.hasPrefix(block.beginning) })
      let file = try session.directory.write(text, to: "example")
      let commands = (try Products.path("themectl") as NSString).deletingLastPathComponent
      session.environment["PATH"] = "\(commands):\(session.environment["PATH"] ?? "/usr/bin:/bin")"
      return try session.spawn(self == .python ? Products.python() : block.language, [file])
    }
  }

  /// The scheme that a line says, which is a word, a state, or the reply that holds one.
  private func scheme(_ line: String) throws -> String? {
    guard line.hasPrefix("{") else { return line }
    let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    let state = (object?["parameters"] as? [String: Any])?["state"] as? [String: Any]
    return (state ?? object)?["scheme"] as? String
  }

  @Test(arguments: Example.allCases)
  private func `an example says what is shown now, each change, and goes on after a restart`(example: Example) throws {
    try withSession { session in
      var themed = try session.startThemed()
      let program = try example.start(session)
      #expect(try scheme(program.line()) == "light")
      _ = try session.themectl("set", "dark")
      #expect(try scheme(program.line()) == "dark")
      themed.send(.terminate)
      #expect(try themed.wait() == .exited(0))
      themed = try session.startThemed()
      _ = try session.themectl("set", "light")
      // Who connects anew may hear of what was before.
      while try scheme(program.line()) != "light" {}
      #expect(program.isRunning)
      #expect(program.errors.split(separator: "\n").filter { !$0.contains("socat") } == [])
      program.send(.terminate)
      themed.send(.terminate)
      try themed.wait()
    }
  }

  @Test func `the example in Swift waits for a daemon, and shows each change, also after a restart`() throws {
    try withSession { session in
      let program = try session.spawn(Products.path("themed-example"))
      for scheme in ["dark", "light"] {
        let themed = try session.startThemed()
        _ = try session.themectl("set", scheme)
        while !(try program.line().contains(" \(scheme),")) {}
        themed.send(.terminate)
        #expect(try themed.wait() == .exited(0))
      }
      #expect(program.isRunning)
    }
  }

  @Test func `the commands print what README says they print`() throws {
    try withSession { session in
      let following = try Following.settled(session, scheme: 1)
      session.environment["PATH"] = try Self.programs() + ":" + (session.environment["PATH"] ?? "")
      // "$ COMMAND  # what it is for", then what it prints.
      var expected: [(command: String, lines: [String])] = []
      for line in try #require(Self.blocks("console").first).split(separator: "\n").map(String.init) {
        if line.hasPrefix("$ ") {
          expected.append((line.dropFirst(2).components(separatedBy: "  #")[0], []))
        } else {
          expected[expected.count - 1].lines.append(line)
        }
      }
      #expect(expected.count > 5)
      for (command, lines) in expected {
        let process = try session.spawn("bash", ["-c", command])
        // Of what does not end, the beginning.
        for line in lines { #expect(try process.line() == line, "\(command)") }
        process.send(.terminate)
      }
      #expect(following.themed.isRunning)
    }
  }

  @Test func `the example of how a story is written is one`() throws {
    let tests = Products.package + "/Tests/"
    let text = try String(contentsOfFile: tests + "README.md", encoding: .utf8)
    let example = try #require(text.components(separatedBy: "```swift\n").dropFirst().first)
      .components(separatedBy: "```")[0]
    let source = try String(contentsOfFile: tests + "StoryTests/NightStories.swift", encoding: .utf8)
    #expect(source.hasSuffix("\n\n" + example))
  }

  /// Where the programs of this build are.
  private static func programs() throws -> String {
    (try Products.path("themectl") as NSString).deletingLastPathComponent
  }

  /// The blocks of code in README that are of this language.
  private static func blocks(_ language: String) throws -> [String] {
    let text = try String(contentsOfFile: Products.package + "/README.md", encoding: .utf8)
    return text.components(separatedBy: "\n```\(language)\n").dropFirst().map {
      $0.components(separatedBy: "\n```")[0]
    }
  }
}
