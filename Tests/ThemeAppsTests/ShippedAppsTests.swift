import Foundation
import ThemeApps
import ThemeFiles
import ThemeModel
import ThemedText
import Testing

/// The app files and templates that are shipped.
@Suite struct ShippedAppsTests {
  private static let package = #filePath.components(separatedBy: "/Tests/")[0]
  private static let themes = ThemeSearchPath(data: [package + "/contrib/data"])
  private static let names = files("apps", ".app")

  private static func files(_ directory: String, _ suffix: String) -> [String] {
    let found = (try? FileManager.default.contentsOfDirectory(atPath: package + "/share/" + directory)) ?? []
    return found.filter { $0.hasSuffix(suffix) }.map { String($0.dropLast(suffix.count)) }.sorted()
  }

  private func bytes(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(filePath: Self.package + "/share/" + path)))
  }

  private func app(_ name: String) throws -> App {
    let file = AppFile(name: Text(name), try bytes("apps/\(name).app"))
    #expect(file.remarks == [], "\(name)")
    return try #require(file.app)
  }

  @Test func `there is one for each of the first programs`() {
    #expect(
      Self.names == [
        "alacritty", "bash", "bat", "btop", "chromium", "console", "delta", "dunst", "emacs", "firefox",
        "fish",
        "foot", "fuzzel", "fzf", "ghostty", "gtk", "helix", "i3", "kakoune", "kitty", "konsole", "mako", "mako-whole",
        "nvim", "qt5ct",
        "rofi", "rxvt", "starship", "sway", "tmux", "vim", "vscode", "waybar", "wezterm", "xresources", "xsettingsd",
        "xterm", "yazi",
        "zathura", "zed", "zellij", "zsh",
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
      let lines = app.setups.filter { setup in version.map(setup.versions.contains) == true }
      #expect(lines.count <= 1, "\(name): \(lines.map(\.line))")
    }
    // qt5ct needs two keys, in their group.
    for setup in app.setups { #expect(setup.line.string.contains("\n") == (name == "qt5ct")) }
  }

  @Test(arguments: [
    ("helix", "25.01", "theme = \"onedark\"\n[editor]\n"), ("helix", "25.01", "\u{FEFF}theme = \"onedark\"\n"),
    ("alacritty", "0.15", "[general]\nlive_config_reload = true\n"),
    ("alacritty", "0.15", "import = [\"x.toml\"]\n"), ("alacritty", "0.13", "import = [\"x.toml\"]\n"),
    ("alacritty", "0.11", "import:\n  - x.yml\n"), ("alacritty", "0.15", "\u{FEFF}[font]\nsize = 9\n"),
    ("btop", "1.4", "color_theme = \"some_dark\"\ntheme_background = true\n"),
  ])
  func `what the user's file says already makes way for our line, and comes back`(
    name: String, version: String, text: String
  ) throws {
    let setups = try app(name).setups.filter { $0.versions.contains(Version(Text(version))) }
    #expect(setups.count == 1)
    for setup in setups {
      let block = SetupBlock(app: Text(name), setup)
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
    ("alacritty", ["$XDG_CONFIG_HOME/alacritty.yml", "~/.alacritty.yml"]),
    ("tmux", ["$XDG_CONFIG_HOME/tmux/tmux.conf"]), ("delta", ["$XDG_CONFIG_HOME/git/config"]),
  ])
  func `a file that a program has in several places is not made beside another one`(
    name: String, others: [String]
  ) throws {
    for setup in try app(name).setups {
      #expect(Set(others).isSubset(of: setup.alternatives.map(\.written.string)), "\(setup.name)")
    }
  }

  @Test(arguments: ["rofi", "starship", "qt5ct", "gtk"])
  func `what takes the place of a configuration is enabled by its name alone, and says so`(name: String) throws {
    let app = try app(name)
    #expect(!app.isProposed && app.note != nil)
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
          #expect(text.contains(shown.palette[.text].hexadecimal.dropFirst()), "\(file)")
          results.insert(result)
        }
      }
      #expect(results.count == themes.map(\.schemes.count).reduce(0, +), "\(file) shows some themes as others")
    }
  }

  @Test func `one mechanism colours a terminal: by sequence, or by a file that it reads while it runs`() throws {
    for name in Self.names {
      let app = try app(name)
      #expect(app.terminal == nil || app.reloads.isEmpty, "\(name)")
    }
  }

  @Test func `no other signals are sent than those that real programs are tried with`() throws {
    let page = try String(contentsOfFile: Self.package + "/docs/programs.md", encoding: .utf8)
    let tried = page.components(separatedBy: "\n## Signals\n").last ?? ""
    var sent = 0
    for name in Self.names {
      for reload in try app(name).reloads {
        guard case .signal(let signal) = reload.action else { continue }
        // Whoever does not catch that one does not notice it: signal(7).
        if signal == .windowChange { continue }
        if signal == .hangUp {
          // It ends most programs: this one is tried with it, at each change.
          #expect(reload.processes == ["xsettingsd"] && page.contains("\n| xsettingsd |"), "\(name)")
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
