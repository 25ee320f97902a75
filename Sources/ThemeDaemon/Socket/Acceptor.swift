internal import ThemedSystem

/// Serves connections: the ``SocketServer``.
protocol ConnectionServer: AnyObject {
  /// A connection was accepted; if this throws, it is not served.
  func arrived(_ connection: ClientConnection) throws(SystemError)
  /// A connection has calls, and its turn has come; it may have been closed meanwhile.
  func turnCame(for connection: ClientConnection)
  /// A message on the connection with this token was not complete in time.
  func messageIsLate(on token: UInt64)
}

/// The listening sockets, where the decisions of ``Admission`` are carried out.
final class Acceptor {
  /// The token of the first listening socket; the others follow, and the tokens of connections are far below.
  static let firstToken: UInt64 = 1 << 61

  weak var server: (any ConnectionServer)?

  var maximum: Int {
    get { admission.maximum }
    set { admission.maximum = newValue }
  }

  private let listeners: [Listener]
  private let epoll: EpollSet
  private let log: Log
  private(set) var admission: Admission
  private var complaints = Complaints()
  private var lastToken: UInt64 = 0
  /// When to accept connections again.
  private var resumption: Source?

  init(_ listeners: [Listener], maximum: Int, epoll: EpollSet, log: Log) throws(SystemError) {
    self.listeners = listeners
    self.epoll = epoll
    self.log = log
    admission = Admission(maximum: maximum, by: .own)
    try watch()
  }

  deinit { for listener in listeners { epoll.remove(listener.socket.raw) } }

  private func watch() throws(SystemError) {
    for (listener, token) in zip(listeners, Self.firstToken...) {
      try epoll.add(listener.socket.raw, token: token, .readable)
    }
  }

  // MARK: New connections

  /// Accepts a limited number of the connections that wait at the socket of this token.
  func accept(_ token: UInt64) {
    // Another socket may have stopped accepting in this same turn.
    if admission.isAccepting { accept(at: listeners[Int(token - Self.firstToken)]) }
  }

  private func accept(at listener: Listener) {
    for _ in 0..<Limits.acceptsPerTurn {
      do throws(SystemError) {
        guard let descriptor = try ThemedSystem.accept(from: listener.socket) else { return admission.queueIsEmpty() }
        try admit(descriptor, listener.rights)
      } catch {
        return pause(error)
      }
    }
  }

  private func admit(_ descriptor: consuming FileDescriptor, _ rights: Rights) throws(SystemError) {
    let peer = Peer(of: descriptor)
    if case .refuse(let warning) = admission.came(of: peer?.user, for: rights) { return warn(warning) }
    guard let peer else { return }
    lastToken += 1
    try server?.arrived(ClientConnection(token: lastToken, peer: peer, options: .usual(rights), descriptor: descriptor))
    admission.admitted(rights)
  }

  /// A connection of the previous process is served.
  func adopted(_ connection: ClientConnection) {
    lastToken = max(lastToken, connection.token)
    admission.admitted(connection.options.rights)
  }

  /// A connection with these rights has ended; its descriptor is closed by the next turn.
  func ended(_ rights: Rights) {
    guard admission.ended(rights) else { return }
    resumption = EventLoop.main.later { [unowned self] in
      resume()
      return false
    }
  }

  // MARK: Pauses

  private func pause(_ error: SystemError) {
    let pause = admission.failed(error)
    warn(pause.warning)
    for listener in listeners { epoll.remove(listener.socket.raw) }
    resumption = EventLoop.main.timer(afterMilliseconds: pause.milliseconds) { [unowned self] in resume() }
  }

  private func resume() {
    resumption = nil
    do throws(SystemError) {
      try watch()
      admission.resumed()
    } catch {
      pause(error)
    }
  }

  private func warn(_ warning: Admission.Warning?) {
    guard let warning, let line = complaints.line("\(warning)", now: monotonicMilliseconds()) else { return }
    log.warning(line)
  }

  // MARK: The socket file

  /// Listens on a new socket at the path of this one, whose file has gone; existing connections stay.
  func rebind(_ listener: Listener) throws(StartFailure) {
    // Clients at the old socket came before its file went; no further ones can follow.
    for _ in 0..<Limits.acceptsAtOldSocket where admission.isAccepting && listener.isBound { accept(at: listener) }
    try listener.rebind { old in
      if admission.isAccepting { for listener in listeners { epoll.remove(listener.socket.raw) } }
    }
    if admission.isAccepting { resume() }
  }
}
