internal import CThemedLinux
internal import Glibc
internal import ThemedInterface
internal import ThemedSystem
internal import ThemedVarlink

/// The data that the previous process has left in the service manager's store: a history, and connections to continue.
///
/// None of it is trusted. Useless parts are dropped with a line in the log, and their clients reconnect.
struct Takeover {
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

/// Carries a handover from one process to the next: one end of a socket pair, whose queue holds everything.
///
/// The service manager keeps only this descriptor; one for each connection would take it seconds. The first message has
/// the handover itself, as a file in memory, because the kernel limits the size of a queue. Each further message has as
/// many connections as fit, and in four bytes the number of the first one.
enum HandoverQueue {
  /// The name under which the service manager stores it.
  static let name = "themed-connections"

  private static let first = Array("themed handover".utf8)

  final class Content {
    /// The handover, which must not be trusted.
    let bytes: [UInt8]
    /// The descriptors of its connections, by their numbers.
    private var descriptors: [Int: CInt]

    fileprivate init(bytes: [UInt8], descriptors: [Int: CInt]) {
      (self.bytes, self.descriptors) = (bytes, descriptors)
    }

    /// The descriptor of a connection, if it is there.
    func take(_ number: Int) -> FileDescriptor? {
      descriptors.removeValue(forKey: number).map { FileDescriptor(owning: $0) }
    }

    deinit {
      for raw in descriptors.values { _ = FileDescriptor(owning: raw) }
    }
  }

  /// Fills a queue; throws if the kernel does not take everything.
  static func filled(_ bytes: [UInt8], _ descriptors: [CInt]) throws(SystemError) -> FileDescriptor {
    var ends: [CInt] = [-1, -1]
    let type = CInt(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    guard unsafe socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw SystemError("socketpair", errno) }
    let writing = FileDescriptor(owning: ends[0])
    let reading = FileDescriptor(owning: ends[1])
    let file = try memoryFile(name, holding: bytes)
    try sendMessage(first, passing: [file.raw], from: writing, to: nil)
    for start in stride(from: 0, to: descriptors.count, by: maximumDescriptorsPerMessage) {
      let part = Array(descriptors[start..<min(start + maximumDescriptorsPerMessage, descriptors.count)])
      let number = unsafe withUnsafeBytes(of: UInt32(start).littleEndian) { unsafe Array($0) }
      try sendMessage(number, passing: part, from: writing, to: nil)
    }
    return reading
  }

  /// Empties a queue; nil if it is empty, such as one that was already read.
  ///
  /// It is also nil, with a warning in the log, if the queue does not begin as in ``filled(_:_:)``.
  static func content(of queue: borrowing FileDescriptor, log: Log) -> Content? {
    let isQueue = isSocket(queue, ofType: CInt(SOCK_SEQPACKET.rawValue))
    let message = isQueue ? next(queue) : nil
    if isQueue, message == nil { return nil }
    guard let message, message.bytes == first, message.descriptors.count == 1 else {
      message?.closeDescriptors()
      log.warning("closed the inherited descriptor '\(name)', because it holds no connections of themed")
      return nil
    }
    let file = FileDescriptor(owning: message.descriptors[0])
    guard let bytes = readMemoryFile(file, maximum: 2 * Limits.handover) else {
      log.warning("dropped the stored connections: the file is not sealed; their clients reconnect")
      return nil
    }
    var descriptors: [Int: CInt] = [:]
    // At most as many messages as there can be connections: a hostile sender could go on for ever.
    for _ in 0...Limits.connections {
      guard let message = next(queue) else { break }
      let isOurs = message.bytes.count == 4
      let start = message.bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
      for (index, raw) in message.descriptors.enumerated() {
        if isOurs, descriptors[start + index] == nil {
          descriptors[start + index] = raw
        } else {
          _ = FileDescriptor(owning: raw)
        }
      }
    }
    return Content(bytes: bytes, descriptors: descriptors)
  }

  /// The next message; a truncated one counts as the end.
  private static func next(_ queue: borrowing FileDescriptor) -> ReceivedMessage? {
    guard let message = try? receiveMessage(maximum: 64, from: queue) else { return nil }
    guard message.isCut || message.bytes.count > first.count else { return message }
    message.closeDescriptors()
    return nil
  }
}
