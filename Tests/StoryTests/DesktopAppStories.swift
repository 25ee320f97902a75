import Foundation
import Testing
import ThemedTestSupport

/// Real window managers, bars, menus and notification daemons that follow by their app files: the screen shows it.
@Suite(.ownThreads, .enabled(if: triesPrograms, "make test-programs tries them")) struct DesktopAppStories {
  /// What is on the screen: so many pixels of a role's colour at least.
  private func shows(_ session: Session, _ wanted: [(role: String, pixels: Int)], _ palette: [String: String]) throws
    -> Bool
  {
    let pixels = try session.pixels()
    return wanted.allSatisfy { pixels[palette[$0.role] ?? "", default: 0] >= $0.pixels }
  }

  /// Starts a program that ends when it is told to, once it has a part in the screen.
  private func notify(_ session: Session) throws {
    try eventually("a notification daemon") {
      let finished = try session.run(
        "gdbus",
        [
          "call", "--session", "--dest", "org.freedesktop.Notifications", "--object-path",
          "/org/freedesktop/Notifications", "--method", "org.freedesktop.Notifications.Notify", "app", "0", "", "hello",
          "body", "[]", "{}", "0",
        ])
      return finished.status == .exited(0)
    }
  }

  @Test func `sway follows by its socket, and reads the same file at its start`() throws {
    try withSession { session in
      try session.bringApps()
      try session.directory.write("default_border normal 8\n", to: "config/sway/config")
      try session.startSway()
      let following = try FollowingApp(session, "sway", own: ["config/sway/config": "default_border normal 8\n"])
      _ = try session.spawn(session.realApp("foot"), ["sleep", "1000"])
      try following.follow { try shows(session, [("primary", 3000)], $0) }
      try session.check(session.realApp("swaymsg"), ["reload"])
      try following.follow { try shows(session, [("primary", 3000)], $0) }
      try following.disable()
    }
  }

  @Test func `i3 follows by its socket`() throws {
    try withSession { session in
      try session.bringApps()
      try session.startDisplay()
      let own = "# i3 config file (v4)\nfont pango:monospace 8\n"
      let path = try session.directory.write(own, to: "config/i3/config")
      _ = try session.spawn(session.realApp("i3"), ["-c", path])
      let socket = try eventually("the socket of i3") {
        try session.run(session.realApp("i3"), ["--get-socketpath"]).lines.first.flatMap { $0.isEmpty ? nil : $0 }
      }
      session.environment["I3SOCK"] = socket
      _ = try session.spawn(session.realApp("xterm"), ["-e", "sleep", "1000"])
      let following = try FollowingApp(session, "i3", own: ["config/i3/config": own])
      try following.follow { try shows(session, [("primary", 3000)], $0) }
      try following.disable()
    }
  }

  @Test(.enabled(if: areAlone("waybar"), "waybar runs here, and would be told, too"))
  func `Waybar follows by a style that it reads at a signal, and keeps no colour of its user's`() throws {
    // One after the other: the signal of one session would reach the bar of the other, too, while that reads its style.
    try followsWaybar(own: "* { font-size: 12px; }\n")
    // Half of it would be unreadable with half of the theme.
    try followsWaybar(
      own: """
        window#waybar { background: #400040; color: white; }
        #clock { background-color: #400040; padding: 0 9px; }

        """)
  }

  private func followsWaybar(own: String) throws {
    try withSession { session in
      try session.bringApps()
      _ = try session.startBus()
      try session.startSway()
      try session.directory.write(
        #"{"layer": "top", "height": 30, "modules-center": ["clock"]}"#, to: "config/waybar/config")
      let following = try FollowingApp(session, "waybar", own: ["config/waybar/style.css": own])
      let bar = try session.spawn(session.realApp("waybar"))
      try following.follow { try shows(session, [("surface", 10_000)], $0) }
      #expect(try session.pixels()["#400040"] == nil)
      #expect(bar.isRunning)
      try following.disable()
    }
  }

  @Test func `mako that cannot include files follows by its whole configuration, what it shows as well`() throws {
    try withSession { session in
      try session.bringApps()
      _ = try session.startBus()
      try session.startSway()
      let following = try FollowingApp(session, "mako-whole")
      _ = try session.spawn(session.realApp("mako"))
      try notify(session)
      try following.follow { try shows(session, [("surface", 3000)], $0) }
      try following.disable()
    }
  }

  @Test func `dunst before 1.12 follows when it is started`() throws {
    try withSession { session in
      try session.bringApps()
      _ = try session.startBus()
      try session.startDisplay()
      let own = "[global]\nfont = Monospace 8\n"
      let following = try FollowingApp(session, "dunst", own: ["config/dunst/dunstrc": own])
      var dunst: ChildProcess?
      try following.follow { palette in
        dunst?.stop()
        dunst = try session.spawn(session.realApp("dunst"))
        try notify(session)
        for _ in 0..<20 where try shows(session, [("surface", 2000)], palette) { return true }
        return false
      }
      try following.disable()
    }
  }

  @Test(arguments: ["rofi", "fuzzel"])
  func `a menu follows when it is started`(app: String) throws {
    try withSession { session in
      try session.bringApps()
      if app == "rofi" { try session.startDisplay() } else { try session.startSway() }
      let own = app == "rofi" ? ["config/rofi/config.rasi": "configuration {\n  show-icons: false;\n}\n"] : [:]
      let following = try FollowingApp(session, app, own: own)
      // From a file, since rofi shows nothing before its input ends.
      let lines = try session.directory.write("one\ntwo\nthree\n", to: "tmp/lines")
      try following.follow { palette in
        let option = app == "rofi" ? "-dmenu" : "--dmenu"
        let menu = try session.spawn("sh", ["-c", "exec \"$0\" \"$1\" < \"$2\"", session.realApp(app), option, lines])
        defer { menu.stop() }
        for _ in 0..<20 where try shows(session, [("background", 10_000)], palette) { return true }
        return false
      }
      try following.disable()
    }
  }

  @Test(.enabled(if: areAlone("zathura"), "zathura runs here, and would be told, too"))
  func `zathura follows by a call on the bus`() throws {
    try withSession { session in
      try session.bringApps()
      _ = try session.startBus()
      try session.startDisplay()
      let own = "set guioptions s\n"
      let following = try FollowingApp(session, "zathura", own: ["config/zathura/zathurarc": own])
      _ = try session.spawn(session.realApp("zathura"))
      try following.follow { try shows(session, [("background", 50_000), ("surface", 1000)], $0) }
      try following.disable()
    }
  }

  @Test(.enabled(if: areAlone("xsettingsd"), "xsettingsd runs here, and would be told, too"))
  func `GTK 3 follows by xsettingsd, in a window that is open`() throws {
    try withSession { session in
      try session.bringApps()
      try session.startDisplay()
      let following = try FollowingApp(session, "xsettingsd")
      let daemon = try session.spawn(session.realApp("xsettingsd"))
      _ = try session.spawn(session.realApp("gtk3-widget-factory"))
      try following.follow { palette in
        // The background of Adwaita, and of its dark side.
        let isLight = try #require(palette["background"]) > "#8"
        return try session.pixels()[isLight ? "#f6f5f4" : "#353535", default: 0] > 50_000
      }
      #expect(daemon.isRunning)
      try following.disable()
    }
  }

  @Test func `Qt 5 follows by qt5ct, in a window that is open`() throws {
    try withSession { session in
      try session.bringApps()
      try session.startDisplay()
      let own = "[Appearance]\nstyle=Fusion\ncustom_palette=false\n\n[Fonts]\nfixed=Monospace"
      session.environment["QT_QPA_PLATFORMTHEME"] = "qt5ct"
      let following = try FollowingApp(session, "qt5ct", own: ["config/qt5ct/qt5ct.conf": own])
      let program = try session.spawn(session.realApp("featherpad"))
      try following.follow { try shows(session, [("background", 10_000)], $0) }
      #expect(program.isRunning)
      try following.disable()
    }
  }

  @Test func `the desktop's own setting for GTK 3 follows where the desktop is kept in step, and stays elsewhere`()
    throws
  {
    try withSession { session in
      try session.bringApps()
      _ = try session.startDesktop(.light)
      func theme() throws -> String {
        try session.check("gsettings", ["get", "org.gnome.desktop.interface", "gtk-theme"])
      }
      let before = try theme()
      _ = try session.themectl("setup", "--json")
      #expect(try theme() == before)
      try session.configure("[desktop]\nin-step=yes\n")
      let following = try FollowingApp(session, "gtk")
      try following.follow { palette in
        try theme() == (try #require(palette["background"]) > "#8" ? "'Adwaita'" : "'Adwaita-dark'")
      }
      try following.disable()
      try session.configure("[desktop]\nin-step=no\n")
      try eventually("the theme as before") { try theme() == before }
    }
  }
}
