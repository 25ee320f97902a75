import Foundation
import Testing
import ThemedTestSupport

/// A user whose shells have another environment than the services.
@Suite(.ownThreads) struct EnvironmentStories {
  /// An app without a program, whose file says what is shown.
  private static let app = "[app]\ntitle=Note\nprogram=true\n[write]\ntemplate=note.mustache\nfile=~/note\n"

  private func writeApp(below directory: String, in session: Session) throws {
    try session.directory.write(Self.app, to: "\(directory)/themed/apps/note.app")
    try session.directory.write("# {{scheme}}\n", to: "\(directory)/themed/templates/note.mustache")
  }

  @Test(.enabled(if: UserManager.isPossible, UserManager.need))
  func `with XDG_CONFIG_HOME from environment.d an app that is enabled follows`() throws {
    try withSession { session in
      try session.writeUnits()
      let elsewhere = try session.directory.directory("etc")
      // Where packages have them, and not in the directory that is elsewhere.
      try FileManager.default.moveItem(
        atPath: session.directory.path("config/systemd"), toPath: session.directory.path("data/systemd"))
      try session.directory.write("XDG_CONFIG_HOME=\(elsewhere)\n", to: "config/environment.d/10-xdg.conf")
      let manager = try UserManager(session: session)
      try manager.systemctl("start", "dbus.socket", "themed.socket")
      // As every program of that login has it.
      session.environment["XDG_CONFIG_HOME"] = elsewhere
      try writeApp(below: "etc", in: session)
      let enabled = try session.themectl("app", "enable", "note", "--yes")
      #expect(enabled.status == .exited(0), "\(enabled.errors)")
      #expect(try manager.property("ActiveState", of: "themed-apply.service") == "active")
      _ = try session.themectl("set", "dark")
      try eventually { session.text("home/note")?.contains("# dark\n") == true }
      #expect(try !session.themectl("doctor").output.contains("in this shell"))
    }
  }

  @Test(.enabled(if: UserManager.isPossible, UserManager.need))
  func `with XDG_CONFIG_HOME in the shell alone nothing is enabled in vain, and what is said to type mends it`() throws
  {
    try withSession { session in
      try session.writeUnits()
      // Where packages have them, and not in the directory that is elsewhere.
      try FileManager.default.moveItem(
        atPath: session.directory.path("config/systemd"), toPath: session.directory.path("data/systemd"))
      let manager = try UserManager(session: session)
      try manager.systemctl("start", "dbus.socket", "themed.socket", "themed-apply.service")
      session.environment["XDG_CONFIG_HOME"] = try session.directory.directory("etc")
      try writeApp(below: "etc", in: session)
      for words in [["app", "enable", "note", "--yes"], ["setup", "--yes"]] {
        let refused = try session.themectl(words)
        #expect(refused.status == .exited(2) && !refused.output.contains("enabled"), "\(refused.output)")
        #expect(refused.errors.contains("XDG_CONFIG_HOME is "), "\(refused.errors)")
        #expect(refused.errors.contains("~/.config/environment.d/themed.conf: "), "\(refused.errors)")
      }
      #expect(session.text("etc/themed/apps.enabled") == nil)
      #expect(try session.themectl("app").errors.contains("note: XDG_CONFIG_HOME is "))

      let doctor = try session.themectl("doctor").lines
      let problem = try #require(doctor.firstIndex { $0.hasPrefix("problem: XDG_CONFIG_HOME is ") })
      let typed = doctor[(problem + 1)...].prefix { $0.hasPrefix("  ") }.filter { $0.hasPrefix("  type: ") }
      #expect(typed.count == 2)
      for line in typed { try session.check("sh", ["-c", String(line.dropFirst("  type: ".count))]) }
      #expect(try !session.themectl("doctor").output.contains("problem: XDG_CONFIG_HOME"))
      let enabled = try session.themectl("app", "enable", "note", "--yes")
      #expect(enabled.status == .exited(0), "\(enabled)")
      _ = try session.themectl("set", "dark")
      try eventually { session.text("home/note")?.contains("# dark\n") == true }
    }
  }

