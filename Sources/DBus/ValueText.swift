extension Value {
  /// The value as GVariant writes it, as `gdbus` prints it: for people.
  public var text: String {
    switch self {
    case .byte(let number): "byte \(number)"
    case .boolean(let flag): "\(flag)"
    case .int16(let number): "int16 \(number)"
    case .uint16(let number): "uint16 \(number)"
    case .int32(let number): "\(number)"
    case .uint32(let number): "uint32 \(number)"
    case .int64(let number): "int64 \(number)"
    case .uint64(let number): "uint64 \(number)"
    case .double(let number): "\(number)"
    case .string(let string): "'\(string)'"
    case .array(let elements): "[\(elements.map(\.text).joined(separator: ", "))]"
    case .structure(let parts): "(\(parts.map(\.text).joined(separator: ", ")))"
    case .variant(let value): "<\(value.text)>"
    case .other: "?"
    }
  }
}
