internal import ThemedSystem

/// The words of a value of an app file, and the placeholders in them.
enum Placeholders {
  /// A part of a word.
  enum Piece: Equatable {
    case bytes(ArraySlice<UInt8>)
    /// A placeholder `{name}`.
    case name(Text)
  }

  /// The parts of a word; a brace that begins no placeholder stays, and two braces are one.
  static func pieces(of word: Text) -> [Piece] {
    let bytes = Array(word.utf8)
    var pieces: [Piece] = []
    var start = 0
    var index = 0
    while index < bytes.count {
      guard bytes[index] == UInt8(ascii: "{") else {
        index += 1
        continue
      }
      if index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: "{") {
        pieces.append(.bytes(bytes[start...index]))
        index += 2
        start = index
        continue
      }
      let name = bytes[(index + 1)...].prefix { $0.isLetterOrDigit || "._+-".utf8.contains($0) }
      guard !name.isEmpty, name.endIndex < bytes.count, bytes[name.endIndex] == UInt8(ascii: "}") else {
        index += 1
        continue
      }
      if start < index { pieces.append(.bytes(bytes[start..<index])) }
      pieces.append(.name(Text(decoding: name)))
      index = name.endIndex + 1
      start = index
    }
    if start < bytes.count { pieces.append(.bytes(bytes[start...])) }
    return pieces
  }

  /// The names of a word's placeholders.
  static func names(in word: Text) -> [Text] {
    pieces(of: word).compactMap { if case .name(let name) = $0 { name } else { nil } }
  }

  /// A word with its placeholders filled; a placeholder without a value becomes empty.
  static func filling(_ word: Text, _ value: (Text) -> Text?) -> Text {
    Text(
      decoding: pieces(of: word).flatMap { piece in
        switch piece {
        case .bytes(let bytes): Array(bytes)
        case .name(let name): Array((value(name) ?? "").utf8)
        }
      })
  }

  /// The words of a value, separated by spaces, with quoted text kept together; nil if a quote is not closed.
  static func words(of value: Text) -> [Text]? {
    var words: [Text] = []
    var word: [UInt8]?
    var quote: UInt8?
    for byte in value.utf8 {
      if let open = quote {
        if byte == open { quote = nil } else { word?.append(byte) }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
        word = word ?? []
      } else if byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") {
        if let word { words.append(Text(decoding: word)) }
        word = nil
      } else {
        word = word ?? []
        word?.append(byte)
      }
    }
    guard quote == nil else { return nil }
    if let word { words.append(Text(decoding: word)) }
    return words
  }
}
