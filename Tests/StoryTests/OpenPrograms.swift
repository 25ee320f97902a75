import Foundation
import Testing
import ThemedTestSupport

/// A real program that is open, and how it is seen to follow.
struct OpenProgram {
  let name: String
  /// The process that our plugin lives in, where it has one.
  var plugin: Int32?
  /// How often it was set to something so far, by its own account; of others the log of themed-apply tells.
  var settings: (() throws -> Int)?
  /// Whether it shows this palette now, and, where that is looked at, nothing of the other side's.
  let shows: (_ palette: [String: String], _ other: [String: String]) throws -> Bool
}

/// Real programs that are open at once, each with what its user has written, in a session whose portal is the real one.
final class OpenPrograms {
  let session: Session
  let desktop: Desktop
  private(set) var all: [OpenProgram] = []
  private let themed: ChildProcess
  private var apply: ChildProcess?
  /// Where each kind of screen is; nil in place of what a program is not to find.
  private var screens: [String: [String: String?]] = [:]

  /// Starts the desktop and the daemon, with a theme for both sides.
  init(_ session: Session) throws {
    self.session = session
    try session.bringApps()
    session.environment["PATH"] = try Products.directory() + ":" + (session.environment["PATH"] ?? "")
    session.environment["TMUX_TMPDIR"] = try session.directory.directory("tmux")
    desktop = try session.startDesktop(.light)
    themed = try session.startThemed()
    try session.check(Products.path("themectl"), ["set", "theme", "mint"])
    try eventually("light") { try session.themectl("get").lines == ["light"] }
  }

  /// The colors of a side of the theme.
  func palette(_ scheme: String) throws -> [String: String] {
    struct Side: Decodable { let palette: [String: String] }
    let text = try session.check(Products.path("themectl"), ["theme", "show", "mint", "--json"])
    struct Theme: Decodable { let light, dark: Side }
    let theme = try JSONDecoder().decode(Theme.self, from: Data(text.utf8))
    return (scheme == "light" ? theme.light : theme.dark).palette
  }

  /// Opens all of these, those that themed-apply tells once they are enabled.
  func open(_ names: [String]) throws {
    if names.contains("i3") { try startWindowManager() }
    if names.contains("sway") {
      try session.directory.write("default_border normal 8\n", to: "config/sway/config")
      try session.startSway()
      screens["wayland"] = session.environment.filter { ["WAYLAND_DISPLAY", "SWAYSOCK"].contains($0.key) }
      session.environment["WAYLAND_DISPLAY"] = nil
    }
    let told = names.filter { UsersFiles.told.contains($0) }
    for name in told {
      for (file, text) in UsersFiles.files[name] ?? [] { try session.directory.write(text, to: file) }
      if ["bash", "fish"].contains(name) { try session.bringPlugin(of: name) }
      try session.check(Products.path("themectl"), ["app", "enable", name, "--yes"])
    }
    apply = try session.startApply()
    for name in told { try session.awaitApplied(name) { $0.isDone("light") } }
    for name in names { all.append(try open(name)) }
  }

