/// The messages to write to a reader that may be slow or may not read at all: the current one, and the newest after it.
struct Outbox: Hashable {
  private var underWay: ArraySlice<UInt8> = []
  private var next: [UInt8]?
  /// The last message that was offered, for a new reader.
  private var newest: [UInt8]?

  /// Nothing to write.
  init() {}

  /// The bytes to write now.
  var unwritten: ArraySlice<UInt8> { underWay }

  /// Whether a message was ever offered.
  var isEmpty: Bool { newest == nil }

  /// Queues a message, which replaces one that was not begun.
  mutating func offer(_ message: [UInt8]) {
    newest = message
    if underWay.isEmpty { underWay = message[...] } else { next = message }
  }

  /// Records that this many bytes were written.
  mutating func wrote(_ count: Int) {
    underWay = underWay.dropFirst(count)
    guard underWay.isEmpty else { return }
    underWay = next?[...] ?? []
    next = nil
  }

  /// Starts with the newest message, for a new reader.
  mutating func begin() {
    underWay = newest?[...] ?? []
    next = nil
  }
}
