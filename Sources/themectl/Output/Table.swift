import Glibc
import ThemedSystem

/// The number of columns of the terminal on standard output; nil if it is not a terminal, or its width is unknown.
var terminalColumns: Int? {
  var size = winsize()
  guard unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
  return Int(size.ws_col)
}

/// Rows of words: for people in columns, for programs with tabs in between.
func lines(of rows: [[String]], _ style: Style) -> [String] {
  guard style.isForPeople else { return rows.map { $0.joined(separator: "\t") } }
  var widths: [Int] = []
  for row in rows {
    for (column, word) in row.enumerated() {
      if column == widths.count { widths.append(0) }
      widths[column] = max(widths[column], word.columns)
    }
  }
  return rows.map { row in
    let padded = zip(row.dropLast(), widths).map { $0.padded($1) + "  " }.joined()
    return padded + (row.last ?? "")
  }
}

extension String {
  var columns: Int { map(\.columns).reduce(0, +) }

  func padded(_ width: Int) -> String { self + String(repeating: " ", count: Swift.max(0, width - columns)) }

  /// The text, cut to this width; if it is cut, it ends with an ellipsis.
  func shortened(to width: Int, _ style: Style) -> String {
    guard columns > width else { return self }
    let mark = style.isUTF8 ? "…" : ".."
    guard width > mark.count else { return String(prefix(Swift.max(0, width))) }
    var (text, left) = ("", width - mark.count)
    for character in self {
      left -= character.columns
      guard left >= 0 else { break }
      text.append(character)
    }
    return text + mark
  }
}

extension Character {
  /// Two for East Asian characters and emoji, as terminals count.
  fileprivate var columns: Int {
    switch unicodeScalars.first?.value ?? 0 {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
      0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1F9FF, 0x20000...0x3FFFD:
      2
    default: 1
    }
  }
}
