import Foundation
import Testing
import ThemedTestSupport

/// `themectl desktop`, with the real portal, daemon and themed-apply, and the shipped app file for GNOME.
@Suite(.ownThreads) struct DesktopCommandStories {
  /// A session with a desktop of the GTK portal, and the daemon.
  private func start(_ session: Session, _ setting: Desktop.Setting = .none) throws -> Desktop {
    session.environment["THEMED_APPS"] = Products.package + "/share"
    let desktop = try session.startDesktop(setting)
    _ = try session.startThemed()
    _ = try session.subscribe().frame { $0.desktop != "unavailable" }
    return desktop
  }

  private func key(_ name: String, _ session: Session) throws -> String {
    try session.check("gsettings", ["get", "org.gnome.desktop.interface", name])
  }

  private func dump(_ session: Session) throws -> [String] {
    try ["color-scheme", "gtk-theme", "icon-theme", "cursor-theme"].map { try key($0, session) }
  }

  private func status(_ session: Session) throws -> [String: Any] {
    let json = try JSONSerialization.jsonObject(with: Data(session.themectl("desktop", "--json").output.utf8))
    return try #require(json as? [String: Any])
  }

  private func settings(_ session: Session) throws -> [String: [String: Any]] {
    let all = try status(session)["settings"] as? [[String: Any]] ?? []
    return Dictionary(all.compactMap { setting in (setting["name"] as? String).map { ($0, setting) } }) { $1 }
  }

  @Test func `one command makes the desktop turn, and another gives back what was there`() throws {
    try withSession { session in
      _ = try start(session)
      _ = try session.startApply()
      let before = try dump(session)
      let enabled = try session.themectl("desktop", "enable", "--yes")
      #expect(enabled.status == .exited(0), "\(enabled.errors)")
      #expect(enabled.lines.last?.hasPrefix("The desktop is in step: it shows light, as themed does.") == true)
      #expect(session.text("config/themed/themed.conf") == "[desktop]\nin-step=yes\n")
      _ = try session.themectl("set", "dark")
      try eventually { try key("color-scheme", session) == "'prefer-dark'" }
      try eventually { try key("gtk-theme", session) == "'Adwaita-dark'" }
      try eventually { try session.themectl("desktop").status == .exited(0) }
      try eventually { try status(session)["state"] as? String == "in-step" }
      #expect(try session.themectl("status").lines.first == "Dark, because you set it; the desktop shows dark too.")
      try session.awaitNoProblem()
      #expect(try settings(session)["gtk-theme"]?["dark"] as? String == "Adwaita-dark")
      _ = try session.themectl("unset")
      try eventually { try dump(session) == before }
      // A second time, nothing is left to do.
      let again = try session.themectl("desktop", "enable")
      #expect(again.status == .exited(0) && again.lines.count == 1, "\(again.output)\(again.errors)")
      _ = try session.themectl("set", "dark")
      try eventually { try key("color-scheme", session) == "'prefer-dark'" }
      let disabled = try session.themectl("desktop", "disable")
      #expect(disabled.status == .exited(0), "\(disabled.errors)")
      #expect(disabled.lines == ["The desktop has its own settings again. It shows light."])
      #expect(try dump(session) == before)
      #expect(session.text("config/themed/themed.conf") == "[desktop]\nin-step=no\n")
      #expect(try session.themectl("get").lines == ["dark"])
    }
  }

  @Test func `setup proposes it first, and shows that the desktop turns`() throws {
    try withSession { session in
      _ = try start(session)
      _ = try session.startApply()
      // Without other programs in PATH, there is nothing else to do.
      let setup = try session.themectl("setup", "--json")
      let plan = try JSONSerialization.jsonObject(with: Data(setup.output.utf8)) as? [String: Any]
      let steps = try #require(plan?["steps"] as? [[String: Any]]).compactMap { $0["step"] as? String }
      #expect(steps.first == "desktop" && !steps.contains("portal"))
      let done = try session.themectl("setup", "--yes")
      #expect(done.lines.contains("  the desktop\tturned"), "\(done.output)\(done.errors)")
      #expect(done.lines.last == "Switched back to light.")
      #expect(try key("color-scheme", session) == "'default'")
      #expect(try session.themectl("desktop").status == .exited(0))
      #expect(try !session.themectl("setup").output.contains("make the desktop itself turn"))
      _ = try session.themectl("desktop", "disable")
      #expect(try session.themectl("setup").output.contains("the desktop: left alone, because of in-step=no"))
    }
  }

