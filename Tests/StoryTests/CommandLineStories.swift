import Foundation
import Testing
import ThemedTestSupport

/// What people type, and what the command makes of it; and those to whom no daemon answers.
@Suite(.ownThreads) struct CommandLineStories {
  @Test(arguments: [
    (["dark"], "themectl set dark"), (["--app", "nvim", "drak"], "themectl set dark --app nvim"),
    (["moniter"], "themectl monitor"), (["apps"], "themectl app list"),
    (["import", "a b.yaml"], "themectl theme import 'a b.yaml'"),
    (["set", "drak"], "themectl set dark"), (["set", "contrast", "hihg"], "themectl set contrast high"),
    (["theme", "lsit"], "themectl theme list"), (["set", "contrst", "high"], "themectl set contrast high"),
    (["set", "night"], "themectl set dark"), (["set", "White"], "themectl set light"),
    (["set", "DARK"], "themectl set dark"),
    (["set", "acent", "#3584e4"], "themectl set accent '#3584e4'"), (["set", "dark", "--untill", "7:30"], "--until"),
  ])
  func `a word that is near to what could be said is answered with that`(words: [String], expected: String) throws {
    try withSession { session in
      let finished = try session.themectl(words)
      #expect(finished.status == .exited(64))
      #expect(finished.errors.contains("did you mean '\(expected)'?"), "\(finished.errors)")
      #expect(!finished.errors.contains("themectl status"), "who named no command is not told of its options")
    }
  }

