public import ThemedSystem

/// Why a text is not valid JSON, or not accepted by this project.
public struct JSONError: Error, Hashable, CustomStringConvertible {
  /// The offset of the byte at which reading stopped.
  public let offset: Int
  public let reason: String

  public var description: String { "\(reason) at byte \(offset)" }
}

extension JSON {
  /// The maximum depth of nested arrays and objects.
  public static let maximumDepth = 64

  /// Reads one JSON text with only white space around it.
  ///
  /// It is strict (RFC 8259). It checks UTF-8, and limits the nesting to ``maximumDepth``. It refuses a byte-order
  /// mark, a member name that appears twice, a lone surrogate, and a number that is too large for a double.
  public init(parsing bytes: [UInt8]) throws(JSONError) {
    try self.init(parsing: bytes, in: bytes.indices)
  }

  /// Reads one JSON text in `range` of `bytes`; ``JSONError/offset`` counts from the start of `range`.
  ///
  /// Unwanted values are skipped. In them, invalid UTF-8, repeated names and numbers that are too large are not errors.
  public init(parsing bytes: [UInt8], in range: Range<Int>, keeping wanted: Wanted = .all) throws(JSONError) {
    var reader = JSONReader(bytes: bytes, start: range.lowerBound, end: range.upperBound, wanted: wanted)
    self = try reader.text()
  }

  /// Reads JSON as people write it in settings: with comments, a comma before a closing bracket, and names that appear
  /// twice, of which the last one counts.
  public init(settings bytes: [UInt8]) throws(JSONError) {
    var reader = JSONReader(bytes: bytes, start: 0, end: bytes.count, wanted: .all)
    reader.isTolerant = true
    self = try reader.text()
  }
}

extension JSON {
  /// The parts of a text to convert to values.
  ///
  /// This is not an optional array, because the runtime would look up that type whenever one is released.
  public enum Wanted: Sendable, Hashable {
    /// The whole text.
    case all
    /// If the text is an object: of each member that is an object, only the members with these names.
    case only([Text])
  }
}

/// A recursive-descent reader; ``JSON/maximumDepth`` limits the recursion.
private struct JSONReader {
  let bytes: [UInt8]
  let start: Int
  let end: Int
  var wanted: JSON.Wanted
  var index: Int
  var depth = 0
  /// Whether the current value is unwanted.
  var isPassedOver = false
  /// Whether the text may have comments, a comma before a closing bracket, and names that appear twice.
  var isTolerant = false

  init(bytes: [UInt8], start: Int, end: Int, wanted: JSON.Wanted) {
    self.bytes = bytes
    self.start = start
    self.end = end
    self.wanted = wanted
    index = start
  }

  mutating func text() throws(JSONError) -> JSON {
    skipWhiteSpace()
    if peek != UInt8(ascii: "{") { wanted = .all }
    let value = try value()
    skipWhiteSpace()
    guard index == end else { throw failure("unexpected text after the value") }
    return value
  }

  private mutating func value() throws(JSONError) -> JSON {
    switch peek {
    case UInt8(ascii: "{"): return try object()
    case UInt8(ascii: "["): return try array()
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try literal("true", .bool(true))
    case UInt8(ascii: "f"): return try literal("false", .bool(false))
    case UInt8(ascii: "n"): return try literal("null", .null)
    case UInt8(ascii: "-"): return try number()
    case let byte? where isDigit(byte): return try number()
    case nil: throw failure("expected a value, but the text ends")
    default: throw failure("expected a value")
    }
  }

  private mutating func object() throws(JSONError) -> JSON {
    try enter()
    var members: [JSON.Object.Member] = []
    // Comparing with every earlier name is fastest for the few members of an ordinary object, but takes quadratic time
    // for the many members of a malicious one.
    var names: Set<Text>?
    var isRepeating = false
    if try !closes(with: UInt8(ascii: "}")) {
      repeat {
        skipWhiteSpace()
        guard peek == UInt8(ascii: "\"") else { throw failure("expected a member's name") }
        let name = try string()
        if isPassedOver || !isWanted(name) {
          try passOverValue()
          continue
        }
        if members.count == 16 { names = Set(members.map(\.name)) }
        let isNew = names?.insert(name).inserted ?? !members.contains { $0.name == name }
        guard isNew || isTolerant else { throw failure("a member's name appears twice") }
        isRepeating = isRepeating || !isNew
        try takeColon()
        members.append(.init(name: name, value: try value()))
      } while try continues(to: UInt8(ascii: "}"))
    }
    depth -= 1
    if isRepeating {
      var last: Set<Text> = []
      members = members.reversed().filter { last.insert($0.name).inserted }.reversed()
    }
    return .object(.init(members: members))
  }

  private func isWanted(_ name: Text) -> Bool {
    guard depth == 2, case .only(let names) = wanted else { return true }
    return names.contains(name)
  }

  /// Skips the colon and the value of an unwanted member.
  private mutating func passOverValue() throws(JSONError) {
    try takeColon()
    let isWithin = isPassedOver
    isPassedOver = true
    _ = try value()
    isPassedOver = isWithin
  }

  private mutating func takeColon() throws(JSONError) {
    skipWhiteSpace()
    guard take(UInt8(ascii: ":")) else { throw failure("expected a colon") }
    skipWhiteSpace()
  }

  private mutating func array() throws(JSONError) -> JSON {
    try enter()
    var elements: [JSON] = []
    if try !closes(with: UInt8(ascii: "]")) {
      repeat {
        skipWhiteSpace()
        let element = try value()
        if !isPassedOver { elements.append(element) }
      } while try continues(to: UInt8(ascii: "]"))
    }
    depth -= 1
    return .array(elements)
  }

