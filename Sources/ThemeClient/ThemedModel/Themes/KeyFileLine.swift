internal import ThemedSystem

/// A single line of a key file.
public enum KeyFileLine {
  /// A comment or a blank line.
  case nothing
  /// The name of a group.
  case group(ArraySlice<UInt8>)
  /// A key, or a translation of a key, and its value.
  case entry(key: ArraySlice<UInt8>, value: ArraySlice<UInt8>)
  case mistake(Mistake)

  /// The possible mistakes in a line.
  public enum Mistake {
    case binary
    case line(ArraySlice<UInt8>)
    case group(ArraySlice<UInt8>)
    case key(ArraySlice<UInt8>)
    /// A key appears before the first group.
    case early
    case encoding
  }

  /// Reads a line, with or without its line ending; keys and values are slices of it.
  public init(_ line: ArraySlice<UInt8>) {
    guard !line.contains(0) else {
      self = .mistake(.binary)
      return
    }
    let line = line.trimmed
    guard let first = line.first, first != UInt8(ascii: "#") else {
      self = .nothing
      return
    }
    if let name = line.bracketed {
      self = name.isGroup ? .group(name) : .mistake(.group(name))
      return
    }
    guard let equals = line.firstIndex(of: UInt8(ascii: "=")), equals != line.startIndex else {
      self = .mistake(.line(line))
      return
    }
    let key = line[..<equals].trimmed
    self = key.isKey ? .entry(key: key, value: line[(equals + 1)...].trimmed) : .mistake(.key(key))
  }
}

extension KeyFileLine.Mistake {
  /// The mistake in one short line that is safe for a terminal.
  var text: String {
    switch self {
    case .binary: "the file holds a NUL byte, so it is not text"
    case .line(let bytes):
      "'\(quote(bytes))' should be a group in brackets, key=value, or a comment after #"
    case .group(let bytes): "'\(quote(bytes))' is not a valid group"
    case .key(let bytes): "'\(quote(bytes))' is not a valid key"
    case .early: "a group in brackets should come before the first key"
    case .encoding: "the encoding should be UTF-8"
    }
  }

  private func quote(_ bytes: ArraySlice<UInt8>) -> String { Text(decoding: bytes).shown(atMost: 80) }
}

// MARK: The grammar

// GLib steps from character to character, and also skips continuation bytes that follow any other byte.

extension ArraySlice<UInt8> {
  /// The bytes without white space at either end; white space is what g_ascii_isspace says.
  fileprivate var trimmed: ArraySlice { trimming(\.isSpace) }

  /// The bytes inside the brackets; nil if the line is anything else.
  fileprivate var bracketed: ArraySlice? {
    guard first == UInt8(ascii: "["), let end = firstIndex(of: UInt8(ascii: "]")),
      self[(end + 1)...].allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") || $0.isWithinCharacter })
    else { return nil }
    return self[(startIndex + 1)..<end]
  }

  /// Whether this is a valid name of a group.
  fileprivate var isGroup: Bool {
    !isEmpty && allSatisfy { $0 != UInt8(ascii: "[") && $0 >= 0x20 && $0 != 0x7F }
  }

  /// Whether this is a valid key, with or without the locale of a translation.
  fileprivate var isKey: Bool {
    let name = prefix { $0 != UInt8(ascii: "[") && $0 != UInt8(ascii: "]") }
    guard let last = name.last, last != UInt8(ascii: " ") else { return false }
    let locale = self[name.endIndex...]
    return locale.isEmpty || locale.isLocale
  }

  /// Whether this is a locale in brackets.
  private var isLocale: Bool {
    guard count >= 2, first == UInt8(ascii: "["), last == UInt8(ascii: "]") else { return false }
    var rest = dropFirst().dropLast()
    while let first = rest.first {
      guard let scalar = Text(validating: rest.prefix(first.lengthOfCharacter))?.string.unicodeScalars.first,
        scalar.isOfLocale
      else { return false }
      rest = rest.dropFirst().drop(while: \.isWithinCharacter)
    }
    return true
  }

  /// Whether the key ends with a locale, which makes it a translation of another key.
  var isTranslation: Bool { last == UInt8(ascii: "]") && dropLast().last != UInt8(ascii: "[") }

  /// Whether this is a name of UTF-8, the only encoding that is allowed.
  var isNameOfUTF8: Bool {
    count == 5 && zip(self, "utf-8".utf8).allSatisfy { $0 == $1 || $0 | 0x20 == $1 && $0 >= UInt8(ascii: "A") }
  }
}

extension Unicode.Scalar {
  /// Whether the character is allowed in a locale, like g_unichar_isalnum.
  fileprivate var isOfLocale: Bool {
    // Avoids Unicode's tables, which nothing else loads into memory.
    if isASCII {
      return switch self {
      case "a"..."z", "A"..."Z", "0"..."9", "-", "_", ".", "@": true
      default: false
      }
    }
    return switch properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: true
    case .decimalNumber, .letterNumber, .otherNumber: true
    default: false
    }
  }
}

extension UInt8 {
  fileprivate var isSpace: Bool {
    switch self {
    case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"), 0x0C: true
    default: false
    }
  }

  /// Whether this byte is a continuation byte.
  fileprivate var isWithinCharacter: Bool { self & 0xC0 == 0x80 }

  /// How many bytes long a character is that begins with this byte.
  fileprivate var lengthOfCharacter: Int { self < 0xE0 ? self < 0x80 ? 1 : 2 : self < 0xF0 ? 3 : 4 }
}
