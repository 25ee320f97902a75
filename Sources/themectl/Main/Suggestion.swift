import ThemedSystem

/// The words that the user may have meant by `word`, at most three: those that begin with it in any case, or else
/// similar ones.
func words(near word: Text, among words: [Text]) -> [Text] {
  let word = word.lowercasedASCII
  guard !word.isEmpty, word.count <= 64 else { return [] }
  let begun = words.filter { $0.lowercasedASCII.hasPrefix(word) }
  guard begun.isEmpty else { return Array(begun.sorted { ($0.count, $0) < ($1.count, $1) }.prefix(3)) }
  let most = max(1, word.count / 4)
  let near = words.filter { $0.count <= 64 }.map { (distance: distance(word, $0.lowercasedASCII), word: $0) }
  return near.filter { $0.distance <= most }.sorted { $0 < $1 }.prefix(3).map(\.word)
}

/// The number of bytes to insert, remove, replace or swap with the next to get from one to the other.
func distance(_ one: Text, _ other: Text) -> Int {
  let (one, other) = (Array(one.utf8), Array(other.utf8))
  var (last, row) = ([Int](), Array(0...other.count))
  for (index, byte) in one.enumerated() {
    var next = [index + 1]
    for (place, otherByte) in other.enumerated() {
      var least = min(row[place] + (byte == otherByte ? 0 : 1), row[place + 1] + 1, next[place] + 1)
      if index > 0, place > 0, byte == other[place - 1], one[index - 1] == otherByte {
        least = min(least, last[place - 1] + 1)
      }
      next.append(least)
    }
    (last, row) = (row, next)
  }
  return row[other.count]
}

extension Text {
  /// The text with ASCII letters in lower case.
  var lowercasedASCII: Text {
    Text(decoding: utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 + 0x20 : $0 })
  }
}
