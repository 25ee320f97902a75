import ArgumentParser
import ThemeClientCore
import ThemeInterface
import ThemeModel
import ThemedSystem

struct ChooseTheme: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "choose",
    abstract: "Choose a theme from a list, and see each theme in this terminal.",
    discussion: """
      The arrow keys move through the list, and the terminal shows the colours of the selected theme. The space bar \
      shows its other side. Enter chooses the theme, as 'theme set' does. Escape or q leaves everything as it was. The \
      list is updated when a theme is added, edited or removed.
      """)

  @OptionGroup var side: SideOption
  @OptionGroup var ending: Ending
  @OptionGroup var daemon: Daemon
  @OptionGroup var audience: Audience
  @OptionGroup var format: Format

  func validate() throws {
    var override = Override()
    try ending.end(&override, now: wallClock())
  }

  func run() throws {
    let (list, choice, shown) = try daemon.call(.toChange) { (theme) throws(ThemeClientError) in
      (
        ThemeItems(try theme.listThemes()), try ThemeChoice(&theme, app: audience.name),
        try theme.getState(app: audience.app).scheme
      )
    }
    var catalog = try ThemeCatalogSource(socket: daemon.socket)
    var style = Style(.auto, isTerminal: true, environment: environment)
    // Of sixteen colours each is one of the theme that is tried: they show no other's.
    if style.depth == .sixteen { style.depth = .none }
    var chooser = Chooser(list.examined, choice: choice, shown: shown, side: side.side, style: style)
    guard !chooser.themes.isEmpty else {
      complain(
        "there are no themes to choose from; make a theme with 'themectl theme new NAME' or "
          + "'themectl theme import FILE'")
      throw ExitCode.failed
    }
    var chosen: Text?
    try inTerminal(for: "the list of themes") { terminal, _ in
      // A screen of its own, without a cursor, where long lines are cut off.
      terminal.write("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l")
      defer { terminal.write("\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l") }
      return choose(&chooser, following: &catalog, in: terminal, &chosen)
    }
    guard let chosen else { return }
    var override = Override(app: audience.name)
    try ending.end(&override, now: wallClock(), asking: daemon)
    if let side = side.side { override.setTheme(chosen, for: side) }
    try daemon.choose(side.side == nil ? chosen : nil, override, as: format)
  }

  /// Returns the signal that ended it; nil if a key did.
  private func choose(
    _ chooser: inout Chooser, following catalog: inout ThemeCatalogSource, in terminal: borrowing Terminal,
    _ chosen: inout Text?
  ) -> CInt? {
    var reader = KeyReader()
    if let preview = chooser.preview { perform(preview, in: terminal) }
    while true {
      let (rows, columns) = terminal.size
      let lines = chooser.lines(rows: rows, columns: columns)
      terminal.write("\u{1B}[H" + lines.map { $0 + "\u{1B}[K" }.joined(separator: "\r\n") + "\u{1B}[J")
      var keys: [Chooser.Key] = []
      let end = reader.isUndecided ? ContinuousClock.now + .milliseconds(50) : nil
      switch terminal.next(until: end, or: catalog.descriptor) {
      case .signal(let signal): return signal
      case .resized: continue
      case .timeout: keys = reader.flush()
      case .input(let bytes): keys = reader.keys(bytes)
      case .readable:
        // What ends it, as a refusal does, it says once: the list stays as it is then.
        while let list = try? catalog.process() {
          if let preview = chooser.show(list.examined) { perform(preview, in: terminal) }
        }
      }
      for action in keys.compactMap({ chooser.handle($0) }) {
        switch action {
        case .choose(let name):
          chosen = name
          return nil
        case .leave: return nil
        case .preview: perform(action, in: terminal)
        }
      }
    }
  }

  private func perform(_ action: Chooser.Action, in terminal: borrowing Terminal) {
    guard case .preview(let theme, let scheme) = action else { return }
    terminal.write(ThemeSample(theme: theme, scheme: scheme).colors)
  }
}

extension ThemeItems<ThemeSummary> {
  /// The themes as read from their files, because the terminal needs more of them than the list has.
  fileprivate var examined: [ThemeExamination] {
    map(\.inner).map { ThemeExamination(ThemePlaces.Place(name: $0.name, path: $0.path.string)) }
  }
}
