internal import ThemedSystem

extension Value {
  /// The value in GVariant's text format, as `gdbus` prints it, without control characters: for people.
  ///
  /// If it is longer than `maximum` bytes, it ends with an ellipsis and the rest is not examined.
  public func text(atMost maximum: Int) -> String {
    var text = ""
    write(to: &text, atMost: maximum)
    return Text(text).shown(atMost: maximum)
  }

  private func write(to text: inout String, atMost maximum: Int) {
    switch self {
    case .byte(let number): text += "byte \(number)"
    case .boolean(let flag): text += "\(flag)"
    case .int16(let number): text += "int16 \(number)"
    case .uint16(let number): text += "uint16 \(number)"
    case .int32(let number): text += "\(number)"
    case .uint32(let number): text += "uint32 \(number)"
    case .int64(let number): text += "int64 \(number)"
    case .uint64(let number): text += "uint64 \(number)"
    case .double(let number): text += "\(number)"
    case .string(let string): text += "'\(string.prefix(maximum))'"
    case .array(let elements): Self.write(elements, "[", "]", to: &text, atMost: maximum)
    case .structure(let parts): Self.write(parts, "(", ")", to: &text, atMost: maximum)
    case .variant(let value): Self.write([value], "<", ">", to: &text, atMost: maximum)
    case .other: text += "?"
    }
  }

  private static func write(
    _ values: [Value], _ start: String, _ end: String, to text: inout String, atMost maximum: Int
  ) {
    text += start
    for (index, value) in values.enumerated() {
      // If it is too long already, the end will be cut off anyway.
      guard text.utf8.count <= maximum else { return }
      if index > 0 { text += ", " }
      value.write(to: &text, atMost: maximum)
    }
    text += end
  }
}
