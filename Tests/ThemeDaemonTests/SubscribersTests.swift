import CThemedLinux
import Glibc
import Testing
import ThemedSystem
import ThemedVarlink

@testable import ThemeDaemon

@Suite("The list of subscribers")
struct SubscribersTests {
  private func connection(_ token: UInt64) throws -> ClientConnection {
    var ends: [CInt] = [0, 0]
    try #require(unsafe socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends) == 0)
    close(ends[1])
    let descriptor = FileDescriptor(owning: ends[0])
    let peer = Peer(of: descriptor)
    return ClientConnection(token: token, peer: try #require(peer), options: .usual(.all), descriptor: descriptor)
  }

  @Test("keeps the order in which they began, whoever goes")
  func order() throws {
    var subscribers = Subscribers()
    let connections = try (1...100).map { try connection($0) }
    for connection in connections { subscribers.append(connection) }
    for connection in connections where !connection.token.isMultiple(of: 7) { subscribers.remove(connection) }
    #expect(subscribers.map(\.token) == (1...14).map { $0 * 7 })
    subscribers.append(connections[0])
    subscribers.remove(connections[13])
    #expect(subscribers.map(\.token) == [7] + (3...14).map { $0 * 7 } + [1])
  }

  @Test("holds nobody who was removed, since a connection is closed with its last reference")
  func references() throws {
    var subscribers = Subscribers()
    weak var gone: ClientConnection?
    do {
      let (first, second) = (try connection(1), try connection(2))
      subscribers.append(first)
      subscribers.append(second)
      gone = second
      subscribers.remove(second)
    }
    #expect(gone == nil)
    #expect(subscribers.map(\.token) == [1])
  }

  private func abreast(_ subscribers: Subscribers) -> [ClientConnection] {
    subscribers.places.filter(\.isUpToDate).compactMap(\.connection)
  }

  @Test("has one behind to whom something was to be sent before he was there")
  func behindFromTheStart() throws {
    var subscribers = Subscribers()
    let connection = try connection(1)
    connection.machine.receive((Array(#"{"method":"org.themed.theme.Monitor","more":true}"#.utf8) + [0])[...])
    var reader = CallReader()
    _ = connection.machine.next(&reader)
    connection.machine.stream(Array("{}".utf8) + [0])
    subscribers.append(connection)
    #expect(abreast(subscribers).isEmpty && subscribers.behind.map(\.token) == [1])
    subscribers.mark(connection, isBehind: false)
    #expect(abreast(subscribers).map(\.token) == [1])
  }

  @Test("tells those who are behind from the others, as it was when it was asked")
  func behind() throws {
    var subscribers = Subscribers()
    let connections = try (1...4).map { try connection($0) }
    for connection in connections { subscribers.append(connection) }
    subscribers.mark(connections[1], isBehind: true)
    let behind = subscribers.behind
    for connection in abreast(subscribers) { subscribers.mark(connection, isBehind: true) }
    #expect(behind.map(\.token) == [2])
    #expect(subscribers.behind.map(\.token) == [1, 2, 3, 4])
    subscribers.mark(connections[1], isBehind: false)
    subscribers.remove(connections[0])
    subscribers.remove(connections[2])
    subscribers.mark(connections[2], isBehind: true)
    #expect(abreast(subscribers).map(\.token) == [2])
    #expect(subscribers.behind.map(\.token) == [4])
  }

  @Test("takes the removal of one who is not there, or no longer")
  func twice() throws {
    var subscribers = Subscribers()
    let (first, second) = (try connection(1), try connection(2))
    subscribers.append(first)
    subscribers.remove(second)
    subscribers.remove(first)
    subscribers.remove(first)
    #expect(Array(subscribers).isEmpty)
    subscribers.append(second)
    #expect(subscribers.map(\.token) == [2])
  }

  @Test("may lose some while it is gone through")
  func lossOnTheWay() throws {
    var subscribers = Subscribers()
    for token in 1...10 { subscribers.append(try connection(UInt64(token))) }
    var seen: [UInt64] = []
    for connection in subscribers {
      seen.append(connection.token)
      subscribers.remove(connection)
    }
    #expect(seen == Array(1...10))
    #expect(Array(subscribers).isEmpty)
  }
}
