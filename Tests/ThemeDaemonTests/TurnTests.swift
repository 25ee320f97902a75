import CThemedGLib
import Dispatch
import Glibc
import Testing
import ThemedTestSupport
import ThemedVarlink

@testable import ThemedDBus
@testable import ThemedSystem
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
    server.reply = Reply(["padding": .word(String(repeating: "x", count: 100))]).frame
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
    // A program that another test starts has this connection, too, until it runs.
    try eventually {
      server.settle()
      let next = try server.connect()
      next.send(Call(method: "a.Get").frame)
      server.settle()
      return next.receive() == server.reply
    }
  }

  @Test func `all who come to several sockets are served, and share one limit`() throws {
    let server = try Server(maximum: 3, sockets: 3)
    let clients = try (0..<3).map { try server.connect(to: $0) }
    for client in clients { client.send(Call(method: "a.Get").frame) }
    server.settle()
    for client in clients { #expect(client.receive() == server.reply) }
    for number in 0..<3 {
      let next = try server.connect(to: number)
      server.settle()
      #expect(next.isClosed)
    }
    // An optimised build would let go of them sooner.
    withExtendedLifetime(clients) {}
  }

  @Test func `a socket that is bound anew leaves the others and all who are connected as they are`() throws {
    let server = try Server(sockets: 2)
    let before = try server.connect(to: 1)
    try server.rebind(1)
    for client in try [before, server.connect(to: 0), server.connect(to: 1)] {
      client.send(Call(method: "a.Get").frame)
      server.settle()
      #expect(client.receive() == server.reply)
    }
  }

  @Test func `those who may only read have one share of each turn together, and others are served in it all the same`()
    throws
  {
    let server = try Server(maximum: 400, sockets: 2, readOnly: 1)
    let other = try server.connect()
    let readers = try (0..<50).map { _ in try server.connect(to: 1) }
    server.settle()
    for reader in readers { reader.send(Call(method: "a.Get").frame, times: 100) }
    var heard = 0
    for turn in 1...200 where server.served < 5_000 + turn - 1 {
      let before = server.served
      other.send(Call(method: "a.Get").frame)
      server.turn()
      #expect(other.receive() == server.reply)
      // What was left of the share of the turn before, and this one's.
      #expect(server.served - before <= 2 * Limits.readersCallsPerTurn + 1)
      if turn == 8 { heard = readers.count { !$0.receive().isEmpty } }
    }
    #expect(heard == readers.count, "one has waited for what the others had asked for besides")
    let before = server.served
    server.settle()
    #expect(server.served == before && before > 5_000, "each call is served")
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

extension TurnTests {
  @Test func `a descriptor that two wait for tells each what it asked for`() throws {
    let pair = try Pair()
    var met: [String] = []
    let reads = try EventLoop.main.watch(pair.one.descriptor.raw, for: .readable) { _ in met.append("readable") }
    let writes = try EventLoop.main.watch(pair.one.descriptor.raw, for: .writable) { _ in met.append("writable") }
    oneTurn()
    #expect(met == ["writable"])
    writes.cancel()
    oneTurn()
    #expect(met == ["writable"])
    withExtendedLifetime((reads, pair)) {}
  }

  @Test func `who is cancelled by another's handler in the same turn is called no more`() throws {
    let pair = try Pair()
    var sources: [Source] = []
    var met = 0
    for raw in [pair.one.descriptor.raw, pair.other.descriptor.raw] {
      sources.append(
        try EventLoop.main.watch(raw, for: .writable) { _ in
          met += 1
          for source in sources { source.cancel() }
        })
    }
    oneTurn()
    #expect(met == 1)
    #expect(!isTurnDue())
    withExtendedLifetime(pair) {}
  }

  @Test func `a descriptor with the number of one that was closed is waited for anew`() throws {
    var met = 0
    for turn in 1...3 {
      let pair = try Pair()
      let source = try EventLoop.main.watch(pair.one.descriptor.raw, for: .readable) { _ in met += 1 }
      oneTurn()
      #expect(met == turn - 1)
      _ = ThemedSystem.send([1], to: pair.other.descriptor)
      oneTurn()
      #expect(met == turn)
      source.cancel()
      withExtendedLifetime(pair) {}
    }
  }

  @Test func `what a handler leaves for later has its turn in the next`() throws {
    let pair = try Pair()
    var later: Source?
    var turn = 0
    var done: Int?
    let source = try EventLoop.main.watch(pair.one.descriptor.raw, for: .writable) { _ in
      guard later == nil else { return }
      later = EventLoop.main.later {
        done = turn
        return false
      }
    }
    for next in 1...3 {
      turn = next
      oneTurn()
    }
    #expect(done == 2)
    withExtendedLifetime((source, pair)) {}
  }

  @Test func `another thread wakes the loop, as GLib lets it`() throws {
    let pair = try Pair()
    let source = try EventLoop.main.watch(pair.one.descriptor.raw, for: .readable) { _ in }
    DispatchQueue.global().async { g_main_context_wakeup(nil) }
    // Waits until it is woken.
    GLibLoop.turn(mayWait: true)
    withExtendedLifetime((source, pair)) {}
  }

  @Test func `timers and descriptors of GLib work beside ours`() throws {
    let pair = try Pair()
    var met: [String] = []
    let ours = try EventLoop.main.watch(pair.one.descriptor.raw, for: .readable) { _ in met.append("ours") }
    let counts = UnsafeMutablePointer<CInt>.allocate(capacity: 2)
    unsafe counts.initialize(repeating: 0, count: 2)
    defer { unsafe counts.deallocate() }
    unsafe g_timeout_add(
      20,
      { data in
        unsafe data!.assumingMemoryBound(to: CInt.self)[0] += 1
        return 0
      }, counts)
    let descriptor = unsafe g_unix_fd_add(
      pair.one.descriptor.raw, G_IO_IN,
      { _, condition, data in
        unsafe data!.assumingMemoryBound(to: CInt.self)[1] = CInt(condition.rawValue)
        return 1
      }, counts)
    while unsafe counts[0] == 0 { GLibLoop.turn(mayWait: true) }
    #expect(met.isEmpty)
    _ = ThemedSystem.send([1], to: pair.other.descriptor)
    GLibLoop.turn(mayWait: true)
    #expect(met == ["ours"])
    #expect(unsafe counts[1] == CInt(G_IO_IN.rawValue))
    g_source_remove(descriptor)
    oneTurn()
    withExtendedLifetime((ours, pair)) {}
  }
}

/// One turn of the loop, without waiting.
private func oneTurn() { GLibLoop.turn(mayWait: false) }

/// Whether the loop has something to do.
private func isTurnDue() -> Bool { EventLoop.main.isDue }

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
private final class Server: CallReceiver {
  let frame: [UInt8] = Reply(["state": .string("x")], continues: true).frame
  var reply: [UInt8] = Reply().frame
  private(set) var served = 0
  private(set) var waiting: ClientConnection?

  private let scratch: ScratchDirectory
  private let server: SocketServer
  private let listeners: [ThemeDaemon.Listener]

  /// With so many sockets, of which one may be for reading only.
  init(maximum: Int = 100, sockets: Int = 1, readOnly: Int? = nil) throws {
    let scratch = try ScratchDirectory()
    self.scratch = scratch
    let main: ThemeDaemon.Listener = try .bound(to: scratch.path("main"))
    listeners = try (0..<sockets).map { index in
      let path = scratch.path("socket\(index)")
      return try index == readOnly ? .bound(to: path, beside: main) : .bound(to: path)
    }
    let log = Log()
    log.logger.level = .error
    server = try SocketServer(listeners, maximum: maximum, log: log)
    server.calls = self
  }

  func subscribersChanged() {}

  func followerLeft(_ list: FollowedList) {}

  func answer(_ call: Call, _ connection: ClientConnection) {
    served += 1
    switch call.method {
    case "a.Monitor": server.stream(frame, to: connection)
    case "a.Wait": waiting = connection
    default:
      if call.method == "a.Change" { server.broadcast(frame) { [frame] in $0.rights == .reading ? frame : nil } }
      server.reply(reply, to: connection)
    }
  }

  func answerWaiting() {
    guard let connection = waiting else { return }
    waiting = nil
    server.reply(reply, to: connection)
  }

  func connect(to number: Int = 0) throws -> Client {
    let address = try SocketAddress(path: scratch.path("socket\(number)"))
    return Client(socket: try ThemedSystem.connect(to: address, .nonblocking))
  }

  /// Has one of its sockets go, and bound again.
  func rebind(_ number: Int) throws {
    #expect(unsafe unlink(scratch.path("socket\(number)")) == 0)
    try server.acceptor.rebind(listeners[number])
  }

  /// One turn of the loop, without waiting.
  func turn() { oneTurn() }

  /// Whether the loop has something to do.
  var isBusy: Bool { isTurnDue() }

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
    _ = ThemedSystem.send(Array(repeatElement(bytes, count: times).joined())[...], to: socket)
  }

  /// What has come.
  func receive() -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    guard case .bytes(let count) = ThemedSystem.receive(into: &buffer, from: socket) else { return [] }
    return Array(buffer[..<count])
  }

  var isClosed: Bool {
    var buffer = [UInt8](repeating: 0, count: 1)
    return ThemedSystem.receive(into: &buffer, from: socket) == .end
  }
}
