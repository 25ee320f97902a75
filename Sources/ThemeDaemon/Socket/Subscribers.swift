internal import Glibc
internal import ThemedUnix
internal import ThemedVarlink

/// The connections that monitor, in the order in which they began to: a list that each change goes through.
///
/// It holds none that was removed, since a connection's descriptor is closed with its last reference; and yet an end costs
/// no search, also where thousands end at once. What a change has to know of each is noted here, and not in the
/// connections alone: a thousand of them would have to be fetched into the processor's cache.
struct Subscribers: Sequence {
  /// Where one is, or was.
  struct Place {
    /// Nil where it was removed.
    var connection: ClientConnection?
    /// Its socket, which is open as long as there is a connection.
    var descriptor: CInt = -1
    /// Whether it is told what nearly all are.
    var isToldTheCommon = false
    /// Whether it is there, and has taken all that was sent.
    var isAbreast = false
    /// Whether it is there, and takes it too slowly: it is waited for.
    var isBehind: Bool { connection != nil && !isAbreast }
  }

  /// In that order; who goes leaves an empty one.
  private(set) var places: [Place] = []
  private var emptyPlaces = 0

  /// Those who are there now, whoever comes or goes meanwhile.
  func makeIterator() -> some IteratorProtocol<ClientConnection> {
    places.lazy.compactMap(\.connection).makeIterator()
  }

  /// Those of them who are behind, as they are now.
  var behind: some Sequence<ClientConnection> { places.lazy.filter(\.isBehind).compactMap(\.connection) }

  /// Adds one who was not there.
  mutating func append(_ connection: ClientConnection) {
    connection.place = places.count
    places.append(
      Place(
        connection: connection, descriptor: connection.descriptor.raw, isToldTheCommon: connection.isToldTheCommon,
        isAbreast: !connection.machine.wantsToSend))
  }

  /// Notes whether one, if it is there, is behind.
  mutating func mark(_ connection: ClientConnection, isBehind: Bool) {
    // A change of the list that is being gone through would copy it.
    if let place = connection.place, places[place].isAbreast == isBehind { places[place].isAbreast = !isBehind }
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
