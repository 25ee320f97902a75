internal import Glibc

/// The result of a read, or why there will be no other.
public enum SharedInput: Sendable, Hashable {
  /// These bytes were read.
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
        var ready = pollfd(fd: source.raw, events: Int16(POLLIN), revents: 0)
        _ = unsafe poll(&ready, 1, -1)
      case let code: return .failed(code)
      }
    }
  }
}