  @Test(.enabled(if: UserManager.isPossible, UserManager.need))
  func `services that began before the login told the manager its directories are to be restarted`() throws {
    try withSession { session in
      try session.writeUnits()
      let manager = try UserManager(session: session)
      try manager.systemctl("start", "dbus.socket", "themed.service", "themed-apply.service")
      let elsewhere = try session.directory.directory("etc")
      session.environment["XDG_CONFIG_HOME"] = elsewhere
      try manager.systemctl("set-environment", "XDG_CONFIG_HOME=\(elsewhere)")
      func differing() throws -> [String] {
        try session.themectl("doctor").lines.filter {
          $0.hasPrefix("problem: XDG_CONFIG_HOME is ") || $0.hasPrefix("problem: themed reads ")
        }
      }
      #expect(try differing().count == 2)
      try manager.systemctl("restart", "themed.service", "themed-apply.service")
      #expect(try differing().isEmpty)
    }
  }

  @Test func `a hook runs though the session's bus accepts connections and says nothing`() throws {
    try withSession { session in
      _ = try session.spawn("socat", ["UNIX-LISTEN:\(session.directory.path("run/bus")),fork", "EXEC:sleep 1000"])
      try eventually("a bus") { FileManager.default.fileExists(atPath: session.directory.path("run/bus")) }
      _ = try session.startThemed()
      try session.addHook("say", #"echo "$1" >> "$HOME/said""#)
      // As systemd tells a service that it is one.
      let apply = try Products.path("themed-apply")
      _ = try session.spawn("sh", ["-c", "SYSTEMD_EXEC_PID=$$ exec \(apply)"])
      for scheme in ["dark", "light", "dark"] {
        _ = try session.themectl("set", scheme)
        try eventually { (session.text("home/said") ?? "").hasSuffix("\(scheme)\n") }
      }
    }
  }

  @Test func `tmux servers are told wherever they listen, as by a TMUX_TMPDIR of the shell's alone and by -S`() throws {
    try withSession { session in
      _ = try session.startThemed()
      try session.enableApp(
        "tmux", "[write]\ntemplate=tmux.mustache\nfile=~/tmux.conf\n[reload]\ntmux=~/tmux.conf\n",
        template: "set -g @scheme {{scheme}}\n")
      session.environment["TMUX_TMPDIR"] = try session.directory.directory("usual")
      _ = try session.themectl("set", "light")
      let apply = try session.startApply()
      let places = [
        ["-S", session.directory.path("tmp/a socket of mine")], ["-L", "named"], ["-S", "relative"],
      ]
      session.environment["TMUX_TMPDIR"] = try session.directory.directory("shells")
      func tmux(_ place: [String], _ words: String...) throws -> String {
        let script = #"cd "$TMPDIR"; exec tmux "$@""#
        return try session.check("sh", ["-c", script, "sh"] + place + ["-f", "/dev/null"] + words)
      }
      defer { for place in places { _ = try? tmux(place, "kill-server") } }
      for place in places { _ = try tmux(place, "new-session", "-d", "sleep 1000") }
      for scheme in ["dark", "light"] {
        _ = try session.themectl("set", scheme)
        for place in places {
          try eventually("\(place) is \(scheme)") { try tmux(place, "show-options", "-gqv", "@scheme") == scheme }
        }
      }
      #expect(apply.isRunning)
    }
  }

  @Test(arguments: ["bash", "fish"])
  func `a shell follows that sets XDG_STATE_HOME in its own file, where the services do not have it`(shell: String)
    throws
  {
    try withSession { session in
      try session.bringApps()
      try session.bringPlugin(of: shell)
      let plugin = "\(Products.package)/share/\(shell)/"
      let (file, own, show) =
        shell == "bash"
        ? (
          "home/.bashrc", "export XDG_STATE_HOME=$HOME/.state\n. \(plugin)themed.plugin.bash\n",
          ["-ic", #"eval "${PROMPT_COMMAND[*]}"; echo "it is $themed_scheme""#]
        )
        : (
          "config/fish/config.fish", "set -gx XDG_STATE_HOME ~/.state\nsource \(plugin)conf.d/themed.fish\n",
          ["-ic", #"_themed_start; echo "it is $themed_scheme""#]
        )
      try session.directory.write(own, to: file)
      try session.directory.write("\(shell)\n", to: "config/themed/apps.enabled")
      _ = try session.startThemed()
      _ = try session.themectl("set", "dark")
      _ = try session.startApply()
      try session.awaitApplied(shell) { $0.isDone("dark") }
      #expect(try session.run(shell, show).output.contains("it is dark"))
      // As soon as nobody has written there in this session, what the last one has left is read.
      try FileManager.default.removeItem(atPath: session.directory.path("run/themed-apply/shown"))
      try session.directory.write(String(own.drop { $0 != "\n" }.dropFirst()), to: file)
      #expect(try session.run(shell, show).output.contains("it is dark"))
    }
  }
}
