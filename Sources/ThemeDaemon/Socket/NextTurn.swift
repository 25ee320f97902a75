internal import ThemedDBus

/// The connections with calls that have to wait for the next turn of the loop.
///
/// Read-only connections come last, and share one part of a turn, so that any number of them delays nothing else for
/// long.
final class NextTurn {
  /// Serves each connection at its turn.
  weak var server: (any ConnectionServer)?

  private var waiting: [ClientConnection] = []
  private var readers: [ClientConnection] = []
  /// How many more calls of read-only connections may be served in this turn.
  private var shareOfReaders = Limits.readersCallsPerTurn
  private var source: Source?

  /// How many calls may be served now for a connection with these rights.
  func share(for rights: Rights) -> Int {
    rights == .all ? Limits.callsPerTurn : min(Limits.readerCallsPerTurn, shareOfReaders)
  }

  /// This many calls were served for a connection with these rights; looking for a call costs as much as serving one.
  func served(_ calls: Int, for rights: Rights) {
    if rights == .reading { shareOfReaders -= min(max(calls, 1), shareOfReaders) }
  }

  /// Lets a connection wait, unless it does already.
  func append(_ connection: ClientConnection) {
    guard !connection.isUnserved else { return }
    connection.isUnserved = true
    if connection.options.rights == .all { waiting.append(connection) } else { readers.append(connection) }
    guard source == nil else { return }
    source = MainLoop.later { [unowned self] in
      shareOfReaders = Limits.readersCallsPerTurn
      let turn = waiting
      waiting = []
      for connection in turn { serve(connection) }
      serveReaders()
      if waiting.isEmpty, readers.isEmpty { source = nil }
      return !waiting.isEmpty || !readers.isEmpty
    }
  }

  /// Serves read-only connections until their share is used up; the others keep their places.
  private func serveReaders() {
    var turn = readers[...]
    readers = []
    while shareOfReaders > 0, let connection = turn.popFirst() { serve(connection) }
    readers.insert(contentsOf: turn, at: 0)
  }

  private func serve(_ connection: ClientConnection) {
    connection.isUnserved = false
    server?.turnCame(for: connection)
  }
}
