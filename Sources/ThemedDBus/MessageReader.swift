/// Splits the bytes from a bus into messages: pure.
///
/// A bus delivers whatever any program sends to us, up to 128 MiB in one message. A message that is longer than any
/// that this project expects is skipped as it arrives, and never held in memory as a whole.
struct MessageReader {
  enum Event: Equatable {
    case message([UInt8])
    /// A message of this many bytes, too long to be read.
    case passedOver(Int)
    /// Bytes that are not a message; no later message can be recognized.
    case broken
  }

  /// The fixed part of every message's header, which has the length of the rest.
  private static let header = 16
  /// The limits of the specification: for a message, and for the fields in its header.
  private static let longest = 1 << 27
  private static let longestFields = 1 << 26

  private let maximum: Int
  private var bytes: [UInt8] = []
  private var position = 0
  private var skipping = 0

  init(maximum: Int) { self.maximum = maximum }

  mutating func append(_ new: ArraySlice<UInt8>) {
    let skipped = min(skipping, new.count)
    skipping -= skipped
    bytes += new.dropFirst(skipped)
  }

  /// The next complete message; nil if more bytes are needed.
  mutating func next() -> Event? {
    let rest = bytes.count - position
    guard rest >= Self.header else { return wait() }
    guard let length = length else { return .broken }
    guard length <= maximum else {
      let here = min(length, rest)
      position += here
      skipping = length - here
      return .passedOver(length)
    }
    guard rest >= length else { return wait() }
    defer { position += length }
    return .message(Array(bytes[position..<position + length]))
  }

  /// Drops the bytes that were read, and the memory of a long message.
  private mutating func wait() -> Event? {
    if position == bytes.count { bytes = [] } else if position > 0 { bytes = Array(bytes[position...]) }
    position = 0
    return nil
  }

  /// The length of the message that begins here; nil if the bytes are not a message.
  private var length: Int? {
    let isBig: Bool
    switch bytes[position] {
    case UInt8(ascii: "l"): isBig = false
    case UInt8(ascii: "B"): isBig = true
    default: return nil
    }
    let (body, fields) = (number(at: 4, isBig), number(at: 12, isBig))
    guard fields <= Self.longestFields else { return nil }
    // The body is aligned to 8 bytes.
    let length = Self.header + (fields + 7) / 8 * 8 + body
    return length <= Self.longest ? length : nil
  }

  private func number(at offset: Int, _ isBig: Bool) -> Int {
    let four = bytes[position + offset..<position + offset + 4]
    return isBig ? four.reduce(0) { $0 << 8 | Int($1) } : four.reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}
