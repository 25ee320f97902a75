internal import CThemedLinux
internal import Glibc
internal import ThemeInterface
internal import ThemedSystem
internal import ThemedVarlink

/// The data that the previous process has left in the service manager's store: a history, and connections to continue.
///
/// None of it is trusted. Useless parts are dropped with a line in the log, and their clients reconnect.
struct Takeover {
  /// The states that subscribers received last.
  var history: History
  /// The connections, in the order in which they were stored.
  let connections: [ClientConnection]

  /// Takes what was stored; nil if nothing useful was.
  static func take(from inherited: Inherited, log: Log) -> Takeover? {
    var takeover: Takeover?
    while let queue = inherited.takeStored() {
      // A queue that another process has emptied has no content. Only one can be continued.
      guard let content = HandoverQueue.content(of: queue, log: log), takeover == nil else { continue }
      do throws(Handover.Damage) {
        takeover = Takeover(try Handover(decoding: content.bytes), content)
      } catch {
        log.warning("dropped the stored connections: \(error); their clients reconnect")
      }
    }
    for name in inherited.names { log.warning("closed the unknown inherited descriptor '\(name)'") }
    return takeover
  }

  private init(_ handover: Handover, _ content: HandoverQueue.Content) {
    history = handover.history
    var connections: [ClientConnection] = []
    for (number, part) in handover.connections.enumerated() {
      guard let descriptor = content.take(number), isSocket(descriptor, ofType: CInt(SOCK_STREAM.rawValue)),
        socketCookie(of: descriptor) == part.cookie, let peer = Peer(of: descriptor), PeerRule.own.admits(peer.user),
        part.options.rights == .reading || boundPath(of: descriptor).map(ThemeInterface.isReadOnly) != true,
        let machine = ServerConnection(resuming: part.progress, limits: part.options.rights.limits),
        (try? makeNonblocking(descriptor.raw)) != nil
      else { continue }
      let token = UInt64(connections.count + 1)
      connections.append(
        ClientConnection(
          token: token, peer: peer, options: part.options, descriptor: descriptor, machine: machine))
    }
    self.connections = connections
  }
}

extension Takeover {
  /// Stores the state of this process for the next one in the service manager; if the manager has no store, the
  /// connections end with this process.
  ///
  /// A connection whose call is still being answered ends too.
  static func leave(
    _ history: History, _ connections: [ClientConnection], to manager: ServiceManager, log: Log
  ) {
    guard manager.isThere else { return }
    let (handover, descriptors) = gather(history, connections)
    guard !descriptors.isEmpty else { return }
    do throws(SystemError) {
      try manager.store(HandoverQueue.filled(handover.encoded, descriptors), as: HandoverQueue.name)
      log.debug("stored \(descriptors.count) connections for the next process")
    } catch {
      log.warning("cannot store the connections for the next process, so clients have to reconnect: \(error)")
    }
  }

  /// The handover of as many of these connections as there is room for, with their descriptors.
  static func gather(_ history: History, _ connections: [ClientConnection]) -> (Handover, [CInt]) {
    var handover = Handover(history: history, connections: [])
    var descriptors: [CInt] = []
    var (size, sizeOfReaders) = (0, 0)
    // Read-only connections come last and have a limited share, so that the others find room whatever they have sent or
    // not read.
    let inOrder = connections.filter { $0.options.rights == .all } + connections.filter { $0.options.rights != .all }
    for connection in inOrder {
      guard let progress = connection.machine.suspended, let cookie = socketCookie(of: connection.descriptor) else {
        continue
      }
      let part = Handover.Connection(cookie: cookie, options: connection.options, progress: progress)
      guard size + part.size <= Limits.handover else { continue }
      if connection.options.rights != .all {
        guard sizeOfReaders + part.size <= Limits.handover / Limits.readersShare else { continue }
        sizeOfReaders += part.size
      }
      size += part.size
      handover.connections.append(part)
      descriptors.append(connection.descriptor.raw)
    }
    return (handover, descriptors)
  }
}
