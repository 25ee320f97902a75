import Foundation
import Testing
import ThemedTestSupport

/// Many who are to be told at once, and servers of which one hangs.
@Suite(.ownThreads) struct ApplyCrowdStories {
  private func writing(_ name: String) -> String { "[write]\ntemplate=\(name).mustache\nfile=~/\(name).conf\n" }

  @Test func `a hundred hooks that hang are started by and by, at most sixty-four at once, and apps are on time`()
    throws
  {
    try withSession { session in
      _ = try session.startThemed()
      try session.directory.write("[hooks]\ntimeout=600\n", to: "config/themed/themed.conf")
      let gate = unsafe open(try session.directory.write("", to: "home/gate"), O_RDWR | O_CLOEXEC)
      defer { close(gate) }
      #expect(flock(gate, LOCK_EX) == 0)
      _ = try session.directory.directory("home/begun")
      for number in 0..<100 {
        try session.addHook("\(number)", #": > "$HOME/begun/${0##*/}"; exec flock --shared "$HOME/gate" true"#)
      }
      for number in 0..<30 { try session.enableApp("app\(number)", writing("app\(number)"), template: "{{scheme}}\n") }
      func begun() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: session.directory.path("home/begun")).count
      }
      _ = try session.startApply()
      for number in 0..<30 { try session.awaitApplied("app\(number)") { $0.isDone("light") } }
      // Those in places, and those that have given theirs up.
      try eventually { try begun() >= 64 }
      _ = try session.themectl("set", "dark")
      for number in 0..<30 { try session.awaitApplied("app\(number)") { $0.isDone("dark") } }
      Thread.sleep(forTimeInterval: 2)
      #expect(try begun() == 64)
      #expect(flock(gate, LOCK_UN) == 0)
      for number in 0..<100 { try session.awaitApplied("\(number)", in: "hooks") { $0.isDone("dark") } }
      #expect(try begun() == 100)
    }
  }

  @Test func `a tmux server that hangs is told and tried again, the other one and other apps are on time`() throws {
    try withSession { session in
      _ = try session.startThemed()
      session.environment["TMUX_TMPDIR"] = try session.directory.directory("tmux")
      func tmux(_ server: String, _ words: String...) throws -> String {
        try session.check("tmux", ["-L", server, "-f", "/dev/null"] + words)
      }
      func scheme(_ server: String) throws -> String {
        try tmux(server, "show-options", "-gqv", "@scheme").trimmingCharacters(in: .whitespacesAndNewlines)
      }
      // The one that hangs comes first.
      for server in ["a", "b"] { _ = try tmux(server, "new-session", "-d", "sleep 1000") }
      let hung = try #require(pid_t(try tmux("a", "display-message", "-p", "#{pid}").split(separator: "\n")[0]))
      defer { for server in ["a", "b"] { _ = try? tmux(server, "kill-server") } }
      defer { kill(hung, SIGCONT) }
      #expect(kill(hung, SIGSTOP) == 0)
      try session.enableApp(
        "tmux", writing("tmux") + "[reload]\ntmux=~/tmux.conf\n", template: "set -g @scheme {{scheme}}\n")
      try session.enableApp("quick", writing("quick"), template: "{{scheme}}\n")
      let apply = try session.startApply()
      try session.awaitApplied("quick") { $0.isDone("light") }
      try eventually { try scheme("b") == "light" }
      let waiting = try session.awaitApplied("tmux") { $0.state == "waiting" }
      #expect(waiting.problem?.hasSuffix("/a did not answer within 5 s") == true, "\(waiting)")
      #expect(waiting.advice?.contains("/a list-sessions'") == true, "\(waiting)")
      try apply.errorLine(containing: "/a did not answer within 5 s; check whether it hangs: 'tmux -S ")
      // Before its time is over: the other one does not wait for it.
      _ = try session.themectl("set", "dark")
      try session.awaitApplied("quick") { $0.isDone("dark") }
      try eventually { try scheme("b") == "dark" }
      #expect(kill(hung, SIGCONT) == 0)
      try session.awaitApplied("tmux") { $0.isDone("dark") }
      #expect(try scheme("a") == "dark")
    }
  }
}
