// How foreign text leaves this program: for people, and for a shell.

extension Text {
  // The characters are control and format characters except the two joiners, line and paragraph separators, and
  // unassigned or private ones.
  /// The text in a form that is safe in one line of a terminal or a log.
  ///
  /// Terminals obey control characters. So each character that would move, hide or reverse other text becomes a
  /// question mark. A text of more than `maximum` bytes is cut, and ends with an ellipsis.
  public func shown(atMost maximum: Int = .max) -> String {
    let isCut = count > maximum
    let text = isCut ? prefix(maximum).string : string
    guard isCut || !isPlain && !text.unicodeScalars.allSatisfy(\.isVisible) else { return text }
    var shown = String.UnicodeScalarView()
    for scalar in text.unicodeScalars { shown.append(scalar.isVisible ? scalar : "?") }
    if isCut { shown.append("…") }
    return String(shown)
  }

  /// Whether it is printable ASCII, as nearly every text is.
  private var isPlain: Bool { unsafe withBytes { unsafe $0.allSatisfy { (0x20..<0x7F).contains($0) } } }

  /// A word that every POSIX shell reads as exactly this text: it is in single quotes, and each quote inside ends them,
  /// is escaped, and starts them again.
  package var quotedForShell: String {
    var bytes: [UInt8] = [UInt8(ascii: "'")]
    for byte in utf8 {
      if byte == UInt8(ascii: "'") { bytes += "'\\''".utf8 } else { bytes.append(byte) }
    }
    bytes.append(UInt8(ascii: "'"))
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension Unicode.Scalar {
  /// Whether the character stays in its line and its place.
  package var isVisible: Bool {
    // Avoids Unicode's tables, which nothing else loads and which take 64 KiB of memory.
    if isASCII { return (0x20..<0x7F).contains(value) }
    return switch properties.generalCategory {
    // ZERO WIDTH JOINER and NON-JOINER: Persian words and some emoji need them.
    case .format: value == 0x200C || value == 0x200D
    case .control, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned, .privateUse: false
    default: true
    }
  }
}
