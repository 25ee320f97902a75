import Foundation
import Testing
import ThemedTestSupport

/// A copy of the home directory below `Tests/LivedIn`, with the shipped app files, whose plugins are those of the package.
struct LivedInHome {
  let session: Session

  init(_ session: Session) throws {
    self.session = session
    let files = FileManager.default
    let home = session.directory.path("home")
    try files.removeItem(atPath: home)
    // With the rights of a new file, since the package may belong to another user.
    try session.check("cp", ["-R", Products.package + "/Tests/LivedIn", home])
    try files.createDirectory(atPath: home + "/.config/kitty", withIntermediateDirectories: true)
    try files.createSymbolicLink(
      atPath: home + "/.config/kitty/kitty.conf", withDestinationPath: "../../dotfiles/kitty/kitty.conf")
    // As in most sessions, only HOME says where things are.
    for name in ["CONFIG", "STATE", "DATA", "CACHE"] { session.environment["XDG_\(name)_HOME"] = nil }
    session.environment["SHELL"] = "/bin/zsh"
    let share = Products.package + "/share"
    for name in try files.contentsOfDirectory(atPath: share + "/apps") {
      let text = try String(contentsOfFile: share + "/apps/" + name, encoding: .utf8)
      try session.directory.write(text.replacing("/usr/share/themed/", with: share + "/"), to: "share/apps/" + name)
    }
    try files.createSymbolicLink(
      atPath: session.directory.path("share/templates"), withDestinationPath: share + "/templates")
    session.environment["THEMED_APPS"] = session.directory.path("share")
    for (name, version) in [
      ("kitty", "kitty 0.43.0"), ("alacritty", "alacritty 0.16.1"), ("hx", "helix 25.07"), ("mako", ""),
      ("foot", "foot version: 1.26.1"), ("fuzzel", "fuzzel version: 1.12.0"), ("delta", "delta 0.18.2"),
      ("fzf", "0.60.3"), ("starship", "starship 1.22.1"), ("dpkg-query", "mako-notifier\t1.10.0-1"),
    ] {
      let path = try session.directory.write("#!/bin/sh\necho '\(version)'\n", to: "bin/" + name)
      try files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    }
    session.environment["PATH"] = session.directory.path("bin") + ":/usr/local/bin:/usr/bin:/bin"
  }

  /// Every file but those of themed's own, and what stands in it.
  var files: [String: Data] {
    var files: [String: Data] = [:]
    let home = session.directory.path("home")
    for case let name as String in FileManager.default.enumerator(atPath: home) ?? .init() {
      if name.contains("themed") || name.hasPrefix(".local") || name.hasPrefix(".cache") { continue }
      if let data = FileManager.default.contents(atPath: home + "/" + name) { files[name] = data }
    }
    return files
  }

  /// Whether a program is installed here; a story says what it has to do with it.
  func has(_ program: String) -> Bool { (try? Products.system(program)) != nil }
}

/// Programs are enabled in a home that somebody has lived in: no file of theirs is hidden or broken.
@Suite(.ownThreads) struct LivedInStories {
  private static let names = [
    "alacritty", "delta", "emacs", "fish", "foot", "fuzzel", "fzf", "helix", "kakoune", "kitty", "mako", "nvim", "tmux",
    "vim", "zsh",
  ]

  @Test func `every line goes into the file in use, no file is made beside it, and all come back byte for byte`() throws
  {
    try withSession { session in
      let home = try LivedInHome(session)
      let own = ["emacs", "fish", "kakoune", "nvim", "tmux", "vim", "zsh"]
      let names = Self.names.filter { !own.contains($0) || home.has($0 == "kakoune" ? "kak" : $0) }
      let before = home.files
      let enabled = try session.themectl(["app", "enable"] + names + ["--yes"])
      #expect(enabled.status == .exited(0), "\(enabled)")
      let after = home.files
      #expect(Set(after.keys) == Set(before.keys), "no configuration is made where another one is in use")
      for (name, file) in [
        ("vim", ".vim/vimrc"), ("nvim", ".config/nvim/init.vim"), ("emacs", ".config/emacs/init.el"),
        ("zsh", ".config/zsh/.zshrc"), ("fzf", ".config/zsh/.zshrc"), ("tmux", ".config/tmux/tmux.conf"),
        ("delta", ".config/git/config"), ("kitty", "dotfiles/kitty/kitty.conf"),
        ("alacritty", ".config/alacritty/alacritty.toml"), ("helix", ".config/helix/config.toml"),
        ("mako", ".config/mako/config"), ("foot", ".config/foot/foot.ini"), ("fuzzel", ".config/fuzzel/fuzzel.ini"),
      ] where names.contains(name) {
        let text = String(decoding: after[file] ?? Data(), as: UTF8.self)
        #expect(text.contains("themed: \(name)"), "\(name): \(text)")
      }
      // Every program still has what its user configured, and the plugin besides.
      if home.has("vim") {
        let said = session.directory.path("tmp/vim")
        _ = try session.run(
          "vim",
          ["-i", "NONE", "-T", "dumb", "--not-a-term", "-c", "call writefile([g:mine, &rtp], '\(said)')", "-c", "qa!"])
        let lines = session.text("tmp/vim") ?? ""
        #expect(lines.hasPrefix("vim\n") && lines.contains("share/vim"), "\(lines)")
      }
      if home.has("nvim") {
        let said = session.directory.path("tmp/nvim")
        _ = try session.run("nvim", ["--headless", "-c", "call writefile([g:mine, v:errmsg], '\(said)')", "-c", "qa!"])
        #expect(session.text("tmp/nvim") == "nvim\n\n")
      }
      if home.has("zsh") {
        let said = try session.run("zsh", ["-ic", "print -r -- $mine ${(k)functions[(I)*themed*]}"])
        #expect(said.output.hasPrefix("zsh") && said.output.contains("themed"), "\(said)")
      }
      if home.has("tmux") {
        let socket = session.directory.path("tmp/tmux")
        try session.directory.write("set -g status-style bg=blue\n", to: "home/.config/tmux/themed.conf")
        _ = try session.run("tmux", ["-S", socket, "new-session", "-d", "sleep 1000"])
        defer { _ = try? session.run("tmux", ["-S", socket, "kill-server"]) }
        #expect(try session.run("tmux", ["-S", socket, "show", "-gv", "mouse"]).output == "on")
        // The theme's line stands below the plugin's, and is read after it.
        try eventually { try session.run("tmux", ["-S", socket, "show", "-gv", "status-style"]).output == "bg=blue" }
        try FileManager.default.removeItem(atPath: session.directory.path("home/.config/tmux/themed.conf"))
      }
      let disabled = try session.themectl("app", "disable", "--all")
      #expect(disabled.status == .exited(0), "\(disabled)")
      #expect(home.files == before)
    }
  }

