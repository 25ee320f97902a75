internal import Glibc
internal import MainLoop
internal import Unix
internal import Varlink

/// Serves clients on a listening socket: carries out what each connection's state machine says.
final class SocketServer {
  /// Called with each call; it is answered by ``reply(_:to:)`` or ``stream(_:to:)``, now or later.
  var onCall: (Call, ClientConnection) -> Void = { _, _ in }

  private let listener: Listener
  private let log: Log
  /// How many connections there may be.
  var maximum: Int
  private var epoll: EpollSet?
  private var connections: [UInt64: ClientConnection] = [:]
  /// Those who monitor.
  private(set) var subscribers = Subscribers()
  private var lastToken = listenerToken
  private var buffer = receiveBuffer(Limits.bytesPerTurn)
  private var reader = CallReader()
  /// The connection whose calls are being served right now.
  private var current: ClientConnection?
  /// Connections with calls that had to wait for the next turn of the loop.
  private var unserved: [ClientConnection] = []
  private var serving: Source?
  private var deadlines = MessageDeadlines()
  private var complaints = Complaints()
  private var deadline: Source?
  private var accepting: Source?
  private var isRefusing = false
  /// Whose connections were refused, and told of.
  private var refusedUsers: Set<UInt32> = []
  private var isOutOfDescriptors = false
  /// Whether it will be waited for anew in the next turn.
  private var isAboutToAccept = false
  /// Whether the listening socket is waited for.
  private var isAccepting = true

  /// A server on `listener`, for at most so many connections.
  init(listener: Listener, maximum: Int, log: Log) throws(SystemError) {
    self.listener = listener
    self.maximum = maximum
    self.log = log
    epoll = try EpollSet { [unowned self] in dispatch($0) }
    try epoll?.add(listener.socket.raw, token: listenerToken, .input)
  }

  /// Everybody who is connected: those who monitor, in the order in which they began to, and then the others, in the
  /// order in which they came.
  var everybody: [ClientConnection] {
    Array(subscribers) + connections.values.filter { $0.place == nil }.sorted { $0.token < $1.token }
  }

  // MARK: Answers

  /// Answers the call that was handed over last, with a whole frame.
  func reply(_ frame: [UInt8], to connection: ClientConnection) {
    connection.machine.reply(frame)
    resume(connection)
  }

  /// Answers the call that was handed over last with the first frame of a subscription.
  func stream(_ frame: [UInt8], to connection: ClientConnection) {
    setSendBuffer(Limits.monitorSendBuffer, of: connection.descriptor)
    connection.machine.stream(frame)
    subscribers.append(connection)
    resume(connection)
  }

  /// Sends to each who monitors the frame that `frame` has for it, if any; those with the same share one array.
  func broadcast(_ frame: (ClientConnection) -> [UInt8]?) {
    // As it is now: one who falls behind by this frame has it.
    let behind = subscribers.behind
    // In the order in which they began: their parts in the kernel lie in that order too, which its caches reward.
    for connection in subscribers.abreast {
      if let frame = frame(connection) { stream(next: frame, to: connection) }
    }
    // After those who read, whom they are not to delay; and without a call of the system, as they are waited for already.
    for connection in behind {
      if let frame = frame(connection) { connection.machine.stream(frame) }
    }
  }

  /// Sends a further state to one who monitors.
  ///
  /// A frame that leaves at once, as nearly all do, does not pass through the state machine: that would double the time
  /// that it takes outside of the kernel.
  private func stream(next frame: [UInt8], to connection: ClientConnection) {
    guard !connection.machine.wantsToSend else { return connection.machine.stream(frame) }
    let outcome = send(frame[...], to: connection.descriptor)
    if case .bytes(frame.count) = outcome { return }
    connection.machine.stream(frame)
    switch outcome {
    case .bytes(let count): connection.machine.didSend(count)
    case .wouldBlock: break
    case .end, .failed: return close(connection, nil)
    }
    wait(for: connection)
  }

  // MARK: Connections come

  private func accept() {
    for _ in 0..<Limits.acceptsPerTurn {
      do throws(SystemError) {
        guard let descriptor = try Unix.accept(from: listener.socket) else {
          isOutOfDescriptors = false
          return
        }
        try admit(descriptor)
      } catch {
        return stopAccepting(error)
      }
    }
  }

