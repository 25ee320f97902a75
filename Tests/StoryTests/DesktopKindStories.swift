import Foundation
import Testing
import ThemedTestSupport

/// Desktops whose settings are not GNOME's, with programs of the tests' own that keep them in files as theirs do.
@Suite(.ownThreads) struct DesktopKindStories {
  private func get(_ session: Session, _ key: String) throws -> String {
    try session.check("gsettings", ["get", "org.gnome.desktop.interface", key])
  }

  /// Starts the portal, and then the daemon and themed-apply on a desktop of this name.
  @discardableResult private func start(
    _ session: Session, _ name: String, _ programs: [String: String]
  ) throws -> ChildProcess {
    for (program, script) in programs {
      let path = try session.directory.write("#!/bin/sh\n\(script)\n", to: "bin/\(program)")
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    }
    session.environment["PATH"] = session.directory.path("bin") + ":" + (session.environment["PATH"] ?? "")
    session.environment["THEMED_APPS"] = session.environment["THEMED_APPS"] ?? Products.package + "/share"
    let desktop = try session.prepareDesktop()
    try desktop.bus.start()
    session.environment["XDG_CURRENT_DESKTOP"] = name
    try session.configure("[desktop]\nin-step=yes\n")
    _ = try session.startThemed()
    try eventually("the desktop's answer") { try session.themectl("get", "desktop").output == "none" }
    return try session.startApply()
  }

  private func leave(_ session: Session) throws {
    try session.configure("[desktop]\nin-step=no\n")
    try eventually("the memory is gone") { session.text("state/themed/desktop-settings.json") == nil }
  }

  /// The app files whose settings are remembered.
  private func remembered(_ session: Session) throws -> [String] {
    let text = session.text("state/themed/desktop-settings.json") ?? "{}"
    let all = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    return (all?["desktops"] as? [String: Any] ?? [:]).keys.sorted()
  }

  private func kept(_ session: Session, _ file: String) -> String? {
    session.text("home/kept/\(file)")?.trimmingCharacters(in: .newlines)
  }

  /// Plasma's programs: its colours set the portal's value, and its global theme changes icons and cursors a while later.
  private let plasma = [
    "kreadconfig6": "for last; do :; done; cat ~/kept/$last",
    "plasma-apply-colorscheme": """
    echo "$1" >~/kept/ColorScheme
    case $1 in *Dark*) value=prefer-dark ;; *) value=default ;; esac
    exec gsettings set org.gnome.desktop.interface color-scheme $value
    """,
    "plasma-apply-cursortheme": "echo \"$1\" >~/kept/cursorTheme", "plasma-changeicons": "echo \"$1\" >~/kept/Theme",
    "global-theme": """
    plasma-apply-colorscheme $1; sleep 0.3; echo "$2" >~/kept/Theme
    exec gdbus emit --session --object-path /kdeglobals --signal org.kde.kconfig.notify.ConfigChanged "{'Icons': [b'Theme']}"
    """,
  ]

  /// The app file with the program for icons in PATH.
  private func preparePlasma(_ session: Session) throws {
    let file = Products.package + "/share/apps/plasma.app"
    let text = try String(contentsOfFile: file, encoding: .utf8)
    try session.directory.write(
      text.replacing("write=/usr/lib/", with: "write=plasma-changeicons|/usr/lib/"), to: "share/apps/plasma.app")
    session.environment["THEMED_APPS"] = session.directory.path("share") + ":" + Products.package + "/share"
    for (name, value) in [("ColorScheme", "BreezeLight"), ("Theme", "breeze"), ("cursorTheme", "breeze_cursors")] {
      try session.directory.write(value + "\n", to: "home/kept/\(name)")
    }
  }

