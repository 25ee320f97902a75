import ThemedSystem

/// Splits received bytes into lines; of a line that is too long, it keeps the beginning or the end.
struct LineReader: Hashable {
  private let limit: Int
  private let keepsEnd: Bool
  private var begun: [UInt8] = []

  /// A reader that keeps the first or the last `limit` bytes of each line.
  init(limit: Int, keepsEnd: Bool = false) {
    (self.limit, self.keepsEnd) = (limit, keepsEnd)
  }

  /// How many received bytes are kept.
  var heldBytes: Int { begun.count }

  /// The lines that end in these bytes, without their line ends.
  mutating func receive(_ bytes: ArraySlice<UInt8>) -> [Text] {
    var lines: [Text] = []
    var rest = bytes
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      add(rest[..<end])
      // Output for terminals ends lines with both characters.
      if begun.last == UInt8(ascii: "\r") { begun.removeLast() }
      lines.append(Text(decoding: begun))
      begun = []
      rest = rest[(end + 1)...]
    }
    add(rest)
    return lines
  }

  private mutating func add(_ bytes: ArraySlice<UInt8>) {
    guard keepsEnd else { return begun += bytes.prefix(limit - begun.count) }
    begun = Array((begun + bytes.suffix(limit)).suffix(limit))
  }
}