  private func admit(_ descriptor: consuming FileDescriptor) throws(SystemError) {
    guard let peer = Peer(of: descriptor) else { return log.warning("a connection of nobody known was refused") }
    guard peer.user == Peer.ownUser else {
      return refuse(user: peer.user)
    }
    guard connections.count < maximum else {
      // Where clients keep coming at the limit, one line says so until there is room again for more than the next.
      if !isRefusing { log.warning("there are \(connections.count) connections: more are refused") }
      isRefusing = true
      return
    }
    lastToken += 1
    try add(ClientConnection(token: lastToken, peer: peer, descriptor: descriptor), .input)
  }

  /// Says so once: somebody who tries for ever is not to fill the log.
  private func refuse(user: UInt32) {
    guard refusedUsers.count < Limits.refusedUsers, refusedUsers.insert(user).inserted else { return }
    log.warning("a connection of another user, number \(user), was refused; so will be others of that user")
  }

  private func add(_ connection: ClientConnection, _ interest: EpollSet.Interest) throws(SystemError) {
    try epoll?.add(connection.descriptor.raw, token: connection.token, interest)
    connection.interest = interest
    connections[connection.token] = connection
  }

  /// Goes on with connections of the process before this one; to be called before anybody else is accepted.
  func adopt(_ adopted: [ClientConnection]) {
    for connection in adopted {
      do throws(SystemError) {
        guard connections.count < maximum else { throw SystemError("going on with a connection", EMFILE) }
        try add(connection, [])
        if connection.machine.isStreaming { subscribers.append(connection) }
        lastToken = max(lastToken, connection.token)
        wait(for: connection)
      } catch {
        log.warning("a connection of the process before is closed: \(error)")
      }
    }
  }

  /// Waits for a descriptor to be free again: what cannot be accepted would be reported for ever.
  ///
  /// Said once, until everybody who waits was accepted.
  private func stopAccepting(_ error: SystemError) {
    if !isOutOfDescriptors { log.warning("no connection can be accepted for now: \(error)") }
    isOutOfDescriptors = true
    isAccepting = false
    epoll?.remove(listener.socket.raw)
    // The end of a connection frees one, and is waited for. Where it is the whole system that has none left, or others
    // here hold them, as files that hang do, nothing tells when.
    let isOurs = error.code == EMFILE && !connections.isEmpty
    let delay = isOurs ? Limits.slowAcceptRetry : Limits.acceptRetry
    accepting = MainLoop.timer(afterMilliseconds: delay) { [unowned self] in startAccepting() }
  }

  private func startAccepting() {
    accepting = nil
    do throws(SystemError) {
      try epoll?.add(listener.socket.raw, token: listenerToken, .input)
      isAccepting = true
    } catch {
      stopAccepting(error)
    }
  }

  /// Listens on another socket at the same path, whose file has gone; who is connected stays.
  func bindAnew() throws(StartFailure) {
    // Who waits at the old one came before its file went; nobody can come after them.
    for _ in 0..<Limits.acceptsAtOldSocket where isAccepting { accept() }
    try listener.bindAnew { old in
      if isAccepting { epoll?.remove(old.raw) }
    }
    if isAccepting { startAccepting() }
  }

  // MARK: Bytes come and go

  private func dispatch(_ event: EpollSet.Event) {
    guard event.token != listenerToken else { return accept() }
    guard let connection = connections[event.token] else { return }
    if event.hangUp, !outlivesHangUp(connection) { return }
    if event.output || event.hangUp, !flush(connection) { return }
    if connection.machine.wantsToReceive, !receive(connection) { return }
    // One that has had its share of this turn is served in the next.
    if connection.isUnserved { wait(for: connection) } else { serve(connection) }
  }

  /// The peer is gone in both directions.
  ///
  /// Whether to go on now.
  private func outlivesHangUp(_ connection: ClientConnection) -> Bool {
    let machine = connection.machine
    if machine.isStreaming {
      close(connection, nil)
      return false
    }
    // What it sent before it went is still served: it may be calls that want no reply.
    let wants = machine.wants
    if wants.toReceive || wants.toSend || wants.toServe { return true }
    // A call is being answered, and its answer goes nowhere: on to what was sent after it, and so to the end, for which
    // no disk has to be waited.
    connection.isGone = true
    connection.machine.reply([])
    return true
  }

