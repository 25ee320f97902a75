internal import ThemedLoop

/// The connections with calls that had to wait for the next turn of the loop.
final class NextTurn {
  /// Called with each of them when its turn has come; it may have been closed meanwhile.
  var onTurn: (ClientConnection) -> Void = { _ in }

  private var waiting: [ClientConnection] = []
  private var source: Source?

  /// Has one wait, if it does not already.
  func append(_ connection: ClientConnection) {
    guard !connection.isUnserved else { return }
    connection.isUnserved = true
    waiting.append(connection)
    guard source == nil else { return }
    source = MainLoop.later { [unowned self] in
      let turn = waiting
      waiting = []
      for connection in turn {
        connection.isUnserved = false
        onTurn(connection)
      }
      if waiting.isEmpty { source = nil }
      return !waiting.isEmpty
    }
  }
}
