package import ThemedVarlink

/// Takes bytes as they come, and gives replies: pure.
package struct ReplyReader: Sendable {
  private let limit: Int
  /// Bytes that came; those before `scanned` hold no NUL.
  private var input: [UInt8] = []
  private var scanned = 0

  /// Refuses a reply of more than `limit` bytes, whether its end has come or not.
  package init(limit: Int) {
    self.limit = limit
  }

  /// Whether everything that came was given.
  package var isEmpty: Bool { input.isEmpty }

  package mutating func receive(_ bytes: ArraySlice<UInt8>) {
    input.append(contentsOf: bytes)
  }

  /// The next reply, if it came whole.
  package mutating func next() throws(Violation) -> Reply? {
    let end = input[scanned...].firstIndex(of: 0)
    guard (end ?? input.count) <= limit else { throw .tooLong(maximum: limit) }
    guard let end else {
      scanned = input.count
      return nil
    }
    let reply = try Reply(parsing: input, in: 0..<end)
    // Replies come one at a time, so that there is next to nothing to move.
    input = Array(input[(end + 1)...])
    scanned = 0
    return reply
  }
}
