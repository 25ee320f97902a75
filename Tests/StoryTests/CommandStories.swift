import Foundation
import Testing
import ThemedTestSupport

/// The command as scripts meet it: its words, its exit statuses, its JSON; and another project's command.
@Suite(.ownThreads) struct CommandStories {
  @Test func `get, is, set and toggle speak one word or one status`() throws {
    try withSession { session in
      _ = try session.startThemed()
      #expect(try session.themectl("get").lines == ["light"])
      #expect(try session.themectl("is", "light").status == .exited(0))
      #expect(try session.themectl("is", "dark").status == .exited(1))
      #expect(try session.themectl("set", "dark").lines == ["dark"])
      #expect(try session.themectl("is", "dark").status == .exited(0))
      #expect(try session.themectl("is", "light").status == .exited(1))
      #expect(try session.themectl("is", "light").output == "")
      #expect(try session.themectl("toggle").lines == ["light"])
      #expect(try session.themectl("toggle").lines == ["dark"])
      #expect(try session.themectl("set", "auto").lines == ["light"])
      #expect(try session.themectl("get").lines == ["light"])
    }
  }

  @Test func `status says what is shown, why, and what the desktop asks for`() throws {
    try withSession { session in
      _ = try session.startThemed()
      _ = try session.themectl("set", "dark")
      let status = try session.themectl()
      #expect(status.status == .exited(0))
      #expect(status.output.contains("dark"))
      #expect(status.output.contains("> all apps  dark"))
      #expect(status.output.contains("unavailable"))
      #expect(try session.themectl("status").output == status.output)
    }
  }

  @Test func `status in a terminal also says what is in the way`() throws {
    try withSession { session in
      try session.configure("[appearance]\nno-desktop=drak\n")
      try session.directory.write("gone\n", to: "config/themed/apps.enabled")
      _ = try session.startThemed()
      let program = try Products.path("themectl")
      let shown = try session.run("script", ["--quiet", "--return", "--command", program, "/dev/null"])
      // A terminal of unknown width gets whole lines.
      #expect(shown.output.contains("no-desktop is 'drak'"))
      #expect(shown.output.contains("! 'gone' is enabled, but has no app file"))
      #expect(shown.output.contains("'themectl doctor' says what to do"))
      #expect(try !session.themectl().output.contains("!"), "a script gets only what is shown, and why")
    }
  }

  @Test(arguments: [["status"], ["get"], ["set", "dark"], ["toggle"], []])
  func `everything that prints can print JSON`(words: [String]) throws {
    try withSession { session in
      _ = try session.startThemed()
      let finished = try session.themectl(words + ["--json"])
      #expect(finished.status == .exited(0))
      #expect(try JSONSerialization.jsonObject(with: Data(finished.output.utf8)) is [String: Any])
    }
  }

  @Test func `a monitor prints a line of JSON for each state, and outlives the daemon`() throws {
    try withSession { session in
      let first = try session.startThemed()
      let monitor = try session.spawnThemectl("monitor", "--json")
      let word = try session.spawnThemectl("monitor")
      #expect(try JSONSerialization.jsonObject(with: Data(monitor.line().utf8)) is [String: Any])
      #expect(try word.line() == "light")
      first.send(.terminate)
      try first.wait()
      _ = try session.startThemed()
      _ = try session.themectl("set", "dark")
      #expect(try word.line() == "dark")
      #expect(word.lines == ["light", "dark"])
    }
  }

