// How text of others leaves this program: for eyes, and for a shell.

extension Text {
  /// The text as it may stand in a line of a log or on a terminal, which takes orders from control characters: whatever
  /// would move, hide or turn the text around it is a question mark, and what is longer than `maximum` bytes ends with
  /// an ellipsis.
  ///
  /// Those are control and format characters but the two joiners, separators of lines and paragraphs, and what is not
  /// assigned or is private.
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

  /// A word that any POSIX shell takes as this text and nothing else: within single quotes, where a quote ends them,
  /// stands escaped and begins them anew.
  public var quotedForShell: String {
    var bytes: [UInt8] = [UInt8(ascii: "'")]
    for byte in utf8 {
      if byte == UInt8(ascii: "'") { bytes += "'\\''".utf8 } else { bytes.append(byte) }
    }
    bytes.append(UInt8(ascii: "'"))
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension Unicode.Scalar {
  /// Whether it stays in its line and its place.
  public var isVisible: Bool {
    // Without Unicode's tables, which are 64 KiB that nothing else brings into memory.
    if isASCII { return (0x20..<0x7F).contains(value) }
    return switch properties.generalCategory {
    // ZERO WIDTH JOINER and NON-JOINER: words of Persian and families of emoji are written with them.
    case .format: value == 0x200C || value == 0x200D
    case .control, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned, .privateUse: false
    default: true
    }
  }
}
