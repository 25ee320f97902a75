internal import Glibc
internal import ThemedSystem
internal import ThemedVarlink

/// The connections that monitor, in the order of their subscriptions; each change goes through this list.
///
/// Removed connections leave it at once, because a descriptor is closed with its last reference. Removing needs no
/// search, even if thousands end at once. The facts about each connection that a change needs are noted here, because
/// fetching a thousand connections into the processor's cache would take longer.
struct Subscribers: Sequence {
  struct Place {
    /// Nil if the connection was removed.
    var connection: ClientConnection?
    /// Its socket, which is open as long as the connection exists.
    var descriptor: CInt = -1
    /// Whether it gets the frame that nearly all subscribers get.
    var getsCommonFrame = false
    /// Whether it exists and has read everything that was sent.
    var isUpToDate = false
    /// Whether it exists and reads too slowly, so that its socket is waited for.
    var isBehind: Bool { connection != nil && !isUpToDate }
  }

  /// The places in that order; a removed connection leaves an empty one.
  private(set) var places: [Place] = []
  private var emptyPlaces = 0

  /// The connections at this moment, whatever changes during the iteration.
  func makeIterator() -> some IteratorProtocol<ClientConnection> {
    places.lazy.compactMap(\.connection).makeIterator()
  }

  /// The connections that are behind at this moment.
  var behind: some Sequence<ClientConnection> { places.lazy.filter(\.isBehind).compactMap(\.connection) }

  mutating func append(_ connection: ClientConnection) {
    connection.place = places.count
    places.append(
      Place(
        connection: connection, descriptor: connection.descriptor.raw, getsCommonFrame: connection.getsCommonFrame,
        isUpToDate: !connection.machine.wantsToSend))
  }

  /// Notes whether a connection is behind, if it is in the list.
  mutating func mark(_ connection: ClientConnection, isBehind: Bool) {
    // Changing the list during an iteration would copy it.
    if let place = connection.place, places[place].isUpToDate == isBehind { places[place].isUpToDate = !isBehind }
  }

  mutating func remove(_ connection: ClientConnection) {
    guard let place = connection.place else { return }
    connection.place = nil
    places[place] = Place()
    emptyPlaces += 1
    if emptyPlaces > places.count / 2 { removeEmptyPlaces() }
  }

  private mutating func removeEmptyPlaces() {
    places.removeAll { $0.connection == nil }
    emptyPlaces = 0
    for (index, place) in places.enumerated() { place.connection?.place = index }
  }
}