  @Test func `a variable of the program's own leads to the file that gets the line`() throws {
    try withSession { session in
      let home = try LivedInHome(session)
      let directory = session.directory.path("home")
      for (app, variable, value, file) in [
        ("kitty", "KITTY_CONFIG_DIRECTORY", "\(directory)/terminal", "terminal/kitty.conf"),
        ("vim", "VIMINIT", "let $MYVIMRC='\(directory)/editor' | source $MYVIMRC", "editor"),
        ("nvim", "NVIM_APPNAME", "other", ".config/other/init.lua"),
        ("bat", "BAT_CONFIG_DIR", "\(directory)/cats", "cats/config"),
        ("waybar", "WAYBAR_CONFIG_DIR", "\(directory)/bar", "bar/style.css"),
        ("hyprland", "HYPRLAND_CONFIG", "\(directory)/wm/mine.lua", "wm/mine.lua"),
      ] where home.has(app) || !["vim", "nvim"].contains(app) {
        session.environment[variable] = value
        try session.directory.write(app == "waybar" ? "/* mine */\n" : "# mine\n", to: "home/" + file)
        let before = home.files
        let enabled = try session.themectl("app", "enable", app, "--yes")
        #expect(enabled.status == .exited(0), "\(enabled)")
        #expect(Set(home.files.filter { before[$0.key] != $0.value }.keys) == [file], "\(app)")
        #expect(try session.themectl("app", "disable", app).status == .exited(0))
        #expect(home.files == before)
        session.environment[variable] = nil
      }
    }
  }

  @Test func `a new file includes the system's, and one that cannot is not made`() throws {
    try withSession { session in
      let home = try LivedInHome(session)
      let own = "home/.config/foot/foot.ini"
      try FileManager.default.removeItem(atPath: session.directory.path(own))
      session.environment["XDG_CONFIG_DIRS"] = session.directory.path("etc")
      let system = try session.directory.write("font=mine\n", to: "etc/foot/foot.ini")
      let before = home.files
      #expect(try session.themectl("app", "enable", "foot", "--yes").status == .exited(0))
      #expect(session.text(own)?.contains("\n[main]\ninclude=\(system)\n[main]\ninclude=~/.config/foot/") == true)
      let written = session.text(own)
      #expect(try session.themectl("app", "enable", "foot", "--yes").status == .exited(0))
      #expect(session.text(own) == written)
      #expect(try session.themectl("app", "disable", "foot").status == .exited(0))
      #expect(home.files == before)
      try session.directory.write(
        "[app]\ntitle=Wm\nprogram=kitty\n[setup]\nfile=~/.wm\nline=include themed\nneeds-system-file=yes\n"
          + "system-files=$XDG_CONFIG_DIRS/wm\nsystem-line=include {system}\n", to: "home/.config/themed/apps/wm.app")
      let refused = try session.themectl("app", "enable", "wm", "--yes")
      #expect(refused.status == .exited(2) && refused.errors.contains("copy the system's file there"), "\(refused)")
    }
  }

