internal import CThemedLinux
internal import Glibc
internal import Synchronization

/// A thread for work that may wait, so that its owner never does; it does one job at a time.
///
/// When ``descriptor`` is readable, call ``finish()``. Jobs and results are `Sendable`, and nothing else is shared. If
/// the owner lets the thread go, it exits after its current job; a thread that hangs is simply abandoned.
public final class WorkThread {
  private let socket: FileDescriptor
  private var completion: (() -> Void)?

  /// A thread without a job.
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
    var entry = pollfd(fd: socket.raw, events: Int16(POLLIN), revents: 0)
    let end = monotonicMilliseconds() + time
    repeat {
      // Up to a millisecond later than requested, but never earlier.
      let left = max(0, end + 1 - monotonicMilliseconds())
      guard unsafe poll(&entry, 1, CInt(clamping: left)) < 0, errno == EINTR else { return }
    } while true
  }
}

/// The place where a job leaves its result.
private final class Slot<Outcome: Sendable>: Sendable {
  let outcome = Mutex<Outcome?>(nil)
}

/// A job on its way to the thread.
private final class Job: Sendable {
  let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) { self.body = body }
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
