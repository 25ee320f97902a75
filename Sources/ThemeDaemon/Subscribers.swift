/// The connections that monitor, in the order in which they began to: a list that each change goes through.
///
/// It holds none that was removed, since a connection's descriptor is closed with its last reference; and yet an end costs
/// no search, also where thousands end at once.
struct Subscribers: Sequence {
  private var places: [ClientConnection?] = []
  private var emptyPlaces = 0

  /// Those who are there now, whoever comes or goes meanwhile.
  func makeIterator() -> some IteratorProtocol<ClientConnection> {
    places.lazy.compactMap(\.self).makeIterator()
  }

  /// Adds one who was not there.
  mutating func append(_ connection: ClientConnection) {
    connection.place = places.count
    places.append(connection)
  }

  /// Removes one, if it is there.
  mutating func remove(_ connection: ClientConnection) {
    guard let place = connection.place else { return }
    connection.place = nil
    places[place] = nil
    emptyPlaces += 1
    if emptyPlaces > places.count / 2 { closeRanks() }
  }

  private mutating func closeRanks() {
    places.removeAll { $0 == nil }
    emptyPlaces = 0
    for (place, connection) in places.enumerated() { connection?.place = place }
  }
}
