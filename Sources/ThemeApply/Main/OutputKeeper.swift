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
    contact.process = try Program.startItself([processName.string, "\(other.raw)"], handing: [other.raw])
    contact.socket = own
  }
}

/// The process that keeps the pipes of programs that hooks have started in the background.
///
/// It reads and drops their output, and exits with the last of these programs, or with themed-apply if that exits later.
///
/// The signals that end themed-apply are blocked from its start, and it has a session of its own.
final class OutputKeeperProcess {
  private let socket: FileDescriptor
  private var receiving: Source?
  /// The pipes that it must not read yet, because themed-apply still reads them.
  private var held: [UInt64: Leftover] = [:]
  /// The watches of pipes, by their descriptors.
  private var watches: [CInt: Source] = [:]
  private lazy var leftovers: Leftovers = Leftovers(numberedBehind: 0) { [unowned self] raw, number in
    watches[raw] = try? EventLoop.main.watch(raw, for: .readable) { [unowned self] _ in
      leftovers.read(number, now: monotonicMilliseconds())
    }
    return watches[raw] != nil
  } unwatch: { [unowned self] raw in
    watches[raw] = nil
  }
  private var isAlone = false

  /// The keeper with the socket that this word, its only argument, names; nil if the word does not name a socket.
  init?(_ word: String?) {
    guard let word, let raw = CInt(word), raw > STDERR_FILENO, fcntl(raw, F_GETFD) >= 0 else { return nil }
    socket = FileDescriptor(owning: raw)
    guard isSocket(socket, ofType: CInt(SOCK_SEQPACKET.rawValue)) else { return nil }
    _ = fcntl(raw, F_SETFD, FD_CLOEXEC)
    do throws(SystemError) {
      receiving = try EventLoop.main.watch(raw, for: .readable) { [unowned self] _ in receive() }
    } catch { return nil }
  }

  /// Serves until no program writes any more, and no process can hand over a pipe.
  func run() {
    nameProcess(OutputKeeper.processName.string)
    leaveStandardStreams()
    openAsManyAsAllowed()
    while !isAlone || !leftovers.isEmpty {
      EventLoop.main.turn(until: leftovers.deadline)
      leftovers.timePassed(now: monotonicMilliseconds())
    }
  }

  private func receive() {
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
    receiving = nil
    for pipe in held.values { leftovers.add(pipe, now: monotonicMilliseconds()) }
    held = [:]
  }

  private var isHungUp: Bool {
    var entry = pollfd(fd: socket.raw, events: 0, revents: 0)
    return unsafe poll(&entry, 1, 0) == 1 && entry.revents & Int16(POLLHUP | POLLERR) != 0
  }
}

/// A descriptor that is shared, and closed with its last owner.
final class Leftover: Sendable {
  let descriptor: FileDescriptor

  init(_ descriptor: consuming FileDescriptor) { self.descriptor = descriptor }
}

/// The output of programs that runs have left in the background: it is read and dropped, for as long as they write.
///
/// A program that floods its pipe is blocked by it, and does not delay any other.
final class Leftovers {
  private let watch: (CInt, UInt64) -> Bool
  private let unwatch: (CInt) -> Void
  private var all: [UInt64: Leftover] = [:]
  private var last: UInt64
  /// How many bytes each has written since its last rest.
  private var flows: [UInt64: Int] = [:]
  /// When to read again from the pipes of programs that write too much, and those that could not be watched.
  private var resting: [UInt64: Int] = [:]

  /// No pipes yet; each is watched under its own number after this one.
  init(numberedBehind number: UInt64, watch: @escaping (CInt, UInt64) -> Bool, unwatch: @escaping (CInt) -> Void) {
    self.watch = watch
    self.unwatch = unwatch
    last = number
  }

  /// When to call this again without an event.
  var deadline: Int? { resting.values.min() }

  /// Whether no program writes any more.
  var isEmpty: Bool { all.isEmpty }

  /// Takes over a pipe.
  func add(_ leftover: Leftover, now: Int) {
    _ = fcntl(leftover.descriptor.raw, F_SETFL, O_NONBLOCK)
    last += 1
    all[last] = leftover
    begin(last, now: now)
  }

  /// Reads a pipe, and drops the bytes.
  func read(_ number: UInt64, now: Int) {
    guard let leftover = all[number] else { return }
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = unsafe Glibc.read(leftover.descriptor.raw, &buffer, buffer.count)
    guard count == 0 || count < 0 && errno != EAGAIN && errno != EINTR else {
      flows[number, default: 0] += max(0, count)
      guard flows[number, default: 0] > Limits.leftoverBytes else { return }
      unwatch(leftover.descriptor.raw)
      rest(number, now: now)
      return
    }
    unwatch(leftover.descriptor.raw)
    (all[number], flows[number]) = (nil, nil)
  }

  func timePassed(now: Int) {
    for (number, time) in resting where time <= now {
      resting[number] = nil
      begin(number, now: now)
    }
  }

  private func begin(_ number: UInt64, now: Int) {
    guard let leftover = all[number], !watch(leftover.descriptor.raw, number) else { return }
    rest(number, now: now)
  }

  private func rest(_ number: UInt64, now: Int) {
    (flows[number], resting[number]) = (nil, now + Limits.leftoverRest)
  }
}