  /// Reads the opening bracket.
  private mutating func enter() throws(JSONError) {
    depth += 1
    guard depth <= JSON.maximumDepth else { throw failure("nested more than \(JSON.maximumDepth) levels deep") }
    index += 1
  }

  /// Whether the bracket that was just opened is closed at once.
  private mutating func closes(with bracket: UInt8) throws(JSONError) -> Bool {
    skipWhiteSpace()
    return take(bracket)
  }

  /// Reads a comma or the closing bracket; returns whether it was a comma.
  private mutating func continues(to bracket: UInt8) throws(JSONError) -> Bool {
    skipWhiteSpace()
    if take(UInt8(ascii: ",")) {
      guard isTolerant else { return true }
      skipWhiteSpace()
      return !take(bracket)
    }
    guard take(bracket) else { throw failure("expected a comma or a closing bracket") }
    return false
  }

  private mutating func string() throws(JSONError) -> Text {
    let first = index + 1
    index = bytes[first..<end].firstIndex { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") || $0 < 0x20 } ?? end
    switch peek {
    case UInt8(ascii: "\""):
      let string = isPassedOver ? "" : try utf8(bytes[first..<index])
      index += 1
      return string
    case UInt8(ascii: "\\"): return try escapedString(from: first)
    case nil: throw failure("unterminated string")
    default: throw failure("a control character in a string")
    }
  }

  /// The slow path for a string with a backslash: copies what came before it, and appends the rest.
  private mutating func escapedString(from first: Int) throws(JSONError) -> Text {
    var content = Array(bytes[first..<index])
    while let byte = peek {
      switch byte {
      case UInt8(ascii: "\""):
        let string = isPassedOver ? "" : try utf8(content[...])
        index += 1
        return string
      case UInt8(ascii: "\\"):
        index += 1
        try escape(into: &content)
      case 0..<0x20: throw failure("a control character in a string")
      default:
        content.append(byte)
        index += 1
      }
    }
    throw failure("unterminated string")
  }

  private mutating func escape(into content: inout [UInt8]) throws(JSONError) {
    guard let byte = peek else { throw failure("unterminated string") }
    index += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): content.append(byte)
    case UInt8(ascii: "b"): content.append(0x08)
    case UInt8(ascii: "f"): content.append(0x0C)
    case UInt8(ascii: "n"): content.append(0x0A)
    case UInt8(ascii: "r"): content.append(0x0D)
    case UInt8(ascii: "t"): content.append(0x09)
    case UInt8(ascii: "u"): content.append(contentsOf: UTF8.encode(try scalar())!)
    default:
      index -= 1
      throw failure("unknown escape sequence")
    }
  }

  /// The scalar of a `\u` escape, or of two for a surrogate pair.
  private mutating func scalar() throws(JSONError) -> Unicode.Scalar {
    let first = try fourHexDigits()
    var code = UInt32(first)
    if 0xD800..<0xDC00 ~= first {
      guard take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else { throw failure("unpaired surrogate") }
      let second = try fourHexDigits()
      guard 0xDC00..<0xE000 ~= second else { throw failure("unpaired surrogate") }
      code = 0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00)
    }
    guard let scalar = Unicode.Scalar(code) else { throw failure("unpaired surrogate") }
    return scalar
  }

  private mutating func fourHexDigits() throws(JSONError) -> UInt16 {
    var value: UInt16 = 0
    for _ in 0..<4 {
      guard let byte = peek, let digit = byte.hexadecimalDigit else {
        throw failure("expected four hexadecimal digits")
      }
      value = value << 4 | UInt16(digit)
      index += 1
    }
    return value
  }

  private func utf8(_ content: ArraySlice<UInt8>) throws(JSONError) -> Text {
    guard let text = Text(validating: content) else { throw failure("a string is not UTF-8") }
    return text
  }

  private mutating func number() throws(JSONError) -> JSON {
    let first = index
    var isInteger = true
    _ = take(UInt8(ascii: "-"))
    if !take(UInt8(ascii: "0")) { try digits() }
    if take(UInt8(ascii: ".")) {
      isInteger = false
      try digits()
    }
    if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
      isInteger = false
      if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
      try digits()
    }
    if isPassedOver { return .null }
    let text = String(decoding: bytes[first..<index], as: UTF8.self)
    if isInteger, let integer = Int64(text) { return .integer(integer) }
    guard let number = Double(text), number.isFinite else { throw failure("the number is too large") }
    return .number(number)
  }

  /// Reads one or more digits.
  private mutating func digits() throws(JSONError) {
    guard let byte = peek, isDigit(byte) else { throw failure("expected a digit") }
    while let byte = peek, isDigit(byte) { index += 1 }
  }

  private func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }

  private mutating func literal(_ text: String, _ value: JSON) throws(JSONError) -> JSON {
    guard bytes[index..<min(index + text.utf8.count, end)].elementsEqual(text.utf8) else {
      throw failure("expected a value")
    }
    index += text.utf8.count
    return value
  }

  private mutating func skipWhiteSpace() {
    repeat {
      while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { index += 1 }
    } while isTolerant && takeComment()
  }

  /// Reads a comment of JavaScript's, or one of a line after `#`.
  private mutating func takeComment() -> Bool {
    let rest = bytes[index..<end]
    let isBlock = rest.starts(with: "/*".utf8)
    guard isBlock || rest.first == UInt8(ascii: "#") || rest.starts(with: "//".utf8) else { return false }
    index = rest.dropFirst(isBlock ? 2 : 1).place(of: (isBlock ? "*/" : "\n").utf8)?.upperBound ?? end
    return true
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard peek == byte else { return false }
    index += 1
    return true
  }

  private var peek: UInt8? { index < end ? bytes[index] : nil }

  private func failure(_ reason: String) -> JSONError { JSONError(offset: index - start, reason: reason) }
}
