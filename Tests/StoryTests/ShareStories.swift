import Foundation
import Glibc
import Testing
import ThemedTestSupport

/// `themectl share`: a terminal on another machine shows what the desk does, over a real ssh and sshd.
@Suite(.ownThreads) struct ShareStories {
  @Test func `a change arrives with its palette and without paths, and overrides there stay there`() throws {
    try withSession { session in
      _ = try session.startThemed()
      let server = try Server(session)
      try session.directory.write(
        "[theme]\n[dark.palette]\nbackground=#010203\n[dark.assets]\nwallpaper=/etc/passwd\n",
        to: "data/themed/themes/night.theme")
      #expect(try session.themectl("set", "theme", "night", "--dark").status == .exited(0))
      _ = try server.follow()
      let monitor = try server.spawnThemectl("monitor", "scheme", "theme", "palette.background", "assets.wallpaper")
      #expect(try monitor.line() == "light\t-\t-\t-")
      #expect(try session.themectl("set", "dark").lines == ["dark"])
      #expect(try session.themectl("get", "assets.wallpaper").lines == ["/etc/passwd"])
      #expect(try monitor.line() == "dark\tnight\t#010203\t-")
      #expect(try server.themectl("status").lines.first == "Dark, as the upstream themed shows.")
      #expect(try server.themectl("set", "light").lines == ["light"])
      #expect(try monitor.line().hasPrefix("light"))
      #expect(try session.themectl("get").lines == ["dark"])
    }
  }

  @Test func `a link that is cut, and a machine that is off for a while, are made good by themselves`() throws {
    try withSession { session in
      _ = try session.startThemed()
      let server = try Server(session)
      let share = try server.follow()
      let monitor = try server.spawnThemectl("monitor")
      #expect(try monitor.line() == "light")
      for scheme in ["dark", "light", "dark"] {
        #expect(kill(try share.child("ssh"), SIGKILL) == 0)
        _ = try session.themectl("set", scheme)
        // The client there has kept its connection, and is told of nothing but the change.
        #expect(try monitor.line() == scheme)
        #expect(try share.line() == "far follows this machine")
      }
      try server.reach(false)
      #expect(kill(try share.child("ssh"), SIGKILL) == 0)
      try share.errorLine(containing: "far cannot be reached")
      try eventually("what was told holds") {
        try server.themectl("status").output.contains("dark, its last answer: not connected")
      }
      _ = try session.themectl("set", "light")
      try server.reach(true)
      #expect(try monitor.line() == "light")
      #expect(monitor.lines == ["light", "dark", "light", "dark", "light"])
    }
  }

  @Test func `with nohup it outlives its terminal`() throws {
    try withSession { session in
      let share = try shareByScript(session, "echo themed-upstream 1; cat > /dev/null", under: ["nohup"])
      #expect(try share.line() == "far follows this machine")
      share.send(.hangup)
      #expect(kill(try share.child("ssh"), SIGKILL) == 0)
      #expect(try share.line() == "far follows this machine")
      share.send(.terminate)
      #expect(try share.wait() == .exited(0))
    }
  }

  @Test func `who does not read for a while is told what is so then`() throws {
    try withSession { session in
      _ = try session.startThemed()
      let server = try Server(session)
      let share = try server.follow()
      let ssh = try share.child("ssh")
      #expect(kill(ssh, SIGSTOP) == 0)
      try session.change(times: 999)
      #expect(kill(ssh, SIGCONT) == 0)
      let last = try session.themectl("get").lines
      try eventually("the last state arrives") { try server.themectl("get").lines == last }
      #expect(try share.child("ssh") == ssh)
    }
  }

  @Test func `one share a machine is enough, and a new one from elsewhere takes its place`() throws {
    try withSession { session in
      _ = try session.startThemed()
      let server = try Server(session)
      let share = try server.follow()
      let second = try session.themectl(["share", "far"] + server.options)
      #expect(second.status == .exited(6))
      #expect(second.errors.contains("another 'themectl share far' is already running"))
      // Another desk has locks of its own.
      session.environment["XDG_RUNTIME_DIR"] = try session.directory.directory("desk")
      session.environment["XDG_STATE_HOME"] = session.directory.path("desk/state")
      let desk = try session.spawn(Products.path("themed"), ["--ready-fd", "1"])
      #expect(try desk.line() == "")
      let other = try server.follow()
      #expect(try share.wait() == .exited(6))
      #expect(share.errors.contains("another share has taken over"))
      #expect(other.isRunning)
    }
  }

  @Test func `a themed there that follows its own desktop is not displaced`() throws {
    try withSession { session in
      _ = try session.startThemed()
      let server = try Server(session)
      let own = try server.startThemed()
      #expect(try own.line() == "")
      let share = try server.share()
      #expect(try share.wait() == .exited(3))
      #expect(share.errors.contains("systemctl --user mask --now themed.socket themed-readonly.socket themed.service"))
      #expect(own.isRunning)
    }
  }

