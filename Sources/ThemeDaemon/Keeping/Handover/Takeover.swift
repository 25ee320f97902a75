internal import CThemedLinux
internal import Glibc
internal import ThemeInterface
internal import ThemedUnix
internal import ThemedVarlink
internal import ThemedLog

/// What the process before this one has left in the service manager's store: a history, and connections to go on with.
///
/// Nothing of it is trusted. What is of no use is dropped, with a line in the log, and its clients connect anew.
struct Takeover {
  /// What was told.
  var history: History
  /// Who is connected, in the order in which they were left.
  let connections: [ClientConnection]

  /// Takes what was stored; nil where nothing was, or nothing of use.
  static func take(from inherited: Inherited, log: Log) -> Takeover? {
    var takeover: Takeover?
    while let queue = inherited.takeStored() {
      // One that a process before has emptied says nothing. There is but one to go on with.
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
        part.standing.rights == .reading || boundPath(of: descriptor).map(ThemeInterface.isReadOnly) != true,
        let machine = ServerConnection(resuming: part.progress, limits: part.standing.rights.limits),
        (try? makeNonblocking(descriptor.raw)) != nil
      else { continue }
      let token = UInt64(connections.count + 1)
      connections.append(
        ClientConnection(
          token: token, peer: peer, standing: part.standing, descriptor: descriptor, machine: machine))
    }
    self.connections = connections
  }
}

extension Takeover {
  /// Leaves to the next process what this one has, in the service manager's store; with a manager that has none, the
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

  /// What is left of these, as far as there is room, with their descriptors.
  static func gather(_ history: History, _ connections: [ClientConnection]) -> (Handover, [CInt]) {
    var handover = Handover(history: history, connections: [])
    var descriptors: [CInt] = []
    var (size, sizeOfReaders) = (0, 0)
    // Who may only read comes last, and has a share of his own: others find room whatever these have sent, or not read.
    let inOrder = connections.filter { $0.standing.rights == .all } + connections.filter { $0.standing.rights != .all }
    for connection in inOrder {
      guard let progress = connection.machine.suspended, let cookie = socketCookie(of: connection.descriptor) else {
        continue
      }
      let part = Handover.Connection(cookie: cookie, standing: connection.standing, progress: progress)
      guard size + part.size <= Limits.handover else { continue }
      if connection.standing.rights != .all {
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
