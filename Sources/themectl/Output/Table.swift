import Glibc
import ThemedSystem

/// The number of columns of the terminal on standard output; nil if it is not a terminal, or its width is unknown.
var terminalColumns: Int? {
  var size = winsize()
  guard unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
  return Int(size.ws_col)
}

/// Rows of cells: for people in columns that fit the terminal, for programs with tabs in between.
///
/// A cell that is too long for its column continues on the next line.
func lines(of rows: [[String]], _ style: Style, margin: String = "", columns: Int? = terminalColumns) -> [String] {
  guard style.isForPeople else { return rows.map { margin + $0.joined(separator: "\t") } }
  let widths = columnWidths(of: rows, within: columns.map { $0 - margin.columns })
  return rows.flatMap { row in
    let cells = zip(row, widths).map { $0.wrapped(to: $1) }
    return (0..<(cells.map(\.count).max() ?? 0)).map { line in
      let texts = zip(cells, widths).map { ($0.count > line ? $0[line] : "").padded($1) }
      return (margin + texts.joined(separator: gap)).withoutTrailingBlanks
    }
  }
}

private let gap = "  "

/// The widths of the columns: those of their longest cells, or less for the widest ones if the table would not fit.
private func columnWidths(of rows: [[String]], within room: Int?) -> [Int] {
  let narrowest = 8
  let count = rows.map(\.count).max() ?? 0
  var widths = (0..<count).map { column in rows.map { column < $0.count ? $0[column].columns : 0 }.max() ?? 0 }
  guard let room else { return widths }
  while widths.reduce(gap.count * (count - 1), +) > room, let widest = widths.max(), widest > narrowest,
    let column = widths.firstIndex(of: widest)
  {
    widths[column] -= 1
  }
  return widths
}

extension String {
  var columns: Int { map(\.columns).reduce(0, +) }

  func padded(_ width: Int) -> String { self + String(repeating: " ", count: Swift.max(0, width - columns)) }

  /// The text in lines of at most this width; a word that is longer is broken.
  func wrapped(to width: Int) -> [String] {
    guard columns > width, width > 0 else { return [self] }
    var (lines, line) = ([String](), "")
    for bytes in utf8.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false) {
      let word = String(Substring(bytes))
      if !line.isEmpty, line.columns + 1 + word.columns <= width {
        line += " " + word
        continue
      }
      if !line.isEmpty { lines.append(line) }
      line = word
      while line.columns > width {
        let start = line.start(within: width)
        lines.append(start)
        line.removeFirst(start.count)
      }
    }
    return line.isEmpty && !lines.isEmpty ? lines : lines + [line]
  }

  /// The text after `start`, in lines that fit a width, if that is known; further lines begin below the text.
  func wrapped(below start: String, within columns: Int?) -> [String] {
    let indent = String(repeating: " ", count: start.columns)
    let lines = columns.map { wrapped(to: Swift.max(20, $0 - start.columns)) } ?? [self]
    return lines.enumerated().map { ($0 == 0 ? start : indent) + $1 }
  }

  fileprivate var withoutTrailingBlanks: String {
    guard let end = utf8.lastIndex(where: { $0 != UInt8(ascii: " ") }) else { return "" }
    return String(self[..<utf8.index(after: end)])
  }

  /// The longest beginning of this width, but at least one character.
  private func start(within width: Int) -> String {
    var (text, left) = ("", width)
    for character in self {
      left -= character.columns
      guard left >= 0 || text.isEmpty else { break }
      text.append(character)
    }
    return text
  }

  /// The text, cut to this width; if it is cut, it ends with an ellipsis.
  func shortened(to width: Int, _ style: Style) -> String {
    guard columns > width else { return self }
    let mark = style.isUTF8 ? "…" : ".."
    guard width > mark.count else { return String(prefix(Swift.max(0, width))) }
    return start(within: width - mark.count) + mark
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