  @Test func `a new file begins as a copy of the system's if it could not override it, and goes with the app`() throws {
    try withSession { session in
      let home = try LivedInHome(session)
      try install("polybar", printing: "polybar 3.7.2", session)
      session.environment["XDG_CONFIG_DIRS"] = session.directory.path("etc")
      let text = "[colors]\nbackground = #222\n[bar/one]\nbackground = ${colors.background}\n"
      let system = try session.directory.write(text, to: "etc/polybar/config.ini")
      let (before, own) = (home.files, "home/.config/polybar/config.ini")
      let plan = try session.themectl("app", "enable", "polybar", "--print")
      #expect(plan.output.contains("creates ~/.config/polybar/config.ini with: a copy of \(system), and: "), "\(plan)")
      #expect(try session.themectl("app", "enable", "polybar", "--yes").status == .exited(0))
      let written = try #require(session.text(own))
      #expect(written.contains("| background = #222\n") && written.contains("\ninherit = themed-colors\n"))
      #expect(written.contains("[bar/one]\nbackground = ${colors.background}\n"))
      #expect(try session.themectl("app", "enable", "polybar", "--yes").status == .exited(0))
      #expect(session.text(own) == written)
      #expect(try session.themectl("app", "disable", "polybar").status == .exited(0))
      #expect(home.files == before)
      // Also if the system's file has changed since.
      #expect(try session.themectl("app", "enable", "polybar", "--yes").status == .exited(0))
      try session.directory.write("; newer\n" + text, to: "etc/polybar/config.ini")
      #expect(try session.themectl("app", "enable", "polybar", "--yes").status == .exited(0))
      #expect(try session.themectl("app", "disable", "polybar").status == .exited(0))
      #expect(home.files == before)
      try session.directory.write(text, to: "etc/polybar/config.ini")
      // What the user adds to the copy stays, with the copy.
      #expect(try session.themectl("app", "enable", "polybar", "--yes").status == .exited(0))
      try session.directory.write(written + "[bar/mine]\n", to: own)
      #expect(try session.themectl("app", "disable", "polybar").status == .exited(0))
      #expect(session.text(own) == text + "[bar/mine]\n")
      // So does a file of the user's that is such a copy.
      try session.directory.write(text, to: own)
      #expect(try session.themectl("app", "enable", "polybar", "--yes").status == .exited(0))
      #expect(try session.themectl("app", "disable", "polybar").status == .exited(0))
      #expect(session.text(own) == text)
    }
  }

  @Test func `a new file for one program is not another program's file in use`() throws {
    try withSession { session in
      let home = try LivedInHome(session)
      for name in ["i3", "sway"] {
        try session.directory.write(
          "[app]\ntitle=\(name)\nprogram=kitty\n[setup]\nfiles=~/.config/\(name)/config;~/.config/i3/config\n"
            + "file=~/.config/\(name)/config\nline=include \(name)\n", to: "home/.config/themed/apps/\(name).app")
      }
      try? FileManager.default.removeItem(atPath: session.directory.path("home/.config/sway"))
      try? FileManager.default.removeItem(atPath: session.directory.path("home/.config/i3"))
      let before = home.files
      #expect(try session.themectl("app", "enable", "i3", "--yes").status == .exited(0))
      let first = session.text("home/.config/i3/config")
      #expect(try session.themectl("app", "enable", "sway", "--yes").status == .exited(0))
      #expect(session.text("home/.config/i3/config") == first)
      #expect(session.text("home/.config/sway/config")?.contains("include sway") == true)
      #expect(try session.themectl("app", "disable", "i3").status == .exited(0))
      #expect(session.text("home/.config/sway/config")?.contains("include sway") == true)
      #expect(try session.themectl("app", "disable", "sway").status == .exited(0))
      #expect(home.files == before)
      // What the user adds makes it the user's own.
      #expect(try session.themectl("app", "enable", "i3", "--yes").status == .exited(0))
      try session.directory.write("set $mod Mod4\n" + (first ?? ""), to: "home/.config/i3/config")
      #expect(try session.themectl("app", "enable", "sway", "--yes").status == .exited(0))
      #expect(session.text("home/.config/i3/config")?.contains("include sway") == true)
      #expect(session.text("home/.config/sway/config") == nil)
    }
  }

