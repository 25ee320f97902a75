public import ThemedText

/// The files that themed-apply has written and that cannot say so themselves: `apply.files` in the state directory, a line
/// for what was written to each.
public struct WrittenFiles: Sendable {
  /// The longest list that is read, in bytes.
  public static let maximumSize = 1 << 20

  private let lines: Set<Text>

  /// The list that these bytes are.
  public init(_ bytes: [UInt8]) {
    lines = Set(bytes.split(separator: 0x0A).map { Text(decoding: $0) })
  }

  /// Where the list is, below the directory that programs keep their state in.
  public static func path(state: Text) -> Text { "\(state)/themed/apply.files" }

  /// Whether these bytes at this path, without links, are what was written there.
  public func contains(_ bytes: [UInt8], at path: Text) -> Bool { lines.contains(Self.line(bytes, at: path)) }

  /// The line that says so: the bytes' FNV-1a of 64 bits, and the path.
  public static func line(_ bytes: [UInt8], at path: Text) -> Text {
    let sum = bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    let digits = String(sum, radix: 16)
    return "\(String(repeating: "0", count: 16 - digits.utf8.count))\(digits) \(path)"
  }
}
