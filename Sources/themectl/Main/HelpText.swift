import ArgumentParser
import Glibc
import ThemedSystem

/// The help of a command, wrapped to the width of the terminal.
///
/// ArgumentParser continues a long line at the left margin, so that the rest of a list's entry or of an example looks
/// like a line of its own.
struct HelpText {
  /// The column where the texts about options begin.
  private static let labelWidth = 26

  /// The help, with each paragraph and each entry on one line.
  let text: String
  let columns: Int

  var wrapped: String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { wrapped($0) }.joined(separator: "\n")
  }

  private static var wantedColumns: Int {
    if let word = environment("COLUMNS"), let columns = Int(word), columns > 0 { return columns }
    return terminalColumns ?? 80
  }

  private func wrapped(_ line: Substring) -> String {
    let margin = line.prefix { $0 == " " }.count
    guard line.count >= columns, !isWhole(line, margin) else { return String(line) }
    var indent = self.indent(of: line, margin)
    if indent > columns - 20 { indent = margin + 2 }
    var (lines, rest) = ([Substring](), line)
    while rest.count + (lines.isEmpty ? 0 : indent) >= columns {
      let start = lines.isEmpty ? max(margin, indent) : 0
      let room = max(1, columns - (lines.isEmpty ? 0 : indent))
      let end =
        rest.prefix(room).dropFirst(start).lastIndex(of: " ") ?? rest.dropFirst(room).firstIndex(of: " ")
        ?? rest.endIndex
      lines.append(rest[..<end])
      rest = rest[end...].drop { $0 == " " }
      if rest.isEmpty { break }
    }
    if !rest.isEmpty { lines.append(rest) }
    return lines.joined(separator: "\n" + String(repeating: " ", count: indent))
  }

  /// Whether the line has to stay whole: a usage, or an example without an explanation, which a user may copy.
  private func isWhole(_ line: Substring, _ margin: Int) -> Bool {
    let text = line.dropFirst(margin)
    if text.hasPrefix("USAGE: ") { return true }
    guard margin > 0, !hasGap(text) else { return false }
    return ["themectl ", "systemctl ", "curl ", "eval ", "$EDITOR ", "--"].contains { text.hasPrefix($0) }
      && !isOption(line)
  }

  /// The column where a line continues: below the last column of a table, or within the entry of a list.
  private func indent(of line: Substring, _ margin: Int) -> Int {
    guard margin > 0, margin < Self.labelWidth else { return margin }
    if isOption(line) { return Self.labelWidth }
    var (indent, blanks) = (margin + 2, 0)
    for (column, character) in line.enumerated().dropFirst(margin) {
      if character != " ", blanks > 1 { indent = column }
      blanks = character == " " ? blanks + 1 : 0
    }
    return indent
  }

  private func hasGap(_ text: Substring) -> Bool { zip(text, text.dropFirst()).contains { $0 == " " && $1 == " " } }

  private func isOption(_ line: Substring) -> Bool {
    let label = line.prefix(Self.labelWidth)
    return label.hasPrefix("  -") && label.last == " " && line.count > Self.labelWidth
  }
}

extension HelpText {
  /// The help that was requested; nil if the error is another one.
  init?(of error: any Error) {
    let columns = Self.wantedColumns
    // ArgumentParser then wraps nothing.
    _ = unsafe setenv("COLUMNS", "100000", 1)
    let text = Themectl.fullMessage(for: error)
    guard text.hasPrefix("OVERVIEW: ") else { return nil }
    self.init(text: text, columns: columns)
  }
}
