import Foundation
import Glibc
import Testing
import ThemedTestSupport

/// `themectl setup --undo`: a home is then what it was before, whatever is in it.
@Suite(.ownThreads) struct SetupUndoStories {
  private func steps(_ finished: Finished) throws -> [String] {
    let object = try JSONSerialization.jsonObject(with: Data(finished.output.utf8)) as? [String: Any]
    let steps = try #require(object?["steps"] as? [[String: Any]])
    return steps.compactMap { $0["app"] as? String ?? $0["step"] as? String }
  }

  @Test func `a lived-in home is what it was, byte for byte, with its links, modes and empty directories`() throws {
    try withSession { session in
      let home = try LivedInHome(session)
      _ = try session.startDesktop()
      _ = try session.startThemed()
      _ = try session.startApply()
      _ = try session.subscribe().frame { $0.desktop != "unavailable" }
      let path = session.directory.path("home")
      try FileManager.default.createDirectory(atPath: path + "/.config/gtk-4.0", withIntermediateDirectories: true)
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path + "/.config/foot/foot.ini")
      // Without an end of its last line.
      try session.directory.write("# mine\n[schedule]\nmode=off", to: "home/.config/themed/themed.conf")
      // The daemon's own file of overrides is there from now on.
      _ = try session.themectl("set", "dark")
      _ = try session.themectl("unset")
      let before = session.files(below: "home")
      let done = try session.themectl("setup", "--yes")
      #expect(done.status != .exited(3), "\(done)")
      #expect(done.output.contains("enable kitty") && done.output.contains("make the desktop itself turn"), "\(done)")
      #expect(session.files(below: "home") != before)
      _ = try session.themectl("desktop", "disable")
      #expect(session.text("home/.config/themed/themed.conf")?.contains("in-step=no") == true)
      let plan = try session.themectl("setup", "--undo")
      #expect(plan.status == .exited(1))
      #expect(plan.lines.contains("  disable kitty") && plan.lines.contains("    restores ~/.config/kitty/kitty.conf"))
      #expect(
        plan.lines.contains { $0.contains("changes ~/.config/themed/themed.conf: no more [desktop] in-step") },
        "\(plan)")
      #expect(plan.errors.contains("'themectl setup --undo --yes' to skip the question"), "\(plan.errors)")
      let undone = try session.themectl("setup", "--undo", "--yes", "--json")
      #expect(undone.status == .exited(0), "\(undone)")
      #expect(undone.lines.count == 1 && undone.output.contains(#""failed":[]"#), "\(undone)")
      #expect(try steps(undone).contains("kitty"))
      let after = session.files(below: "home")
      for name in Set(before.keys).union(after.keys).sorted() where before[name] != after[name] {
        Issue.record("\(name) was \(before[name] ?? "missing") and is \(after[name] ?? "missing")")
      }
      #expect(try session.themectl("setup", "--undo").lines.last == "Nothing is left to undo.")
      _ = home
    }
  }

  @Test func `a schedule of setup is taken back, but not one that the user has set since`() throws {
    try withSession { session in
      try session.hideTheMachine()
      session.environment["TZ"] = "UTC"
      let own = "# mine\n[schedule]\nlight=06:00\n"
      try session.configure(own)
      _ = try session.startThemed()
      let plan = try session.themectl("setup", "--print")
      #expect(plan.output.contains("the schedule: off; 'themectl setup --schedule sun'"), "\(plan)")
      let done = try session.themectl("setup", "--schedule", "8:00-20:00", "--yes")
      #expect(done.output.contains("switch to light and to dark at 8:00-20:00"), "\(done)")
      #expect(try session.themectl("config", "get", "mode", "light", "schedule.dark").lines == ["times\t08:00\t20:00"])
      #expect(try !session.themectl("setup", "--print").output.contains("the schedule: off"))
      let undone = try session.themectl("setup", "--undo", "--yes")
      #expect(undone.status == .exited(0), "\(undone)")
      #expect(session.text("config/themed/themed.conf") == own)
      // The daemon reads the file a moment later.
      try eventually { try session.themectl("config", "get", "mode").lines == ["off"] }

      // No city is in this time zone.
      let placeless = try session.themectl("setup", "--schedule", "sun", "--yes")
      #expect(placeless.status == .exited(2) && placeless.errors.contains("themed cannot follow it"), "\(placeless)")
      #expect(try session.themectl("status").output.contains("schedule  does not switch; 'themectl schedule' says why"))
      let placed = try session.themectl("setup", "--schedule", "sun", "--at", "52.52,13.40", "--yes")
      #expect(placed.status == .exited(0), "\(placed)")
      #expect(try session.themectl("schedule", "07:00-19:00").status == .exited(0))
      let changed = session.text("config/themed/themed.conf")
      _ = try session.themectl("setup", "--undo", "--yes")
      #expect(session.text("config/themed/themed.conf") == changed)

      // A schedule that the user has set after an earlier setup comes back, and nothing of two schedules of setup stays.
      #expect(try session.themectl("schedule", "06:30-20:30").status == .exited(0))
      let times = session.text("config/themed/themed.conf")
      _ = try session.themectl("setup", "--schedule", "sun", "--at", "1,2", "--yes")
      _ = try session.themectl("setup", "--schedule", "off", "--yes")
      #expect(try session.themectl("setup", "--undo", "--yes").status == .exited(0))
      #expect(session.text("config/themed/themed.conf") == times)
      #expect(try session.themectl("setup", "--schedule", "noon").errors.contains("use sun, off, or two times"))
      #expect(try session.themectl("setup", "--undo", "--schedule", "sun").status == .exited(64))
    }
  }

  @Test func `the desktop gets its own settings back, an override stays, and both are said`() throws {
    try withSession { session in
      session.environment["THEMED_APPS"] = Products.package + "/share"
      _ = try session.startDesktop()
      _ = try session.startThemed()
      _ = try session.startApply()
      _ = try session.subscribe().frame { $0.desktop != "unavailable" }
      #expect(try session.themectl("desktop", "enable", "--yes").status == .exited(0))
      _ = try session.themectl("set", "dark")
      try eventually { try session.themectl("desktop").status == .exited(0) }
      let undone = try session.themectl("setup", "--undo", "--yes")
      #expect(undone.status == .exited(0), "\(undone)")
      #expect(undone.lines.contains("  leave the desktop alone again, and give it its own settings back"))
      #expect(undone.lines.contains("  your overrides: they stay; 'themectl overrides' lists them"), "\(undone)")
      #expect(undone.lines.last?.hasPrefix("Everything that was set up is undone") == true)
      #expect(try session.themectl("get").lines == ["dark"])
      #expect(try session.check("gsettings", ["get", "org.gnome.desktop.interface", "color-scheme"]) == "'default'")
      #expect(session.files(below: "config").isEmpty, "the file and its directory were made for it")
    }
  }

  @Test func `a desktop that the user keeps in step by hand stays so`() throws {
    try withSession { session in
      session.environment["THEMED_APPS"] = Products.package + "/share"
      let own = "# mine\n[desktop]\nin-step=yes\n"
      try session.directory.write(own, to: "config/themed/themed.conf")
      _ = try session.startDesktop()
      _ = try session.startThemed()
      _ = try session.startApply()
      _ = try session.subscribe().frame { $0.desktop != "unavailable" }
      try eventually { try session.themectl("desktop").status == .exited(0) }
      // Without a record.
      #expect(try session.themectl("setup", "--undo", "--yes").lines == ["Nothing is left to undo."])
      #expect(session.text("config/themed/themed.conf") == own)
      _ = try session.themectl("setup", "--yes")
      #expect(session.text("state/themed/setup.before") != nil)
      let undone = try session.themectl("setup", "--undo", "--yes")
      #expect(undone.status == .exited(0), "\(undone)")
      #expect(!undone.output.contains("leave the desktop alone"), "\(undone)")
      #expect(session.text("config/themed/themed.conf") == own)
      // What was changed by a command becomes the user's own again.
      _ = try session.themectl("setup", "--yes")
      #expect(try session.themectl("desktop", "disable").status == .exited(0))
      #expect(session.text("config/themed/themed.conf")?.contains("in-step=no") == true)
      #expect(try session.themectl("setup", "--undo", "--yes").status == .exited(0))
      #expect(session.text("config/themed/themed.conf") == own)
    }
  }

  @Test func `settings that the desktop has not got back are given back, and in-step=no does not stay`() throws {
    try withSession { session in
      session.environment["THEMED_APPS"] = Products.package + "/share"
      _ = try session.startDesktop()
      _ = try session.startThemed()
      let apply = try session.startApply()
      _ = try session.subscribe().frame { $0.desktop != "unavailable" }
      #expect(try session.themectl("desktop", "enable", "--yes").status == .exited(0))
      // Without themed-apply, nothing gives the settings back.
      apply.stop()
      let failed = try session.themectl("setup", "--undo", "--yes")
      #expect(failed.status == .exited(2), "\(failed)")
      #expect(failed.errors.contains("the desktop keeps its present settings until themed-apply runs again"))
      #expect(session.text("config/themed/themed.conf") == nil)
      _ = try session.themectl("setup", "--undo", "--yes")
      #expect(session.text("config/themed/themed.conf") == nil)
      _ = try session.startApply()
      try eventually { session.text("state/themed/desktop-settings.json") == nil }
      #expect(try session.themectl("setup", "--undo", "--yes").status == .exited(0))
      #expect(session.files(below: "config").isEmpty)
    }
  }

  @Test func `a themed.conf that cannot be restored keeps the record, until it can be`() throws {
    try withSession { session in
      session.environment["THEMED_APPS"] = Products.package + "/share"
      _ = try session.startDesktop()
      _ = try session.startThemed()
      _ = try session.startApply()
      _ = try session.subscribe().frame { $0.desktop != "unavailable" }
      #expect(try session.themectl("desktop", "enable", "--yes").status == .exited(0))
      #expect(try session.themectl("desktop", "disable").status == .exited(0))
      let path = session.directory.path("config/themed/themed.conf")
      let written = try #require(session.text("config/themed/themed.conf"))
      #expect(unsafe chmod(path, 0o444) == 0)
      func failed(_ reason: String) throws {
        let failed = try session.themectl("setup", "--undo", "--yes")
        #expect(failed.status == .exited(2) && failed.errors.contains(reason), "\(failed)")
        #expect(!failed.output.contains("Everything that was set up is undone"), "\(failed)")
        #expect(session.text("state/themed/setup.before") != nil)
      }
      try failed("is read-only")
      #expect(unsafe chmod(path, 0o644) == 0)
      try session.directory.write(written + "no key\n", to: "config/themed/themed.conf")
      try failed("themed.conf:3: ")
      try session.directory.write(written, to: "config/themed/themed.conf")
      #expect(try session.themectl("setup", "--undo", "--yes").output.contains("Everything that was set up is undone"))
      #expect(session.files(below: "config").isEmpty)
    }
  }
}

