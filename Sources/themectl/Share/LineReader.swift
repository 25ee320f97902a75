import ThemedText

/// Takes bytes as they come, and gives the lines in them: of one that is too long its beginning, or its end.
struct LineReader: Hashable {
  private let limit: Int
  private let keepsEnd: Bool
  private var begun: [UInt8] = []

  /// A reader of lines, of which the first `limit` bytes are kept, or the last.
  init(limit: Int, keepsEnd: Bool = false) {
    (self.limit, self.keepsEnd) = (limit, keepsEnd)
  }

  /// How many bytes are kept of what came.
  var heldBytes: Int { begun.count }

  /// The lines that end in these bytes, without their ends.
  mutating func receive(_ bytes: ArraySlice<UInt8>) -> [Text] {
    var lines: [Text] = []
    var rest = bytes
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      add(rest[..<end])
      // Terminals are sent both.
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