  @Test func `a monitor prints what a module of Waybar reads, outlives the daemon, and ends with its reader`() throws {
    try withSession { session in
      let first = try session.startThemed()
      let monitor = try session.spawnThemectl("monitor", "--format", "waybar", "--app", "a<b&c")
      #expect(
        try monitor.line()
          == #"{"text":"light","alt":"light","tooltip":"Light for a&lt;b&amp;c by default, because the desktop&#39;s "#
          + #"setting is unavailable.","class":["light","default"]}"#)
      first.send(.terminate)
      try first.wait()
      _ = try session.startThemed()
      _ = try session.themectl("set", "dark")
      let dark = try JSONSerialization.jsonObject(with: Data(monitor.line().utf8)) as? [String: Any]
      #expect(dark?["text"] as? String == "dark" && dark?["alt"] as? String == "dark")
      #expect(dark?["class"] as? [String] == ["dark", "override"])
      #expect(monitor.lines.count == 2)
      #expect(try session.themectl("status").lines.first?.hasPrefix("Dark, because you set it") == true)
      #expect(
        (dark?["tooltip"] as? String)?.hasPrefix("Dark for a&lt;b&amp;c, because you set it for all apps") == true)

      let fields = try session.spawnThemectl("monitor", "--format", "waybar", "scheme", "theme")
      #expect(try fields.line().hasPrefix(#"{"text":"dark\t-","alt":"dark","#))
      let words = try session.spawnThemectl("monitor", "--format", "words")
      #expect(try words.line() == "dark")
      let json = try session.spawnThemectl("monitor", "--format", "json", "scheme")
      #expect(try json.line() == #"{"scheme":"dark"}"#)
      for (arguments, reason) in [
        (["--json", "--format", "waybar"], "--json and --format waybar cannot be used together"),
        (["--details", "--format", "waybar"], "--details cannot be used with --format waybar"),
      ] {
        let refused = try session.themectl(["monitor"] + arguments)
        #expect(refused.status == .exited(64) && refused.errors.contains(reason), "\(refused)")
      }
      let closed = try session.run(
        "sh", ["-c", #""$0" monitor --format waybar | head -n 1"#, Products.path("themectl")])
      #expect(closed.status == .exited(0) && closed.lines.count == 1 && closed.errors == "", "\(closed)")
    }
  }

  @Test func `the option and the variable name another socket`() throws {
    try withSession { session in
      let path = session.directory.path("run/elsewhere/socket")
      try session.directory.directory("run/elsewhere")
      _ = try session.startThemed(["--socket", path])
      #expect(try session.themectl("get", "--socket", path).lines == ["light"])
      #expect(try session.themectl("get").status == .exited(3))
      session.environment["THEMED_SOCKET"] = path
      #expect(try session.themectl("get").lines == ["light"])
    }
  }

  @Test(arguments: [["get"], ["status"], []])
  func `what is asked most, which is not parsed, is as where it is parsed`(words: [String]) throws {
    try withSession { session in
      // The advice tells the usual socket from another.
      session.environment["THEMED_SOCKET"] = session.socketPath
      func expectTheSame() throws {
        let (alone, parsed) = try (session.themectl(words), session.themectl(words + ["--socket", session.socketPath]))
        // The advice names what led to the socket.
        let errors = parsed.errors.replacing("leave out --socket", with: "unset THEMED_SOCKET")
        #expect((alone.output, alone.errors) == (parsed.output, errors))
        #expect(alone.status == parsed.status)
      }
      try expectTheSame()
      let daemon = try session.startThemed()
      try expectTheSame()
      _ = try session.themectl("set", "dark")
      try expectTheSame()
      #expect(try session.themectl("get").lines == ["dark"])
      daemon.send(.terminate)
      try daemon.wait()
      try expectTheSame()
    }
  }

  @Test func `output that may not wait is waited for all the same, to its end`() throws {
    try withSession { session in
      let values = (0..<200).map { "key\($0)=\(String(repeating: "x", count: 100))\n" }.joined()
      let file = try session.directory.write("[light.values]\n" + values, to: "long.theme")
      // Somebody else who has the pipe has told it so: it is full after a page.
      let script = """
        import array, fcntl, os, subprocess, sys, termios, time
        (reading, writing) = os.pipe()
        fcntl.fcntl(writing, 1031, 4096)
        os.set_blocking(writing, False)
        program = subprocess.Popen(sys.argv[1:], stdout=writing)
        os.close(writing)
        unread = array.array("i", [0])
        while unread[0] < 4096 and program.poll() is None:
            time.sleep(0.01)
            fcntl.ioctl(reading, termios.FIONREAD, unread)
        sys.stdout.write(os.fdopen(reading).read())
        sys.exit(program.wait())
        """
      let words = ["theme", "export", file]
      let output = try session.run(Products.python(), ["-c", script, Products.path("themectl")] + words)
      #expect(output.status == .exited(0), "\(output.errors)")
      #expect(output.lines == (try session.themectl(words).lines))
      #expect(output.lines.count { $0.hasPrefix("key") } == 200)
    }
  }

  @Test(arguments: ["themed", "themectl"])
  func `help and version go to standard output`(program: String) throws {
    try withSession { session in
      let help = try session.run(Products.path(program), ["--help"])
      #expect(help.status == .exited(0))
      #expect(help.output.contains("--socket"))
      let version = try session.run(Products.path(program), ["--version"])
      #expect(version.status == .exited(0))
      #expect(version.lines.count == 1)
    }
  }

  @Test func `the daemon refuses an option that it does not know`() throws {
    try withSession { session in
      let finished = try session.run(Products.path("themed"), ["--paint"])
      #expect(finished.status == .exited(64))
      #expect(finished.errors.contains("--paint"))
    }
  }

  @Test func `the Varlink project's own command prints our interface with its documentation`() throws {
    try withSession { session in
      _ = try session.startThemed()
      let info = try session.python(["-m", "varlink.cli", "info", "unix:" + session.socketPath])
      #expect(info.status == .exited(0))
      #expect(info.output.contains("org.themed.theme"))
      #expect(info.output.contains("org.themed.admin"))
      #expect(info.output.contains("org.varlink.service"))

      let address = "unix:\(session.socketPath)/org.themed.theme"
      let help = try session.python(["-m", "varlink.cli", "help", address])
      #expect(help.status == .exited(0))
      #expect(help.output.contains("interface org.themed.theme"))
      #expect(help.output.contains("[Requires 'more' flag]"))
      for method in [
        "GetState", "Monitor", "SetOverride", "ClearOverride", "Toggle", "ListOverrides", "ListThemes", "GetTheme",
      ] {
        let before = help.output.split(separator: "method \(method)(").first
        #expect(help.output.contains("method \(method)("))
        #expect(before?.split(separator: "\n").last?.hasPrefix("#") == true, "\(method) has no documentation")
      }

      let state = try session.python(["-m", "varlink.cli", "call", address + ".GetState", "{}"])
      #expect(state.output.contains("light"))
    }
  }

  @Test func `the manual names every command and every option`() throws {
    try withSession { session in
      let project = #filePath.components(separatedBy: "/Tests/")[0]
      let manual = try String(contentsOfFile: project + "/docs/themectl.1", encoding: .utf8)
        .replacingOccurrences(of: "\\-", with: "-")
      let dump = try session.themectl("--experimental-dump-help").output
      let tree = try JSONSerialization.jsonObject(with: Data(dump.utf8)) as? [String: Any]
      let root = try #require(tree?["command"] as? [String: Any])
      let commands = try #require(root["subcommands"] as? [[String: Any]])
      #expect(commands.count > 8)
      for command in commands { try expect(manual, toName: command) }
    }
  }

  private func expect(_ manual: String, toName command: [String: Any], of parent: String = "") throws {
    let name = parent + (try #require(command["commandName"] as? String))
    let subcommands = command["subcommands"] as? [[String: Any]] ?? []
    guard subcommands.isEmpty else {
      for subcommand in subcommands { try expect(manual, toName: subcommand, of: name + " ") }
      return
    }
    let isNamed = [
      "\n.B \(name)\n", "\n.BR \(name) ", "\n.BI \(name) ", "\n.B \"\(name)\"", "\n.BR \"\(name)\"",
      "\n.BI \"\(name)\"",
    ]
    .contains(where: manual.contains)
    #expect(isNamed, "\(name)")
    for argument in command["arguments"] as? [[String: Any]] ?? [] {
      for option in argument["names"] as? [[String: String]] ?? [] where option["kind"] == "long" {
        let option = try #require(option["name"])
        #expect(isDescribed(manual, option, of: name), "\(name) --\(option) under OPTIONS")
      }
    }
  }

  /// Whether the option has an entry under OPTIONS, which names the command where it is not for every one.
  private func isDescribed(_ manual: String, _ option: String, of command: String) -> Bool {
    let options = manual.components(separatedBy: "\n.SH ").first { $0.hasPrefix("OPTIONS\n") } ?? ""
    var with = ""
    for entry in options.components(separatedBy: "\n.TP\n").dropFirst() {
      let lines = entry.split(separator: "\n", maxSplits: 1).map(String.init)
      let text = lines.count > 1 ? lines[1] : ""
      // "With the same:" are those of the entry before.
      if !text.hasPrefix("With the same") { with = text }
      guard words(lines[0]).contains("--" + option) else { continue }
      if ["json", "socket", "version", "help"].contains(option) { return true }
      return words(command).contains { $0 != "theme" && words(with).contains($0) }
    }
    return false
  }

  private func words(_ text: String) -> [Substring] {
    text.split { !$0.isLetter && $0 != "-" }
  }
}
