import ThemedText

/// Takes bytes as they come, and gives the lines in them: of one that is too long its beginning.
struct LineReader: Hashable {
  private let limit: Int
  private var begun: [UInt8] = []

  /// A reader of lines, of which at most `limit` bytes are kept.
  init(limit: Int) {
    self.limit = limit
  }

  /// How many bytes are kept of what came.
  var heldBytes: Int { begun.count }

  /// The lines that end in these bytes, without their ends.
  mutating func receive(_ bytes: ArraySlice<UInt8>) -> [Text] {
    var lines: [Text] = []
    var rest = bytes
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      begun += rest[..<end].prefix(limit - begun.count)
      // Terminals are sent both.
      if begun.last == UInt8(ascii: "\r") { begun.removeLast() }
      lines.append(Text(decoding: begun))
      begun = []
      rest = rest[(end + 1)...]
    }
    begun += rest.prefix(limit - begun.count)
    return lines
  }
}
