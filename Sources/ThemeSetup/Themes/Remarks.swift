import ThemeApps
import ThemedSystem
package import ThemedVarlink

extension Remark {
  package func shown(in path: String) -> String {
    let place = printable(path) + (line.map { ":\($0)" } ?? "")
    return "\(place): \(isError ? "error" : "warning"): \(printable(text))"
  }

  /// The remark for programs; without a path if it is about the file that they asked about.
  package func json(path: String? = nil) -> JSON {
    .object([
      "path": path.map(JSON.word), "line": line.map { .integer(Int64($0)) },
      "severity": .word(isError ? "error" : "warning"), "text": .word(text),
    ])
  }
}

/// A line of a file with its number, as messages show it below a mistake; nil if the file has no such line.
package func quotedLine(_ number: Int?, of bytes: [UInt8]) -> String? {
  // A line that is longer than this would hide the message.
  let maximum = 120
  let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
  guard let number, number >= 1, number <= lines.count else { return nil }
  // A tab has no width of its own after a number, and a text from Windows ends with a carriage return.
  let bytes = lines[number - 1].map { $0 == UInt8(ascii: "\t") ? UInt8(ascii: " ") : $0 }
  let line = Text(decoding: bytes.last == UInt8(ascii: "\r") ? bytes.dropLast() : bytes[...])
  return line.isEmpty ? nil : "  \(number) | \(line.shown(atMost: maximum))"
}
