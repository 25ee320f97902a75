internal import CLinux
internal import Glibc
internal import MainLoop
internal import Unix

/// A thread for what waits for a disk, and the end of a socket by which the loop talks to it.
///
/// Jobs go in and come out when they are done; nothing else is shared.
final class DiskThread {
  /// Something to do, and what came of it.
  ///
  /// Unchecked: the loop looks at the outcome only after the thread has handed the job back.
  final class Job: @unchecked Sendable {
    private let work: @Sendable () -> Saver.Outcome
    fileprivate var outcome: Saver.Outcome?

    /// A job that does this, away from the loop.
    init(_ work: @escaping @Sendable () -> Saver.Outcome) {
      self.work = work
    }

    fileprivate func run() { outcome = work() }
  }

  private let socket: FileDescriptor
  private let onOutcome: (Saver.Outcome?) -> Void
  private var waiting: Source?

  /// Starts the thread; the outcome is nil where it has ended, which it does when it can tell none.
  init(_ onOutcome: @escaping (Saver.Outcome?) -> Void) throws(SystemError) {
    var ends: [CInt] = [-1, -1]
    let kind = CInt(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue)
    guard unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw SystemError("making a pair of sockets", errno) }
    socket = FileDescriptor(owning: ends[0])
    self.onOutcome = onOutcome
    let work = Work(FileDescriptor(owning: ends[1]))
    waiting = try MainLoop.watch(socket.raw, for: .readable) { [unowned self] _ in take() }
    try work.start()
  }

  /// Has this done; to be called again when the outcome has come.
  func run(_ job: Job) throws(SystemError) {
    let reference = unsafe Unmanaged.passRetained(job)
    guard unsafe Work.send(reference.toOpaque(), to: socket.raw) else {
      let code = errno
      unsafe reference.release()
      throw SystemError("handing over what to do with a file", code)
    }
  }

  /// Waits for the outcome of what was handed over, at most so many milliseconds: for before the loop runs.
  func wait(atMost milliseconds: Int) {
    let end = monotonicMilliseconds() + milliseconds
    while true {
      var ready = pollfd(fd: socket.raw, events: Int16(POLLIN), revents: 0)
      let count = unsafe poll(&ready, 1, CInt(clamping: max(0, end - monotonicMilliseconds())))
      guard count < 0, errno == EINTR else {
        if count > 0 { take() }
        return
      }
    }
  }

  private func take() {
    onOutcome(Work.receive(from: socket.raw)?.outcome)
  }
}

/// What the thread has: it does what comes, until the other end is closed.
private final class Work: Sendable {
  private let socket: FileDescriptor

  init(_ socket: consuming FileDescriptor) {
    self.socket = socket
  }

  func start() throws(SystemError) {
    var attributes = pthread_attr_t()
    unsafe pthread_attr_init(&attributes)
    defer { unsafe pthread_attr_destroy(&attributes) }
    unsafe pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED))
    var thread = pthread_t()
    let this = unsafe Unmanaged.passRetained(self)
    let code = unsafe pthread_create(
      &thread, &attributes,
      { data in
        if let data = unsafe data { unsafe Unmanaged<Work>.fromOpaque(data).takeRetainedValue().run() }
        return nil
      }, this.toOpaque())
    guard code == 0 else {
      unsafe this.release()
      throw SystemError("starting a thread for the disk", code)
    }
  }

  private func run() {
    // The loop's alone, also those that are to interrupt it.
    var signals = sigset_t()
    unsafe sigfillset(&signals)
    unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    while let job = Self.receive(from: socket.raw) {
      job.run()
      let reference = unsafe Unmanaged.passRetained(job)
      // One message, and the only one under way: there is room for it.
      guard unsafe Self.send(reference.toOpaque(), to: socket.raw) else {
        unsafe reference.release()
        return
      }
    }
  }

  /// The job that the other end has sent, with the reference to it; nil where there will be none.
  static func receive(from socket: CInt) -> DiskThread.Job? {
    var address: UInt = 0
    var count: Int
    repeat {
      count = unsafe read(socket, &address, MemoryLayout<UInt>.size)
    } while count < 0 && errno == EINTR
    guard count == MemoryLayout<UInt>.size, let job = unsafe UnsafeRawPointer(bitPattern: address) else { return nil }
    return unsafe Unmanaged<DiskThread.Job>.fromOpaque(job).takeRetainedValue()
  }

  static func send(_ job: UnsafeMutableRawPointer, to socket: CInt) -> Bool {
    var address = UInt(bitPattern: job)
    let size = MemoryLayout<UInt>.size
    return unsafe Glibc.send(socket, &address, size, CInt(MSG_NOSIGNAL)) == size
  }
}
