/// What is to be written to somebody who may read slowly, or not at all: the message under way, and of those behind it
/// the newest.
struct Outbox: Hashable {
  private var underWay: ArraySlice<UInt8> = []
  private var next: [UInt8]?
  /// What was offered last, for whoever comes to read anew.
  private var newest: [UInt8]?

  /// Nothing to write.
  init() {}

  /// What can be written now.
  var unwritten: ArraySlice<UInt8> { underWay }

  /// Whether a message was ever offered.
  var isEmpty: Bool { newest == nil }

  /// Has a message written once there is room; one that has not been begun by then is left out.
  mutating func offer(_ message: [UInt8]) {
    newest = message
    if underWay.isEmpty { underWay = message[...] } else { next = message }
  }

  /// Takes note that so many bytes were written.
  mutating func wrote(_ count: Int) {
    underWay = underWay.dropFirst(count)
    guard underWay.isEmpty else { return }
    underWay = next?[...] ?? []
    next = nil
  }

  /// Begins with the newest message, for a new reader.
  mutating func begin() {
    underWay = newest?[...] ?? []
    next = nil
  }
}
