package import ThemedVarlink

/// Takes bytes as they arrive, and returns replies; does no I/O.
package struct ReplyReader: Sendable, Hashable {
  private let limit: Int
  /// Received bytes.
  ///
  /// Those before `start` were returned, and there is no NUL before `scanned`.
  private var input: [UInt8] = []
  private var start = 0
  private var scanned = 0

  /// A reader that refuses a reply of more than `limit` bytes, even before its end has arrived.
  package init(limit: Int) {
    self.limit = limit
  }

  /// How many received bytes were not returned yet.
  package var count: Int { input.count - start }

  /// Whether all received bytes were returned.
  package var isEmpty: Bool { count == 0 }

  package mutating func receive(_ bytes: ArraySlice<UInt8>) {
    input.removeFirst(start)
    (start, scanned) = (0, scanned - start)
    input.append(contentsOf: bytes)
  }

  /// The next reply, if all of it has arrived; only the wanted parameters are read.
  package mutating func next(keeping wanted: JSON.Wanted = .all) throws(Violation) -> Reply? {
    let end = input[scanned...].firstIndex(of: 0)
    guard (end ?? input.count) - start <= limit else { throw .tooLong(maximum: limit) }
    guard let end else {
      scanned = input.count
      return nil
    }
    let reply = try Reply(parsing: input, in: start..<end, keeping: wanted)
    (start, scanned) = (end + 1, end + 1)
    // Frees the memory of a long reply at once.
    if isEmpty { (input, start, scanned) = ([], 0, 0) }
    return reply
  }
}