  @Test func `enabled is not said where nothing turns, but what is in the way`() throws {
    try withSession { session in
      _ = try start(session)
      _ = try session.themectl("set", "dark")
      #expect(try session.problems() == ["desktop_behind"])
      try session.directory.write(
        "[Settings]\ngtk-application-prefer-dark-theme=1\n", to: "config/gtk-4.0/settings.ini")
      let told = "hidden by your own setting at \(session.directory.path("config"))/gtk-4.0/settings.ini:2"
      for words in [["desktop", "enable"], ["setup"]] {
        #expect(try session.themectl(words).output.contains(told), "\(words)")
      }
      let enabled = try session.themectl("desktop", "enable", "--yes")
      #expect(enabled.status == .exited(1))
      #expect(
        enabled.errors
          == "themectl: in-step=yes is set, but the desktop still shows light: themed-apply is not running. Have your "
          + "session start 'themed-apply'. The setting stays, so the desktop turns once that is fixed; 'themectl desktop "
          + "disable' takes it back.\n")
      #expect(try session.problems() == ["desktop_stuck", "app_hidden"])
      try FileManager.default.removeItem(atPath: session.directory.path("config/gtk-4.0/settings.ini"))
      let stuck = "the desktop still shows light: themed-apply is not running"
      #expect(try session.themectl("status").output.contains(stuck))
      #expect(try status(session)["state"] as? String == "stuck")
      // As soon as it runs, the desktop turns.
      _ = try session.startApply()
      try eventually { try session.themectl("desktop").status == .exited(0) }
      // While it turns, the backend may be ahead of the portal, which the doctor would name.
      try eventually { try status(session)["state"] as? String == "in-step" }
      try session.awaitNoProblem()
    }
  }

  @Test func `enabled is not said where themed-apply could not turn the desktop, although both are light now`() throws {
    try withSession { session in
      _ = try start(session)
      // It finds the programs that it needs to start, but not those that the app file names.
      let path = session.environment["PATH"]
      session.environment["PATH"] = session.directory.path("empty")
      _ = try session.startApply()
      session.environment["PATH"] = path
      let enabled = try session.themectl("desktop", "enable", "--yes")
      #expect(enabled.status == .exited(1))
      #expect(
        enabled.errors.contains("the desktop will not turn at the next change: themed-apply cannot read the setting "),
        "\(enabled.errors)")
    }
  }

  @Test func `right after it was enabled, the settings are listed; disable has the same options`() throws {
    try withSession { session in
      _ = try start(session)
      _ = try session.startApply()
      try session.configure("[desktop]\nin-step=yes\n")
      // As a user who types fast, but not before themed-apply has come.
      try eventually { try ["turning", "in-step"].contains(status(session)["state"] as? String) }
      try eventually { try settings(session)["color-scheme"]?["value"] as? String == "default" }
      let shown = try session.themectl("desktop", "disable", "--print")
      #expect(shown.status == .exited(0) && shown.output.contains("[desktop] in-step=no"), "\(shown)")
      try eventually { try status(session)["state"] as? String == "in-step" }
      #expect(try session.themectl("desktop", "disable", "--yes").status == .exited(0))
      #expect(try session.themectl("desktop", "disable", "--print").lines == ["The desktop is left alone already."])
      #expect(try session.themectl("desktop", "disable", "--print", "--yes").status == .exited(64))
    }
  }

  @Test func `the plan lists only settings that the desktop shows`() throws {
    try withSession { session in
      _ = try start(session)
      let words = ["desktop", "enable", "--print"]
      #expect(try session.themectl(words).output.contains("gtk-theme, icon-theme, cursor-theme, wallpaper"))
      session.environment["XDG_CURRENT_DESKTOP"] = "sway"
      #expect(try session.themectl(words).lines.contains { $0.hasSuffix("gtk-theme, icon-theme, cursor-theme") })
    }
  }

  @Test func `a portal that does not follow is told, and so is one that does not answer`() throws {
    try withSession { session in
      _ = try session.startBus()
      session.environment["THEMED_APPS"] = Products.package + "/share"
      session.environment["XDG_CURRENT_DESKTOP"] = "GNOME"
      let portal = try session.startFakePortal(scheme: 2)
      _ = try session.startThemed()
      _ = try session.startApply()
      _ = try session.themectl("set", "dark")
      let enabled = try session.themectl("desktop", "enable", "--yes")
      #expect(enabled.status == .exited(1))
      #expect(enabled.errors.contains("the desktop still shows light: "), "\(enabled.errors)")
      #expect(try session.problems().contains("desktop_stuck"))
      withExtendedLifetime(portal) {}
    }
  }

  @Test func `a file that cannot be changed stays, and the lines to write are printed`() throws {
    try withSession { session in
      _ = try start(session)
      let path = try session.directory.write("[log]\nlevel=info\n", to: "dotfiles/themed.conf")
      _ = try session.directory.directory("config/themed")
      try FileManager.default.createSymbolicLink(
        atPath: session.directory.path("config/themed/themed.conf"), withDestinationPath: path)
      try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: path)
      for words in [["enable", "--yes"], ["disable"]] {
        let refused = try session.themectl(["desktop"] + words)
        #expect(refused.status == .exited(2) && refused.lines == [])
        let value = words[0] == "enable" ? "yes" : "no"
        #expect(refused.errors.contains("is read-only, so it stays as it is; write these lines into it by hand:\n"))
        #expect(refused.errors.hasSuffix("\n  [desktop]\n  in-step=\(value)\n"), "\(refused.errors)")
      }
      #expect(session.text("dotfiles/themed.conf") == "[log]\nlevel=info\n")
      try session.directory.write("words\n", to: "dotfiles/themed.conf")
      let faulty = try session.themectl("desktop", "enable", "--yes")
      #expect(faulty.status == .exited(2) && faulty.errors.contains("themed.conf:1: "), "\(faulty.errors)")
    }
  }

  @Test func `another program that switches the desktop is named with what to type`() throws {
    try withSession { session in
      _ = try start(session)
      _ = try session.startApply()
      _ = try session.themectl("desktop", "enable", "--yes")
      try session.awaitNoProblem()
      let sleep = try Products.system("sleep")
      let darkman = session.directory.path("darkman")
      try FileManager.default.copyItem(atPath: sleep, toPath: darkman)
      let other = try session.spawn(darkman, ["1000"])
      #expect(try session.problems() == ["desktop_rival"])
      let fix = try session.findings().first { $0.name == "desktop_rival" }
      #expect(fix?.what == "darkman also switches this desktop between light and dark")
      #expect(try session.themectl("desktop", "enable").errors.contains("darkman also switches the desktop"))
      other.send(.terminate)
      try other.wait()
      try session.awaitNoProblem()
    }
  }

  @Test func `while the desktop is in step, the backend of the portal is not offered`() throws {
    try withSession { session in
      _ = try start(session)
      _ = try session.startApply()
      _ = try session.themectl("desktop", "enable", "--yes")
      #expect(try session.themectl("portal").output.contains("the desktop is kept in step"))
      #expect(try !session.findings().contains { $0.name == "portal_chain_offer" })
    }
  }

  @Test func `a switch back is told until the desktop follows again`() throws {
    try withSession { session in
      _ = try start(session)
      _ = try session.startApply()
      _ = try session.themectl("desktop", "enable", "--yes")
      // Only a switch within five seconds is told of, and a busy machine may take longer.
      try eventually("the switch back is told") {
        _ = try session.themectl("set", "dark")
        try session.waitUntilInStep()
        try session.check("gsettings", ["set", "org.gnome.desktop.interface", "color-scheme", "default"])
        try eventually("the switch counts") { try session.themectl("get").lines == ["light"] }
        return try status(session)["switchedBackAt"] != nil
      }
      #expect(try session.findings().contains { $0.name == "desktop_switched_back" })
      _ = try session.themectl("set", "dark")
      try eventually { try status(session)["state"] as? String == "in-step" }
      #expect(try status(session)["switchedBackAt"] == nil)
      #expect(try !session.findings().contains { $0.name == "desktop_switched_back" })
    }
  }
}
