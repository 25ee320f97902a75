import Foundation
import Testing
import ThemedTestSupport

/// The desktop's own settings, kept in step by the real daemon, portal and gsettings.
@Suite(.ownThreads) struct DesktopSettingStories {
  private let interface = "org.gnome.desktop.interface"
  private let memory = "state/themed/desktop-settings.json"

  private func get(_ session: Session, _ key: String) throws -> String {
    try session.check("gsettings", ["get", interface, key])
  }

  private func awaitValues(_ session: Session, scheme: String, theme: String) throws {
    try eventually(
      "\(scheme), \(theme); it is \((try? get(session, "color-scheme")) ?? ""), \((try? get(session, "gtk-theme")) ?? "")"
    ) {
      try get(session, "color-scheme") == "'\(scheme)'" && get(session, "gtk-theme") == "'\(theme)'"
    }
  }

  /// Starts the desktop, the daemon and themed-apply, with the desktop kept in step.
  private func start(_ session: Session, desktop name: String? = nil) throws -> ChildProcess {
    session.environment["THEMED_APPS"] = Products.package + "/share"
    let desktop = try session.prepareDesktop()
    try desktop.bus.start()
    // The portal chooses its backend by the name with which the bus was started.
    if let name { session.environment["XDG_CURRENT_DESKTOP"] = name }
    try session.configure("[desktop]\nin-step=yes\n")
    _ = try session.startThemed()
    try eventually("the desktop's answer") { try session.themectl("get", "desktop").output == "none" }
    return try session.startApply()
  }

  private func awaitLeft(_ session: Session) throws {
    try session.configure("[desktop]\nin-step=no\n")
    try eventually("the memory is gone: \(session.text(memory) ?? "")") { session.text(memory) == nil }
  }

  /// Writes a program that the session finds first.
  private func stub(_ session: Session, _ name: String, _ script: String) throws {
    let path = try session.directory.write("#!/bin/sh\n\(script)\n", to: "bin/\(name)")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    let directory = session.directory.path("bin")
    let old = session.environment["PATH"] ?? ""
    if !old.hasPrefix(directory + ":") { session.environment["PATH"] = directory + ":" + old }
  }

  /// What the desktop's database has: a key that was reset is not in it.
  private func isSet(_ session: Session, _ key: String) -> Bool {
    let database = FileManager.default.contents(atPath: session.directory.path("config/dconf/user")) ?? Data()
    return database.range(of: Data(key.utf8)) != nil
  }

  @Test func `the desktop turns with what is shown, and has every setting back afterwards`() throws {
    try withSession { session in
      _ = try start(session)
      _ = try session.themectl("set", "dark")
      try awaitValues(session, scheme: "prefer-dark", theme: "Adwaita-dark")
      _ = try session.themectl("unset")
      try awaitValues(session, scheme: "default", theme: "Adwaita")
      _ = try session.themectl("set", "dark")
      try awaitValues(session, scheme: "prefer-dark", theme: "Adwaita-dark")
      #expect(isSet(session, "color-scheme") && isSet(session, "gtk-theme"))
      try awaitLeft(session)
      try awaitValues(session, scheme: "default", theme: "Adwaita")
      for key in ["color-scheme", "gtk-theme", "icon-theme", "cursor-theme", "picture-uri"] {
        #expect(!isSet(session, key), "\(key)")
      }
      #expect(try session.themectl("get").output == "dark")
    }
  }

