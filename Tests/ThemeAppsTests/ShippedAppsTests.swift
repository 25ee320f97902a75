import Foundation
import Testing
import ThemeApps
import ThemedModel
import ThemedSystem

/// The app files and templates that are shipped.
@Suite struct ShippedAppsTests {
  private static let package = #filePath.components(separatedBy: "/Tests/")[0]
  private static let themes = ThemeDirectories(data: [package + "/Tests/Data"])
  private static let names = files("apps", ".app")

  private static func files(_ directory: String, _ suffix: String) -> [String] {
    let found = (try? FileManager.default.contentsOfDirectory(atPath: package + "/share/" + directory)) ?? []
    return found.filter { $0.hasSuffix(suffix) }.map { String($0.dropLast(suffix.count)) }.sorted()
  }

  private func bytes(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(filePath: Self.package + "/share/" + path)))
  }

  private func app(_ name: String) throws -> App {
    let file = AppFile(name: Text(name), try bytes("apps/\(name).app"), home: "/home/somebody")
    #expect(file.remarks == [], "\(name)")
    return try #require(file.app)
  }

  @Test func `there is one for each of the first programs`() {
    #expect(
      Self.names == [
        "alacritty", "bash", "bat", "bspwm", "btop", "chromium", "cinnamon", "console", "cosmic", "delta", "dunst",
        "emacs", "firefox", "fish", "foot", "fuzzel", "fzf", "ghostty", "gnome-terminal", "gtk", "helix",
        "herbstluftwm", "hyprland", "i3", "i3bar", "kakoune", "kitty", "konsole", "labwc", "libreoffice", "lxqt",
        "lxterminal", "mako", "mako-whole", "mate", "mate-terminal", "nvim", "okular", "plasma", "polybar", "ptyxis",
        "qt5ct",
        "qt6ct", "rofi", "rxvt", "starship", "sway", "swaylock", "swaync", "terminator", "thunderbird", "tilix",
        "tmux", "tofi", "vim", "vscode", "waybar", "wezterm", "wob", "wofi", "xfce", "xfce4-terminal", "xresources",
        "xsettingsd", "xterm", "yazi", "zathura", "zed", "zellij", "zsh",
      ])
  }

  @Test(arguments: names)
  func `each is without a remark, tells its program and needs one line at most`(name: String) throws {
    let app = try app(name)
    #expect(!app.programs.isEmpty)
    #expect(app.title.string.lowercased() != "")
    // What ends in something to type has no dot behind that.
    if let note = app.note?.string { #expect(note.hasSuffix(".") || note.contains(": "), "\(note)") }
    // Of those for some versions, one is for a version that is there.
    for version in ["0.11", "0.13", "1.9.0", "1.22.1"] {
      let version = Version(Text(version))
      let lines = app.setups.filter { setup in
        version.map(setup.versions.contains) == true && (setup.shell ?? .bash) == .bash && setup.template == nil
          && setup.variable == nil
      }
      #expect(lines.count <= 1, "\(name): \(lines.map(\.line))")
    }
    // Some lines need their group, and the bars of sway a program.
    for setup in app.setups {
      #expect(
        setup.line.string.contains("\n") == ["foot", "fuzzel", "polybar", "qt5ct", "qt6ct", "sway"].contains(name))
    }
  }

  @Test(arguments: [
    ("helix", "25.01", "theme = \"onedark\"\n[editor]\n"), ("helix", "25.01", "\u{FEFF}theme = \"onedark\"\n"),
    ("alacritty", "0.15", "[general]\nlive_config_reload = true\n"),
    ("alacritty", "0.15", "import = [\"x.toml\"]\n"), ("alacritty", "0.13", "import = [\"x.toml\"]\n"),
    ("alacritty", "0.11", "import:\n  - x.yml\n"), ("alacritty", "0.15", "\u{FEFF}[font]\nsize = 9\n"),
    ("fuzzel", "1.12", "font=x\n\n[colors]\ntext=ffffffff\nprompt=000000ff\n# mine\n[border]\nwidth=2\n"),
    (
      "mako", "1.10",
      "text-color=#ffffff\n[urgency=high]\ntext-color=#000000\n\nborder-color=#ff0000\n[app-name=\"a.b\"]\n"
    ),
    ("btop", "1.4", "color_theme = \"some_dark\"\ntheme_background = true\n"),
  ])
  func `what the user's file says already makes way for our line, and comes back`(
    name: String, version: String, text: String
  ) throws {
    let setups = try app(name).setups.filter { $0.versions.contains(Version(Text(version))) }
    #expect(setups.count == 1)
    for setup in setups {
      let block = SetupBlock(app: Text(name), setup)
      if name == "mako" { #expect(block.replacedLines(in: Array(text.utf8)).map(\.number) == [3]) }
      #expect(block.rival(in: Array(text.utf8)) == nil)
      let with = block.inserted(into: Array(text.utf8))
      #expect(block.stands(in: with) && block.removed(from: with) == .bytes(Array(text.utf8)))
    }
  }

  @Test(arguments: ["---\nfont:\n  size: 9\n", "%YAML 1.2\n---\nfont:\n"])
  func `a file that would not be read with our line at its beginning is left alone`(text: String) throws {
    let setup = try #require(try app("alacritty").setups.first { $0.versions.contains(Version("0.11")) })
    #expect(SetupBlock(app: "alacritty", setup).rival(in: Array(text.utf8))?.line == 1)
  }

  @Test(arguments: [
    ("tmux", ["h/.config/tmux/tmux.conf"], "h/.config/tmux/tmux.conf"), ("tmux", [], "h/.tmux.conf"),
    ("tmux", ["h/.tmux.conf"], "h/.tmux.conf"),
    // tmux reads both, and this one last.
    ("tmux", ["h/.tmux.conf", "h/.config/tmux/tmux.conf"], "h/.config/tmux/tmux.conf"),
    ("kitty", ["h/.config/kitty/kitty.conf"], "h/.config/kitty/kitty.conf"),
    ("sway", ["h/.i3/config"], "h/.i3/config"), ("sway", ["h/.config/i3"], "h/.config/sway/config"),
    ("sway", ["h/.i3/config", "h/.config/sway/config"], "h/.config/sway/config"),
    ("i3", ["h/.i3/config"], "h/.i3/config"), ("i3", [], "h/.config/i3/config"),
    ("mako", ["h/.mako/config", "h/.config/mako/config"], "h/.mako/config"), ("mako", [], "h/.config/mako/config"),
    ("vim", ["h/.vim/vimrc"], "h/.vim/vimrc"), ("vim", [], "h/.vimrc"), ("vim", ["h/.vim"], "h/.vim/vimrc"),
    ("vim", ["h/.config/vim/vimrc"], "h/.config/vim/vimrc"),
    ("vim", ["h/.config/vim/vimrc", "h/.vimrc"], "h/.vimrc"),
    ("nvim", ["h/.config/nvim/init.vim"], "h/.config/nvim/init.vim"), ("nvim", [], "h/.config/nvim/init.lua"),
    ("emacs", ["h/.config/emacs/init.el", "h/.config/emacs"], "h/.config/emacs/init.el"),
    ("emacs", ["h/.config/emacs", "h/.config/emacs/init.el", "h/.emacs.d"], "h/.emacs.d/init.el"),
    ("emacs", ["h/.emacs.el", "h/.emacs.d", "h/.emacs.d/init.el"], "h/.emacs.el"), ("emacs", [], "h/.emacs.d/init.el"),
    ("delta", ["h/.config/git/config"], "h/.config/git/config"), ("delta", [], "h/.gitconfig"),
    ("zsh", [], "h/.zshrc"), ("alacritty", ["h/.alacritty.toml"], "h/.alacritty.toml"),
    ("alacritty", [], "h/.config/alacritty/alacritty.toml"),
  ])
  func `the line goes into the file in use, and a new one only where none is`(
    name: String, existing: [Text], used: Text
  ) throws {
    let directories = AppPath.Directories(home: "h", configuration: "h/.config")
    let setup = try #require(try app(name).setups.last)
    #expect(setup.place(in: directories) { existing.contains($0) } == used)
  }

  @Test func `a variable of the program's own says where its file is, and nothing else counts then`() throws {
    var directories = AppPath.Directories(home: "/h", configuration: "/h/.config")
    directories.variables = [
      "ZDOTDIR": "/z", "NVIM_APPNAME": "mine", "BAT_CONFIG_PATH": "/b",
      "KITTY_CONFIG_DIRECTORY": "/k", "VIMINIT": "/v", "HYPRLAND_CONFIG": "/y.lua", "WAYBAR_CONFIG_DIR": "/w",
    ]
    for (name, used) in [
      ("zsh", "/z/.zshrc"), ("nvim", "/h/.config/mine/init.lua"), ("bat", "/b"),
      ("kitty", "/k/kitty.conf"), ("vim", "/v"), ("hyprland", "/y.lua"), ("waybar", "/w/style.css"),
    ] {
      let setup = try #require(try app(name).setups.last { $0.shell == nil })
      #expect(setup.place(in: directories) { $0.hasPrefix("/h/") } == Text(used), "\(name)")
    }
    directories.variables = ["BAT_CONFIG_DIR": "/d"]
    let bat = try app("bat")
    #expect(bat.setups[0].place(in: directories) { _ in false } == "/d/config")
    #expect(bat.writes[0].file.resolved(in: directories) == "/d/themes/themed.tmTheme")
  }

  @Test(arguments: names)
  func `files of the user's own replace the only file of an app, or the one of its files that has no name`(
    name: String
  ) throws {
    let app = try app(name)
    for version in [nil, "0.1", "0.9", "1", "1.24", "30"].map({ $0.flatMap { Version(Text($0)) } }) {
      let meant =
        app.writes.filter { $0.versions.contains(version) }.map(\.template)
        + app.setups.filter { $0.versions.contains(version) }.compactMap(\.template)
      let main = app.mainTemplate(for: version)
      #expect(meant.count < 2 ? main == meant.first : (main != nil) == (name == "sway"), "\(meant)")
    }
  }

  @Test(arguments: [
    ("sway", "/etc/sway/config", "include /etc/sway/config\n"), ("i3", "/x/i3/config", "include /x/i3/config\n"),
    ("waybar", "/etc/xdg/waybar/style.css", "@import \"/etc/xdg/waybar/style.css\";\n"),
    ("foot", "/x/foot/foot.ini", "[main]\ninclude=/x/foot/foot.ini\n"),
    ("fuzzel", "/x/fuzzel/fuzzel.ini", "[main]\ninclude=/x/fuzzel/fuzzel.ini\n"),
  ])
  func `a new file includes the system's, which it replaces`(name: String, system: Text, beginning: Text) throws {
    let setup = try #require(try app(name).setups.last)
    let directories = AppPath.Directories(home: "/h", configuration: "/h/.config", systemConfiguration: ["/y", "/x"])
    #expect(setup.systemFile(in: directories) { $0 == system } == system)
    #expect(setup.systemFile(in: directories) { _ in false } == nil)
    let new = setup.adapted(to: "/h/new", isNew: true, system: system)
    #expect(new.line == "\(beginning)\(setup.line)")
    #expect(setup.adapted(to: "/h/new", isNew: false, system: system).line == setup.line)
    #expect(setup.adapted(to: "/h/new", isNew: true).line == setup.line)
    let block = SetupBlock(app: Text(name), new)
    let with = block.inserted(into: nil)
    #expect(block.stands(in: with) && block.removed(from: with) == .noFile)
    // Later the file is there, and has more than the line.
    #expect(SetupBlock(app: Text(name), setup.adapted(to: "/h/new", isNew: false)).stands(in: with))
  }

  @Test func `init.vim gets a line of its own language, and a new vimrc keeps Vim's defaults`() throws {
    let nvim = try #require(try app("nvim").setups.last).adapted(to: "/h/init.vim", isNew: false)
    #expect(nvim.line.hasPrefix("lua do ") && nvim.comment.start == "\"")
    let vim = try #require(try app("vim").setups.last)
    #expect(vim.adapted(to: "/h/.vimrc", isNew: true).line.hasPrefix("source $VIMRUNTIME/defaults.vim\n"))
    #expect(vim.adapted(to: "/h/.vimrc", isNew: false).line == vim.line)
  }

  @Test(arguments: [
    ("tmux", "3.5", "source-file ~/.config/tmux/themed.conf\nset -g status-style bg=red\n", 2),
    ("tmux", "3.5", "set -g status-style bg=red\nsource-file ~/.config/tmux/themed.conf\n", nil),
    ("tmux", "3.5", "source-file ~/.config/tmux/themed.conf\nset -g mouse on\nrun '~/.tmux/plugins/tpm/tpm'\n", 3),
    ("kitty", "0.41", "include ~/.config/kitty/themed.conf\nfont_size 9\nbackground #000\n", 3),
    ("kitty", "0.41", "include ~/.config/kitty/themed.conf\n# background #000\n", nil),
    ("foot", "1.26", "[main]\ninclude=~/.config/foot/themed.ini\n[colors-dark]\nbackground=000000\n", 4),
    ("foot", "1.21", "[colors]\nbackground=000000\n[main]\ninclude=~/.config/foot/themed.ini\n", nil),
    ("fuzzel", "1.12", "include=~/.config/fuzzel/themed.ini\n[colors]\ntext=ffffffff\n", 3),
    ("fuzzel", "1.12", "[main]\nfont=x\n[colors]\ntext=ffffffff\n", nil),
    ("mako", "1.10", "include=~/.config/mako/themed\nbackground-color=#000000\n", 2),
    ("mako", "1.10", "include=~/.config/mako/themed\n[app-name=x]\nbackground-color=#000000\n", nil),
    ("rofi", "", "@theme \"themed.rasi\"\nconfiguration {\n modi: \"run\";\n}\n@theme \"mine\"\n", 5),
    ("rofi", "", "@theme \"mine\"\n@theme \"themed.rasi\"\n", nil),
    ("sway", "", "include ~/.config/sway/themed\nclient.focused #000 #000 #fff\n", 2),
    ("kakoune", "", "try %{ source /usr/share/themed/kakoune/rc/themed.kak; themed-enable }\ncolorscheme nord\n", 2),
    ("kakoune", "", "colorscheme nord\ntry %{ source /usr/share/themed/kakoune/rc/themed.kak; themed-enable }\n", nil),
    ("waybar", "0.12", "@import \"themed-bar.css\";\nwindow#waybar {\n  background: rgba(0,0,0,.5);\n}\n", nil),
    ("xresources", "", "#include \"/home/somebody/.Xresources.d/themed\"\n*.background: #000000\n", 2),
    ("xresources", "", "*background: #000000\n#include \"/home/somebody/.Xresources.d/themed\"\n", nil),
    ("delta", "", "[include] path = ~/.config/delta/themed.gitconfig\n[delta]\n\tsyntax-theme = Nord\n", 3),
    ("fzf", "0.60", "export FZF_DEFAULT_OPTS='--color=dark'\nalias x=y\n", nil),
    (
      "fzf", "0.60",
      "export FZF_DEFAULT_OPTS_FILE=~/.config/fzf/themed\nexport FZF_DEFAULT_OPTS='--color=dark'\n", 2
    ),
  ])
  func `a setting of the user's that wins over the line is named with its line`(
    name: String, version: String, text: String, line: Int?
  ) throws {
    let setup = try #require(
      try app(name).setups.first { $0.versions.contains(Version(Text(version))) && ($0.shell ?? .bash) == .bash })
    #expect(SetupBlock(app: Text(name), setup).winners(in: Array(text.utf8)).first?.line == line)
  }

  @Test(arguments: [("0.38", false), ("0.48", false), ("0.54.3", false), ("0.55.0", true), ("0.74.5", true)])
  func `fzf gets a file of options only if it understands the comment there`(version: String, isGiven: Bool) throws {
    let setups = try app("fzf").setups.filter { $0.versions.contains(Version(Text(version))) }
    #expect(setups.count == 3)
    #expect(setups.allSatisfy { $0.line.string.contains("FZF_DEFAULT_OPTS_FILE") == isGiven })
  }

  @Test(
    arguments: ["bash", "zsh", "fish"],
    [
      ("--preview 'ls -la {} --color=always' --border", "--preview 'ls -la {} --color=always' --border"),
      ("--preview 'bat --color=always -n {}' --color=16", "--preview 'bat --color=always -n {}'"),
      ("--color=dark,hl:2 --color light --border", "--border"), ("--color='fg:#fff,bg:#000' --border", "--border"),
      ("--border \"--color=fg+:-1\"", "--border"), ("--color fg+:-1", ""),
    ])
  func `the line for fzf removes the user's colors for fzf, and no others`(
    shell: String, options: (String, String)
  ) throws {
    let (given, left) = options
    let setup = try #require(try app("fzf").setups.last { $0.shell?.rawValue == shell })
    let line = setup.line.string.replacing("~/.config/fzf/themed", with: "/dev/null")
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [shell, "-c", line + "\nprintf %s \"$FZF_DEFAULT_OPTS\""]
    process.environment = ProcessInfo.processInfo.environment.merging(["FZF_DEFAULT_OPTS": given]) { $1 }
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let printed = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(printed.trimmingCharacters(in: .whitespaces) == left)
  }

  @Test(arguments: ["mako", "foot", "fuzzel", "kitty", "tmux"])
  func `where the last setting wins, the line is placed below the user's own`(name: String) throws {
    let setup = try #require(try app(name).setups.last)
    let text = "background-color=#000000\n\n[urgency=high]\nborder-color=#ffffff\n"
    let block = SetupBlock(app: Text(name), setup)
    let with = block.inserted(into: Array(text.utf8))
    let place = name == "mako" ? "\n\n# themed: mako begins\n" : "#ffffff\n# themed: \(name) begins\n"
    #expect(String(decoding: with, as: UTF8.self).contains(place))
    #expect(
      block.stands(in: with) && block.winners(in: with).isEmpty && block.removed(from: with) == .bytes(Array(text.utf8))
    )
  }

  @Test(arguments: [
    "rofi", "starship", "swaylock", "swaync", "wob", "i3bar", "qt5ct", "qt6ct", "gtk", "xfce", "plasma", "mate",
  ])
  func `what takes the place of a configuration is enabled by its name alone, and says so`(name: String) throws {
    let app = try app(name)
    #expect(!app.isProposed && app.note != nil)
  }

  @Test(arguments: names)
  func `a desktop's settings can all be read and restored, and its scheme is what its portal reports`(
    name: String
  ) throws {
    guard let desktop = try app(name).desktop else { return }
    let scheme = try #require(desktop.schemeSetting)
    #expect(scheme.values[.light] != scheme.values[.dark] && (scheme.read != nil || scheme.file != nil))
    #expect(desktop.isFallback == (name == "gtk"))
    for setting in desktop.settings {
      let canRestore = setting.reset != nil || setting.read != nil || setting.file != nil
      #expect(canRestore, "\(setting.name)")
      // No shell: a value is a word of its own, or cannot end the word in which it is.
      let hasValue = setting.write.contains { $0.string.contains("{value}") || $0 == "{quoted}" }
      #expect(hasValue || setting.write.isEmpty, "\(setting.name)")
      #expect(
        !setting.write.contains { ["sh", "bash", "-c"].contains($0.string) } || setting.write[0] == "xfconf-query")
    }
  }

  @Test func `every template is some app's, and every app's is there`() throws {
    let used = try Set(Self.names.flatMap { try app($0).templates.map(\.string) })
    #expect(used == Set(Self.files("templates", ".mustache").map { $0 + ".mustache" }))
  }

  @Test(arguments: names)
  func `each template knows every name that it uses, and is rendered with every theme on every side`(
    name: String
  ) throws {
    let app = try app(name)
    let themes = try Self.themes.installed().map { name, path in
      try ThemeFile(name: name, groups: KeyFile(Array(try Data(contentsOf: URL(filePath: path)))).groups).theme
    }
    #expect(themes.count == 9)
    for file in app.templates {
      let template = try Template(parsing: try bytes("templates/\(file)"))
      #expect(app.remarks(on: template, named: file) == [], "\(file)")
      var results: Set<[UInt8]> = []
      for theme in themes {
        for scheme in theme.schemes {
          let shown = try #require(AppVariables.Shown(theme, scheme))
          let result = try template.render(AppVariables(shown, for: app), escape: .none)
          let text = String(decoding: result, as: UTF8.self)
          #expect(!text.contains("{{") && !text.contains("#\"") && !text.contains("#;"), "\(file): \(theme.name)")
          // bspwm draws borders only.
          #expect(file == "bspwm.mustache" || text.contains(shown.palette[.text].hexadecimal.dropFirst()), "\(file)")
          results.insert(result)
        }
      }
      #expect(results.count == themes.map(\.schemes.count).reduce(0, +), "\(file) shows some themes as others")
    }
  }

  /// Where a program, at this path, finds the installed file that starts its plugin, if these files exist.
  @Test(
    arguments: [
      ("vim", "/usr/bin/vim.basic", ["/usr/share/vim/vimfiles/plugin/themed.vim"], 0),
      ("vim", "/usr/local/bin/vim", ["/usr/share/vim/vimfiles/plugin/themed.vim"], nil),
      ("vim", "/bin/vim", ["/usr/share/vim/vimfiles/plugin/themed.vim"], nil),
      ("vim", "/home/me/bin/vim", ["/usr/share/vim/vimfiles/plugin/themed.vim"], nil),
      (
        "vim", "/usr/local/bin/vim",
        ["/usr/share/vim/vimfiles/plugin/themed.vim", "/usr/local/share/vim/vimfiles/plugin/themed.vim"], 1
      ),
      ("nvim", "/opt/nvim/bin/nvim", ["/usr/share/nvim/site/plugin/themed.lua"], 0),
      ("nvim", "/usr/bin/nvim", ["/home/me/.local/share/nvim/site/plugin/themed.lua"], 0),
      (
        "nvim", "/usr/bin/nvim",
        ["/usr/share/nvim/site/plugin/themed.lua", "/home/me/.local/share/nvim/lazy/lazy.nvim"], nil
      ),
      ("emacs", "/usr/bin/emacs-nox", ["/etc/emacs/site-start.d/50themed.el"], 0),
      ("emacs", "/usr/local/bin/emacs", ["/etc/emacs/site-start.d/50themed.el"], nil),
      ("emacs", "/usr/bin/emacs-nox", ["/etc/emacs/site-start.d/50themed.el", "/home/me/.emacs.d/early-init.el"], nil),
      ("kakoune", "/usr/bin/kak", ["/usr/share/kak/rc/themed.kak"], 0),
      ("kakoune", "/usr/bin/kak", ["/usr/share/kak/rc/themed.kak", "/home/me/.config/kak/autoload"], nil),
      ("zsh", "/usr/bin/zsh", [], nil),
    ] as [(String, String, [String], Int?)])
  func `a program of another prefix, or whose directories are hidden, needs its line`(
    name: String, program: String, files: [String], found: Int?
  ) throws {
    var directories = AppPath.Directories(home: "/home/me")
    (directories.configuration, directories.data) = ("/home/me/.config", "/home/me/.local/share")
    directories.systemData = ["/usr/local/share", "/usr/share"]
    let setup = try #require(app(name).setups.first)
    let plugin = setup.plugin(of: Text(program), in: directories) { files.contains($0.string) }
    #expect(plugin?.string == found.map { files[$0] })
  }

  @Test func `one mechanism colours a terminal: by sequence, or by a file that it reads while it runs`() throws {
    for name in Self.names {
      let app = try app(name)
      guard let terminal = app.terminal else { continue }
      let versions = ["", "0.31.9"] + (0..<100).map { "0.\($0)" } + (1..<400).map { "\($0).0" }
      for version in versions.map({ Version(toldBy: Text($0)) }) {
        let isReloaded = app.reloads.contains { $0.versions.contains(version) }
        #expect(!(isReloaded && terminal.versions.contains(version)), "\(name)")
      }
    }
  }

  @Test func `no other signals are sent than those that real programs are tried with`() throws {
    let page = try String(contentsOfFile: Self.package + "/docs/tested.md", encoding: .utf8)
    let tried = page.components(separatedBy: "\n## Signals\n").last ?? ""
    var sent = 0
    for name in Self.names {
      for reload in try app(name).reloads {
        guard case .signal(let signal) = reload.action else { continue }
        // Whoever does not catch that one does not notice it: signal(7).
        if signal == .windowChange { continue }
        if signal == .hangUp {
          // It ends most programs: these are tried with it, at each change.
          #expect(["xsettingsd", "labwc"].contains(name) && page.contains("\n| \(name) |"), "\(name)")
          continue
        }
        #expect([.user1, .user2].contains(signal), "\(name)")
        // Of some, one name is here: Debian has Helix as hx.
        #expect(reload.processes.contains { tried.contains("\n| \($0) |") }, "\(name)")
        sent += 1
      }
    }
    #expect(sent >= 4)
  }
}