  @Test func `options may stand before the command`() throws {
    try withSession { session in
      _ = try session.startThemed()
      _ = try session.themectl("--app", "nvim", "set", "dark")
      #expect(try session.themectl("get").lines == ["light"])
      #expect(try session.themectl("--app", "nvim", "get").lines == ["dark"])
      #expect(try session.themectl("--socket", session.socketPath, "--json", "get").lines == [#"{"scheme":"light"}"#])
      #expect(try session.themectl("--app=nvim", "is", "dark").status == .exited(0))
      #expect(
        try session.themectl("--app", "nvim").lines.first?.hasPrefix("Dark for nvim, because you set it;") == true)
      #expect(try session.themectl("--help", "set").output.contains("themectl set light|dark|auto"))
    }
  }

  @Test func `commands that read wait for a stopped daemon no longer than two seconds, those that change longer`()
    throws
  {
    try withSession { session in
      let themed = try session.startThemed()
      _ = try session.themectl("get")
      themed.send(.stop)
      let change = try session.spawnThemectl("set", "dark")
      for words in [["get"], ["is", "light"], ["status"], ["config"]] {
        let finished = try session.themectl(words)
        #expect(finished.status == .exited(2))
        #expect(finished.errors.contains("did not answer within 2"), "\(finished.errors)")
      }
      #expect(change.isRunning)
      themed.send(.continue)
      #expect(try change.line() == "dark")
    }
  }

  @Test(arguments: [["is", "dark"], ["get"], ["--version"], ["set", "dark"], []])
  func `where /proc is not mounted, no program takes its words for none`(words: [String]) throws {
    try withSession { session in
      let daemon = try session.startThemed()
      func run(_ program: String, _ words: [String]) throws -> Finished {
        let user = getuid() == 0 ? [] : ["--user", "--map-root-user"]
        let script = "mount -t tmpfs tmpfs /proc && exec \"$0\" \"$@\""
        return try session.run("unshare", user + ["--mount", "sh", "-c", script, Products.path(program)] + words)
      }
      let command = try run("themectl", words)
      #expect(command.status == .exited(2))
      #expect(command.lines == [])
      #expect(command.errors.contains("/proc is not mounted"), "\(command.errors)")
      let other = try run("themed", words + ["--check"])
      #expect(other.status == .exited(1))
      #expect(other.errors.contains("/proc is not mounted"), "\(other.errors)")
      #expect(other.lines == [])
      #expect(daemon.isRunning)
    }
  }

  @Test(.enabled(if: getuid() == 0, "only root can be another user"))
  func `another user's command says whose daemon it is, and asks once`() throws {
    try withSession { session in
      let themed = try session.startThemed()
      // As if somebody had opened the way to it; and to the command, which may lie in a home that is closed.
      for path in ["", "run", "run/themed"] { unsafe chmod(session.directory.path(path), 0o755) }
      unsafe chmod(session.socketPath, 0o666)
      let program = """
        import os, sys
        command = os.open(sys.argv[1], os.O_RDONLY)
        os.setgroups([]); os.setgid(65534); os.setuid(65534)
        os.execve(command, sys.argv[1:], os.environ)
        """
      func run(_ words: [String]) throws -> Finished {
        try session.run("python3", ["-c", program, Products.path("themectl")] + words)
      }
      for words in [["get"], ["set", "dark"], ["status"], ["monitor"], ["monitor", "--json"], ["toggle"]] {
        let finished = try run(words)
        #expect(finished.status == .exited(2), "\(words)")
        #expect(finished.lines == [])
        #expect(finished.errors.contains("belongs to root"), "\(words): \(finished.errors)")
        #expect(finished.errors.contains("run this as root"))
        #expect(!finished.errors.contains("try again"))
      }
      #expect(
        themed.errors.components(separatedBy: "refused a connection from user").count == 2, "the log is told once")
      let doctor = try run(["doctor"])
      #expect(doctor.output.contains("belongs to root"))
      #expect(!doctor.output.contains("restart themed"))
    }
  }

  @Test(.enabled(if: getuid() == 0, "only root can be root by sudo"))
  func `root by sudo, whom no daemon is for, is told to do without`() throws {
    try withSession { session in
      session.environment["SUDO_USER"] = "alice"
      let finished = try session.themectl("get")
      #expect(finished.status == .exited(3))
      #expect(finished.errors.contains("run this as alice, without sudo"), "\(finished.errors)")
      let doctor = try session.themectl("doctor")
      #expect(doctor.output.contains("run this as alice, without sudo"), "\(doctor.output)")
      #expect(!doctor.output.contains("session bus"), "root's own session is not what alice asks about")
    }
  }

  @Test(.enabled(if: getuid() == 0, "only root can be root by sudo"), arguments: [[], ["--yes"], ["--json", "--yes"]])
  func `root by sudo, whom no daemon is for, sets nothing up in root's own files`(options: [String]) throws {
    try withSession { session in
      session.environment["SUDO_USER"] = "alice"
      try session.directory.write("[app]\n[setup]\nfile=~/.toolrc\nline=follow\n", to: "config/themed/apps/tool.app")
      let finished = try session.themectl(["setup"] + options)
      #expect(finished.status == .exited(3))
      #expect(finished.output == "", "no plan is shown of what will not be done")
      #expect(finished.errors.contains("run this as alice, without sudo"), "\(finished.errors)")
      #expect(session.text("home/.toolrc") == nil)
      #expect(session.text("config/themed/apps.enabled") == nil)
    }
  }

  @Test func `the options that may stand before a command are those that there are`() throws {
    try withSession { session in
      let dump = try session.themectl("--experimental-dump-help").output
      let tree = try JSONSerialization.jsonObject(with: Data(dump.utf8)) as? [String: Any]
      var kinds: [String: String] = [:]
      func collect(_ command: [String: Any]) {
        for argument in command["arguments"] as? [[String: Any]] ?? [] {
          for name in argument["names"] as? [[String: String]] ?? [] where name["kind"] == "long" {
            kinds["--" + (name["name"] ?? "?")] = argument["kind"] as? String
          }
        }
        for subcommand in command["subcommands"] as? [[String: Any]] ?? [] { collect(subcommand) }
      }
      collect(try #require(tree?["command"] as? [String: Any]))
      #expect(kinds.count > 10)
      for (name, kind) in kinds where name != "--version" {
        // One that is not known before a command makes the default command complain.
        let words = kind == "option" ? [name, "x", "gte"] : [name, "gte"]
        let finished = try session.themectl(words)
        #expect(finished.errors.contains("unknown command 'gte'"), "\(words): \(finished.errors)")
      }
    }
  }
}
