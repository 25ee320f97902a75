internal import CThemedLinux
internal import Glibc

/// A system call that failed.
public struct SystemError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The failed operation, in words, such as "cannot open X".
  public let operation: String
  public let code: CInt

  public init(_ operation: String, _ code: CInt) {
    (self.operation, self.code) = (operation, code)
  }

  /// This failure, with the code in errno.
  init(errnoOf operation: String) { self.init(operation, errno) }

  public var description: String { "\(operation): \(Self.text(code))" }

  /// Whether a retry may succeed: a queue is full, or memory or descriptors have run out.
  public var isTemporary: Bool { [EAGAIN, ENOBUFS, ENOMEM, EMFILE, ENFILE].contains(code) }

  public static func text(_ code: CInt) -> String {
    unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
  }
}

/// An open file descriptor, which is closed with its owner.
public struct FileDescriptor: ~Copyable, Sendable {
  /// The number; valid while this value lives.
  public let raw: CInt

  /// Takes ownership of an open descriptor.
  public init(owning raw: CInt) { self.raw = raw }

  /// Takes ownership of the result of a system call, or throws the error in errno.
  init(_ operation: String, _ raw: CInt) throws(SystemError) {
    guard raw >= 0 else { throw SystemError(errnoOf: operation) }
    self.raw = raw
  }

  deinit { _ = Glibc.close(raw) }
}

/// Makes a descriptor non-blocking, also for other processes that share it.
public func makeNonblocking(_ raw: CInt) throws(SystemError) {
  let flags = fcntl(raw, F_GETFL)
  guard flags >= 0, fcntl(raw, F_SETFL, flags | O_NONBLOCK) == 0 else {
    throw SystemError(errnoOf: "cannot make a descriptor non-blocking")
  }
}

/// Whether there is something to read, or the other end is gone; does not read.
public func isReadable(_ descriptor: borrowing FileDescriptor) -> Bool {
  wait(forReadable: [descriptor.raw], atMostMilliseconds: 0)
}

/// Waits until one of these descriptors meets a condition of poll(2) or is broken, for at most this many milliseconds;
/// nil: for ever.
///
/// Returns false if the time is over. Negative numbers are ignored. The main loop's thread must not wait here.
@discardableResult
public func wait(for condition: CInt, of descriptors: [CInt], atMostMilliseconds limit: Int? = nil) -> Bool {
  var entries = descriptors.map { pollfd(fd: $0, events: Int16(condition), revents: 0) }
  let end = limit.map { monotonicNanoseconds() + $0 * 1_000_000 }
  while true {
    // Up to a millisecond later than requested, but never earlier.
    let left = end.map { max(0, ($0 - monotonicNanoseconds() + 999_999) / 1_000_000) }
    let count = unsafe poll(&entries, nfds_t(entries.count), left.map { CInt(clamping: $0) } ?? -1)
    if count >= 0 { return count > 0 }
    // If there is no memory for the wait, look again soon.
    if errno != EINTR { usleep(10_000) }
    if left == 0 { return false }
  }
}

/// The same for something to read.
@discardableResult
public func wait(forReadable descriptors: [CInt], atMostMilliseconds limit: Int? = nil) -> Bool {
  wait(for: POLLIN, of: descriptors, atMostMilliseconds: limit)
}

/// How a non-blocking transfer ended.
public enum Transfer: Sendable, Hashable {
  case bytes(Int)
  /// Nothing can be transferred now.
  case wouldBlock
  /// The peer will send nothing more.
  case end
  /// The connection is broken, with this error number.
  case failed(CInt)
}

/// Sends as much as fits, without SIGPIPE; waits only if the descriptor is blocking.
public func send(_ bytes: ArraySlice<UInt8>, to descriptor: borrowing FileDescriptor) -> Transfer {
  send(bytes, to: descriptor.raw)
}

/// The same for a descriptor's number; the descriptor has to stay open until this returns.
public func send(_ bytes: ArraySlice<UInt8>, to descriptor: CInt) -> Transfer {
  while true {
    let count = unsafe bytes.withUnsafeBytes { bytes in
      unsafe Glibc.send(descriptor, bytes.baseAddress, bytes.count, CInt(MSG_NOSIGNAL))
    }
    if count >= 0 { return .bytes(count) }
    switch errno {
    case EINTR: continue
    case EAGAIN: return .wouldBlock
    case let code: return .failed(code)
    }
  }
}

/// A buffer to receive into; its pages take no memory until something is received.
///
/// The bytes in it are arbitrary before that.
public func receiveBuffer(_ count: Int) -> [UInt8] {
  unsafe [UInt8](unsafeUninitializedCapacity: count) { _, initialized in initialized = count }
}

/// Receives as much as there is and fits into `buffer`, but at most this many bytes; waits only if the descriptor is
/// blocking.
public func receive(
  into buffer: inout [UInt8], atMost maximum: Int = .max, from descriptor: borrowing FileDescriptor
) -> Transfer {
  while true {
    let count = unsafe buffer.withUnsafeMutableBytes { buffer in
      unsafe recv(descriptor.raw, buffer.baseAddress, min(buffer.count, maximum), 0)
    }
    if count > 0 { return .bytes(count) }
    if count == 0 { return .end }
    switch errno {
    case EINTR: continue
    case EAGAIN: return .wouldBlock
    case let code: return .failed(code)
    }
  }
}

/// Opens /dev/null as each of the descriptors 0, 1 and 2 that is closed; call this before anything else opens a
/// descriptor.
///
/// The kernel gives out the lowest free number. Otherwise a socket or a state file could become standard error, and
/// messages would be written to it.
public func openStandardStreams() {
  for number in STDIN_FILENO...STDERR_FILENO where fcntl(number, F_GETFD) < 0 {
    // All lower numbers are open, so it gets this one.
    let raw = unsafe open("/dev/null", O_RDWR)
    // Without /dev/null, a closed stream is better than a wrong one.
    if raw < 0 { return }
  }
}

/// Whether this many descriptors can still be opened; standard input has to be open.
public func hasRoom(forDescriptors count: Int) -> Bool {
  var opened: [CInt] = []
  defer { for raw in opened { _ = close(raw) } }
  for _ in 0..<count {
    let raw = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
    guard raw >= 0 else { return false }
    opened.append(raw)
  }
  return true
}
