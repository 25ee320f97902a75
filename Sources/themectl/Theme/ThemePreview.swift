import ArgumentParser
import ThemedModel
import ThemeSetup
import ThemedSystem

struct PreviewTheme: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "preview",
    abstract: "Show a theme in this terminal until you press a key.",
    discussion: """
      The space bar shows the theme's other side. Any other key stops the preview and restores the terminal's colours. \
      With --for, the preview also stops after the given time. No theme is chosen, and other programs do not change. The \
      terminal must support xterm's control sequences for colours, as nearly all terminals do.
      """)

  @Argument(
    help: ArgumentHelp("The theme: its name, or the path of its file.", valueName: "theme"),
    completion: .custom { words, _, _ in InstalledThemes.candidates(after: words) })
  var theme: String

  @OptionGroup var side: SideOption
  @OptionGroup var daemon: Daemon

  @Option(
    name: .customLong("for"), help: ArgumentHelp("Stop the preview after this time, such as 5s.", valueName: "time"))
  var duration: String?

  func validate() throws { if let duration { _ = try parsedDuration(duration, example: "--for 5s") } }

  func run() throws {
    let theme = try side.narrowed(readTheme(theme, of: daemon).theme)
    let end = duration.flatMap(seconds).map { ContinuousClock.now + .seconds($0) }
    try withTerminal(for: "the preview") { terminal, answers in
      let first = answers.scheme.flatMap { theme[$0] == nil ? nil : $0 } ?? theme.schemes[0]
      return show(theme, first, in: terminal, until: end)
    }
  }

  private func show(
    _ theme: Theme, _ first: ColorScheme, in terminal: borrowing Terminal, until end: ContinuousClock.Instant?
  ) -> CInt? {
    var scheme = first
    var sample = ThemeSample(theme: theme, scheme: scheme)
    terminal.write(sample.colors + sample.text)
    while true {
      switch terminal.next(until: end) {
      case .timeout: return nil
      case .signal(let signal): return signal
      case .resized, .readable: continue
      case .input(let keys):
        guard keys == [UInt8(ascii: " ")], theme.schemes.count == 2 else { return nil }
        scheme = scheme.opposite
        let before = sample.lineCount
        sample = ThemeSample(theme: theme, scheme: scheme)
        terminal.write(sample.colors + "\u{1B}[\(before)A\r\u{1B}[J" + sample.text)
      }
    }
  }
}

struct ThemeSample {
  let theme: Theme
  let scheme: ColorScheme
  let style = Style(depth: Style.Depth(ofTerminal: environment))

  private var palette: Palette { theme.palette(for: scheme) ?? Palette([:], for: scheme) }

  var colors: String {
    let palette = palette
    return TerminalColor.all.map { color in
      let (red, green, blue) = color.color(in: palette).components8
      return color.setting("rgb:\(red.hexadecimal(2))/\(green.hexadecimal(2))/\(blue.hexadecimal(2))")
    }.joined()
  }

  var lineCount: Int { lines.count }

  var text: String { lines.map { $0 + "\u{1B}[0m\n" }.joined() }

  private var lines: [String] {
    let keys =
      theme.schemes.count == 2 ? "Space: \(scheme.opposite.rawValue) side. Any other key: exit." : "Any key: exit."
    let ground: Role = .background
    func strip(_ numbers: Range<Int>) -> String { numbers.map { "\u{1B}[48;5;\($0)m    " }.joined() }
    return [
      "", "\u{1B}[1m\(printable(theme.title))\u{1B}[0m, \(scheme.rawValue)", "",
      word("text", .text, on: ground) + word("secondary", .secondaryText, on: ground)
        + word("disabled", .disabledText, on: ground) + word("link", .link, on: ground)
        + word("selection", .selectionText, on: .selection) + word("primary", .primaryText, on: .primary),
      word("error", .error, on: ground) + word("warning", .warning, on: ground) + word("success", .success, on: ground)
        + word("info", .info, on: ground) + word("surface", .text, on: .surface),
      "", strip(0..<8), strip(8..<16), "", keys,
    ]
  }

  private func word(_ word: String, _ text: Role, on ground: Role) -> String {
    style.patch(" \(word) ", palette[text], on: palette[ground])
  }
}
