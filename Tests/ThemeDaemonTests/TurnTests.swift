import CGLib
import Glibc
import Logging
import MainLoop
import TestSupport
import Testing
import Unix
import Varlink

@testable import ThemeDaemon

/// The server's turns of the loop, one by one: whatever others do, a change is sent in the turn in which it is made.
///
/// They run on the process's one main loop, so one after the other, and no other tests may use it.
@Suite(.serialized) struct TurnTests {
  @Test func `a flood of calls has its share of each turn, and not more`() throws {
    let server = try Server()
    let flooder = try server.connect()
    flooder.send(Call(method: "a.Get").frame, times: 1000)
    server.turn()
    server.turn()
    for _ in 0..<5 {
      let before = server.served
      server.turn()
      #expect(server.served - before == Limits.callsPerTurn)
    }
  }

  /// Its buffer fills, some replies wait in the server, and then it can be sent to and be served in the same turn.
  @Test(arguments: [1, 10, 14, 16, 18, 20, 22, 24, 26, 28, 40])
  func `a flooder that reads now and then gets no second share for it`(pause: Int) throws {
    let server = try Server()
    server.reply = Reply(["padding": .string(String(repeating: "x", count: 100))]).frame
    let flooder = try server.connect()
    flooder.send(Call(method: "a.Get").frame, times: 3000)
    for turn in 1..<2000 where server.served < 3000 {
      let before = server.served
      server.turn()
      #expect(server.served - before <= Limits.callsPerTurn)
      if turn.isMultiple(of: pause) { while !flooder.receive().isEmpty {} }
    }
    #expect(server.served == 3000)
  }

  @Test(arguments: Nuisance.allCases)
  func `a change reaches who monitors in the turn in which it was asked for, whoever floods`(nuisance: Nuisance) throws
  {
    let server = try Server()
    let watch = try server.connect()
    watch.send(Call(method: "a.Monitor", flag: .more).frame)
    server.settle()
    #expect(watch.receive() == server.frame)
    let flooders = try (0..<5).map { _ in try server.connect() }
    let other = try server.connect()
    server.settle()
    for _ in 0..<4 {
      for flooder in flooders { flooder.send(nuisance.bytes) }
      other.send(Call(method: "a.Change").frame)
      server.turn()
      #expect(watch.receive() == server.frame)
    }
  }

  @Test func `a call that came with a flood is served in the same turn, before the flood's end`() throws {
    let server = try Server()
    let flooder = try server.connect()
    let other = try server.connect()
    server.settle()
    flooder.send(Call(method: "a.Get").frame, times: 1000)
    other.send(Call(method: "a.Get").frame)
    server.turn()
    #expect(other.receive() == server.reply)
    #expect(server.served < 1000)
  }

  @Test func `beyond the limit a connection is refused, until another has ended`() throws {
    let server = try Server(maximum: 2)
    var clients = try [server.connect(), server.connect(), server.connect()]
    server.settle()
    #expect(clients[2].isClosed)
    clients.removeFirst()
    server.settle()
    let next = try server.connect()
    next.send(Call(method: "a.Get").frame)
    server.settle()
    #expect(next.receive() == server.reply)
  }

  @Test func `a client that has gone while its call is being answered costs no turn`() throws {
    let server = try Server()
    var client: Client? = try server.connect()
    client?.send(Call(method: "a.Wait").frame)
    server.settle()
    client = nil
    server.settle()
    #expect(!server.isBusy, "a hang-up is reported for ever")
    server.answerWaiting()
    server.settle()
    #expect(server.waiting == nil)
  }
}

/// What a client may do to others.
enum Nuisance: CaseIterable {
  case calls, brackets, oneByte, rubbish, subscriptions

  var bytes: [UInt8] {
    switch self {
    case .calls: (0..<500).flatMap { _ in Call(method: "a.Get").frame }
    case .brackets: [UInt8](repeating: UInt8(ascii: "["), count: 65_536)
    case .oneByte: [UInt8(ascii: " ")]
    case .rubbish: [1, 2, 3, 0, 0, 0]
    case .subscriptions: Call(method: "a.Monitor", flag: .more).frame + [UInt8](repeating: 0, count: 10_000)
    }
  }
}

/// A server whose loop a test turns, and that answers a few methods.
private final class Server {
  let frame: [UInt8] = Reply(["state": .string("x")], continues: true).frame
  var reply: [UInt8] = Reply().frame
  private(set) var served = 0
  private(set) var waiting: ClientConnection?

  private let scratch: ScratchDirectory
  private let server: SocketServer
  private let address: SocketAddress

  init(maximum: Int = 100) throws {
    scratch = try ScratchDirectory()
    let path = scratch.path("socket")
    address = try SocketAddress(path: path)
    let log = Log()
    log.logger.logLevel = .critical
    server = try SocketServer(listener: .bound(to: path), maximum: maximum, log: log)
    server.onCall = { [unowned self] in answer($0, $1) }
  }

  private func answer(_ call: Call, _ connection: ClientConnection) {
    served += 1
    switch call.method {
    case "a.Monitor": server.stream(frame, to: connection)
    case "a.Wait": waiting = connection
    default:
      if call.method == "a.Change" { server.broadcast { _ in frame } }
      server.reply(reply, to: connection)
    }
  }

  func answerWaiting() {
    guard let connection = waiting else { return }
    waiting = nil
    server.reply(reply, to: connection)
  }

  func connect() throws -> Client { Client(socket: try Unix.connect(to: address, .nonblocking)) }

  /// One turn of the loop, without waiting.
  func turn() { _ = g_main_context_iteration(nil, 0) }

  /// Whether the loop has something to do.
  var isBusy: Bool { g_main_context_pending(nil) != 0 }

  /// Turns until nothing is left to do, or for ever where something spins.
  func settle() {
    for _ in 0..<1000 where isBusy { turn() }
  }
}

private final class Client {
  private let socket: FileDescriptor

  init(socket: consuming FileDescriptor) { self.socket = socket }

  /// Sends what the kernel takes now; many small pieces would not be much.
  func send(_ bytes: [UInt8], times: Int = 1) {
    _ = Unix.send(Array(repeatElement(bytes, count: times).joined())[...], to: socket)
  }

  /// What has come.
  func receive() -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    guard case .bytes(let count) = Unix.receive(into: &buffer, from: socket) else { return [] }
    return Array(buffer[..<count])
  }

  var isClosed: Bool {
    var buffer = [UInt8](repeating: 0, count: 1)
    return Unix.receive(into: &buffer, from: socket) == .end
  }
}
