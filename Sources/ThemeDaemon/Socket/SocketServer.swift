internal import Glibc
internal import ThemedSystem
internal import ThemedVarlink

/// Answers the calls that a ``SocketServer`` receives: ``Calls``.
protocol CallReceiver: AnyObject {
  /// A client calls; the answer goes through ``SocketServer/reply(_:to:)`` or ``SocketServer/stream(_:to:)``, now or
  /// later.
  func answer(_ call: Call, _ connection: ClientConnection)
  func subscribersChanged()
  func followerLeft(_ list: FollowedList)
}

/// Serves clients on listening sockets, as each connection's state machine decides.
final class SocketServer: ConnectionServer {
  weak var calls: (any CallReceiver)?

  private let log: Log
  private let epoll: EpollSet
  let acceptor: Acceptor
  private var connections: [UInt64: ClientConnection] = [:]
  private(set) var subscribers = Subscribers()
  private var followers = Subscribers()
  private var buffer = receiveBuffer(Limits.bytesPerTurn)
  private var reader = CallReader()
  /// The connection whose calls are being served.
  private var current: ClientConnection?
  private let turns = TurnQueue()
  private let deadlines = DeadlineTimer()
  private var complaints = Complaints()
  private var readersReplies = ReadersReplies()

  init(_ listeners: [Listener], maximum: Int, log: Log) throws(SystemError) {
    self.log = log
    epoll = try EpollSet()
    acceptor = try Acceptor(listeners, maximum: maximum, epoll: epoll, log: log)
    epoll.handle { [unowned self] in dispatch($0) }
    (acceptor.server, turns.server, deadlines.server) = (self, self, self)
  }

  // A child process has the descriptors too until it runs its program, so closing them here does not remove them from
  // the epoll set.
  deinit { for connection in connections.values { epoll.remove(connection.descriptor.raw) } }

  var isMonitored: Bool { !subscribers.places.isEmpty }

  /// All connections: the subscribers in the order of their subscriptions, then the followers of lists likewise, then
  /// the others in the order of arrival.
  var everybody: [ClientConnection] {
    Array(subscribers) + Array(followers)
      + connections.values.filter { $0.place == nil }.sorted { $0.token < $1.token }
  }

  /// The connection with this token; nil if it has ended.
  func connection(_ token: UInt64) -> ClientConnection? { connections[token] }

  // MARK: Answers

  func reply(_ frame: [UInt8], to connection: ClientConnection) {
    connection.machine.reply(frame)
    resume(connection)
  }

  func stream(_ frame: [UInt8], to connection: ClientConnection) {
    guard isOpen(connection) else { return }
    setSendBuffer(Limits.monitorSendBuffer, of: connection.descriptor)
    connection.machine.stream(frame)
    addToList(connection)
    resume(connection)
  }

  /// How many clients follow this list.
  func followers(of list: FollowedList) -> Int { followers.count { $0.options.list == list } }

  func isFollowed(_ list: FollowedList) -> Bool { followers.contains { $0.options.list == list } }

  func isFollowed(_ list: FollowedList, by rights: Rights) -> Bool {
    followers.contains { $0.options.list == list && $0.options.rights == rights }
  }

  /// Sends a list to its followers with these rights that have not got this version yet; a follower that has not read
  /// an earlier version gets this one instead.
  func tell(_ frame: [UInt8], version: Int, of list: FollowedList, to rights: Rights) {
    for connection in followers where connection.options.list == list && connection.options.rights == rights {
      guard connection.sentVersion != version else { continue }
      connection.sentVersion = version
      stream(next: frame, to: connection)
    }
  }

  private func addToList(_ connection: ClientConnection) {
    guard connection.options.list == nil else { return followers.append(connection) }
    subscribers.append(connection)
    calls?.subscribersChanged()
  }

