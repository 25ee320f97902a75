import Foundation
import Testing
import ThemedTestSupport

/// `themectl setup`, the first thing that a new user types.
@Suite(.ownThreads) struct SetupStories {
  /// Installs a program that is a script.
  private func bring(_ name: String, _ script: String, _ session: Session) throws {
    let path = try session.directory.write("#!/bin/sh\n\(script)\n", to: "bin/" + name)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
  }

  /// The programs of a machine: each says its version and does no more.
  private func install(_ session: Session) throws {
    let bin = try session.directory.directory("bin")
    for (name, version) in [
      ("term", "term 2.1"), ("edit", "EDIT v1.4.2"), ("web", "web 140"), ("old", "old 0.9"), ("wm", ""),
    ] {
      try session.directory.write("#!/bin/sh\necho '\(version)'\n", to: "bin/" + name)
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: bin + "/" + name)
    }
    for name in ["timeout", "sh"] {
      let path = try Products.system(name)
      try FileManager.default.createSymbolicLink(atPath: bin + "/" + name, withDestinationPath: path)
    }
    session.environment["PATH"] = bin
    for (name, text) in [
      (
        "term",
        """
        version-command=term --version
        [write]
        template=term.mustache
        file=~/.config/term/themed
        versions=>=2
        [setup]
        file=~/.config/term/term.conf
        line=include themed
        versions=>=2
        """
      ),
      (
        "edit",
        "version-command=edit --version\n[follows]\nby=plugin\nversions=>=1.4\n[setup]\nfile=~/.editrc\nline=load themed\nversions=>=1.4"
      ),
      ("web", "[follows]\nby=portal"),
      ("old", "version-command=old --version\n[follows]\nby=terminal\nversions=>=1.0"),
      ("gone", "[terminal]\nprocess=gone"),
      ("wm", "[setup]\nfile=~/.config/wm/config\nline=include themed\nneeds-system-file=yes"),
      ("all", "proposed=no\n[write]\ntemplate=term.mustache\nfile=~/.config/all"),
    ] {
      let program = name == "all" ? "term" : name
      let head = "[app]\ntitle=\(name.capitalized)\nprogram=\(program)\n"
      try session.directory.write(head + text + "\n", to: "config/themed/apps/\(name).app")
    }
    try session.directory.write("{{background-hex}} {{scheme}}\n", to: "config/themed/templates/term.mustache")
  }

  /// Starts the daemon, and themed-apply, which stays for a hook.
  private func start(_ session: Session) throws {
    _ = try session.startThemed()
    try session.addHook("stay", "true")
    _ = try session.startApply()
    try eventually { session.text("run/themed-apply/status.json") != nil }
  }

  private func enabled(_ session: Session) -> String? { session.text("config/themed/apps.enabled") }

  @Test func `where nobody can be asked, the plan is shown, nothing is changed, and it is said what to type`() throws {
    try withSession { session in
      try install(session)
      let shown = try session.themectl("setup")
      #expect(shown.status == .exited(1))
      #expect(
        shown.lines == [
          "themed is not running, so nothing follows yet: nothing starts it: have your session start 'themed'",
          "The plan:", "  enable Edit", "    creates ~/.editrc with: load themed", "  enable Term",
          "    creates ~/.config/term/term.conf with: include themed",
          "To do by hand:",
          "  themed: nothing starts it: have your session start 'themed'",
          "  themed-apply: have your session start 'themed-apply', which writes the files of enabled programs",
          "Unchanged:",
          "  All: can be enabled: 'themectl app enable all'",
          "  Old: does not follow: version 0.9 cannot; these versions can: >=1.0 through its terminal, if the terminal reports light and dark",
          "  Web: follows through the desktop portal",
          "  Wm: does not follow: ~/.config/wm/config does not exist, and a new file would replace the system's: copy "
            + "the system's file there first",
          "  the schedule: off; 'themectl setup --schedule sun' also switches at sunrise and sunset",
        ])
      #expect(shown.errors.contains("run 'themectl setup --yes' to skip the question"))
      let listed = try session.themectl("app").lines
      for line in shown.lines.suffix(5).dropLast() {
        let parts = line.split(separator: ": ", maxSplits: 1)
        let row = parts[0].trimmingPrefix("  ").lowercased() + "\t" + parts[1]
        #expect(listed.contains(row), "'\(row)' is not in \(listed)")
      }
      let json = try session.themectl("setup", "--json")
      #expect(json.status == .exited(1) && json.lines.count == 1)
      let object = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
      #expect((object?["steps"] as? [[String: Any]])?.map { $0["app"] as? String } == ["edit", "term"])
      #expect(enabled(session) == nil)
      #expect(try FileManager.default.contentsOfDirectory(atPath: session.directory.path("home")) == [])
    }
  }

  @Test func `without a daemon it says first that nothing follows, and ends with that`() throws {
    try withSession { session in
      try install(session)
      for _ in 0..<2 {
        let done = try session.themectl("setup", "--yes")
        #expect(done.status == .exited(3), "\(done)")
        #expect(done.lines.first?.hasPrefix("themed is not running, so nothing follows yet: ") == true)
        #expect(!done.output.contains("Everything is set up.") && enabled(session) == "edit\nterm\n")
      }
      #expect(try session.themectl("setup", "--yes", "--json").status == .exited(3))
    }
  }

  @Test func `it enables what is installed, turns dark and back by itself, and has nothing to do again`() throws {
    try withSession { session in
      try install(session)
      try start(session)
      _ = try session.themectl("set", "light", "--app", "edit")
      _ = try session.spawnThemectl("monitor", "--app", "web").line()
      try session.directory.write("font=mono\n", to: "home/.config/term/term.conf")
      let before = try session.themectl("overrides", "--json").lines
      let done = try session.themectl("setup", "--yes")
      #expect(done.status == .exited(0), "\(done)")
      #expect(enabled(session) == "edit\nterm\n")
      #expect(session.text("home/.config/term/term.conf")?.contains("\ninclude themed\n") == true)
      #expect(session.text("home/.config/term/term.conf.before-themed") == nil, "no copy is left beside it")
      #expect(session.text("home/.editrc")?.contains("\nload themed\n") == true)
      let proof = done.lines.drop { !$0.hasPrefix("Switched to") }
      #expect(proof.first == "Switched to dark for a few seconds; these programs follow:")
      #expect(proof.contains { $0.hasPrefix("  term\tdone") } && proof.contains("  web\tnotified"), "\(proof)")
      #expect(proof.last == "Switched back to light.")
      #expect(try session.themectl("overrides", "--json").lines == before)
      try eventually { session.text("home/.config/term/themed")?.contains("light") }
      let again = try session.themectl("setup", "--yes")
      #expect(again.status == .exited(0))
      #expect(
        again.lines.last
          == "Everything is set up, except programs that do not follow (Wm), and programs that you have not "
          + "enabled ('themectl app enable all').", "\(again.lines)")
      try eventually { try session.themectl("setup").lines.contains { $0.hasPrefix("  Term: follows, done") } }
      #expect(
        try session.themectl("setup").lines.contains("  Edit: follows through its plugin, not connected now"))
      #expect(try session.themectl("app", "disable", "--all").status == .exited(0))
      #expect(session.text("home/.editrc") == nil && session.text("home/.config/term/term.conf") == "font=mono\n")
      try session.directory.write("load themed\n", to: "home/.editrc")
      // What the user has written needs no help of ours.
      #expect(
        try session.themectl("setup").lines.contains("  Edit: follows through its plugin, not connected now"))
    }
  }

  @Test func `a window manager is proposed on its own desktop only, and can be enabled on others`() throws {
    try withSession { session in
      try install(session)
      try session.directory.write("a\n", to: "home/.config/wm/config")
      let path = session.directory.path("config/themed/apps/wm.app")
      let text = try String(contentsOfFile: path, encoding: .utf8)
      try session.directory.write(
        text.replacing("program=wm", with: "program=wm\ndesktops=WM"), to: "config/themed/apps/wm.app")
      for (desktop, isProposed) in [("wm:wlroots", true), ("other", false)] {
        session.environment["XDG_CURRENT_DESKTOP"] = desktop
        let lines = try session.themectl("setup").lines
        #expect(lines.contains("  enable Wm") == isProposed, "\(lines)")
        #expect(lines.contains("  Wm: can be enabled: 'themectl app enable wm'") == !isProposed)
      }
    }
  }

  @Test func `killed while it shows that programs follow, it leaves what was there before`() throws {
    try withSession { session in
      try install(session)
      try start(session)
      _ = try session.themectl("set", "dark")
      let before = try session.themectl("overrides", "--json").lines
      let setup = try session.spawnThemectl("setup", "--yes")
      while try session.themectl("get").lines == ["dark"] { #expect(setup.isRunning) }
      setup.send(.kill)
      try eventually { try session.themectl("overrides", "--json").lines == before }
      #expect(try session.themectl("get").lines == ["dark"])
    }
  }

  @Test func `where the daemon dies while it shows that programs follow, that is told, and the next one takes it back`()
    throws
  {
    try withSession { session in
      try install(session)
      let daemon = try session.startThemed()
      try session.addHook("stay", "true")
      _ = try session.startApply()
      try eventually { session.text("run/themed-apply/status.json") != nil }
      _ = try session.themectl("set", "dark")
      let before = try session.themectl("overrides", "--json").lines
      let setup = try session.spawnThemectl("setup", "--yes")
      while try session.themectl("get").lines == ["dark"] { #expect(setup.isRunning) }
      daemon.send(.kill)
      _ = try daemon.wait()
      #expect(try setup.wait() != .exited(0))
      #expect(setup.errors.contains("themed"), "\(setup.errors)")
      _ = try session.startThemed()
      try eventually { try session.themectl("overrides", "--json").lines == before }
      #expect(try session.themectl("get").lines == ["dark"])
    }
  }

  @Test func `how a program follows depends on the version that it tells`() throws {
    try withSession { session in
      try install(session)
      session.environment["THEMED_APPS"] = Products.package + "/share"
      for (name, told, expected) in [
        ("nvim", "NVIM v0.6.1", "unable 0.6.1"), ("nvim", "NVIM v0.7.2", "available 0.7.2 plugin"),
        ("nvim", "NVIM v0.11.4", "available 0.11.4 plugin"), ("nvim", "", "unable"),
        ("vim", "VIM - Vi IMproved 8.2 (2019 Dec 12)", "unable 8.2"),
        ("vim", "VIM - Vi IMproved 9.0 (2022 Jun 28)", "available 9.0 plugin"),
        ("emacs", "GNU Emacs 26.3", "unable 26.3"), ("emacs", "GNU Emacs 30.1", "available 30.1 plugin"),
        ("kitty", "kitty 0.26.5 created by Kovid Goyal", "available 0.26.5"),
        ("kitty", "kitty 0.41.1 created by Kovid Goyal", "available 0.41.1 portal"), ("kitty", "", "available"),
        ("waybar", "Waybar v0.9.17", "available 0.9.17"), ("waybar", "Waybar v0.12.0", "available 0.12.0 portal"),
        ("fish", "fish, version 4.0.2", "available 4.0.2"), ("fish", "fish, version 4.3.0", "available 4.3.0 terminal"),
        ("tmux", "tmux 3.3a", "available 3.3"), ("tmux", "tmux 3.7c", "available 3.7 terminal"),
        ("yazi", "Yazi 0.4.2 (2024-12-17)", "unable 0.4.2"),
        ("yazi", "Yazi 26.8.15 (2026-08-15)", "itself 26.8.15 terminal"),
        ("zellij", "zellij 0.44.1", "unable 0.44.1"), ("zellij", "zellij 0.44.2", "itself 0.44.2 terminal"),
        ("firefox", "Mozilla Firefox 140.2.0esr", "itself portal"),
      ] {
        try bring(name, "echo '\(told)'", session)
        let json = try JSONSerialization.jsonObject(
          with: Data(session.themectl("app", "show", name, "--json").output.utf8))
        let app = try #require(json as? [String: Any])
        let words = ["state", "version", "by"].compactMap { app[$0] as? String }
        #expect(words.joined(separator: " ") == expected, "\(name): \(told)")
      }
    }
  }

  @Test func `enabling says which programs have to start again to show the theme`() throws {
    try withSession { session in
      try install(session)
      session.environment["THEMED_APPS"] = Products.package + "/share"
      let atStart = "; this version reads the colours only when it starts"
      for (name, told, hint) in [
        ("nvim", "NVIM v0.11.4", "; restart it if it is running"), ("btop", "btop version: 1.2.13", atStart),
        ("btop", "btop version: 1.3.2", ""), ("dunst", "Dunst - version 1.9.0", atStart),
        ("dunst", "Dunst - version 1.12.2", ""), ("kitty", "kitty 0.26.5 created by Kovid Goyal", ""),
        ("kitty", "kitty 0.41.1 created by Kovid Goyal", ""), ("alacritty", "alacritty 0.15.1", ""),
      ] {
        try bring(name, "echo '\(told)'", session)
        let enabled = try session.themectl("app", "enable", name, "--yes")
        let word = enabled.lines.last { $0.contains(" is enabled") } ?? ""
        #expect(word.hasSuffix(" is enabled" + hint), "\(told): \(enabled)")
        #expect(try session.themectl("app", "disable", name).status == .exited(0))
      }
    }
  }

  @Test func `with files of the user's own, it is said whether open windows of a terminal show them`() throws {
    try withSession { session in
      try install(session)
      session.environment["THEMED_APPS"] = Products.package + "/share"
      let files = try ["light", "dark"].flatMap { side in
        try ["--" + side, session.directory.write("background #808080\n", to: "home/\(side).conf")]
      }
      for (version, isSaid) in [("0.26.5", true), ("0.41.1", false)] {
        try bring("kitty", "echo 'kitty \(version)'", session)
        let used = try session.themectl(["app", "use", "kitty", "--yes"] + files)
        #expect(used.status == .exited(0) && used.errors.contains("new windows read your files") == isSaid, "\(used)")
        #expect(try session.themectl("app", "disable", "kitty").status == .exited(0))
      }
    }
  }

  @Test func `of two app files for one program, the one that is for another version is not shown`() throws {
    try withSession { session in
      try install(session)
      session.environment["THEMED_APPS"] = Products.package + "/share"
      func bring(_ name: String, _ script: String) throws { try self.bring(name, script, session) }
      func shown() throws -> [String] {
        let listed = try session.themectl("app").lines.filter { $0.hasPrefix("mako") }
        let names = listed.compactMap { $0.components(separatedBy: "\t").first }
        let planned = try session.themectl("setup").lines.filter { $0.hasPrefix("  mako") }
        #expect(planned.count == names.count, "\(planned)")
        return names
      }
      // It tells no version itself, and Debian's packages do.
      try bring("mako", "echo 'unrecognized option' >&2; exit 1")
      #expect(try shown() == ["mako", "mako-whole"], "nobody tells the version")
      for (version, name, other) in [("1.7.1-1+b1", "mako-whole", "mako"), ("1.10.0-1", "mako", "mako-whole")] {
        try bring("dpkg-query", "printf '%s\\t%s\\n' \"$2\" '\(version)'")
        #expect(try shown() == [name])
        let refused = try session.themectl("app", "enable", other)
        #expect(refused.status == .exited(2))
        #expect(refused.errors.contains("'\(other)' is for versions "), "\(refused.errors)")
        #expect(enabled(session) == nil)
      }
    }
  }

  @Test func `a name that leads to another app's program is not that program`() throws {
    try withSession { session in
      try install(session)
      session.environment["THEMED_APPS"] = Products.package + "/share"
      func isInstalled(_ name: String) throws -> Bool {
        try session.themectl("app", "show", name, "--json").output.contains(#""state":"available""#)
      }
      for name in ["nvim", "vim.basic"] {
        let told = name == "nvim" ? "NVIM v0.10.4" : "VIM - Vi IMproved 9.1"
        try bring(name, "echo '\(told)'", session)
      }
      let link = session.directory.path("bin/vim")
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "nvim")
      #expect(try isInstalled("nvim") && !isInstalled("vim"))
      #expect(try session.themectl("app", "show", "vim", "--json").output.contains("not-installed"))
      try FileManager.default.removeItem(atPath: link)
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "vim.basic")
      #expect(try isInstalled("vim"))
    }
  }

  @Test func `where the user said something for a time, nothing is turned`() throws {
    try withSession { session in
      try install(session)
      try start(session)
      _ = try session.themectl("toggle", "--for", "2h")
      let before = try session.themectl("overrides", "--json").lines
      let done = try session.themectl("setup", "--yes")
      #expect(done.status == .exited(0))
      #expect(
        done.lines.last
          == "You set dark for a limited time, so this skips the test; 'themectl toggle' switches by hand.")
      #expect(try session.themectl("overrides", "--json").lines == before)
    }
  }

  @Test func `what fails is told, hinders nothing else, and makes the exit status 2`() throws {
    try withSession { session in
      try install(session)
      try start(session)
      // There is nothing, and nothing can be made there.
      _ = try session.directory.directory("home/.config")
      try FileManager.default.createSymbolicLink(
        atPath: session.directory.path("home/.config/term"), withDestinationPath: "/proc/none/there")
      let done = try session.themectl("setup", "--yes")
      #expect(done.status == .exited(2), "\(done)")
      #expect(done.errors.contains("term"), "\(done)")
      #expect(enabled(session) == "edit\n")
      #expect(try session.themectl("get").lines == ["light"])
    }
  }

  @Test func `nothing of a stranger's moves the terminal`() throws {
    try withSession { session in
      try install(session)
      try session.directory.write("web\n", to: "config/themed/apps.enabled")
      try session.directory.write(
        #"{"apps":[{"name":"web","state":"failed","when":1,"problem":"no \u001b[31mroom"}]}"#,
        to: "run/themed-apply/status.json")
      session.environment["PATH"]? += ":/usr/bin:/bin"
      _ = try session.spawn("flock", [session.directory.path("run/themed-apply/lock"), "cat"], input: [])
      let shown = try eventually("the status") { () -> String? in
        let shown = try session.themectl("setup").output
        return shown.contains("room") ? shown : nil
      }
      #expect(shown.contains("no ?[31mroom") && !shown.contains("\u{1B}"))
    }
  }

  @Test(.enabled(if: UserManager.isPossible, UserManager.need))
  func `under a user manager it starts the services, and they stay enabled`() throws {
    try withSession { session in
      try session.writeUnits()
      let manager = try UserManager(session: session)
      try install(session)
      session.environment["PATH"]? += ":/usr/bin:/bin"
      let done = try session.themectl("setup", "--yes")
      #expect(done.status == .exited(0), "\(done)")
      #expect(done.lines.contains("  start themed, now and with each session"), "\(done.lines)")
      for unit in ["themed.socket", "themed.service", "themed-apply.service"] {
        #expect(try manager.property("ActiveState", of: unit) == "active", "\(unit)")
      }
      #expect(try manager.systemctl("is-enabled", "themed.socket", "themed.service") == "enabled\nenabled")
      #expect(done.lines.contains { $0.hasPrefix("  term\tdone") }, "\(done.lines)")
      #expect(done.lines.last == "Switched back to light.")
      #expect(
        try session.themectl("setup").lines.last?
          .hasPrefix("Everything is set up, except programs that do not follow (Wm)") == true)
    }
  }
}