  @Test func `Plasma turns by its colours, and what its global theme changes is not taken for a choice`() throws {
    try withSession { session in
      try preparePlasma(session)
      try start(session, "KDE", plasma)
      _ = try session.themectl("set", "dark")
      try eventually("dark") { kept(session, "ColorScheme") == "BreezeDark" && kept(session, "Theme") == "breeze-dark" }
      try eventually("over") {
        session.text("state/themed/desktop-settings.json")?.contains(#""dark":{"last":"BreezeDark""#) == true
      }
      _ = try session.themectl("unset")
      try eventually("light") { kept(session, "ColorScheme") == "BreezeLight" && kept(session, "Theme") == "breeze" }
      // The user's own switch, with other icons than those that are remembered for dark.
      try session.check(session.directory.path("bin/global-theme"), ["NordDark", "nordic"])
      try eventually("the flip") { try session.themectl("get").output == "dark" }
      try eventually("light's own stays") {
        session.text("state/themed/desktop-settings.json")?.contains(
          #""seen":"nordic","light":{"last":"breeze"},"dark":{"last":"nordic"}"#) == true
      }
      _ = try session.themectl("set", "light")
      try eventually("light") { kept(session, "ColorScheme") == "BreezeLight" && kept(session, "Theme") == "breeze" }
      _ = try session.themectl("set", "dark")
      try eventually("the user's own dark") {
        kept(session, "ColorScheme") == "NordDark" && kept(session, "Theme") == "nordic"
      }
      try leave(session)
      #expect(kept(session, "cursorTheme") == "breeze_cursors")
    }
  }

  @Test func `at a login, settings for every desktop do not take the place of Plasma's`() throws {
    try withSession { session in
      try preparePlasma(session)
      let before = try start(session, "KDE", plasma)
      _ = try session.themectl("set", "dark")
      try eventually("dark, and done with it") {
        session.text("state/themed/desktop-settings.json")?.contains(#""dark":{"last":"BreezeDark""#) == true
      }
      before.send(.terminate)
      _ = try before.wait()
      // The service starts before the desktop does.
      let desktop = ["XDG_CURRENT_DESKTOP", "DISPLAY", "WAYLAND_DISPLAY"].map { ($0, session.environment[$0]) }
      for (name, _) in desktop { session.environment[name] = nil }
      let early = try session.startApply()
      try eventually("told: \(early.errors)") { early.errors.contains("the desktop does not run yet") }
      _ = try session.themectl("set", "light")
      #expect(try remembered(session) == ["plasma"])
      early.send(.terminate)
      _ = try early.wait()
      for (name, value) in desktop { session.environment[name] = value }
      _ = try session.startApply()
      try eventually("light") { kept(session, "ColorScheme") == "BreezeLight" }
      try leave(session)
    }
  }

  @Test func `on Plasma, what was remembered for every desktop is restored, too`() throws {
    try withSession { session in
      try preparePlasma(session)
      var applier = try start(session, "KDE", plasma)
      for (desktop, remembered) in [("Other", ["plasma"]), ("KDE", ["gtk", "plasma"])] {
        try eventually("\(remembered) are remembered") { try self.remembered(session) == remembered }
        applier.send(.terminate)
        _ = try applier.wait()
        session.environment["XDG_CURRENT_DESKTOP"] = desktop
        applier = try session.startApply()
      }
      _ = try session.themectl("set", "dark")
      try eventually("dark, and done with it") {
        session.text("state/themed/desktop-settings.json")?.contains(#""dark":{"last":"BreezeDark""#) == true
      }
      try leave(session)
      #expect(kept(session, "ColorScheme") == "BreezeLight")
      #expect(try get(session, "gtk-theme") == "'Adwaita'")
    }
  }

  @Test func `LXQt turns by the palette in its file, where everything else stays`() throws {
    try withSession { session in
      let own = "[General]\nicon_theme=oxygen\ntheme=frost\n\n[Qt]\nstyle=Fusion\n"
      try session.directory.write(own, to: "config/lxqt/lxqt.conf")
      try start(session, "LXQt", [:])
      _ = try session.themectl("set", "dark")
      try eventually("dark: \(session.text("config/lxqt/lxqt.conf") ?? "")") {
        let text = session.text("config/lxqt/lxqt.conf") ?? ""
        return try text.contains("\n[Palette]\nwindow_color=#31363b\n") && text.contains("theme=dark\n")
          && get(session, "color-scheme") == "'prefer-dark'"
      }
      #expect(session.text("config/lxqt/lxqt.conf")?.contains("[Qt]\nstyle=Fusion\n") == true)
      _ = try session.themectl("unset")
      try eventually("light") {
        session.text("config/lxqt/lxqt.conf")?.contains("window_color=#efefef\n") == true
          && session.text("config/lxqt/lxqt.conf")?.contains("theme=frost\n") == true
      }
      try leave(session)
      #expect(session.text("config/lxqt/lxqt.conf") == own)
    }
  }

  @Test func `settings that are in one file are all written and all restored`() throws {
    try withSession { session in
      let keys = (0..<40).map { "key\($0)" }
      let own = "[Looks]\n" + keys.map { "\($0)=own\n" }.joined()
      try session.directory.write(own, to: "config/mine.conf")
      let settings = keys.map { key in
        "[setting \(key)]\nfile=$XDG_CONFIG_HOME/mine.conf\nkey=Looks/\(key)\ndark=night\n"
      }
      let scheme = "[setting scheme]\nread=mine get\nwrite=mine {value}\nkind=scheme\nlight=day\ndark=night\n"
      try session.directory.write(
        "[app]\ntitle=Mine\nprogram=mine\n[desktop]\ndesktops=Mine\n\(scheme)\(settings.joined())",
        to: "config/themed/apps/mine.app")
      let program = """
        if [ "$1" = get ]; then cat ~/kept/mine; exit; fi
        echo "$1" >~/kept/mine
        case $1 in night) value=prefer-dark ;; *) value=default ;; esac
        exec gsettings set org.gnome.desktop.interface color-scheme $value
        """
      try session.directory.write("day\n", to: "home/kept/mine")
      try start(session, "Mine", ["mine": program])
      _ = try session.themectl("set", "dark")
      try eventually("all are dark") {
        session.text("config/mine.conf") == own.replacing("own", with: "night")
      }
      _ = try session.themectl("unset")
      try eventually("light") { kept(session, "mine") == "day" }
      try leave(session)
      #expect(session.text("config/mine.conf") == own)
    }
  }

  private func awaitFile(_ session: Session, _ text: String) throws {
    try eventually("the file is \(text)") { session.text("config/mine.yml") == text }
  }

  @Test func `a file of several lines is the value of its side, and is restored as it was`() throws {
    let (own, chosen) = ("  colors:\n\t- white\n", "  colors:\n\t- blue\n")
    let app = """
      [app]
      title=Mine
      program=mine
      [desktop]
      desktops=Mine
      [setting scheme]
      file=~/scheme
      kind=scheme
      light=day
      dark=night
      [setting colors]
      file=$XDG_CONFIG_HOME/mine.yml
      dark=black

      """
    try withSession { session in
      try session.directory.write(own, to: "config/mine.yml")
      try session.directory.write(app, to: "config/themed/apps/mine.app")
      try session.directory.write("day\n", to: "home/scheme")
      try start(session, "Mine", [:])
      _ = try session.themectl("set", "dark")
      try awaitFile(session, "black\n")
      try eventually("over") {
        session.text("state/themed/desktop-settings.json")?.contains(#""dark":{"last":"black"}"#) == true
      }
      try session.directory.write(chosen, to: "config/mine.yml")
      _ = try session.themectl("unset")
      try awaitFile(session, own)
      _ = try session.themectl("set", "dark")
      try awaitFile(session, chosen)
      _ = try session.themectl("unset")
      try awaitFile(session, own)
      try leave(session)
      #expect(session.text("config/mine.yml") == own)
    }
  }

  @Test func `a desktop of the user's own is an app file, and a missing program is told with its name`() throws {
    try withSession { session in
      let app = """
        [app]
        title=Mine
        program=mine
        [desktop]
        desktops=Mine
        [setting scheme]
        read=mine get
        write=mine set {value}
        reset=mine set day
        kind=scheme
        light=day
        dark=night
        [setting missing]
        read=no-such-program get
        write=no-such-program set {value}
        light=a
        dark=b

        """
      try session.directory.write(app, to: "config/themed/apps/mine.app")
      let mine = """
        case $1 in
          get) cat ~/kept/scheme ;;
          set) echo "$2" >~/kept/scheme; case $2 in night) value=prefer-dark ;; *) value=default ;; esac
            exec gsettings set org.gnome.desktop.interface color-scheme $value ;;
        esac
        """
      try session.directory.write("day\n", to: "home/kept/scheme")
      try start(session, "Mine", ["mine": mine])
      _ = try session.themectl("set", "dark")
      try eventually("night") { kept(session, "scheme") == "night" }
      #expect(try get(session, "gtk-theme") == "'Adwaita'", "gtk is for desktops without an app file")
      try eventually("in step") { session.text("run/themed-apply/status.json")?.contains(#""state":"done""#) == true }
      try FileManager.default.removeItem(atPath: session.directory.path("bin/mine"))
      _ = try session.themectl("unset")
      try eventually("told") {
        session.text("run/themed-apply/status.json")?.contains("cannot start mine: No such file or directory") == true
      }
    }
  }
}
