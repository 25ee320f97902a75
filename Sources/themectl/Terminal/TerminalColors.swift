import ThemedModel
import ThemeSetup
import ThemedSystem

/// A colour that a terminal draws with, and that xterm's control sequences (OSC 4, 10, 11 and 12) ask for and set.
enum TerminalColor: Hashable {
  case number(Int)
  case text
  case background
  case cursor

  static let all = (0..<16).map(number) + [.text, .background, .cursor]

  /// The number before the colour in the sequence.
  fileprivate var code: String {
    switch self {
    case .number(let number): "4;\(number)"
    case .text: "10"
    case .background: "11"
    case .cursor: "12"
    }
  }

  var question: String { "\u{1B}]\(code);?\u{1B}\\" }

  /// The sequence that sets it to a colour, in a form that X knows.
  func setting(_ value: Text) -> String { "\u{1B}]\(code);\(value)\u{1B}\\" }

  var resetting: String {
    switch self {
    case .number(let number): "\u{1B}]104;\(number)\u{1B}\\"
    case .text: "\u{1B}]110\u{1B}\\"
    case .background: "\u{1B}]111\u{1B}\\"
    case .cursor: "\u{1B}]112\u{1B}\\"
    }
  }

  func color(in palette: Palette) -> Color {
    switch self {
    case .number(let number): palette[Role.ansi[number]]
    case .text: palette[.text]
    case .background: palette[.background]
    case .cursor: palette[.cursor]
    }
  }
}

/// The terminal's answers to the questions about its colours: pure.
struct TerminalAnswers {
  /// Asks for every colour, and at the end for the device attributes, which every terminal answers, so that no answer
  /// can follow that one.
  static let questions = TerminalColor.all.map(\.question).joined() + "\u{1B}[c"

  private(set) var colors: [TerminalColor: Text] = [:]
  private(set) var isComplete = false
  private var input: [UInt8] = []
  /// More bytes than all answers together; longer input is not an answer.
  private static let maximumInput = 16 * 1024

  /// Takes input from the terminal; keys that were pressed meanwhile are ignored.
  mutating func receive(_ bytes: [UInt8]) {
    input += bytes
    while let start = input.firstIndex(of: 0x1B), start + 1 < input.count, let end = end(ofSequenceAt: start) {
      read(input[(start + 1)..<end])
      input.removeFirst(end)
    }
    if input.count > Self.maximumInput { input = [] }
  }

  /// The position after the last byte of a sequence; nil if the sequence is not complete yet.
  private func end(ofSequenceAt start: Int) -> Int? {
    switch input[start + 1] {
    case UInt8(ascii: "["):
      return input[(start + 2)...].firstIndex { (0x40...0x7E).contains($0) }.map { $0 + 1 }
    case UInt8(ascii: "]"):
      // BEL ends it, or ESC and a backslash.
      guard let end = input[(start + 2)...].firstIndex(where: { $0 == 0x07 || $0 == 0x1B }) else { return nil }
      if input[end] == 0x07 { return end + 1 }
      return end + 1 < input.count ? end + 2 : nil
    default: return start + 2
    }
  }

  private mutating func read(_ sequence: ArraySlice<UInt8>) {
    let text = Text(decoding: sequence.prefix { $0 != 0x07 && $0 != 0x1B })
    if text.hasPrefix("[?"), text.hasSuffix("c") { isComplete = true }
    for color in TerminalColor.all {
      guard let value = text.dropping(prefix: "]\(color.code);"), !value.isEmpty else { continue }
      // The value is sent back to the terminal, so it must be a colour and nothing else.
      let isColor = value.utf8.allSatisfy { "0123456789abcdefABCDEFrg:/#".utf8.contains($0) }
      if isColor { colors[color] = value }
    }
  }

  static let resets = TerminalColor.all.map(\.resetting).joined()

  /// Sets the colours that still differ from these after the resets.
  ///
  /// Another program has set them, or the terminal knows no resets. All others are left to the terminal's settings:
  /// once a colour is set, a file that the terminal reads again no longer changes it.
  func restoration(after answers: TerminalAnswers) -> String {
    TerminalColor.all.compactMap { color in
      colors[color].flatMap { $0 == answers.colors[color] ? nil : color.setting($0) }
    }.joined()
  }

  /// The scheme of the terminal's current colours; nil if it does not report its background.
  var scheme: ColorScheme? {
    guard let background = colors[.background].flatMap(Color.init(xSpecification:)) else { return nil }
    return background.contrasting == .black ? .light : .dark
  }
}