  private func open(_ name: String) throws -> OpenProgram {
    switch name {
    case "nvim", "vim", "emacs": try editor(#require(Editor.Kind(rawValue: name)))
    case "kakoune": try kakoune()
    case "zsh", "fish", "bash": try shell(name)
    case "tmux": try tmux()
    case "kitty", "alacritty", "xterm", "rxvt", "konsole", "foot": try terminal(name)
    case "xresources":
      OpenProgram(name: name) { [session] palette, _ in
        try session.check(session.realApp("xrdb"), ["-query"]).contains("*.background:\t\(palette["background"] ?? "")")
      }
    case "i3": try shown(name, on: "i3", "primary")
    case "zathura": try zathura()
    case "sway": try shown(name, on: "wayland", "primary")
    case "waybar": try waybar()
    case "mako-whole": try mako()
    default: throw Failure("nobody knows how to open \(name)")
    }
  }

  private func editor(_ kind: Editor.Kind) throws -> OpenProgram {
    let editor = try Editor(session, kind, palette: kind != .vim)
    try editor.await(["light"])
    return OpenProgram(name: kind.rawValue, plugin: try editor.number, settings: { editor.settings.count }) {
      palette, _ in
      let drawing = editor.drawings.last ?? ""
      let scheme = try #require(palette["scheme"])
      return editor.settings.last == scheme && (kind == .vim || drawing.contains(palette["background"] ?? "-"))
    }
  }

  private func kakoune() throws -> OpenProgram {
    let log = session.directory.path("tmp/kakoune.log")
    try session.directory.write(
      """
      source "\(Products.package)/share/kakoune/rc/themed.kak"
      hook global User themed=.* %{ nop %sh{ echo "$kak_opt_themed_palette" >> \(log) } }
      themed-enable

      """, to: "config/kak/kakrc")
    session.environment["TERM"] = "xterm"
    _ = try session.spawn("kak", ["-d", "-s", "themed"])
    func lines() -> [Substring] { ((try? String(contentsOfFile: log, encoding: .utf8)) ?? "").split(separator: "\n") }
    return OpenProgram(name: "kakoune", settings: { lines().count }) { palette, _ in
      lines().last?.contains("rgb:\((palette["background"] ?? "-").dropFirst())") == true
    }
  }

  private func shell(_ name: String) throws -> OpenProgram {
    if name == "zsh" { try session.writeZshrc(socket: nil) }
    if name == "fish" {
      // Else it begins to make completions of all the manual pages.
      _ = try session.directory.directory("data/fish/generated_completions")
    }
    let shell = try TypedShell(session, name + " -i")
    try shell.await("<light/mint/")
    var number: Int32?
    if name == "zsh" {
      try shell.type("echo number: $$.")
      number = try Int32(shell.await(/number: (\d+)\./))
    }
    return OpenProgram(name: name, plugin: number, settings: name == "bash" ? nil : { shell.count }) { palette, _ in
      if name == "bash" { try shell.type("") }
      let prompt = shell.shown.matches(of: #/<(?:light|dark)/mint/(#[0-9a-f]{6})/\d+> /#).last
      return prompt.map { String($0.1) } == palette["primary"]
    }
  }

  private func tmux() throws -> OpenProgram {
    let answers = TerminalAnswers(path: session.directory.path("tmp/answers-tmux"))
    let words = [
      "new-session", "-d", try Products.system("python3"), Products.package + "/Tests/Terminal/ask.py", answers.path,
    ]
    try session.check(session.realApp("tmux"), words)
    return OpenProgram(name: "tmux") { [session] palette, _ in
      let style = try session.check(session.realApp("tmux"), ["show", "-gv", "status-style"])
      return answers.now()["11"] == palette["background"] && style.contains(palette["surface"] ?? "-")
    }
  }

  /// Ends what would go on without its session.
  func close() { _ = try? session.run(session.realApp("tmux"), ["kill-server"]) }

  private func terminal(_ name: String) throws -> OpenProgram {
    let words = [
      "alacritty": ["alacritty", "-e"], "xterm": ["xterm", "-e"], "rxvt": ["urxvt", "-e"],
      "konsole": ["konsole", "--nofork", "-e"],
    ][name, default: [name]]
    let answers = try at(name == "foot" ? "wayland" : "x") {
      try session.askTerminal(session.realApp(words[0]), Array(words.dropFirst()))
    }
    return OpenProgram(name: name) { palette, _ in
      let now = answers.now()
      // rxvt tells the sixteen alone.
      let asked = name == "rxvt" ? [("4;1", "ansi1"), ("4;12", "ansi12")] : [("11", "background"), ("10", "text")]
      return asked.allSatisfy { now[$0.0] == palette[$0.1] }
    }
  }
}

/// Those that a screen shows.
extension OpenPrograms {
  private func at<Result>(_ screen: String, _ body: () throws -> Result) rethrows -> Result {
    let before = session.environment
    for (name, value) in screens[screen] ?? [:] { session.environment[name] = value }
    defer { session.environment = before }
    return try body()
  }

  /// A screen that shows a role's color, and not that of the other side.
  private func shown(_ name: String, on screen: String, _ role: String) throws -> OpenProgram {
    OpenProgram(name: name) { [unowned self] palette, other in
      let pixels = try at(screen) { try session.pixels() }
      return pixels[palette[role] ?? "", default: 0] >= 1000 && pixels[other[role] ?? "", default: 0] == 0
    }
  }

  private func startWindowManager() throws {
    let before = session.environment
    try session.startDisplay()
    let file = try session.directory.write(UsersFiles.files["i3"]?.first?.text ?? "", to: "config/i3/config")
    _ = try session.spawn(session.realApp("i3"), ["-c", file])
    let socket = try eventually("the socket of i3") {
      try session.run(session.realApp("i3"), ["--get-socketpath"]).lines.first.flatMap { $0.isEmpty ? nil : $0 }
    }
    _ = try session.spawn(session.realApp("xterm"), ["-e", "sleep", "1000"])
    screens["i3"] = ["DISPLAY": session.environment["DISPLAY"]]
    session.environment = before
    session.environment["I3SOCK"] = socket
  }

  private func zathura() throws -> OpenProgram {
    let before = session.environment
    try session.startDisplay()
    screens["zathura"] = ["DISPLAY": session.environment["DISPLAY"]]
    _ = try session.spawn(session.realApp("zathura"))
    session.environment = before
    return try shown("zathura", on: "zathura", "background")
  }

  private func waybar() throws -> OpenProgram {
    try session.directory.write(
      #"{"layer": "top", "height": 30, "modules-center": ["clock"]}"#, to: "config/waybar/config")
    try at("wayland") { _ = try session.spawn(session.realApp("waybar")) }
    return try shown("waybar", on: "wayland", "surface")
  }

  private func mako() throws -> OpenProgram {
    try at("wayland") { _ = try session.spawn(session.realApp("mako")) }
    try eventually("a notification") {
      try session.run(
        "gdbus",
        [
          "call", "--session", "--dest", "org.freedesktop.Notifications", "--object-path",
          "/org/freedesktop/Notifications", "--method", "org.freedesktop.Notifications.Notify", "app", "0", "", "hello",
          "body", "[]", "{}", "0",
        ]
      ).status == .exited(0)
    }
    return try shown("mako-whole", on: "wayland", "surface")
  }
}

/// What was counted.
extension OpenPrograms {
  /// How often each has been set to a state so far, by its own account, or by what themed-apply has logged: of a terminal
  /// its files and its open windows apart.
  func settings() throws -> [String: Int] {
    var counts: [String: Int] = [:]
    for line in apply?.errors.split(separator: "\n") ?? [] where line.hasSuffix(": done") {
      counts[String(line.dropLast(": done".count)), default: 0] += 1
    }
    for program in all { if let settings = program.settings { counts[program.name] = try settings() } }
    return counts
  }

  /// How often whatever is ours has been woken up: the daemon, themed-apply, themectl, and where our plugins live.
  func wakeUps() throws -> [String: Int] {
    var processes = ["themed": themed.pid, "themed-apply": try #require(apply).pid]
    for program in all { processes[program.name] = program.plugin }
    let mark = session.directory.path("run")
    for number in try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap({ Int32($0) }) {
      let link = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(number)/exe")
      let environment = FileManager.default.contents(atPath: "/proc/\(number)/environ") ?? Data()
      guard link?.hasSuffix("/themectl") == true, environment.range(of: Data(mark.utf8)) != nil else { continue }
      processes["themectl \(number)"] = number
    }
    return try processes.mapValues { try Editor.switches(of: $0) }
  }
}

/// What users of these programs have written before they enabled them.
enum UsersFiles {
  static let files: [String: [(file: String, text: String)]] = [
    "kitty": [("config/kitty/kitty.conf", "font_size 9\nupdate_check_interval 0\n")],
    "alacritty": [
      ("config/alacritty/alacritty.yml", "font:\n  size: 9\n"),
      ("config/alacritty/alacritty.toml", "[font]\nsize = 9\n"),
    ],
    "foot": [("config/foot/foot.ini", "pad=3x3\n")],
    "i3": [("config/i3/config", "# i3 config file (v4)\nfont pango:monospace 8\n")],
    "waybar": [("config/waybar/style.css", "* { font-size: 12px; }\n")],
    "zathura": [("config/zathura/zathurarc", "set guioptions s\n")],
    "xresources": [("home/.Xresources", "XTerm*scrollBar: false\n")],
    "tmux": [("home/.tmux.conf", "set -g mouse on\n")],
    "bash": [
      ("home/.bashrc", "PS1='<${themed_scheme}/${themed_theme}/${themed_palette[primary]}/0> '\n")
    ],
    "fish": [
      (
        "config/fish/config.fish",
        """
        set -g fish_greeting
        set -g count 0
        function counting --on-event themed
            set -g count (math $count + 1)
        end
        function fish_prompt
            echo -n "<$themed_scheme/$themed_theme/$themed_color_primary/$count> "
        end

        """
      )
    ],
  ]

  /// Those that themed-apply tells.
  static let told: Set = [
    "kitty", "alacritty", "foot", "xterm", "rxvt", "konsole", "xresources", "tmux", "i3", "sway", "waybar",
    "mako-whole",
    "zathura", "bash", "fish",
  ]
}
