internal import CThemedLinux
internal import Glibc
internal import ThemedSystem

/// Carries a handover from one process to the next: one end of a socket pair, whose queue holds everything.
///
/// The service manager keeps only this descriptor; one for each connection would take it seconds. The first message has
/// the handover itself, as a file in memory, because the kernel limits the size of a queue. Each further message has as
/// many connections as fit, and in four bytes the number of the first one.
enum HandoverQueue {
  /// The name under which the service manager stores it.
  static let name = "themed-connections"

  private static let first = Array("themed handover".utf8)

  /// The content that was found in a queue.
  final class Content {
    /// The handover, which must not be trusted.
    let bytes: [UInt8]
    /// The descriptors of its connections, by their numbers.
    private var descriptors: [Int: CInt]

    fileprivate init(bytes: [UInt8], descriptors: [Int: CInt]) {
      self.bytes = bytes
      self.descriptors = descriptors
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
