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
  public var quotedForShell: String {
    var bytes: [UInt8] = [UInt8(ascii: "'")]
    for byte in utf8 {
      if byte == UInt8(ascii: "'") { bytes += "'\\''".utf8 } else { bytes.append(byte) }
    }
    bytes.append(UInt8(ascii: "'"))
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The text as a person would type it for a shell: quoted only if it has to be.
  public var asWord: String { isCandidate ? string : quotedForShell }

  /// Whether it is safe as a completion: bash expands variables and commands in it, and every shell would split it into
  /// words.
  public var isCandidate: Bool {
    !isEmpty && !hasPrefix("-") && utf8.allSatisfy { $0.isLetterOrDigit || "._+-@/".utf8.contains($0) }
  }

  public var lowercasedASCII: Text {
    Text(decoding: utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 + 0x20 : $0 })
  }
}

/// A text from outside, made safe for a line of a message.
///
/// Every text from the daemon, a file, a name or the command line goes through this: control characters are commands
/// for a terminal, and other characters reverse or hide the text next to them.
public func printable(_ text: some CustomStringConvertible) -> String { Text("\(text)").shown() }

extension [Text] {
  /// The first of these names, and the number of the others.
  public var few: String {
    let names = prefix(3).map { printable($0) }.joined(separator: ", ")
    return count > 3 ? "\(names) and \(count - 3) more" : names
  }
}

extension Unicode.Scalar {
  /// Whether the character stays in its line and its place.
  public var isVisible: Bool {
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
