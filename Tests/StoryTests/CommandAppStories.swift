import Foundation
import Testing
import ThemedTestSupport

/// Real programs of the command line that follow by their app files: what they print or tell shows it.
@Suite(.ownThreads, .enabled(if: triesPrograms, "make test-programs tries them")) struct CommandAppStories {
  /// A colour as programs set it in a terminal: `48;2;R;G;B` behind text, 38 for text.
  private func sequence(_ kind: Int, _ color: String?) -> String {
    let value = Int(color?.dropFirst() ?? "", radix: 16) ?? -1
    return "\(kind);2;\(value >> 16);\(value >> 8 & 255);\(value & 255)"
  }

  /// What a program draws in a terminal until it is as expected, which ends it.
  private func draws(_ session: Session, _ words: [String], _ isExpected: (String) -> Bool) throws -> Bool {
    let log = session.directory.path("tmp/typescript")
    try? FileManager.default.removeItem(atPath: log)
    session.environment["TERM"] = "xterm-256color"
    let command = "stty rows 40 cols 120; exec " + words.map { "'\($0)'" }.joined(separator: " ")
    let process = try session.spawn("script", ["--quiet", "--flush", "--command", command, log], input: [])
    defer { process.stop() }
    for _ in 0..<100 {
      if isExpected((try? String(contentsOfFile: log, encoding: .utf8)) ?? "") { return true }
      Thread.sleep(forTimeInterval: 0.02)
    }
    return false
  }

  @Test func `bat follows by a theme that it is told to build`() throws {
    try withSession { session in
      try session.bringApps()
      let following = try FollowingApp(session, "bat", own: ["config/bat/config": "--style=plain\n"])
      let file = try session.directory.write("text\n// comment\n", to: "tmp/x.js")
      try following.follow { palette in
        // While its cache is being built it fails.
        let output = try session.run(session.realApp("batcat"), ["--color=always", file]).output
        return output.contains(sequence(38, palette["text"])) && output.contains(sequence(38, palette["disabled-text"]))
      }
      let cache = session.directory.path("cache/bat")
      #expect(try !FileManager.default.contentsOfDirectory(atPath: cache).isEmpty)
      try following.disable()
      #expect(try FileManager.default.contentsOfDirectory(atPath: cache).isEmpty, "it would end the next version")
    }
  }

  @Test(.enabled(if: areAlone("btop"), "btop runs here, and would be told, too"))
  func `btop follows when it is started, and is not killed where it cannot be told`() throws {
    try withSession { session in
      try session.bringApps()
      // btop makes its own file, and may write it anew.
      let following = try FollowingApp(session, "btop")
      let open = try session.spawn(
        "script",
        ["--quiet", "--command", "stty cols 80 rows 24; exec \(session.realApp("btop")) --utf-force", "/dev/null"],
        input: [])
      try following.follow { palette in
        try draws(session, [session.realApp("btop"), "--utf-force"]) {
          $0.contains(sequence(48, palette["background"]))
        }
      }
      #expect(open.isRunning)
      open.stop()
      try following.disable()
    }
  }

  @Test func `fzf follows when it is started by a shell with the line`() throws {
    try withSession { session in
      try session.bringApps()
      let following = try FollowingApp(session, "fzf", own: ["home/.bashrc": "shopt -s histappend\n"])
      try following.follow { palette in
        try draws(session, ["bash", "-c", ". ~/.bashrc; seq 9 | fzf"]) {
          $0.contains(sequence(48, palette["background"])) && $0.contains(sequence(48, palette["selection"]))
        }
      }
      try following.disable()
    }
  }

  @Test func `tmux follows on every server of the user, and tells what runs in its panes`() throws {
    try withSession { session in
      try session.bringApps()
      session.environment["TMUX_TMPDIR"] = try session.directory.directory("tmux")
      let following = try FollowingApp(session, "tmux", own: ["home/.tmux.conf": "set -g mouse on\n"])
      let answers = TerminalAnswers(path: session.directory.path("tmp/answers"))
      let script = Products.package + "/Tests/Terminal/ask.py"
      for server in ["one", "two"] {
        let words = [
          "-L", server, "new-session", "-d", "python3", script, answers.path + (server == "one" ? "" : "-2"),
        ]
        try session.check(session.realApp("tmux"), words)
      }
      try following.follow { palette in
        guard ["10", "11"].allSatisfy({ answers.now()[$0] == palette[$0 == "10" ? "text" : "background"] }) else {
          return false
        }
        return try ["one", "two"].allSatisfy { server in
          let style = try session.check(session.realApp("tmux"), ["-L", server, "show", "-gv", "status-style"])
          return style == "fg=\(palette["text"] ?? ""),bg=\(palette["surface"] ?? "")"
        }
      }
      for server in ["one", "two"] { try session.check(session.realApp("tmux"), ["-L", server, "kill-server"]) }
      try following.disable()
    }
  }

  @Test func `X resources follow: what is started next has them`() throws {
    try withSession { session in
      try session.bringApps()
      try session.startDisplay()
      let following = try FollowingApp(session, "xresources", own: ["home/.Xresources": "XTerm*scrollBar: false\n"])
      try following.follow { palette in
        let output = try session.check(session.realApp("xrdb"), ["-query"])
        return output.contains("*.background:\t\(palette["background"] ?? "")")
          && output.contains("*.color12:\t\(palette["ansi12"] ?? "")")
      }
      try following.disable()
    }
  }
}
