import Foundation
import ThemedTestSupport
import Testing

/// A real Kakoune that follows by the plugin of `share`.
@Suite(.ownThreads) struct KakouneStories {
  @Test func `Kakoune shows its color schemes or the theme's colors, at once, and leaves no process behind`() throws {
    try withSession { session in
      try session.bringApps()
      session.environment["PATH"] = try Products.directory() + ":" + (session.environment["PATH"] ?? "")
      session.environment["TERM"] = "xterm"
      try session.directory.write(
        """
        try %{ source /nowhere/themed.kak; themed-enable }
        try %{
          source "\(Products.package)/share/kakoune/rc/themed.kak"
          set-option global themed_light gruvbox-light
          themed-enable
        }
        declare-option int count 0
        hook global User themed=.* %{ set-option -add global count 1 }

        """, to: "config/kak/kakrc")
      _ = try session.startThemed()
      try session.check(Products.path("themectl"), ["theme", "set", "mint"])
      try session.check(Products.path("themectl"), ["set", "dark"])
      let kakoune = try session.spawn("kak", ["-d", "-s", "themed"])
      func tell(_ commands: String) throws {
        let file = try session.directory.write(commands, to: "tmp/commands")
        try session.check("sh", ["-c", "kak -p themed < \(file)"])
      }
      func answer(_ commands: String) throws -> String {
        let path = session.directory.path("tmp/answer")
        try? FileManager.default.removeItem(atPath: path)
        try tell(commands.replacing("ANSWER", with: path))
        return try eventually("an answer") { try? String(contentsOfFile: path, encoding: .utf8) }
      }
      func option(_ name: String) throws -> String {
        String(try answer("nop %sh{ echo $kak_opt_\(name) > ANSWER.new; mv ANSWER.new ANSWER }").dropLast())
      }
      func shows(_ text: String, _ background: String, count: Int) throws {
        let faces = "debug faces; evaluate-commands -buffer *debug* %{ write -force ANSWER }; delete-buffer *debug*"
        var last = ""
        do {
          try eventually("colors") {
            // It may not listen yet.
            guard (try? tell("nop")) != nil else { return false }
            last = try answer(faces)
            return last.contains(" * Default: \(text),\(background),default\n")
          }
        } catch { throw Failure("\(error): \(last)") }
        #expect(try option("count") == "\(count)")
      }
      func role(_ name: String) throws -> String {
        try "rgb:" + session.check(Products.path("themectl"), ["get", "palette.\(name)"]).dropFirst()
      }
      try shows(role("text"), role("background"), count: 1)
      try session.check(Products.path("themectl"), ["set", "light", "--app", "kakoune"])
      try shows("rgb:3c3836", "rgb:fbf1c7", count: 2)
      // One state for two changes, of which the second one shows nothing else.
      try session.check(Products.path("themectl"), ["set", "light"])
      try session.check(Products.path("themectl"), ["unset", "--app", "kakoune"])
      try tell("set-option global themed_light ''; themed-colors")
      try shows(role("text"), role("background"), count: 2)
      try session.check(Products.path("themectl"), ["theme", "unset"])
      try shows("default", "default", count: 3)

      let follower = try option("themed_follower")
      #expect(FileManager.default.fileExists(atPath: "/proc/\(follower)"))
      try tell("kill")
      #expect(try kakoune.wait() == .exited(0))
      let client = try session.connect()
      try eventually("nobody left") {
        let clients = try client.call("ListClients").value("parameters.clients") as? [Any]
        return !FileManager.default.fileExists(atPath: "/proc/\(follower)") && clients?.isEmpty == true
      }
    }
  }
}