  /// Reads once.
  ///
  /// Whether the connection is still open.
  private func receive(_ connection: ClientConnection) -> Bool {
    switch Unix.receive(into: &buffer, from: connection.descriptor) {
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
  /// Whether the connection is still open.
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

  // MARK: Calls are served

  /// One turn: a bounded number of calls.
  private func serve(_ connection: ClientConnection) {
    let outer = current
    current = connection
    defer { current = outer }
    var step = ServerConnection.Step.wait
    for _ in 0..<Limits.callsPerTurn {
      step = connection.machine.next(&reader)
      guard case .call(let call) = step else { break }
      connection.calls += 1
      onCall(call, connection)
    }
    guard flush(connection) else { return }
    if case .close(let violation) = step { return close(connection, violation) }
    wait(for: connection)
  }

  /// A call was answered: what came after it is next, unless it is the one being served anyway.
  private func resume(_ connection: ClientConnection) {
    guard connection !== current, connections[connection.token] === connection else { return }
    serve(connection)
  }

  private func serveNextTurn(_ connection: ClientConnection) {
    guard !connection.isUnserved else { return }
    connection.isUnserved = true
    unserved.append(connection)
    guard serving == nil else { return }
    serving = MainLoop.later { [unowned self] in
      let turn = unserved
      unserved = []
      for connection in turn where connections[connection.token] === connection {
        connection.isUnserved = false
        serve(connection)
      }
      if unserved.isEmpty { serving = nil }
      return !unserved.isEmpty
    }
  }

  // MARK: What to wait for

  /// Waits for what the connection's state asks for.
  private func wait(for connection: ClientConnection) {
    let wants = connection.machine.wants
    if wants.toServe { serveNextTurn(connection) }
    watchDeadline(of: connection, isWithinMessage: wants.restOfMessage)
    var interest: EpollSet.Interest = []
    if wants.toReceive { interest.insert(.input) }
    if wants.toSend { interest.insert(.output) }
    guard interest != connection.interest else { return }
    subscribers.mark(connection, isBehind: interest.contains(.output))
    epoll?.modify(connection.descriptor.raw, token: connection.token, interest)
    connection.interest = interest
  }

  /// A message that was begun has to be finished in time.
  private func watchDeadline(of connection: ClientConnection, isWithinMessage: Bool) {
    guard isWithinMessage else { return forgetDeadline(of: connection) }
    guard deadlines.isWithin(connection.calls, of: connection.token, now: monotonicMilliseconds()) else { return }
    if deadline == nil { wakeAtDeadline(afterMilliseconds: Limits.unfinishedMessage) }
  }

  private func forgetDeadline(of connection: ClientConnection) {
    guard !deadlines.isEmpty else { return }
    deadlines.isWithinNone(of: connection.token)
    if deadlines.isEmpty { deadline = nil }
  }

  private func wakeAtDeadline(afterMilliseconds delay: Int) {
    deadline = MainLoop.timer(afterMilliseconds: delay) { [unowned self] in
      let now = monotonicMilliseconds()
      for token in deadlines.late(now: now) {
        if let connection = connections[token] { close(connection, connection.machine.unfinished()) }
      }
      deadline = nil
      if let next = deadlines.next { wakeAtDeadline(afterMilliseconds: max(0, next - now)) }
    }
  }

  // MARK: Connections go

  private func close(_ connection: ClientConnection, _ violation: Violation?) {
    if let violation {
      let complaint = "the connection of process \(connection.peer.pid) was closed: \(violation)"
      if let line = complaints.line(complaint, now: monotonicMilliseconds()) { log.warning(line) }
    }
    connections[connection.token] = nil
    subscribers.remove(connection)
    forgetDeadline(of: connection)
    // Its descriptor is closed, and so leaves the epoll set, when the last reference goes: out of the set at once.
    epoll?.remove(connection.descriptor.raw)
    if connections.count < maximum - maximum / 8 { isRefusing = false }
    guard !isAccepting, !isAboutToAccept else { return }
    // In the next turn: this connection's descriptor is closed by then. Once: others that end meanwhile put off nothing.
    isAboutToAccept = true
    accepting = MainLoop.later { [unowned self] in
      isAboutToAccept = false
      startAccepting()
      return false
    }
  }
}

/// What the listening socket's events are told by; connections count from there.
private let listenerToken: UInt64 = 0
