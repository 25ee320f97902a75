internal import CThemedLinux
internal import Glibc
internal import Synchronization

/// Runs `body` on a thread of its own; signals never interrupt it, but the thread that started it.
public func startThread(_ body: @escaping @Sendable () -> Void) throws(SystemError) {
  var attributes = pthread_attr_t()
  unsafe pthread_attr_init(&attributes)
  defer { unsafe pthread_attr_destroy(&attributes) }
  unsafe pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED))
  // Only touched pages take memory. The parsers do not recurse deeply.
  unsafe pthread_attr_setstacksize(&attributes, 512 * 1024)
  // The thread inherits the blocked signals, so it never receives one.
  var (all, before) = (sigset_t(), sigset_t())
  unsafe sigfillset(&all)
  unsafe pthread_sigmask(SIG_SETMASK, &all, &before)
  defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
  var thread = pthread_t()
  let start = unsafe Unmanaged.passRetained(Job(body))
  let code = unsafe pthread_create(
    &thread, &attributes,
    { data in
      if let data = unsafe data { unsafe Unmanaged<Job>.fromOpaque(data).takeRetainedValue().body() }
      return nil
    }, start.toOpaque())
  guard code == 0 else {
    unsafe start.release()
    throw SystemError("cannot start a thread", code)
  }
}

/// Work on its way to a thread.
private final class Job: Sendable {
  let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

/// Lets other threads that are ready run first.
public func yieldProcessor() { sched_yield() }

/// A thread for work that may wait, so that its owner never does; it does one job at a time.
///
/// When ``descriptor`` is readable, call ``finish()``. Jobs and results are `Sendable`, and nothing else is shared. If
/// the owner lets the thread go, it exits after its current job; a thread that hangs is simply abandoned.
public final class WorkThread {
  private let socket: FileDescriptor
  private var completion: (() -> Void)?

  public init() throws(SystemError) {
    var ends: [CInt] = [-1, -1]
    let kind = CInt(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue)
    guard unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
      throw SystemError("cannot create a pair of sockets", errno)
    }
    socket = FileDescriptor(owning: ends[0])
    let worker = Worker(FileDescriptor(owning: ends[1]))
    try startThread { worker.run() }
  }

  /// Readable when the job is done; valid while this value lives.
  public var descriptor: CInt { socket.raw }

  /// Starts a job on the thread, which must be idle; ``finish()`` delivers its result.
  public func perform<Outcome: Sendable>(
    _ job: @escaping @Sendable () -> Outcome, _ completion: @escaping (Outcome) -> Void
  ) throws(SystemError) {
    let slot = Slot<Outcome>()
    let work = unsafe Unmanaged.passRetained(
      Job {
        let outcome = job()
        slot.outcome.withLock { $0 = outcome }
      })
    var address = unsafe UInt(bitPattern: work.toOpaque())
    let size = MemoryLayout<UInt>.size
    guard unsafe Glibc.send(socket.raw, &address, size, CInt(MSG_NOSIGNAL | MSG_DONTWAIT)) == size else {
      let code = errno
      unsafe work.release()
      throw SystemError("cannot hand a job over to a thread", code)
    }
    self.completion = { if let outcome = slot.outcome.withLock({ $0 }) { completion(outcome) } }
  }

  /// Delivers the result if the job is done.
  ///
  /// Returns whether the thread is alive; its job may still be under way.
  public func finish() -> Bool {
    var byte: UInt8 = 0
    var count: Int
    repeat { count = unsafe recv(socket.raw, &byte, 1, CInt(MSG_DONTWAIT)) } while count < 0 && errno == EINTR
    if count < 0, errno == EAGAIN { return true }
    let completion = completion
    self.completion = nil
    // A thread that cannot report has exited, but the work of its job is done.
    completion?()
    return count == 1
  }

  /// Waits until the job is done, for at most this many milliseconds.
  public func wait(atMostMilliseconds time: Int) {
    ThemedSystem.wait(forReadable: [socket.raw], atMostMilliseconds: time)
  }
}

private final class Slot<Outcome: Sendable>: Sendable {
  let outcome = Mutex<Outcome?>(nil)
}

/// The thread's side: it does jobs until the other end is closed.
private final class Worker: Sendable {
  private let socket: FileDescriptor

  init(_ socket: consuming FileDescriptor) { self.socket = socket }

  func run() {
    var address: UInt = 0
    while unsafe read(socket.raw, &address, MemoryLayout<UInt>.size) == MemoryLayout<UInt>.size,
      let job = unsafe UnsafeRawPointer(bitPattern: address)
    {
      unsafe Unmanaged<Job>.fromOpaque(job).takeRetainedValue().body()
      var done: UInt8 = 1
      guard unsafe Glibc.send(socket.raw, &done, 1, CInt(MSG_NOSIGNAL)) == 1 else { return }
    }
  }
}

/// The result of a read, or why there will be no other.
public enum SharedInput: Sendable, Hashable {
  case bytes([UInt8])
  /// The writer has closed its end.
  case end
  /// It is broken, with this error number.
  case failed(CInt)
}

/// Reads a descriptor that other processes may share, on a thread of its own, so that its owner never waits.
///
/// When ``descriptor`` is readable, call ``next()``. The thread reads more only after these bytes were taken. If the
/// owner goes while the thread waits in a read, the thread stays until that read returns.
public final class SharedReader {
  private let thread: WorkThread
  private let source: Shared
  private let maximum: Int
  private var transfer: SharedInput?

  /// The descriptor, for the thread that may outlive the owner.
  private final class Shared: Sendable {
    let held: FileDescriptor

    init(_ held: consuming FileDescriptor) { self.held = held }
  }

  /// Starts to read from a copy of this descriptor, at most this many bytes at a time.
  public init(of raw: CInt, atMost maximum: Int) throws(SystemError) {
    source = Shared(try FileDescriptor("cannot copy a descriptor", fcntl(raw, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)))
    thread = try WorkThread()
    self.maximum = maximum
    try begin()
  }

  /// Readable when ``next()`` has something; valid while this value lives.
  public var descriptor: CInt { thread.descriptor }

  /// The bytes that were read; nil if there are none yet.
  ///
  /// After the end or a failure there is nothing more.
  public func next() -> SharedInput? {
    let isAlive = thread.finish()
    guard let transfer else { return isAlive ? nil : .failed(EIO) }
    self.transfer = nil
    guard case .bytes = transfer else { return transfer }
    do throws(SystemError) {
      try begin()
      return transfer
    } catch {
      return .failed(error.code)
    }
  }

  private func begin() throws(SystemError) {
    let (source, maximum) = (source, maximum)
    try thread.perform({ Self.read(source.held, atMost: maximum) }) { [unowned self] in transfer = $0 }
  }

  private static func read(_ source: borrowing FileDescriptor, atMost maximum: Int) -> SharedInput {
    var buffer = receiveBuffer(maximum)
    while true {
      let count = unsafe Glibc.read(source.raw, &buffer, buffer.count)
      if count > 0 { return .bytes(Array(buffer[..<count])) }
      if count == 0 { return .end }
      switch errno {
      case EINTR: continue
      case EAGAIN:
        // Another process that shares the descriptor has made it non-blocking.
        wait(forReadable: [source.raw])
      case let code: return .failed(code)
      }
    }
  }
}
