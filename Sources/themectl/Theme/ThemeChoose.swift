import ArgumentParser
import ThemedClientCore
import ThemedInterface
import ThemedModel
import ThemeSetup
import ThemedSystem

struct ChooseTheme: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "choose",
    abstract: "Choose a theme from a list, and see each theme in this terminal.",
    discussion: """
      The arrow keys move through the list, and the terminal shows the colours of the selected theme. The space bar \
      shows its other side. Enter chooses the theme, as 'set theme' does. Escape or q leaves everything as it was. The \
      list is updated when a theme is added, edited or removed.
      """)

  @OptionGroup var side: SideOption
  @OptionGroup var ending: OverrideEnd
  @OptionGroup var daemon: Daemon
  @OptionGroup var audience: Audience
  @OptionGroup var format: Format

  func run() throws {
    let (list, choice, shown) = try daemon.call(.toChange) { (theme) throws(CallError) in
      (
        try theme.call(.themes), try ThemeChoice(&theme, app: audience.name),
        try theme.call(.state(app: audience.app)).scheme
      )
    }
    var catalog = try CatalogSource(socket: daemon.socket)
    var style = Style(.auto, isTerminal: true, environment: environment)
    // A terminal with sixteen colours shows those of the previewed theme, so it cannot show other themes' colours.
    if style.depth == .sixteen { style.depth = .none }
    var chooser = Chooser(list.examined, choice: choice, shown: shown, side: side.side, style: style)
    guard !chooser.themes.isEmpty else {
      throw failed(
        "there are no themes to choose from; make a theme with 'themectl theme new NAME' or "
          + "'themectl theme import FILE'")
    }
    var chosen: Text?
    try withTerminal(for: "the list of themes") { terminal, _ in
      // The alternate screen, without a cursor and without wrapping.
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
    _ chooser: inout Chooser, following catalog: inout CatalogSource, in terminal: borrowing Terminal,
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
        // An error that ends the subscription is reported once; the list then stays as it is.
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

extension ThemeItems<ThemeListing> {
  /// The themes as read from their files, because the terminal needs more of them than the list has.
  fileprivate var examined: [ThemeExamination] {
    map { ThemeExamination(InstalledThemes.Place(name: $0.name, path: $0.path.string)) }
  }
}

/// A list of themes on a terminal's screen, from which the user chooses one: keys go in, lines and actions come out.
///
/// Pure: ``ChooseTheme`` draws it and carries out the actions.
struct Chooser {
  enum Key: Hashable {
    case up, down, pageUp, pageDown, first, last
    case otherSide
    case choose
    case leave
  }

  enum Action: Hashable {
    case preview(Theme, ColorScheme)
    case choose(Text)
    case leave
  }

  private(set) var themes: [ThemeExamination]
  private let choice: ThemeChoice
  private let style: Style
  /// The only side to choose for; nil for both.
  private let side: ColorScheme?
  /// The side that the user asked for; a theme without it shows its other side.
  private var wanted: ColorScheme
  private var selected: Int
  /// The theme that the user has selected, which may disappear and come back.
  private var name: Text?
  /// The theme in the first row, and how many rows there were the last time.
  private var (top, height) = (0, 1)

  /// A list of the valid ones of these themes, with the chosen one selected.
  ///
  /// - Parameter side: The only side to choose for, which the others have; nil for both.
  init(_ themes: [ThemeExamination], choice: ThemeChoice, shown: ColorScheme, side: ColorScheme?, style: Style) {
    (self.themes, self.choice, self.style, self.side) = ([], choice, style, side)
    wanted = side ?? shown
    (name, selected) = (choice[wanted], 0)
    _ = show(themes)
    name = theme?.name
  }

  /// Takes the current themes; the selection stays at its theme, or at the place of a theme that is gone.
  ///
  /// Returns the theme to show if it is another one now, or has changed.
  mutating func show(_ examined: [ThemeExamination]) -> Action? {
    let before = preview
    themes = examined.filter { examination in
      guard let theme = examination.theme else { return false }
      return side.map { theme[$0] != nil } ?? true
    }
    selected = themes.firstIndex { $0.place.name == name } ?? max(0, min(themes.count - 1, selected))
    return preview == before ? nil : preview
  }

  var preview: Action? {
    guard let theme, let scheme else { return nil }
    return .preview(theme, scheme)
  }

  mutating func handle(_ key: Key) -> Action? {
    let before = (selected, scheme)
    switch key {
    case .up: selected -= 1
    case .down: selected += 1
    case .pageUp: selected -= height
    case .pageDown: selected += height
    case .first: selected = 0
    case .last: selected = themes.count - 1
    case .otherSide: if theme?.schemes.count == 2, side == nil { wanted = wanted.opposite }
    case .choose: return theme.map { .choose($0.name) }
    case .leave: return .leave
    }
    selected = max(0, min(themes.count - 1, selected))
    name = theme?.name ?? name
    return before == (selected, scheme) ? nil : preview
  }

  mutating func lines(rows: Int, columns: Int) -> [String] {
    // One line for the headings and one for the keys.
    height = max(1, min(themes.count, rows - 2))
    top = max(0, min(max(top, selected - height + 1), selected, themes.count - height))
    let table = ThemeTable(themes: themes, choice: choice, style: style, columns: columns - 2)
    let lines = table.lines(in: top..<min(themes.count, top + height))
    let cursor = style.isUTF8 ? "▸ " : "* "
    let marked = lines.dropFirst().enumerated().map { ($0 + top == selected ? style.bold(cursor) : "  ") + $1 }
    return ["  " + lines[0]] + marked + [keys.shortened(to: columns, style)]
  }

  private var keys: String {
    let other = theme?.schemes.count == 2 && side == nil ? "  Space: \(scheme == .light ? "dark" : "light") side" : ""
    return "Enter: choose  Escape: cancel\(other)"
  }

  private var theme: Theme? { themes.indices.contains(selected) ? themes[selected].theme : nil }

  private var scheme: ColorScheme? { theme.map { $0[wanted] == nil ? wanted.opposite : wanted } }
}

/// Splits the input from a terminal into keys: pure.
struct KeyReader {
  private var input: [UInt8] = []
  /// The longest sequence that means a key is much shorter.
  private static let maximumSequence = 32

  /// Whether the input may be a key, or the beginning of another one, which only time decides.
  var isUndecided: Bool { !input.isEmpty }

  mutating func keys(_ bytes: [UInt8]) -> [Chooser.Key] {
    input += bytes
    var keys: [Chooser.Key] = []
    while let first = input.first {
      guard first == 0x1B else {
        input.removeFirst()
        if let key = key(first) { keys.append(key) }
        continue
      }
      guard input.count > 1 else { break }
      guard input[1] == UInt8(ascii: "[") || input[1] == UInt8(ascii: "O") else {
        input.removeFirst()
        keys.append(.leave)
        continue
      }
      guard let end = input.dropFirst(2).firstIndex(where: { (0x40...0x7E).contains($0) }) else {
        if input.count > Self.maximumSequence { input = [] }
        break
      }
      if let key = key(sequence: Text(decoding: input[2...end])) { keys.append(key) }
      input.removeFirst(end + 1)
    }
    return keys
  }

  /// The keys in the input if nothing more arrives.
  mutating func flush() -> [Chooser.Key] {
    defer { input = [] }
    return input == [0x1B] ? [.leave] : []
  }

  private func key(_ byte: UInt8) -> Chooser.Key? {
    switch byte {
    case UInt8(ascii: "k"), 0x10: .up
    case UInt8(ascii: "j"), 0x0E: .down
    case UInt8(ascii: "g"): .first
    case UInt8(ascii: "G"): .last
    case UInt8(ascii: " "): .otherSide
    case 0x0A, 0x0D: .choose
    case UInt8(ascii: "q"): .leave
    default: nil
    }
  }

  private func key(sequence: Text) -> Chooser.Key? {
    switch sequence {
    case "A": .up
    case "B": .down
    case "5~": .pageUp
    case "6~": .pageDown
    case "H", "1~", "7~": .first
    case "F", "4~", "8~": .last
    default: nil
    }
  }
}
