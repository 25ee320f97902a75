import Foundation
import Testing
import ThemedTestSupport

/// A real Kakoune that follows by the plugin of `share`.
@Suite(.ownThreads) struct KakouneStories {
  @Test func `Kakoune shows its color schemes or the theme's colors, at once, and leaves no process behind`() throws {
    try withSession { session in
      try session.bringApps()
      _ = try session.startThemed()
      try session.check(Products.path("themectl"), ["set", "theme", "mint"])
      try session.check(Products.path("themectl"), ["set", "dark"])
      let kakoune = try Kakoune(session, "set-option global themed_light gruvbox-light")
      func shows(_ text: String, _ background: String, count: Int) throws {
        let faces = "debug faces; evaluate-commands -buffer *debug* %{ write -force ANSWER }; delete-buffer *debug*"
        var last = ""
        do {
          try eventually("colors") {
            last = try kakoune.answer(faces)
            return last.contains(" * Default: \(text),\(background),default\n")
          }
        } catch { throw Failure("\(error): \(last)") }
        #expect(try kakoune.option("count") == "\(count)")
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
      try kakoune.tell("set-option global themed_light ''; themed-colors")
      try shows(role("text"), role("background"), count: 2)
      try session.check(Products.path("themectl"), ["unset", "theme"])
      try shows("default", "default", count: 3)

      let follower = try kakoune.follower
      #expect(FileManager.default.fileExists(atPath: "/proc/\(follower)"))
      try kakoune.tell("kill")
      #expect(try kakoune.process.wait() == .exited(0))
      let client = try session.connect()
      try eventually("nobody left") {
        let clients = try client.call("ListClients").value("parameters.clients") as? [Any]
        return !FileManager.default.fileExists(atPath: "/proc/\(follower)") && clients?.isEmpty == true
      }
    }
  }

  @Test func `Kakoune follows under another name, and ends nobody who has got its follower's number`() throws {
    try withSession { session in
      _ = try session.startThemed()
      try session.check(Products.path("themectl"), ["set", "dark"])
      // What Kakoune can do from 2024.05 on.
      let kakoune = try Kakoune(session, "hook global SessionRenamed nobody nop; declare-option str tells yes")
      func shows(_ scheme: String) throws {
        try eventually(scheme) { try kakoune.option("themed_scheme") == scheme }
      }
      try shows("dark")
      try kakoune.rename("another")
      if try kakoune.option("tells") == "yes" {
        try session.check(Products.path("themectl"), ["set", "light"])
        try shows("light")
      }

      let (follower, start) = (try kakoune.follower, try kakoune.option("themed_follower").split(separator: " ").last)
      let another = try session.spawn("sleep", ["1000"])
      try kakoune.tell("themed-disable")
      try eventually("no follower") { !FileManager.default.fileExists(atPath: "/proc/\(follower)") }
      try kakoune.tell("set-option global themed_follower '\(another.pid) \(start ?? "")'; themed-disable")
      #expect(try kakoune.option("themed_follower") == "")
      #expect(another.isRunning)
      try kakoune.tell("kill")
      #expect(try kakoune.process.wait() == .exited(0))
    }
  }

  @Test func `Kakoune follows by its line if it has loaded the plugin before, and keeps the user's options`() throws {
    try withSession { session in
      _ = try session.startThemed()
      try session.check(Products.path("themectl"), ["set", "dark"])
      let plugin = Products.package + "/share/kakoune"
      let autoload = try session.directory.directory("config/kak/autoload")
      try FileManager.default.createSymbolicLink(atPath: autoload + "/themed", withDestinationPath: plugin)
      let again = "source \"\(plugin)/rc/themed.kak\""
      let kakoune = try Kakoune(session, "set-option global themed_app other; \(again)")
      try eventually("dark") { try kakoune.option("themed_scheme") == "dark" }
      #expect(try kakoune.option("themed_app") == "other")
      try kakoune.tell("kill")
      #expect(try kakoune.process.wait() == .exited(0))
    }
  }

  @Test func `in an ssh session Kakoune leaves its terminal alone, unless the other machine feeds this one`() throws {
    try withSession { session in
      let themed = try session.startThemed()
      _ = try session.themectl("set", "dark")
      session.enterSSH()
      let kakoune = try Kakoune(session, "nop")
      let client = try session.connect()
      try eventually("it is connected") { try client.call("ListClients").text.contains("kakoune") }
      try TypedShell(session, "kak -c themed -e themed-status").await("dark, which is not shown in an ssh session")
      themed.send(.terminate)
      try themed.wait()
      try session.check("rm", [session.overridesPath])
      let fed = try session.startFedThemed("light")
      try eventually("light") { try kakoune.option("themed_scheme") == "light" }
      #expect(try kakoune.option("count") == "1", "dark was never shown")
      #expect(fed.isRunning)
    }
  }
}

/// A Kakoune without a window, which follows and is told commands by the name of its session.
private final class Kakoune {
  let process: ChildProcess
  private let session: Session
  private var name = "themed"

  /// Starts one, which does this first, if it can, and counts what it is told.
  init(_ session: Session, _ settings: String) throws {
    self.session = session
    session.environment["PATH"] = try Products.directory() + ":" + (session.environment["PATH"] ?? "")
    session.environment["TERM"] = "xterm"
    try session.directory.write(
      """
      try %{ source /nowhere/themed.kak; themed-enable }
      try %{
        source "\(Products.package)/share/kakoune/rc/themed.kak"
        try %{ \(settings) }
        themed-enable
      }
      declare-option int count 0
      hook global User themed=.* %{ set-option -add global count 1 }

      """, to: "config/kak/kakrc")
    process = try session.spawn("kak", ["-d", "-s", name])
    try eventually("Kakoune listens") { (try? tell("nop")) != nil }
  }

  /// Has it do this.
  func tell(_ commands: String) throws {
    let file = try session.directory.write(commands, to: "tmp/commands")
    try session.check("sh", ["-c", "kak -p \(name) < \(file)"])
  }

  /// Has it do this, which is to make the file ANSWER, and returns what stands there.
  func answer(_ commands: String) throws -> String {
    let path = session.directory.path("tmp/answer")
    try? FileManager.default.removeItem(atPath: path)
    try tell(commands.replacing("ANSWER", with: path))
    return try eventually("an answer") { try? String(contentsOfFile: path, encoding: .utf8) }
  }

  /// The value of an option.
  func option(_ name: String) throws -> String {
    String(try answer("nop %sh{ echo $kak_opt_\(name) > ANSWER.new; mv ANSWER.new ANSWER }").dropLast())
  }

  /// The number of the process that tells it of changes.
  var follower: String {
    get throws { try option("themed_follower").split(separator: " ").first.map(String.init) ?? "nobody" }
  }

  /// Gives its session another name.
  func rename(_ name: String) throws {
    try tell("rename-session \(name)")
    self.name = name
    // What it was told it does later.
    try eventually("Kakoune listens by its new name") { (try? tell("nop")) != nil }
  }
}