  @Test func `what cannot be shared with is told in a sentence, with a status for scripts`() throws {
    try withSession { session in
      _ = try session.startThemed()
      let server = try Server(session)
      func ended(_ share: ChildProcess) throws -> (status: ThemedTestSupport.ExitStatus, errors: String) {
        (try share.wait(), share.errors)
      }
      let absent = try ended(server.share(["--remote-command", "/nowhere/themed"]))
      #expect(absent.status == .exited(3))
      #expect(absent.errors.contains("ssh does not find themed on far"))
      let old = try ended(server.share(["--remote-command", try Products.system("false")]))
      #expect(old.status == .exited(2))
      try server.reach(false)
      let off = try ended(server.share(["--once"]))
      #expect(off.status == .exited(5))
      #expect(off.errors.contains("far cannot be reached"))
      try server.reach(true)
      try server.changeKey()
      let changed = try ended(server.share())
      #expect(changed.status == .exited(2))
      #expect(changed.errors.contains("the host key of far has changed"), "\(changed.errors)")
      let stranger = try session.themectl("share", "-oProxyCommand=touch owned")
      #expect(stranger.status == .exited(64))
    }
  }

  @Test func `who is not let in without a password is told so, and nothing hangs`() throws {
    try withSession { session in
      _ = try session.startThemed()
      let share = try Server(session, door: .nobody).share()
      #expect(try share.wait() == .exited(2))
      #expect(share.errors.contains("far refused the login"))
    }
  }

  @Test func `a hostile machine changes nothing here, and costs little memory`() throws {
    try withSession { session in
      _ = try session.startThemed()
      let call = #"{\"method\":\"org.themed.theme.SetOverride\",\"parameters\":{\"override\":{\"scheme\":\"dark\"}}}"#
      let script = """
        #!/bin/sh
        echo 'themed-upstream 1'
        for line in 1 2 3; do printf '\(call)\\000'; done
        head -c 300000 /dev/zero
        printf '\\033]0;owned\\007\\n' >&2
        yes '\(call)' | head -c 300000 >&2
        echo done >&2
        exec sleep 1000

        """
      let path = try session.directory.write(script, to: "bin/ssh")
      #expect(unsafe chmod(path, 0o755) == 0)
      session.environment["PATH"] =
        session.directory.path("bin") + ":" + (session.environment["PATH"] ?? "/usr/bin:/bin")
      let share = try session.spawnThemectl("share", "far")
      #expect(try share.line() == "far follows this machine")
      try share.errorLine(containing: "further lines are not shown")
      #expect(try session.themectl("get").lines == ["light"])
      // It reads nothing, and what is told to it is told to others all the same.
      try session.change(times: 100)
      #expect(try session.themectl("overrides", "--json").status == .exited(0))
      let status = try share.kernelFile("status")
      let peak = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
      let kilobytes = try #require(Int(peak.split(separator: " ").dropLast().last ?? ""))
      #expect(kilobytes < 64 * 1024)
      #expect(!share.errors.contains("\u{1b}"))
      #expect(share.isRunning)
      share.send(.terminate)
      #expect(try share.wait() == .exited(0))
    }
  }

  /// Shares with a machine to which this script, in the place of ssh, leads.
  private func shareByScript(
    _ session: Session, _ script: String, under words: [String] = []
  ) throws -> ChildProcess {
    _ = try session.startThemed()
    let calls = session.directory.path("calls")
    let path = try session.directory.write("#!/bin/sh\necho \"$@\" >> \(calls)\n\(script)\n", to: "bin/ssh")
    #expect(unsafe chmod(path, 0o755) == 0)
    session.environment["PATH"] =
      session.directory.path("bin") + ":" + (session.environment["PATH"] ?? "/usr/bin:/bin")
    return try session.spawn(words + [Products.path("themectl"), "share", "far"])
  }

  @Test(arguments: ["cat /dev/zero", "cat /dev/zero >&2", "yes 'themed-upstream taken'"])
  func `a machine that sends without end, before a themed is heard, is told of and left`(script: String) throws {
    try withSession { session in
      let share = try shareByScript(session, script)
      #expect(try share.wait() == .exited(2))
      #expect(share.errors.contains("far sends too much that does not come from themed"), "\(share.errors)")
    }
  }

  @Test func `one that says without end that it hears is told of once, killed, and reached anew by itself`() throws {
    try withSession { session in
      let share = try shareByScript(session, "trap '' TERM; yes 'themed-upstream 1'; while :; do sleep 1; done")
      #expect(try share.line() == "far follows this machine")
      try share.errorLine(containing: "trying again in")
      #expect(try share.line() == "far follows this machine")
      #expect(share.isRunning)
      let calls = try String(contentsOfFile: session.directory.path("calls"), encoding: .utf8).split(separator: "\n")
      #expect(calls.first?.contains("-oControlPath=none") == false)
      #expect(calls.dropFirst().first?.contains("-oControlPath=none") == true)
      share.send(.terminate)
      #expect(try share.wait() == .exited(0))
    }
  }
}
