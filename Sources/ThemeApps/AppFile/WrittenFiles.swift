public import ThemedSystem

/// The files that themed-apply has written without a mark in them: the list `apply.files` in the state directory, with a
/// line for the content of each.
public struct WrittenFiles: Sendable {
  /// The longest list that is read, in bytes.
  public static let maximumSize = 1 << 20

  private let lines: Set<Text>

  /// Parses the list.
  public init(_ bytes: [UInt8]) {
    lines = Set(bytes.split(separator: 0x0A).map { Text(decoding: $0) })
  }

  /// The path of the list in the user's state directory.
  public static func path(state: Text) -> Text { "\(state)/themed/apply.files" }

  /// Whether themed-apply wrote these bytes at this path, which has no links.
  public func contains(_ bytes: [UInt8], at path: Text) -> Bool { lines.contains(Self.line(bytes, at: path)) }

  /// The line for a file: the 64-bit FNV-1a sum of the bytes, and the path.
  public static func line(_ bytes: [UInt8], at path: Text) -> Text {
    let sum = bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    let digits = String(sum, radix: 16)
    return "\(String(repeating: "0", count: 16 - digits.utf8.count))\(digits) \(path)"
  }
}
