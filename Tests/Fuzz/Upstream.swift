import ThemedModel

@testable import ThemeDaemon

/// What another machine sends to a daemon that follows it, cut at any place: the same states, little is kept, and what is
/// kept on the disk of it is read again to the same.
func fuzzUpstream(_ bytes: [UInt8]) {
  var input = Input(bytes)
  let (first, second) = (Int(input.byte()) + 1, Int(input.byte()) + 1)
  let rest = input.rest
  let (one, other) = (readings(in: rest, by: first), readings(in: rest, by: second))
  require(one == other, "where it is cut matters")
  guard let reading = one else { return }
  require(reading.upstream != nil && reading.scheme != .unavailable, "it is a desktop's")
  require(reading.upstream?.theme?.details?.assets.isEmpty != false, "a path of another machine is told")
  require(LastReading.parse(LastReading.content(reading))?.reading == reading, "what was kept is something else")
}

private func readings(in bytes: [UInt8], by length: Int) -> Reading? {
  var reader = UpstreamReader(limit: 256)
  var newest: Reading?
  for start in stride(from: 0, to: bytes.count, by: length) {
    let news = reader.receive(bytes[start..<min(start + length, bytes.count)])
    require(reader.heldBytes <= 256, "more is kept than is allowed")
    newest = news.reading ?? newest
  }
  return newest
}
