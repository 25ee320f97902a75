package import ThemedVarlink

/// Takes bytes as they come, and gives replies: pure.
package struct ReplyReader: Sendable, Hashable {
  private let limit: Int
  /// Bytes that came; those before `start` were given, and those before `scanned` hold no NUL.
  private var input: [UInt8] = []
  private var start = 0
  private var scanned = 0

  /// Refuses a reply of more than `limit` bytes, whether its end has come or not.
  package init(limit: Int) {
    self.limit = limit
  }

  /// How many bytes came that were not given.
  package var count: Int { input.count - start }

  /// Whether everything that came was given.
  package var isEmpty: Bool { count == 0 }

  package mutating func receive(_ bytes: ArraySlice<UInt8>) {
    input.removeFirst(start)
    (start, scanned) = (0, scanned - start)
    input.append(contentsOf: bytes)
  }

  /// The next reply, if it came whole; of what it returns, only the parameters that are wanted.
  package mutating func next(keeping wanted: JSON.Wanted = .all) throws(Violation) -> Reply? {
    let end = input[scanned...].firstIndex(of: 0)
    guard (end ?? input.count) - start <= limit else { throw .tooLong(maximum: limit) }
    guard let end else {
      scanned = input.count
      return nil
    }
    let reply = try Reply(parsing: input, in: start..<end, keeping: wanted)
    (start, scanned) = (end + 1, end + 1)
    // A long one is not kept for the sake of the next.
    if isEmpty { (input, start, scanned) = ([], 0, 0) }
    return reply
  }
}
