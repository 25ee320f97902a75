internal import Glibc
internal import Synchronization
internal import ThemedSystem

/// Hands the output of programs to a process that outlives this one: a bar that a hook has started would die at its
/// next line if no process held the other end of its pipe.
///
/// That process is started with the first program, and gets each pipe before the program starts, so that this process
/// may be killed at any time. It reads a pipe only once this process asks it to or has exited: see
/// ``OutputKeeperProcess``.
final class OutputKeeper: Sendable {
  /// The name of the process, instead of this program's.
  static let processName: Text = "themed-output"

  private struct Contact {
    var socket: Leftover?
    var process: pid_t = 0
    var last: UInt64 = 0
  }

  private let contact = Mutex(Contact())

  /// The number of the process; 0 if it was not started.
  var process: pid_t { contact.withLock { $0.process } }

  /// Hands over the reading end of a pipe, and returns the pipe's number.
  func hold(_ pipe: CInt) throws(SystemError) -> UInt64 {
    try contact.withLock { contact throws(SystemError) in
      contact.last += 1
      let number = contact.last
      do throws(SystemError) { try Self.send(number, [pipe], contact) } catch {
        // It has not been started, or somebody has killed it.
        guard error.code == EPIPE || error.code == ECONNRESET || error.code == ENOTCONN else { throw error }
        try Self.start(&contact)
        try Self.send(number, [pipe], contact)
      }
      return number
    }
  }

  /// Makes it read a pipe from now on, until every writer has exited.
  func read(_ number: UInt64) {
    contact.withLock { contact in _ = try? Self.send(number, [], contact) }
  }

  private static func send(
    _ number: UInt64, _ descriptors: [CInt], _ contact: Contact
  ) throws(SystemError) {
    guard let socket = contact.socket else { throw SystemError("sending", ENOTCONN) }
    // It takes what comes at once, unless somebody has stopped it.
    var entry = pollfd(fd: socket.descriptor.raw, events: Int16(POLLOUT), revents: 0)
    _ = unsafe poll(&entry, 1, CInt(Limits.keeperPatience))
    let bytes = unsafe withUnsafeBytes(of: number) { unsafe Array($0) }
    try sendMessage(bytes, passing: descriptors, from: socket.descriptor, to: nil)
  }

  private static func start(_ contact: inout Contact) throws(SystemError) {
    var ends: [CInt] = [-1, -1]
    let type = CInt(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    guard unsafe socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw SystemError("socketpair", errno) }
    let own = Leftover(FileDescriptor(owning: ends[0]))
    let other = FileDescriptor(owning: ends[1])
    contact.process = try startItself([processName.string, "\(other.raw)"], handing: [other.raw])
    contact.socket = own
  }
}

/// The process that keeps the pipes of programs that hooks have started in the background.
///
/// It reads and drops their output, and exits with the last of these programs, or with themed-apply if that exits later.
///
/// The signals that end themed-apply are blocked from its start, and it has a session of its own.
struct OutputKeeperProcess: ~Copyable {
  private let socket: FileDescriptor
  private let parts: WatchedParts
  private let alarm: Alarm
  /// The pipes that it must not read yet, because themed-apply still reads them.
  private var held: [UInt64: Leftover] = [:]
  private let leftovers: Leftovers
  private var isAlone = false

  /// The keeper with the socket that this word, its only argument, names; nil if the word does not name a socket.
  init?(_ word: String?) {
    guard let word, let raw = CInt(word), raw > STDERR_FILENO, fcntl(raw, F_GETFD) >= 0 else { return nil }
    let socket = FileDescriptor(owning: raw)
    guard isSocket(socket, ofType: CInt(SOCK_SEQPACKET.rawValue)) else { return nil }
    _ = fcntl(raw, F_SETFD, FD_CLOEXEC)
    do throws(SystemError) {
      let parts = try WatchedParts()
      let alarm = try Alarm()
      try parts.add(raw, as: 0)
      try parts.add(alarm.descriptor.raw, as: 1)
      leftovers = Leftovers(numberedBehind: 1) {
        (try? parts.add($0, as: $1)) != nil
      } unwatch: {
        parts.remove($0)
      }
      self.parts = parts
      self.alarm = alarm
    } catch { return nil }
    self.socket = socket
  }

  /// Serves until no program writes any more, and no process can hand over a pipe.
  mutating func run() {
    nameProcess(OutputKeeper.processName.string)
    leaveStandardStreams()
    openAsManyAsAllowed()
    while !isAlone || !leftovers.isEmpty {
      let now = monotonicMilliseconds()
      alarm.set(afterMilliseconds: leftovers.deadline.map { max(0, $0 - now) })
      for number in parts.wait() {
        switch number {
        case 0: receive()
        case 1:
          alarm.set(afterMilliseconds: nil)
          leftovers.timePassed(now: monotonicMilliseconds())
        default: leftovers.read(number, now: monotonicMilliseconds())
        }
      }
    }
  }

  private mutating func receive() {
    // First: what was sent before the other's end has come by then.
    let isOver = isHungUp
    while let message = try? receiveMessage(maximum: MemoryLayout<UInt64>.size, from: socket) {
      let number = message.bytes.enumerated().reduce(UInt64(0)) { $0 | UInt64($1.element) << UInt64(8 * $1.offset) }
      if let raw = message.descriptors.first {
        held[number] = Leftover(FileDescriptor(owning: raw))
        for other in message.descriptors.dropFirst() { _ = FileDescriptor(owning: other) }
      } else if let pipe = held.removeValue(forKey: number) {
        leftovers.add(pipe, now: monotonicMilliseconds())
      }
    }
    guard isOver else { return }
    isAlone = true
    parts.remove(socket.raw)
    for pipe in held.values { leftovers.add(pipe, now: monotonicMilliseconds()) }
    held = [:]
  }

  private var isHungUp: Bool {
    var entry = pollfd(fd: socket.raw, events: 0, revents: 0)
    return unsafe poll(&entry, 1, 0) == 1 && entry.revents & Int16(POLLHUP | POLLERR) != 0
  }
}