  /// Sends the common frame, if there is one, to each subscriber, or the frame that `frame` returns for its options;
  /// subscribers with the same frame share one array.
  func broadcast(_ common: [UInt8]?, _ frame: (ClientOptions) -> [UInt8]?) {
    // As it is before sending: a subscriber that falls behind during this already has the frame.
    let (places, behind) = (subscribers.places, subscribers.behind)
    let bytes = common?[...]
    // In the order of the subscriptions: their data in the kernel has the same order, which suits the caches.
    for index in places.indices where places[index].isUpToDate {
      if places[index].getsCommonFrame {
        guard let bytes else { continue }
        let outcome = send(bytes, to: places[index].descriptor)
        // The usual case: the connection itself need not be touched.
        if case .bytes(bytes.count) = outcome { continue }
        if let common, let connection = places[index].connection { settle(outcome, of: common, connection) }
      } else if let connection = places[index].connection, let frame = frame(connection.options) {
        stream(next: frame, to: connection)
      }
    }
    // After the subscribers that keep up, so as not to delay them; and without a system call, because they are being
    // waited for already.
    for connection in behind {
      if let frame = connection.getsCommonFrame ? common : frame(connection.options) {
        connection.machine.stream(frame)
      }
    }
  }

  /// Sends a new state to a subscriber.
  ///
  /// A frame that can be sent at once, as nearly all can, does not pass through the state machine, which would double
  /// the time outside of the kernel.
  private func stream(next frame: [UInt8], to connection: ClientConnection) {
    guard !connection.machine.wantsToSend else { return connection.machine.stream(frame) }
    settle(send(frame[...], to: connection.descriptor), of: frame, connection)
  }

  private func settle(_ outcome: Transfer, of frame: [UInt8], _ connection: ClientConnection) {
    if case .bytes(frame.count) = outcome { return }
    connection.machine.stream(frame)
    switch outcome {
    case .bytes(let count): connection.machine.didSend(count)
    case .wouldBlock: break
    case .end, .failed: return close(connection, nil)
    }
    wait(for: connection)
  }

  // MARK: New connections

  func arrived(_ connection: ClientConnection) throws(SystemError) {
    if connection.options.rights == .reading { setSendBuffer(Limits.readersSendBuffer, of: connection.descriptor) }
    try add(connection, .readable)
  }

  private func add(_ connection: ClientConnection, _ interest: EventLoop.Condition) throws(SystemError) {
    try epoll.add(connection.descriptor.raw, token: connection.token, interest)
    connection.interest = interest
    connections[connection.token] = connection
  }

  /// Continues connections of the previous process; call this before any other connection is accepted.
  func adopt(_ adopted: [ClientConnection]) {
    for connection in adopted {
      do throws(SystemError) {
        guard acceptor.admission.hasRoom(for: connection.options.rights) else {
          throw SystemError("cannot continue a connection", EMFILE)
        }
        try add(connection, [])
        acceptor.adopted(connection)
        if connection.machine.isStreaming { addToList(connection) }
        wait(for: connection)
      } catch {
        log.warning("closed a connection of the previous process: \(error)")
      }
    }
  }

  // MARK: Receiving and sending

  private func dispatch(_ event: EpollSet.Event) {
    guard event.token < Acceptor.firstToken else { return acceptor.accept(event.token) }
    guard let connection = connections[event.token] else { return }
    let hasHungUp = !event.condition.isDisjoint(with: [.hangUp, .error])
    if hasHungUp, !continuesAfterHangUp(connection) { return }
    if hasHungUp || event.condition.contains(.writable), !flush(connection) { return }
    if connection.machine.wantsToReceive, !receive(connection) { return }
    // A connection that has used up its share of this turn is served in the next one.
    if connection.isQueued { wait(for: connection) } else { serve(connection) }
  }

  /// The client has closed both directions.
  ///
  /// Returns whether to continue now.
  private func continuesAfterHangUp(_ connection: ClientConnection) -> Bool {
    let machine = connection.machine
    if machine.isStreaming {
      close(connection, nil)
      return false
    }
    // What it sent before is still served: it may be calls that want no reply.
    let wants = machine.wants
    if wants.toReceive || wants.toSend || wants.toServe { return true }
    // Nobody will read the answer to the current call: continue with what was sent after it, and so to the end, without
    // waiting for a disk.
    connection.isGone = true
    connection.machine.reply([])
    return true
  }

  /// Reads once.
  ///
  /// Returns whether the connection is still open.
  private func receive(_ connection: ClientConnection) -> Bool {
    let most = connection.options.rights == .reading ? Limits.readersConnection.call : Limits.bytesPerTurn
    switch ThemedSystem.receive(into: &buffer, atMost: most, from: connection.descriptor) {
    case .bytes(let count): connection.machine.receive(buffer[..<count])
    case .end: connection.machine.receiveEnd()
    case .wouldBlock: break
    case .failed:
      close(connection, nil)
      return false
    }
    return true
  }