/// The same where a user manager starts the services.
@Suite(.ownThreads, .enabled(if: UserManager.isPossible, UserManager.need)) struct ServiceUndoStories {
  /// Undoes everything: the services have stopped then, and every file is as before.
  private func expectUndone(_ session: Session, _ manager: UserManager, _ before: [[String: String]]) throws {
    let undone = try session.themectl("setup", "--undo", "--yes")
    #expect(undone.status == .exited(0), "\(undone)")
    for unit in ["themed.service", "themed.socket", "themed-apply.service"] {
      #expect(try manager.property("ActiveState", of: unit) == "inactive")
    }
    let after = ["home", "config", "state"].map { session.files(below: $0) }
    #expect(after == before, "\(after)")
  }

  @Test func `services that setup has started are stopped, and leave nothing`() throws {
    try withSession { session in
      try session.writeUnits()
      session.environment["PATH"] = session.directory.path("bin") + ":/usr/bin:/bin"
      session.environment["THEMED_APPS"] = session.directory.path("share")
      let program = try session.directory.write("#!/bin/sh\n", to: "bin/cat-term")
      #expect(unsafe chmod(program, 0o755) == 0)
      try session.directory.write(
        """
        [app]
        title=Cat
        program=cat-term
        [write]
        template=cat.mustache
        file=~/.cat/themed
        [setup]
        file=~/.catrc
        line=include .cat/themed

        """, to: "share/apps/cat.app")
      try session.directory.write("{{scheme}}\n", to: "share/templates/cat.mustache")
      try session.addHook("wall", "exit 0")
      let manager = try UserManager(session: session)
      let before = ["home", "config", "state"].map { session.files(below: $0) }
      let done = try session.themectl("setup", "--yes")
      #expect(done.status == .exited(0), "\(done)")
      try eventually { session.text("home/.cat/themed")?.hasSuffix("light\n") }
      #expect(try manager.property("UnitFileState", of: "themed.service") == "enabled")
      try eventually { session.text("state/themed/hooks.done") }
      // A failure keeps the services, which a later try may need.
      #expect(unsafe chmod(session.directory.path("home/.catrc"), 0o444) == 0)
      let failed = try session.themectl("setup", "--undo", "--yes")
      #expect(failed.status == .exited(2), "\(failed)")
      #expect(
        failed.errors.contains("the services keep running, because this could not be undone: 'cat'; run this again"),
        "\(failed)")
      #expect(try session.themectl("setup", "--undo", "--yes", "--json").output.contains(#""failed":["cat"]"#))
      #expect(try manager.property("ActiveState", of: "themed.service") == "active")
      #expect(unsafe chmod(session.directory.path("home/.catrc"), 0o644) == 0)
      try expectUndone(session, manager, before)
    }
  }

  @Test func `services are stopped also if setup was killed while it enabled them`() throws {
    try withSession { session in
      try session.writeUnits()
      session.environment["PATH"] = session.directory.path("bin") + ":/usr/bin:/bin"
      session.environment["THEMED_APPS"] = session.directory.path("share")
      let manager = try UserManager(session: session)
      let before = ["home", "config", "state"].map { session.files(below: $0) }
      let killer = try session.directory.write(
        """
        #!/bin/sh
        /usr/bin/systemctl "$@" || exit
        [ "$2" = enable ] || exit 0
        # Its parent is timeout, whose parent is themectl.
        read -r _ _ _ themectl _ </proc/$PPID/stat
        kill -KILL "$themectl"

        """, to: "bin/systemctl")
      #expect(unsafe chmod(killer, 0o755) == 0)
      let killed = try session.themectl("setup", "--yes")
      #expect(killed.status == .signaled(9), "\(killed)")
      try FileManager.default.removeItem(atPath: killer)
      #expect(try manager.property("UnitFileState", of: "themed.service") == "enabled")
      try expectUndone(session, manager, before)
    }
  }

  @Test func `units are not for a daemon that follows another machine, and an empty variable hides none`() throws {
    try withSession { session in
      try session.writeUnits()
      session.environment["PATH"] = "/usr/bin:/bin"
      session.environment["THEMED_APPS"] = session.directory.path("share")
      session.environment["THEMED_SOCKET"] = ""
      let manager = try UserManager(session: session)
      func plan() throws -> [String] { try session.themectl("setup", "--print").lines }
      #expect(try plan().contains("  start themed, now and with each session"))
      let own = try session.startThemed()
      #expect(try plan().contains("  start themed with each session"))
      own.send(.terminate)
      _ = try own.wait()
      _ = try session.startThemed(["--upstream", session.directory.path("none")])
      #expect(try !plan().contains { $0.contains("with each session") })
      _ = manager
    }
  }

  @Test func `a service that the user had enabled before stays`() throws {
    try withSession { session in
      try session.writeUnits()
      session.environment["PATH"] = "/usr/bin:/bin"
      session.environment["THEMED_APPS"] = session.directory.path("share")
      let manager = try UserManager(session: session)
      try manager.systemctl("enable", "--now", "themed.socket", "themed.service", "themed-apply.service")
      #expect(try session.themectl("setup", "--yes").status == .exited(0))
      #expect(try session.themectl("setup", "--undo", "--yes").status == .exited(0))
      #expect(try manager.property("UnitFileState", of: "themed.service") == "enabled")
      #expect(try manager.property("ActiveState", of: "themed.service") == "active")
    }
  }
}

extension Session {
  /// Every file, link and directory below a directory of the session, with its mode and what is in it, except the
  /// database of dconf, the caches, and the state that the daemon keeps for itself.
  func files(below root: String) -> [String: String] {
    var all: [String: String] = [:]
    let files = FileManager.default
    for name in (try? files.subpathsOfDirectory(atPath: directory.path(root))) ?? [] {
      if name.contains("dconf") || name.hasPrefix(".cache") || name.hasSuffix("themed/desktop.json") { continue }
      let path = directory.path(root) + "/" + name
      let attributes = (try? files.attributesOfItem(atPath: path)) ?? [:]
      let mode = String(attributes[.posixPermissions] as? Int ?? 0, radix: 8)
      let link = try? files.destinationOfSymbolicLink(atPath: path)
      let bytes = link == nil ? files.contents(atPath: path) : nil
      let content = link.map { "-> \($0)" } ?? bytes.map { String(decoding: $0, as: UTF8.self) }
      all[name] = "\(mode) \(content ?? "directory")"
    }
    return all
  }
}