  @Test func `if the file in use cannot be changed, another one that the program reads gets the line`() throws {
    try withSession { session in
      let home = try LivedInHome(session)
      try install("tmux", printing: "tmux 3.5", session)
      let (git, tmux) = (".config/git/config", ".config/tmux/tmux.conf")
      try session.directory.write("set -g mouse on\n", to: "home/" + tmux)
      try? FileManager.default.removeItem(atPath: session.directory.path("home/.tmux.conf"))
      for file in [git, tmux] {
        let path = session.directory.path("home/" + file)
        try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: path)
      }
      let before = home.files
      #expect(try session.themectl("app", "enable", "delta", "tmux", "--yes").status == .exited(0))
      #expect(home.files.filter { before[$0.key] != $0.value }.keys.sorted() == [".gitconfig", ".tmux.conf"])
      let disabled = try session.themectl("app", "disable", "--all")
      #expect(disabled.status == .exited(0), "\(disabled.errors)")
      #expect(home.files == before)
      // tmux reads the file that cannot be changed after the new one.
      let own = session.directory.path("home/" + tmux)
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: own)
      try session.directory.write("set -g status-style bg=red\n", to: "home/" + tmux)
      try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: own)
      let hidden = try session.themectl("app", "enable", "tmux", "--yes")
      #expect(
        hidden.status == .exited(1) && "\(hidden)".contains("hidden by your own setting at ~/\(tmux):1"), "\(hidden)")
    }
  }

  @Test func `another program that would read the new file instead of the system's is named`() throws {
    try withSession { session in
      _ = try LivedInHome(session)
      let system = try session.directory.write("# system\n", to: "etc/sway/config")
      for (name, more) in [("i3", "new-file-readers=sway"), ("sway", "system-files=\(system)")] {
        try session.directory.write(
          "[app]\ntitle=\(name)\nprogram=kitty\n[setup]\nfiles=~/.config/\(name)/config;~/.config/i3/config\n"
            + "file=~/.config/\(name)/config\nline=include \(name)\n\(more)\n",
          to: "home/.config/themed/apps/\(name).app")
        try? FileManager.default.removeItem(atPath: session.directory.path("home/.config/\(name)"))
      }
      let words = "sway then reads it instead of \(system), unless you enable sway, too"
      #expect(try session.themectl("app", "enable", "i3", "--print").output.contains(words))
      try session.directory.write("# mine\n", to: "home/.config/sway/config")
      #expect(try !session.themectl("app", "enable", "i3", "--print").output.contains(words))
    }
  }

  @Test func `X resources are enabled only with an X server`() throws {
    try withSession { session in
      _ = try LivedInHome(session)
      try install("xrdb", printing: "", session)
      session.environment["DISPLAY"] = nil
      let words = "this session has no X server: the variable DISPLAY is not set"
      let refused = try session.themectl("app", "enable", "xresources", "--yes")
      #expect(refused.status == .exited(2) && refused.errors.contains(words), "\(refused)")
      #expect(try session.themectl("setup").output.contains("X resources: does not follow: \(words)"))
      session.environment["DISPLAY"] = ":7"
      #expect(try session.themectl("app", "enable", "xresources", "--yes").status == .exited(0))
      #expect(session.text("home/.Xresources")?.contains("#include ") == true)
    }
  }

  @Test func `an app whose line is optional is enabled without it if the file cannot be changed`() throws {
    try withSession { session in
      let home = try LivedInHome(session)
      let path = session.directory.path("home/.config/foot/foot.ini")
      try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: path)
      let before = home.files
      let plan = try session.themectl("app", "enable", "foot", "--print").output
      #expect(plan.contains("~/.config/foot/foot.ini is read-only, so it stays as it is"), "\(plan)")
      #expect(try session.themectl("app", "enable", "foot", "--yes").status == .exited(0))
      #expect(home.files == before)
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
      #expect(try session.themectl("app", "enable", "foot", "--yes").status == .exited(0))
      #expect(home.files != before)
      #expect(try session.themectl("app", "disable", "foot").status == .exited(0))
      #expect(home.files == before)
    }
  }

  @Test func `a new script can be run, and goes with the app`() throws {
    try withSession { session in
      let home = try LivedInHome(session)
      for name in ["bspwm", "herbstluftwm"] { try install(name, printing: "\(name) 1", session) }
      session.environment["XDG_CONFIG_DIRS"] = session.directory.path("etc")
      let system = try session.directory.write("#!/bin/sh\necho system\n", to: "etc/herbstluftwm/autostart")
      let before = home.files
      #expect(try session.themectl("app", "enable", "bspwm", "herbstluftwm", "--yes").status == .exited(0))
      for (script, output) in [("bspwm/bspwmrc", "themed"), ("herbstluftwm/autostart", "system\nthemed")] {
        try session.directory.write("echo themed\n", to: "home/.config/\(script.prefix { $0 != "/" })/themed")
        let own = "home/.config/\(script)"
        let ran = try session.run(session.directory.path(own), [])
        #expect(ran.output == output && session.text(own)?.hasPrefix("#!/bin/sh\n") == true, "\(ran)")
      }
      #expect(session.text("home/.config/herbstluftwm/autostart")?.contains("\n. \(system)\n") == true)
      let themed = ["bspwm", "herbstluftwm"].map { session.directory.path("home/.config/\($0)/themed") }
      for path in themed { try FileManager.default.removeItem(atPath: path) }
      #expect(try session.themectl("app", "disable", "bspwm", "herbstluftwm").status == .exited(0))
      #expect(home.files == before)
    }
  }

  @Test func `a variable that wins over the file is taken away in new shells only where it is set`() throws {
    try withSession { session in
      let home = try LivedInHome(session)
      try install("bat", printing: "bat 0.25.0", session)
      let before = home.files
      #expect(try session.themectl("app", "enable", "bat", "--yes").status == .exited(0))
      #expect(!(home.files.contains { $0.value.contains(Data("BAT_THEME".utf8)) }))
      #expect(try session.themectl("app", "disable", "bat").status == .exited(0))
      session.environment["BAT_THEME"] = "Nord"
      let enabled = try session.themectl("app", "enable", "bat", "--yes")
      #expect(enabled.status == .exited(0) && !enabled.output.contains("hidden"), "\(enabled)")
      if home.has("zsh") {
        let shell = try session.run("zsh", ["-i", "-c", "echo \"<${BAT_THEME-none}>\""])
        #expect(shell.output.contains("<none>"), "\(shell)")
      }
      // A new shell has the variable no more; the line is still known, and removed.
      session.environment["BAT_THEME"] = nil
      #expect(try session.themectl("app", "enable", "bat", "--yes").status == .exited(0))
      #expect(try session.themectl("app", "disable", "bat").status == .exited(0))
      #expect(home.files == before)
      // No line is known for this shell, so the variable is named.
      session.environment["BAT_THEME"] = "Nord"
      session.environment["SHELL"] = "/bin/tcsh"
      let told = try session.themectl("app", "enable", "bat", "--yes")
      #expect(told.status == .exited(1) && "\(told)".contains("your own variable BAT_THEME"), "\(told)")
      session.environment["SHELL"] = "/bin/zsh"
      try session.directory.write("export BAT_THEME=Nord\n", to: "home/.config/zsh/.zshrc")
      let plan = try session.themectl("app", "enable", "bat", "--print").output
      #expect(plan.contains("this replaces your BAT_THEME at ~/.config/zsh/.zshrc:1"), "\(plan)")
    }
  }

  @Test func `a file that is not to be changed is named with each line to change and the line to add`() throws {
    try withSession { session in
      let home = try LivedInHome(session)
      let path = session.directory.path("home/.config/helix/config.toml")
      let own = session.directory.path("home/dotfiles/helix.toml")
      try FileManager.default.moveItem(atPath: path, toPath: own)
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "../../dotfiles/helix.toml")
      try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: own)
      let before = home.files
      let refused = try session.themectl("app", "enable", "helix", "--yes")
      #expect(refused.status == .exited(2))
      #expect(
        refused.errors.contains(
          "~/.config/helix/config.toml (it leads to ~/dotfiles/helix.toml) is read-only; change it by hand: comment out "
            + "your theme at ~/.config/helix/config.toml:1, and begin the file with: theme = \"themed\""), "\(refused)")
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: own)
      #expect(home.files == before)
    }
  }

  @Test func `of a file that is not to be changed all lines are named, with tables, and the place of the new line`()
    throws
  {
    try withSession { session in
      let home = try LivedInHome(session)
      let path = session.directory.path("home/.config/alacritty/alacritty.toml")
      let own = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
      let more = "[colors.normal]\nred = \"#ff0000\"\n[font]\nsize = 9\n[colors.bright]\nred = \"#ff0000\"\n"
      try (own + more).write(toFile: path, atomically: true, encoding: .utf8)
      try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: path)
      let before = home.files
      let refused = try session.themectl("app", "enable", "alacritty", "--yes")
      let file = "~/.config/alacritty/alacritty.toml"
      #expect(refused.status == .exited(2))
      #expect(
        refused.errors.contains(
          "comment out your general.import at \(file):2, colors.primary at \(file):8-10, colors.normal at \(file):11-12, "
            + "colors.bright at \(file):15-16, and add below line 1 ([general]): import = ["), "\(refused)")
      #expect(home.files == before)
    }
  }

  @Test func `a setting below the line that enabling again turns into a comment is not said to stay in the way`() throws
  {
    try withSession { session in
      _ = try LivedInHome(session)
      #expect(try session.themectl("app", "enable", "fuzzel", "--yes").status == .exited(0))
      let path = "home/.config/fuzzel/fuzzel.ini"
      try session.directory.write((session.text(path) ?? "") + "[colors]\ntext=ffffffff\n", to: path)
      let shown = try session.themectl("app", "show", "fuzzel").output
      #expect(shown.contains("not visible: hidden by your own setting"), "\(shown)")
      #expect(shown.contains("[main], and: include=~/.config/fuzzel/themed.ini, for versions >=1.9 (missing)"))
      let again = try session.themectl("app", "enable", "fuzzel", "--yes")
      #expect(again.status == .exited(0) && again.lines.last == "fuzzel is enabled", "\(again)")
      #expect(!again.output.contains("stays hidden") && again.output.contains("replaces your colors at "), "\(again)")
    }
  }

  /// Puts a program into PATH that prints this and exits with this status.
  private func install(_ name: String, printing text: String, status: Int = 0, _ session: Session) throws {
    let path = try session.directory.write("#!/bin/sh\necho '\(text)'\nexit \(status)\n", to: "bin/" + name)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
  }

  @Test func `each color that a bar of Polybar writes without a name is told, and those with a name follow`() throws {
    try withSession { session in
      _ = try LivedInHome(session)
      try install("polybar", printing: "polybar 3.7.2", session)
      try session.directory.write(
        "[colors]\nbackground = #222\n[bar/one]\nbackground = ${colors.background}\n[bar/two]\n"
          + "include-file = ~/.config/polybar/more\nbackground = #000\n", to: "home/.config/polybar/config.ini")
      try session.directory.write("[bar/three]\nforeground=#fff\n", to: "home/.config/polybar/more")
      try expectHidden(
        session, "polybar", "hidden by your own setting at ~/.config/polybar/more:2 (bar/three.foreground) and 1 more",
        "~/.config/polybar/more:2 (bar/three.foreground), ~/.config/polybar/config.ini:9 (bar/two.background)")
    }
  }

  @Test func `a program that prints no version, or too old a one, is not called enabled, and it is said what to do`()
    throws
  {
    try withSession { session in
      _ = try LivedInHome(session)
      try install("swaync", printing: "", status: 1, session)
      try install("dpkg-query", printing: "no packages found", status: 1, session)
      try session.directory.write(
        "[app]\nprogram=no-such-editor\nversion-command=no-such-editor --version\n[follows]\nby=plugin\n[setup]\n"
          + "file=~/.editor\nline=x\nversions=>=2\n", to: "home/.config/themed/apps/absent.app")
      let command = "sh -c 'swaync --version 2>/dev/null || dpkg-query "
      let silent = try session.themectl("app", "enable", "swaync", "--yes")
      #expect(silent.status == .exited(2) && silent.errors.contains("swaync: \(command)"), "\(silent)")
      #expect(
        silent.errors.contains(" prints no version; run that command to see why, or write version-command=echo VERSION")
      )
      let row = try #require(try session.themectl("app").lines.first { $0.hasPrefix("swaync\t") })
      #expect(
        row
          == "swaync\tdoes not follow: its version is unknown ('themectl app enable swaync' says why); these versions can: >=0.12; >=0.9 <0.12; >=0.9",
        "\(row)")
      try install("swaync", printing: "0.7.3", session)
      let old = try session.themectl("app", "enable", "swaync", "--yes")
      #expect(old.errors.contains("SwayNotificationCenter cannot follow in version 0.7.3"), "\(old)")
      let absent = try session.themectl("app", "enable", "absent", "--yes")
      #expect(absent.status == .exited(2) && absent.errors.contains("no-such-editor --version prints no version"))
      #expect(session.text("home/.config/themed/apps.enabled") == nil)
      // Without a display it prints nothing, and the package tells its version.
      try install("swaync", printing: "", status: 1, session)
      try install("dpkg-query", printing: "sway-notification-center\t0.12.6-1", session)
      #expect(try session.themectl("app", "enable", "swaync", "--yes").status == .exited(0))
    }
  }

  @Test func `where themed-apply would write elsewhere than the program of this shell looks, nothing is enabled`()
    throws
  {
    try withSession { session in
      _ = try LivedInHome(session)
      try install("bat", printing: "bat 0.25.0", session)
      _ = try session.startThemed()
      let apply = try session.startApply()
      // Only a themed-apply that runs has an environment of its own.
      try eventually("themed-apply") { session.text("run/themed-apply/status.json") != nil }
      let cats = session.directory.path("home/cats")
      session.environment["BAT_CONFIG_DIR"] = cats
      let refused = try session.themectl("app", "enable", "bat", "--yes")
      #expect(refused.status == .exited(2), "\(refused)")
      #expect(refused.errors.contains("BAT_CONFIG_DIR is \(cats) in this shell, but "), "\(refused)")
      #expect(try session.themectl("app", "enable", "delta", "--yes").status == .exited(0), "it has no part in it")
      apply.send(.terminate)
      _ = try apply.wait()
      _ = try session.startApply()
      #expect(try session.themectl("app", "enable", "bat", "--yes").status == .exited(0))
      try session.awaitApplied("bat") { $0.state == "done" }
      #expect(session.text("home/cats/themes/themed.tmTheme")?.contains("<plist") == true)
    }
  }

  @Test func `a file is restored, also if the variable that leads to it has changed since the app was enabled`() throws
  {
    try withSession { session in
      _ = try LivedInHome(session)
      try install("bat", printing: "bat 0.25.0", session)
      try session.directory.write("--paging=never\n", to: "home/.config/bat/config")
      #expect(try session.themectl("app", "enable", "bat", "--yes").status == .exited(0))
      #expect(session.text("home/.config/bat/config") != "--paging=never\n")
      session.environment["BAT_CONFIG_DIR"] = session.directory.path("home/cats")
      #expect(try session.themectl("app", "disable", "bat").status == .exited(0))
      #expect(session.text("home/.config/bat/config") == "--paging=never\n")
    }
  }

  @Test func `each row begins with whether the program follows`() throws {
    try withSession { session in
      _ = try LivedInHome(session)
      _ = try session.startThemed()
      for name in ["firefox", "ghostty", "terminator", "yazi"] { try install(name, printing: "\(name) 0.1", session) }
      try session.directory.write("kitty\ngone\n", to: "home/.config/themed/apps.enabled")
      let rows = try session.themectl("app").lines.map { $0.components(separatedBy: "\t") }
      let starts = ["follows ", "follows, ", "may follow: ", "can be enabled: ", "does not follow: ", "not installed"]
      var seen: Set<String> = []
      for row in rows {
        let start = starts.first { row[1].hasPrefix($0) }
        seen.insert(start ?? "\(row)")
      }
      #expect(seen == Set(starts.filter { $0 != "follows, " }), "\(rows)")
    }
  }

  @Test func `setup names the files in use, and what it cannot do without losing a configuration`() throws {
    try withSession { session in
      let home = try LivedInHome(session)
      let shown = try session.themectl("setup").output
      for line in [
        "adds to ~/.vim/vimrc: ", "adds to ~/.config/nvim/init.vim: lua do ", "adds to ~/.config/zsh/.zshrc: ",
      ]
      where home.has(line.contains("vim/vimrc") ? "vim" : line.contains("init.vim") ? "nvim" : "zsh") {
        #expect(shown.contains(line), "\(line): \(shown)")
      }
      for other in ["~/.vimrc", "init.lua", " ~/.zshrc", "~/.emacs", "~/.tmux.conf"] {
        #expect(!shown.contains(other), "\(other): \(shown)")
      }
    }
  }

  @Test func `a setting of the user's that wins later is named with its file and line`() throws {
    try withSession { session in
      _ = try LivedInHome(session)
      let printed = try session.themectl("app", "enable", "kitty", "mako", "--print").output
      #expect(
        printed.contains(
          "this replaces your foreground at ~/.config/kitty/kitty.conf:3, background at ~/.config/kitty/kitty.conf:4, which "
            + "'themectl app disable kitty' restores"), "\(printed)")
      #expect(printed.contains("this replaces your background-color at ~/.config/mako/config:2, which "), "\(printed)")
      #expect(try session.themectl("app", "enable", "kitty", "--yes").status == .exited(0))
      let path = "home/dotfiles/kitty/kitty.conf"
      try session.directory.write((session.text(path) ?? "") + "background #000000\n", to: path)
      let place = "hidden by your own setting at ~/.config/kitty/kitty.conf:8 (background)"
      let again = try session.themectl("app", "enable", "kitty", "--yes")
      #expect(again.status == .exited(1) && again.errors.contains(place), "\(again)")
      #expect(!again.lines.contains("kitty is enabled"))
      _ = try session.startThemed()
      _ = try session.startApply()
      try session.awaitApplied("kitty") { $0.state == "done" }
      for words in [["app"], ["app", "show", "kitty"], ["setup"], ["doctor"]] {
        #expect(try session.themectl(words).output.contains(place), "\(words)")
      }
    }
  }

  /// Enables an app, after which something of the user's own wins, and looks whether every command says so.
  private func expectHidden(_ session: Session, _ app: String, _ words: String, _ all: String = "to see the theme, ")
    throws
  {
    let enabled = try session.themectl("app", "enable", app, "--yes")
    #expect(enabled.status == .exited(1) && enabled.errors.contains(words), "\(enabled)")
    #expect(enabled.errors.contains(all), "\(enabled)")
    #expect(!enabled.lines.contains { $0.hasSuffix(" is enabled") })
    #expect(enabled.output.contains("but the theme stays \(words)"), "the plan says so before it asks: \(enabled)")
    let list = try #require(try session.themectl("app").lines.first { $0.hasPrefix("\(app)\t") })
    #expect(list.contains(words), "\(list)")
    for words in [["app", "show", app], ["setup"], ["doctor"]] {
      let said = try session.themectl(words).output
      #expect(
        (words.count < 3 || said.contains("not visible: ")) && said.contains("hidden by your own"), "\(words): \(said)")
    }
    #expect(try session.themectl("app", "disable", app).status == .exited(0))
  }

  @Test(
    arguments: [
      (
        "kitty", nil, ".config/kitty/dark-theme.auto.conf", "background #000\n",
        "hidden by your own file ~/.config/kitty/dark-theme.auto.conf"
      ),
      ("kitty", nil, ".config/kitty/mine.conf", "include ~/.config/kitty/themed.conf\nbackground #000\n", nil),
      ("delta", "DELTA_FEATURES", "", "", "hidden by your own variable DELTA_FEATURES"),
      (
        "bat", "BAT_OPTS", ".config/zsh/.zprofile", "x\nexport BAT_OPTS=--plain\n",
        "hidden by your own variable BAT_OPTS, set at ~/.config/zsh/.zprofile:2"
      ),
      ("nvim", "VIMINIT", "", "", "hidden by your own variable VIMINIT"),
    ] as [(String, String?, String, String, String?)])
  func `a file or a variable of the user's that wins is named by every command`(
    app: String, variable: String?, file: String, text: String, words: String?
  ) throws {
    try withSession { session in
      let home = try LivedInHome(session)
      guard app != "nvim" || home.has("nvim") else { return }
      if !file.isEmpty { try session.directory.write(text, to: "home/" + file) }
      if let variable { session.environment[variable] = "--color=dark" }
      _ = try session.startThemed()
      try session.addHook("stay", "true")
      _ = try session.startApply()
      guard let words else {
        #expect(try session.themectl("app", "enable", app, "--yes").status == .exited(0))
        return
      }
      try expectHidden(session, app, words)
    }
  }

  @Test func `a setting in a file that is included below the line is named with that file`() throws {
    try withSession { session in
      let home = try LivedInHome(session)
      guard home.has("tmux") else { return }
      #expect(try session.themectl("app", "enable", "tmux", "--yes").status == .exited(0))
      let path = "home/.config/tmux/tmux.conf"
      try session.directory.write((session.text(path) ?? "") + "source-file ~/.tmux/plugins.conf\n", to: path)
      try session.directory.write(
        "set -g @plugin 'catppuccin/tmux'\nrun '~/.tmux/plugins/tpm/tpm'\n", to: "home/.tmux/plugins.conf")
      let again = try session.themectl("app", "enable", "tmux", "--yes")
      let place = "hidden by your own setting at ~/.tmux/plugins.conf:2 (run)"
      #expect(again.status == .exited(1) && again.errors.contains(place), "\(again)")
      #expect(try session.themectl("doctor").output.contains(place))
    }
  }

  @Test func `a line goes above what ends its file, and one that never runs is not called enabled`() throws {
    try withSession { session in
      let home = try LivedInHome(session)
      guard home.has("zsh") else { return }
      let path = "home/.config/zsh/.zshrc"
      let own = (session.text(path) ?? "") + "\nexec fish\n"
      let count = own.split(separator: "\n", omittingEmptySubsequences: false).count - 1
      try session.directory.write(own, to: path)
      let enabled = try session.themectl("app", "enable", "zsh", "--yes")
      #expect(
        enabled.status == .exited(0) && enabled.output.contains(", above line \(count) (exec fish): "), "\(enabled)"
      )
      let with = session.text(path) ?? ""
      #expect(with.hasSuffix("\nexec fish\n"))
      // Somebody ends the file above it.
      try session.directory.write("exec fish\n" + with, to: path)
      let words = "its line in ~/.config/zsh/.zshrc never runs: line 1 (exec fish) ends the script above it"
      for command in [["app"], ["app", "show", "zsh"], ["doctor"]] {
        #expect(try session.themectl(command).output.contains(words), "\(command)")
      }
      #expect(try session.themectl("setup").output.contains(", above line 1 (exec fish): "))
      #expect(try session.themectl("app", "enable", "zsh", "--yes").status == .exited(0))
      #expect(!(try session.themectl("app").output.contains("never runs")))
      #expect(try session.themectl("app", "disable", "zsh").status == .exited(0))
      #expect(session.text(path) == "exec fish\n" + own)
      // What has no end cannot have a line behind it.
      try session.directory.write(own.replacing("exec fish", with: "cat << END"), to: path)
      let refused = try session.themectl("app", "enable", "zsh", "--yes")
      #expect(refused.status == .exited(2))
      #expect(
        refused.errors.contains("~/.config/zsh/.zshrc:\(count): this is never closed"), "\(refused.errors)")
      // Of what else has no end, the shell itself knows best.
      session.environment["ZDOTDIR"] = session.directory.path("home/.config/zsh")
      try session.directory.write("if true; then\n", to: path)
      #expect(try session.themectl("app", "enable", "zsh", "--yes").status == .exited(2))
      let stub = try session.directory.write("#!/bin/sh\nexit 0\n", to: "bin/zsh")
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: stub)
      #expect(try session.themectl("app", "enable", "zsh", "--yes").status == .exited(0))
    }
  }

  @Test func `a tmux server that is open has its own colors again when tmux is disabled`() throws {
    try withSession { session in
      let home = try LivedInHome(session)
      guard home.has("tmux") else { return }
      session.environment["TMUX_TMPDIR"] = session.directory.path("tmp")
      session.environment["PATH"] = session.directory.path("bin") + ":/usr/local/bin:/usr/bin:/bin"
      _ = try session.startThemed()
      #expect(try session.themectl("app", "enable", "tmux", "--yes").status == .exited(0))
      _ = try session.run("tmux", ["new-session", "-d", "sleep 1000"])
      defer { _ = try? session.run("tmux", ["kill-server"]) }
      _ = try session.run("tmux", ["set", "-g", "window-style", "bg=red"])
      let before = try session.run("tmux", ["show", "-gv", "pane-border-style"]).output
      _ = try session.startApply()
      try session.awaitApplied("tmux") { $0.state == "done" }
      func style(_ name: String) throws -> String { try session.run("tmux", ["show", "-gv", name]).output }
      #expect(try style("status-style").contains("#") && style("window-style").contains("#"))
      let file = session.directory.path("home/.config/tmux/tmux.conf")
      let disabled = try session.themectl("app", "disable", "tmux")
      #expect(
        disabled.status == .exited(0) && disabled.errors.contains("run: tmux source-file \(file)\n"), "\(disabled)")
      #expect(try style("pane-border-style") == before && !style("status-style").contains("#"))
      #expect(try !style("window-style").contains("#"))
      // Without a server there is nothing to tell.
      _ = try session.run("tmux", ["kill-server"])
      #expect(try session.themectl("app", "enable", "tmux", "--yes").status == .exited(0))
      #expect(try !session.themectl("app", "disable", "tmux").errors.contains("tmux source-file"))
    }
  }

  @Test func `a rule below an import that is to come is foretold, and named where nothing runs yet`() throws {
    try withSession { session in
      _ = try LivedInHome(session)
      let place = "hidden by your own setting at ~/.config/bar/style.css:"
      try session.directory.write(
        """
        [app]
        title=Bar
        program=kitty
        [write]
        template=waybar.mustache
        file=~/.config/bar/themed.css
        comment=/* */
        [setup]
        file=~/.config/bar/style.css
        line=@import "themed.css";
        comment=/* */
        position=start
        hidden-by=\\\\*.color

        """, to: "home/.config/themed/apps/bar.app")
      try session.directory.write("* { color: red; }\n", to: "home/.config/bar/style.css")
      let enabled = try session.themectl("app", "enable", "bar", "--yes")
      #expect(enabled.status == .exited(1))
      #expect(enabled.output.contains("but the theme stays \(place)1 (*.color)"), "\(enabled)")
      let shown = try session.themectl("app", "show", "bar").output
      #expect(shown.contains("does not follow: themed-apply is not running: "), "\(shown)")
      #expect(shown.contains("; also, \(place)4 (*.color)"), "\(shown)")
    }
  }

  @Test func `a window of kitty turns back when it is disabled, unless the signal would kill it`() throws {
    try withSession { session in
      _ = try LivedInHome(session)
      #expect(try session.themectl("app", "enable", "kitty", "--yes").status == .exited(0))
      let old = try run("sleep", as: "kitty", ["1000"], session)
      let script = "trap 'echo told' USR1; echo ready; while :; do sleep 0.1; done"
      let new = try run("bash", as: "kitty", ["-c", script], session)
      #expect(try new.line() == "ready")
      #expect(try session.themectl("app", "disable", "kitty").status == .exited(0))
      #expect(try new.line() == "told")
      #expect(old.isRunning)
    }
  }

  /// Starts a copy of a program with another name.
  @discardableResult private func run(
    _ program: String, as name: String, _ arguments: [String], _ session: Session
  ) throws -> ChildProcess {
    let path = try session.directory.directory("open/\(program)") + "/" + name
    try session.check("cp", [try Products.system(program), path])
    return try session.spawn("sh", ["-c", "exec \"$0\" \"$@\"", path] + arguments)
  }

  @Test func `a program that is connected has one row`() throws {
    try withSession { session in
      _ = try LivedInHome(session)
      _ = try session.startThemed()
      _ = try session.spawnThemectl("monitor", "--app", "kitty").line()
      let rows = try session.themectl("app").lines.filter { $0.hasPrefix("kitty\t") }
      #expect(rows.count == 1 && rows[0].hasSuffix(" (1 client)"), "\(rows)")
    }
  }

  @Test func `on a desktop that does not use the setting, it is not enabled`() throws {
    try withSession { session in
      _ = try LivedInHome(session)
      session.environment["XDG_CURRENT_DESKTOP"] = "X-Cinnamon"
      let refused = try session.themectl("app", "enable", "gtk", "--yes")
      #expect(refused.status == .exited(2))
      #expect(
        refused.errors.contains("gtk: X-Cinnamon does not use the setting that 'gtk' changes"), "\(refused.errors)")
    }
  }

  @Test func `a shell that no line is for is named`() throws {
    try withSession { session in
      _ = try LivedInHome(session)
      session.environment["SHELL"] = "/usr/bin/nu"
      let refused = try session.themectl("app", "enable", "fzf", "--yes")
      #expect(refused.status == .exited(2))
      #expect(refused.errors.contains("supports only bash, fish, zsh; yours is nu"), "\(refused.errors)")
    }
  }
}