  /// Sends what can be sent.
  ///
  /// Returns whether the connection is still open.
  private func flush(_ connection: ClientConnection) -> Bool {
    while let bytes = connection.machine.nextToSend {
      switch send(bytes, to: connection.descriptor) {
      case .bytes(let count): if connection.machine.didSend(count) { return true }
      case .wouldBlock: return true
      case .end, .failed:
        close(connection, nil)
        return false
      }
    }
    return true
  }

  // MARK: Serving calls

  func turnCame(for connection: ClientConnection) {
    if isOpen(connection) { serve(connection) }
  }

  /// Serves a limited number of calls in one turn.
  private func serve(_ connection: ClientConnection) {
    let rights = connection.options.rights
    let share = turns.share(for: rights)
    guard share > 0 else {
      guard flush(connection) else { return }
      turns.append(connection)
      return wait(for: connection)
    }
    let outer = current
    current = connection
    defer { current = outer }
    var step = ServerConnection.Step.wait
    let before = connection.calls
    for _ in 0..<share {
      step = connection.machine.next(&reader)
      guard case .call(let call) = step else { break }
      connection.calls += 1
      calls?.answer(call, connection)
    }
    turns.served(connection.calls - before, for: rights)
    guard isOpen(connection), flush(connection) else { return }
    if case .close(let violation) = step { return close(connection, violation) }
    wait(for: connection)
  }

  /// A call was answered: continues with the next one, unless this call is being served right now.
  private func resume(_ connection: ClientConnection) {
    guard connection !== current, isOpen(connection) else { return }
    serve(connection)
  }

  private func isOpen(_ connection: ClientConnection) -> Bool { connections[connection.token] === connection }

  // MARK: Waiting

  /// Waits for what the connection's state requires.
  private func wait(for connection: ClientConnection) {
    // It may have been closed to make room for another one's reply.
    guard isOpen(connection) else { return }
    let wants = connection.machine.wants
    if wants.toServe { turns.append(connection) }
    deadlines.watch(connection, isWithinMessage: wants.restOfMessage)
    var interest: EventLoop.Condition = []
    if wants.toReceive { interest.insert(.readable) }
    if wants.toSend { interest.insert(.writable) }
    if connection.options.list == nil { subscribers.mark(connection, isBehind: wants.toSend) }
    if interest != connection.interest {
      do throws(SystemError) {
        try epoll.modify(connection.descriptor.raw, token: connection.token, interest)
      } catch {
        // No further event would be reported for it; a client reconnects when its connection is closed.
        log.warning("closed the connection of process \(connection.peer.pid): \(error)")
        return close(connection, nil)
      }
      connection.interest = interest
    }
    if connection.options.rights == .reading { keepRepliesWithinBounds(connection) }
  }

  /// Closes read-only connections that read nothing, if too much is waiting for them.
  private func keepRepliesWithinBounds(_ connection: ClientConnection) {
    let machine = connection.machine
    guard readersReplies.note(machine.isStreaming ? 0 : machine.held, for: &connection.waiting) else { return }
    let waiting = connections.values.filter { $0.waiting.bytes > 0 }.sorted { $0.waiting.since < $1.waiting.since }
    for connection in waiting where readersReplies.isAboveHalf { close(connection, .takesNothing) }
  }

  // MARK: Closing

  func messageIsLate(on token: UInt64) {
    if let connection = connections[token] { close(connection, connection.machine.unfinished()) }
  }

  private func close(_ connection: ClientConnection, _ violation: Violation?) {
    guard connections.removeValue(forKey: connection.token) != nil else { return }
    if let violation {
      let complaint = "closed the connection of process \(connection.peer.pid): \(violation)"
      if let line = complaints.line(complaint, now: monotonicMilliseconds()) { log.warning(line) }
    }
    removeFromList(connection)
    deadlines.forget(connection)
    readersReplies.forget(&connection.waiting)
    // The descriptor is closed, and so leaves the epoll set, with its last reference: remove it at once.
    epoll.remove(connection.descriptor.raw)
    acceptor.ended(connection.options.rights)
  }

  private func removeFromList(_ connection: ClientConnection) {
    guard connection.place != nil else { return }
    if let list = connection.options.list {
      followers.remove(connection)
      calls?.followerLeft(list)
    } else {
      subscribers.remove(connection)
      calls?.subscribersChanged()
    }
  }
}