  @Test func `a theme that is chosen while it is dark comes back with dark, and the user's flip is followed`() throws {
    try withSession { session in
      _ = try start(session)
      _ = try session.themectl("set", "dark")
      try awaitValues(session, scheme: "prefer-dark", theme: "Adwaita-dark")
      try session.check("gsettings", ["set", interface, "gtk-theme", "Nordic"])
      _ = try session.themectl("unset")
      try awaitValues(session, scheme: "default", theme: "Adwaita")
      _ = try session.themectl("set", "dark")
      try awaitValues(session, scheme: "prefer-dark", theme: "Nordic")
      try eventually("in step") {
        session.text("run/themed-apply/status.json")?.contains(
          #""original":"Adwaita","light":"Adwaita","dark":"Nordic""#) == true
      }
      // The user's own switch.
      try session.waitUntilInStep()
      try session.check("gsettings", ["set", interface, "color-scheme", "default"])
      try awaitValues(session, scheme: "default", theme: "Adwaita")
      #expect(try session.themectl("get").output == "light")
      try session.waitUntilInStep()
      try session.check("gsettings", ["set", interface, "color-scheme", "prefer-dark"])
      try awaitValues(session, scheme: "prefer-dark", theme: "Nordic")
      #expect(try session.themectl("get").output == "dark")
    }
  }

  @Test func `a choice is heard while nothing switches, and stays when the desktop is left`() throws {
    try withSession { session in
      _ = try start(session)
      _ = try session.themectl("set", "dark")
      try awaitValues(session, scheme: "prefer-dark", theme: "Adwaita-dark")
      try session.check("gsettings", ["set", interface, "icon-theme", "Papirus"])
      try eventually("heard") { session.text(memory)?.contains(#""chosen":"Papirus""#) == true }
      _ = try session.themectl("unset")
      try awaitValues(session, scheme: "default", theme: "Adwaita")
      try eventually("icons") { try get(session, "icon-theme") == "'Adwaita'" }
      try session.check("gsettings", ["set", interface, "cursor-theme", "it's \"mine\""])
      try eventually("heard") { session.text(memory)?.contains("mine") == true }
      try awaitLeft(session)
      #expect(try get(session, "icon-theme") == "'Adwaita'")
      #expect(
        try get(session, "cursor-theme") == "\"it's \\\"mine\\\"\""
          || get(session, "cursor-theme") == #"'it\'s "mine"'"#)
    }
  }

  @Test func `a theme that is chosen by hand just before the desktop is left is for the side that was shown`() throws {
    try withSession { session in
      _ = try start(session)
      _ = try session.themectl("set", "dark")
      try awaitValues(session, scheme: "prefer-dark", theme: "Adwaita-dark")
      try eventually("over") {
        session.text("run/themed-apply/status.json")?.contains(#""dark":"Adwaita-dark""#) == true
      }
      try session.check("gsettings", ["set", interface, "gtk-theme", "Nordic"])
      try awaitLeft(session)
      try awaitValues(session, scheme: "default", theme: "Adwaita")
    }
  }

  @Test func `gsettings that hangs is told with what to try, and the desktop turns once it answers`() throws {
    try withSession { session in
      try stub(
        session, "gsettings", "[ -e ~/hang ] && case $1 in set) sleep 60 ;; esac; exec /usr/bin/gsettings \"$@\"")
      _ = try start(session)
      try session.directory.write("", to: "home/hang")
      _ = try session.themectl("set", "dark")
      try eventually("told") {
        session.text("run/themed-apply/status.json")?.contains("gsettings did not answer within 5 s and was killed")
          == true
      }
      try FileManager.default.removeItem(atPath: session.directory.path("home/hang"))
      try awaitValues(session, scheme: "prefer-dark", theme: "Adwaita-dark")
    }
  }

  /// A stand-in for Xfce's settings, which keeps them in files.
  private let xfconf = """
    value=; action=get; [ -e ~/xf ] || mkdir ~/xf
    while [ $# -gt 0 ]; do
      case $1 in
        -c) channel=$2; shift ;; -p) property=$(echo "$2" | tr / _); shift ;; -t) shift ;; -n) ;;
        -s) action=set; value=$2; shift ;; -r) action=reset ;; -l) action=list ;;
      esac
      shift
    done
    file=~/xf/$channel.$property
    echo "$action $channel $property $value" >>~/xf.log
    case $action in
      get) if [ -e "$file" ]; then cat "$file"; elif [ $property = _Net_ThemeName ]; then echo Xfce; else exit 1; fi ;;
      set) [ -e ~/deadly ] && kill -9 $PPID; printf '%s\\n' "$value" >"$file" ;;
      reset) rm -f "$file" ;;
      list) echo /backdrop/screen0/monitorA/workspace0/color-style; echo /backdrop/screen0/monitorA/workspace0/last-image ;;
    esac
    """

  private func xf(_ session: Session, _ name: String) -> String? {
    session.text("home/xf/\(name)")?.trimmingCharacters(in: .newlines)
  }

  @Test func `Xfce turns by its theme and its wallpaper of each screen, which the theme may name`() throws {
    try withSession { session in
      try stub(session, "xfconf-query", xfconf)
      try session.directory.write("a.png", to: "home/night.png")
      try session.directory.write(
        "[theme]\ntitle=Test\n[light]\nbackground=#ffffff\n[dark]\nbackground=#000000\n[dark.assets]\nwallpaper=\(session.directory.path("home/night.png"))\n[dark.values]\ngtk=Nordic\n",
        to: "data/themed/themes/test.theme")
      let image = "xfce4-desktop._backdrop_screen0_monitorA_workspace0_last-image"
      try session.directory.write("/day.png\n", to: "home/xf/\(image)")
      _ = try start(session, desktop: "XFCE")
      _ = try session.themectl("set", "dark")
      try eventually("dark") { xf(session, "xsettings._Net_ThemeName") == "Adwaita-dark" }
      #expect(xf(session, image) == "/day.png" && xf(session, "xsettings._Net_IconThemeName") == nil)
      #expect(try session.themectl("set", "theme", "test").status == .exited(0))
      try eventually("the theme's own; \((try? session.themectl("get", "--json").output) ?? "")") {
        xf(session, "xsettings._Net_ThemeName") == "Nordic" && xf(session, image)?.hasSuffix("/home/night.png") == true
      }
      _ = try session.themectl("unset", "scheme")
      try eventually("light") {
        xf(session, "xsettings._Net_ThemeName") == "Xfce" && xf(session, image) == "/day.png"
      }
      try awaitLeft(session)
      #expect(xf(session, "xsettings._Net_ThemeName") == nil && xf(session, image) == "/day.png")
      #expect(session.text("home/xf.log")?.contains("color-style") == false)
    }
  }

  @Test func `a program that a setting's command has started may print something later`() throws {
    try withSession { session in
      let program = "( while [ ! -e ~/end ]; do sleep 0.1; done; echo late; echo >~/alive ) &"
      try stub(session, "xfconf-query", "case $* in *' -s '*) \(program) ;; esac\n" + xfconf)
      _ = try start(session, desktop: "XFCE")
      _ = try session.themectl("set", "dark")
      try eventually("dark") { xf(session, "xsettings._Net_ThemeName") == "Adwaita-dark" }
      try session.waitUntilInStep()
      try session.directory.write("", to: "home/end")
      try eventually("it goes on") { session.text("home/alive") != nil }
    }
  }

  @Test func `wallpapers of a program that restarts are neither taken for choices nor forgotten`() throws {
    try withSession { session in
      try stub(session, "xfconf-query", "case $* in *xfce4-desktop*) [ ! -e ~/away ] || exit 1 ;; esac\n" + xfconf)
      let image = "xfce4-desktop._backdrop_screen0_monitorA_workspace0_last-image"
      try session.directory.write("/day.png\n", to: "home/xf/\(image)")
      try startWallpaper(session, "unused", desktop: "XFCE")
      func restart(_ body: () throws -> Void) throws {
        _ = try session.themectl("set", "dark")
        try eventually("dark; it is \(session.text(memory) ?? "")") {
          xf(session, image)?.hasSuffix("/home/night.png") == true
            && xf(session, "xsettings._Net_ThemeName") == "Adwaita-dark"
            && session.text(memory)?.contains(#""before":"/day.png""#) == true
        }
        try session.directory.write("", to: "home/away")
        try body()
        try FileManager.default.removeItem(atPath: session.directory.path("home/away"))
        try eventually("the user's own") { xf(session, image) == "/day.png" }
      }
      try restart {
        _ = try session.themectl("unset", "scheme")
        try eventually("light") { xf(session, "xsettings._Net_ThemeName") == "Xfce" }
      }
      try restart {
        try session.configure("[desktop]\nin-step=no\n")
        try eventually("left") { xf(session, "xsettings._Net_ThemeName") == nil }
      }
      try eventually("the memory is gone") { session.text(memory) == nil }
    }
  }

  /// Sets a theme whose dark side names a wallpaper, and starts a program of this name, which does nothing.
  @discardableResult
  private func startWallpaper(
    _ session: Session, _ program: String, desktop: String? = nil
  ) throws -> (program: ChildProcess, apply: ChildProcess) {
    try session.directory.write("a.png", to: "home/night.png")
    try session.directory.write(
      "[theme]\ntitle=Test\n[light]\nbackground=#ffffff\n[dark]\nbackground=#000000\n[dark.assets]\nwallpaper=\(session.directory.path("home/night.png"))\n",
      to: "data/themed/themes/test.theme")
    let path = session.directory.path("bin/\(program)")
    try FileManager.default.copyItem(atPath: "/bin/sleep", toPath: path)
    let process = try session.spawn(path, ["1000"])
    let apply = try start(session, desktop: desktop)
    #expect(try session.themectl("set", "theme", "test").status == .exited(0))
    return (process, apply)
  }

  /// Turns to the theme's dark wallpaper and back to the user's own, by what a stand-in keeps in these files.
  private func expectWallpaperTurns(_ session: Session, in files: String...) throws {
    let (own, dark) = ("/day.png\n", session.directory.path("home/night.png") + "\n")
    _ = try session.themectl("set", "dark")
    try eventually("the theme's") { files.allSatisfy { session.text($0) == dark } }
    _ = try session.themectl("unset", "scheme")
    try eventually("light") { files.allSatisfy { session.text($0) == own } }
  }

  /// The file that feh writes for its next start.
  private func feh(_ images: String...) -> String {
    "#!/bin/sh\nfeh --no-fehbg --bg-scale \(images.map { "'\($0)' " }.joined())\n"
  }

  private func awaitFeh(_ session: Session, _ image: String) throws {
    let expected = feh(image)
    try eventually("feh shows \(image)") { session.text("home/.fehbg") == expected }
  }

  @Test func `feh's wallpaper turns with the theme and by the user's choice, in the user's own mode`() throws {
    try withSession { session in
      try stub(session, "feh", "printf \"#!/bin/sh\\nfeh --no-fehbg $1 '%s' \\n\" \"$2\" >~/.fehbg")
      try session.directory.write(feh("/day.png"), to: "home/.fehbg")
      try startWallpaper(session, "openbox")
      _ = try session.themectl("set", "dark")
      try awaitFeh(session, session.directory.path("home/night.png"))
      try eventually("over") { session.text("run/themed-apply/status.json")?.contains(#""state":"done""#) == true }
      try session.directory.write(feh("/mine.png"), to: "home/.fehbg")
      _ = try session.themectl("unset", "scheme")
      try awaitFeh(session, "/day.png")
      _ = try session.themectl("set", "dark")
      try awaitFeh(session, "/mine.png")
      _ = try session.themectl("unset", "scheme")
      try awaitFeh(session, "/day.png")
      // Two screens with different images are left alone.
      let two = feh("/one.png", "/two.png")
      try session.directory.write(two, to: "home/.fehbg")
      _ = try session.themectl("set", "dark")
      try awaitValues(session, scheme: "prefer-dark", theme: "Adwaita-dark")
      try awaitLeft(session)
      #expect(session.text("home/.fehbg") == two)
    }
  }

  @Test func `a choice that nobody saw before themed-apply ended counts for the side that was shown then`() throws {
    try withSession { session in
      try stub(session, "feh", "printf \"#!/bin/sh\\nfeh --no-fehbg $1 '%s' \\n\" \"$2\" >~/.fehbg")
      try session.directory.write(feh("/day.png"), to: "home/.fehbg")
      let apply = try startWallpaper(session, "openbox").apply
      let night = session.directory.path("home/night.png")
      _ = try session.themectl("set", "dark")
      try awaitFeh(session, night)
      try eventually("over") { session.text(memory)?.contains(#""dark":{"last":"\#(night)""#) == true }
      try session.directory.write(feh("/mine.png"), to: "home/.fehbg")
      apply.send(.terminate)
      _ = try apply.wait()
      _ = try session.themectl("unset", "scheme")
      _ = try session.startApply()
      try awaitFeh(session, "/day.png")
      _ = try session.themectl("set", "dark")
      try awaitFeh(session, "/mine.png")
    }
  }

  private func awaitImage(_ session: Session, _ screen: String, _ image: String) throws {
    let (file, expected) = ("home/\(screen)", "\(image)\n")
    try eventually("\(screen) shows \(image): \(session.text(memory) ?? "")") { session.text(file) == expected }
  }

  @Test func `hyprpaper's wallpaper turns with the theme, and one that cannot tell it is left alone`() throws {
    try withSession { session in
      try stub(
        session, "hyprctl",
        """
        [ -e ~/old ] && { echo "error: Unknown hyprpaper request"; exit; }
        [ "$2" = wallpaper ] && echo "${3#*,}" >~/"${3%%,*}"
        [ "$2" = listactive ] && for screen in DP-1 eDP-1; do echo "$screen: $(cat ~/$screen)"; done
        true
        """)
      for screen in ["DP-1", "eDP-1"] { try session.directory.write("/day.png\n", to: "home/\(screen)") }
      try startWallpaper(session, "hyprpaper")
      try expectWallpaperTurns(session, in: "home/DP-1", "home/eDP-1")
      // A screen's own image, chosen while it is dark, becomes its dark one.
      let night = session.directory.path("home/night.png")
      _ = try session.themectl("set", "dark")
      try awaitImage(session, "eDP-1", night)
      let shown = #""seen":"\#(night)""#
      try eventually("over") { (session.text(memory) ?? "").ranges(of: shown).count == 2 }
      try session.directory.write("/mine.png\n", to: "home/eDP-1")
      _ = try session.themectl("unset", "scheme")
      try awaitImage(session, "eDP-1", "/day.png")
      _ = try session.themectl("set", "dark")
      try awaitImage(session, "eDP-1", "/mine.png")
      try awaitImage(session, "DP-1", night)
      _ = try session.themectl("unset", "scheme")
      for screen in ["eDP-1", "DP-1"] { try awaitImage(session, screen, "/day.png") }
      try session.directory.write("", to: "home/old")
      _ = try session.themectl("set", "dark")
      try awaitValues(session, scheme: "prefer-dark", theme: "Adwaita-dark")
      try awaitLeft(session)
      #expect(session.text("home/DP-1") == "/day.png\n")
    }
  }

  @Test func `hyprpaper's wallpaper of the dark side comes back when hyprpaper starts again while it is dark`() throws {
    try withSession { session in
      try stub(
        session, "hyprctl",
        """
        case $2 in wallpaper) echo "${3#*,}" >~/DP-1 ;; listactive) echo "DP-1: $(cat ~/DP-1)" ;; esac
        """)
      try session.directory.write("/day.png\n", to: "home/DP-1")
      let hyprpaper = try startWallpaper(session, "hyprpaper").program
      _ = try session.themectl("set", "dark")
      let night = session.directory.path("home/night.png")
      try awaitImage(session, "DP-1", night)
      try eventually("over") { session.text(memory)?.contains(#""dark":{"last":"\#(night)""#) == true }
      hyprpaper.send(.kill)
      _ = try hyprpaper.wait()
      try session.directory.write("/day.png\n", to: "home/DP-1")
      _ = try session.spawn(session.directory.path("bin/hyprpaper"), ["1000"])
      try awaitImage(session, "DP-1", night)
      _ = try session.themectl("unset", "scheme")
      try awaitImage(session, "DP-1", "/day.png")
      try awaitLeft(session)
      #expect(session.text("home/DP-1") == "/day.png\n")
    }
  }

  @Test func `a wallpaper that a theme has named gives way to the user's own once no theme names one`() throws {
    try withSession { session in
      try stub(session, "xfconf-query", xfconf)
      let image = "xfce4-desktop._backdrop_screen0_monitorA_workspace0_last-image"
      try session.directory.write("/day.png\n", to: "home/xf/\(image)")
      try startWallpaper(session, "unused", desktop: "XFCE")
      _ = try session.themectl("set", "dark")
      try eventually("the theme's") { xf(session, image)?.hasSuffix("/home/night.png") == true }
      try eventually("over; it is \(session.text(memory) ?? "")") {
        session.text(memory)?.contains(#""before":"/day.png""#) == true
      }
      #expect(try session.themectl("unset", "theme").status == .exited(0))
      try eventually("the user's own") { xf(session, image) == "/day.png" }
    }
  }

  @Test func `a theme that is taken away while its wallpaper cannot be read leaves nothing of it`() throws {
    try withSession { session in
      try stub(
        session, "hyprctl",
        """
        [ -e ~/broken ] && exit 1
        case $2 in wallpaper) echo "${3#*,}" >~/DP-1 ;; listactive) echo "DP-1: $(cat ~/DP-1)" ;; esac
        """)
      try session.directory.write("/day.png\n", to: "home/DP-1")
      try startWallpaper(session, "hyprpaper")
      _ = try session.themectl("set", "dark")
      try awaitImage(session, "DP-1", session.directory.path("home/night.png"))
      try eventually("over") { session.text(memory)?.contains(#""before":"/day.png""#) == true }
      try session.directory.write("", to: "home/broken")
      #expect(try session.themectl("unset", "theme").status == .exited(0))
      try eventually("it is taken away") { session.text(memory)?.contains(#""theme":"","flipped""#) == true }
      _ = try session.themectl("set", "light")
      try awaitValues(session, scheme: "default", theme: "Adwaita")
      try FileManager.default.removeItem(atPath: session.directory.path("home/broken"))
      _ = try session.themectl("set", "dark")
      try awaitImage(session, "DP-1", "/day.png")
    }
  }

  @Test func `a wallpaper that is gone does not keep the desktop from getting its settings back`() throws {
    try withSession { session in
      try stub(
        session, "swww",
        """
        [ "$1" = img ] && { [ -e "$2" ] || exit 1; echo "$2" >~/a; }
        echo "a: 1920x1080, scale: 1, currently displaying: image: $(cat ~/a)"
        """)
      let day = try session.directory.write("", to: "home/day.png")
      try session.directory.write("\(day)\n", to: "home/a")
      try startWallpaper(session, "swww-daemon")
      _ = try session.themectl("set", "dark")
      try awaitImage(session, "a", session.directory.path("home/night.png"))
      try awaitValues(session, scheme: "prefer-dark", theme: "Adwaita-dark")
      try FileManager.default.removeItem(atPath: day)
      try awaitLeft(session)
      #expect(session.text("home/a") == session.directory.path("home/night.png") + "\n")
    }
  }

  @Test func `swww's wallpaper turns with the theme, unless its screens show different ones`() throws {
    try withSession { session in
      try stub(
        session, "swww",
        """
        [ "$1" = img ] && { echo "$2" >~/a; echo "$2" >~/b; }
        for screen in a b; do
          echo "$screen: 1920x1080, scale: 1, currently displaying: image: $(cat ~/$screen)"
        done
        """)
      for screen in ["a", "b"] { try session.directory.write("/day.png\n", to: "home/\(screen)") }
      try startWallpaper(session, "swww-daemon")
      try expectWallpaperTurns(session, in: "home/a", "home/b")
      try session.directory.write("/other.png\n", to: "home/b")
      _ = try session.themectl("set", "dark")
      try awaitValues(session, scheme: "prefer-dark", theme: "Adwaita-dark")
      _ = try session.themectl("unset", "scheme")
      try awaitValues(session, scheme: "default", theme: "Adwaita")
      try awaitLeft(session)
      #expect(session.text("home/a") == "/day.png\n" && session.text("home/b") == "/other.png\n")
    }
  }

  @Test func `Xfce's scheme is dark before its theme is, and light after it, so that Firefox reads both of one side`()
    throws
  {
    try withSession { session in
      try stub(session, "xfconf-query", xfconf)
      try stub(session, "gsettings", "echo scheme \"$@\" >>~/xf.log; exec /usr/bin/gsettings \"$@\"")
      _ = try start(session, desktop: "XFCE")
      func order() -> [String] {
        (session.text("home/xf.log") ?? "").split(separator: "\n").compactMap { line in
          line.hasPrefix("scheme set") || line.hasPrefix("scheme reset")
            ? "scheme" : line.hasPrefix("set xsettings _Net_ThemeName") || line.hasPrefix("reset") ? "theme" : nil
        }
      }
      try session.directory.write("", to: "home/xf.log")
      _ = try session.themectl("set", "dark")
      try eventually("dark") { order().count == 2 }
      #expect(order() == ["scheme", "theme"])
      try eventually("over") {
        session.text("state/themed/desktop-settings.json")?.contains(#""dark":{"last":"Adwaita-dark"}"#) == true
      }
      try session.directory.write("", to: "home/xf.log")
      _ = try session.themectl("unset")
      try eventually("light") { order().count == 2 }
      #expect(order() == ["theme", "scheme"])
    }
  }

  @Test func `killed while it writes, the next one still gives back what was there before`() throws {
    try withSession { session in
      try stub(session, "xfconf-query", xfconf)
      let apply = try start(session, desktop: "XFCE")
      try eventually("known") { session.text(memory)?.contains("Xfce") == true }
      try session.directory.write("", to: "home/deadly")
      _ = try session.themectl("set", "dark")
      _ = try apply.wait()
      #expect(session.text(memory)?.contains("Adwaita-dark") == true)
      try FileManager.default.removeItem(atPath: session.directory.path("home/deadly"))
      _ = try session.startApply()
      try eventually("dark") {
        try xf(session, "xsettings._Net_ThemeName") == "Adwaita-dark" && get(session, "color-scheme") == "'prefer-dark'"
      }
      try awaitLeft(session)
      #expect(xf(session, "xsettings._Net_ThemeName") == nil)
      #expect(try get(session, "color-scheme") == "'default'" && !isSet(session, "color-scheme"))
    }
  }

  @Test func `a desktop that is left while nothing can write gets everything back as soon as something can`() throws {
    try withSession { session in
      let apply = try start(session)
      _ = try session.themectl("set", "dark")
      try awaitValues(session, scheme: "prefer-dark", theme: "Adwaita-dark")
      apply.send(.kill)
      _ = try apply.wait()
      try session.configure("[desktop]\nin-step=no\n")
      try eventually("the daemon leaves it") {
        try session.connect().call("GetDiagnostics").bool("parameters.desktop.inStep") == false
      }
      _ = try session.startApply()
      try awaitValues(session, scheme: "default", theme: "Adwaita")
      try eventually("the memory is gone") { session.text(memory) == nil }
      #expect(!isSet(session, "color-scheme"))
    }
  }

  @Test func `a damaged memory is put aside, and the desktop turns all the same`() throws {
    try withSession { session in
      try session.directory.write("{\"version\":1,\"desktops\":[", to: memory)
      _ = try start(session)
      _ = try session.themectl("set", "dark")
      try awaitValues(session, scheme: "prefer-dark", theme: "Adwaita-dark")
      #expect(session.text(memory + ".damaged") == "{\"version\":1,\"desktops\":[")
      // What it is restored to is not what was there at first, and that is said.
      try awaitLeft(session)
      try eventually("told") {
        session.text("run/themed-apply/status.json")?.contains("enable' are lost, because") == true
      }
    }
  }

  @Test func `a value that could not be restored exactly is not replaced, and is named`() throws {
    try withSession { session in
      try stub(
        session, "gsettings",
        """
        case "$1 $3" in "get icon-theme") printf "'a\\\\nb'\\n" ;; *) exec /usr/bin/gsettings "$@" ;; esac
        """)
      try session.directory.write(
        "[theme]\ntitle=Test\n[light]\nbackground=#ffffff\n[dark]\nbackground=#000000\n[dark.values]\nicons=Nordic\n",
        to: "data/themed/themes/test.theme")
      _ = try start(session)
      #expect(try session.themectl("set", "theme", "test").status == .exited(0))
      _ = try session.themectl("set", "dark")
      try awaitValues(session, scheme: "prefer-dark", theme: "Adwaita-dark")
      try eventually("named") {
        session.text("run/themed-apply/status.json")?.contains("setting icon-theme stays") == true
      }
      #expect(!isSet(session, "icon-theme"))
    }
  }

  @Test func `while Waybar runs, light is written by its name, since its dark bar would stay without`() throws {
    try withSession { session in
      try stub(session, "gsettings", "echo \"$@\" >>~/gsettings.log; exec /usr/bin/gsettings \"$@\"")
      let bar = session.directory.path("bin/waybar")
      try FileManager.default.copyItem(atPath: "/bin/sleep", toPath: bar)
      _ = try session.spawn(bar, ["1000"])
      _ = try start(session)
      _ = try session.themectl("set", "dark")
      try awaitValues(session, scheme: "prefer-dark", theme: "Adwaita-dark")
      _ = try session.themectl("unset")
      try awaitValues(session, scheme: "prefer-light", theme: "Adwaita")
      _ = try session.themectl("set", "dark")
      try awaitValues(session, scheme: "prefer-dark", theme: "Adwaita-dark")
      try session.directory.write("", to: "home/gsettings.log")
      _ = try session.themectl("unset")
      try awaitLeft(session)
      try awaitValues(session, scheme: "default", theme: "Adwaita")
      #expect(!isSet(session, "color-scheme"))
      #expect(session.text("home/gsettings.log")?.contains("color-scheme 'prefer-light'") == true)
    }
  }

  @Test func `without being kept in step, no setting of the desktop is touched`() throws {
    try withSession { session in
      try stub(session, "gsettings", "echo \"$@\" >>~/gsettings.log; exec /usr/bin/gsettings \"$@\"")
      session.environment["THEMED_APPS"] = Products.package + "/share"
      _ = try session.startDesktop(.light)
      _ = try session.startThemed()
      try session.enableApp("one", "[write]\ntemplate=one.mustache\nfile=~/one.conf\n", template: "{{scheme}}\n")
      _ = try session.startApply()
      _ = try session.themectl("set", "dark")
      try session.awaitApplied("one") { $0.isDone("dark") }
      #expect(session.text("home/gsettings.log")?.contains("get") != true)
      #expect(try session.check("/usr/bin/gsettings", ["get", interface, "color-scheme"]) == "'prefer-light'")
    }
  }
}
