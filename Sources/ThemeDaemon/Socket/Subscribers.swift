/// The connections that monitor, in the order in which they began to: a list that each change goes through.
///
/// It holds none that was removed, since a connection's descriptor is closed with its last reference; and yet an end costs
/// no search, also where thousands end at once. Who is behind is noted here, and not in the connections alone: a thousand
/// of them would have to be fetched into the processor's cache only to be passed over.
struct Subscribers: Sequence {
  private struct Place {
    var connection: ClientConnection?
    var isBehind = false
  }

  private var places: [Place] = []
  private var emptyPlaces = 0

  /// Those who are there now, whoever comes or goes meanwhile.
  func makeIterator() -> some IteratorProtocol<ClientConnection> {
    places.lazy.compactMap(\.connection).makeIterator()
  }

  /// Those of them who have taken all that was sent.
  var abreast: some Sequence<ClientConnection> { those { !$0.isBehind } }

  /// Those of them who take it too slowly, and are waited for.
  var behind: some Sequence<ClientConnection> { those(where: \.isBehind) }

  private func those(where isWanted: @escaping (Place) -> Bool) -> some Sequence<ClientConnection> {
    places.lazy.filter(isWanted).compactMap(\.connection)
  }

  /// Adds one who was not there.
  mutating func append(_ connection: ClientConnection) {
    connection.place = places.count
    places.append(Place(connection: connection))
  }

  /// Notes whether one, if it is there, is behind.
  mutating func mark(_ connection: ClientConnection, isBehind: Bool) {
    if let place = connection.place { places[place].isBehind = isBehind }
  }

  /// Removes one, if it is there.
  mutating func remove(_ connection: ClientConnection) {
    guard let place = connection.place else { return }
    connection.place = nil
    places[place] = Place()
    emptyPlaces += 1
    if emptyPlaces > places.count / 2 { closeRanks() }
  }

  private mutating func closeRanks() {
    places.removeAll { $0.connection == nil }
    emptyPlaces = 0
    for (index, place) in places.enumerated() { place.connection?.place = index }
  }
}
