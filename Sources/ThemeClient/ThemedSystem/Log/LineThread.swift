internal import CThemedLinux
internal import Glibc
internal import Synchronization

/// Writes lines to a descriptor that others opened, without making its caller wait.
///
/// A stopped terminal, a full pipe or a file on a dead server can block for ever, and the descriptor cannot be made
/// non-blocking, because that would affect every process that shares it. So a thread waits in place of the caller. The
/// pipe between the two keeps the order, limits how much is waiting, and takes a line whole or not at all; nothing else
/// is shared.
public final class LineThread: Sendable {
  private let descriptor: CInt
  private let missing: @Sendable (Int) -> String
  /// The end of the pipe that the log writes into; -1 before the first line.
  private let queue = Mutex<CInt>(-1)

  /// A writer to `descriptor`, whose thread starts with the first line; `missing` makes the line that says how many
  /// lines were lost.
  public init(to descriptor: CInt, missing: @escaping @Sendable (Int) -> String = { _ in "" }) {
    (self.descriptor, self.missing) = (descriptor, missing)
  }

  /// Lines on their way are still written.
  deinit {
    queue.withLock { if $0 >= 0 { _ = close($0) } }
  }

  /// Queues a line, which ends with a newline and contains no NUL; returns whether there was room.
  public func write(_ line: [UInt8]) -> Bool {
    queue.withLock { queue in
      if queue < 0 { queue = start() }
      return queue < 0 ? writeHere(line) : unsafe Glibc.write(queue, line, line.count) == line.count
    }
  }

  /// Starts the thread now, while descriptors are available; otherwise the first line starts it.
  public func begin() { queue.withLock { queue in if queue < 0 { queue = start() } } }

  /// Waits until everything is written, for a limited time; call this at the exit.
  public func finish(withinMilliseconds limit: Int) {
    queue.withLock { queue in
      let deadline = monotonicMilliseconds() + limit
      let end: [UInt8] = [0]
      // The thread closes its end when it has written everything before.
      guard queue >= 0, wait(for: POLLOUT, of: [queue], atMostMilliseconds: limit),
        unsafe Glibc.write(queue, end, 1) == 1,
        wait(for: 0, of: [queue], atMostMilliseconds: max(0, deadline - monotonicMilliseconds()))
      else { return }
      _ = close(queue)
      queue = -1
    }
  }

  /// The pipe to a new thread; -1 if none can be created.
  private func start() -> CInt {
    var ends: [CInt] = [-1, -1]
    guard unsafe pipe2(&ends, O_CLOEXEC) == 0 else { return -1 }
    let reading = FileDescriptor(owning: ends[0])
    let writing = ends[1]
    // A descriptor of its own: the log's may be closed and reused while a line waits.
    let own = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    guard own >= 0, fcntl(writing, F_SETFL, O_NONBLOCK) == 0 else {
      _ = close(writing)
      return -1
    }
    let writer = LineWriter(from: reading, to: FileDescriptor(owning: own), missing)
    do throws(SystemError) {
      try startThread { writer.run() }
      return writing
    } catch {
      _ = close(writing)
      return -1
    }
  }

  /// Without a thread, such as after descriptors have run out, a line is written only if that does not block.
  private func writeHere(_ line: [UInt8]) -> Bool {
    guard wait(for: POLLOUT, of: [descriptor], atMostMilliseconds: 0) else { return false }
    return unsafe Glibc.write(descriptor, line, line.count) == line.count
  }
}

/// The thread's side: it writes lines until it reads a NUL or the end.
@safe
final class LineWriter: @unchecked Sendable {
  private let source: FileDescriptor
  private let target: FileDescriptor
  private let missing: @Sendable (Int) -> String
  /// A buffer for an unfinished line and what follows it.
  ///
  /// It is allocated before the thread starts, so that the thread needs no memory of its own.
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 2 * LogLimits.line, alignment: 1)
  /// How many lines were lost.
  private var lost = 0
  /// Whether the beginning of a line was written whose rest was lost.
  private var isCut = false

  init(
    from source: consuming FileDescriptor, to target: consuming FileDescriptor,
    _ missing: @escaping @Sendable (Int) -> String
  ) {
    self.source = source
    self.target = target
    self.missing = missing
  }

  deinit { unsafe buffer.deallocate() }

  func run() {
    var held = 0
    while true {
      let count = unsafe read(source.raw, buffer.baseAddress! + held, buffer.count - held)
      guard count > 0 else { return }
      held += count
      let isOver = unsafe buffer[held - 1] == 0
      if isOver { held -= 1 }
      // As many lines at once as a pipe takes without mixing in lines of others.
      while let end = unsafe buffer[..<min(held, LogLimits.line)].lastIndex(of: newline) {
        unsafe write(UnsafeRawBufferPointer(rebasing: buffer[...end]))
        held -= end + 1
        unsafe memmove(buffer.baseAddress!, buffer.baseAddress! + end + 1, held)
      }
      if isOver { return }
    }
  }

  /// Writes whole lines, however long it takes.
  private func write(_ lines: UnsafeRawBufferPointer) {
    var written = 0
    if tellsOfMissing() { written = unsafe writeAll(of: lines) }
    unsafe lost += lines[written...].count { $0 == newline }
  }

  /// Reports lost lines; returns whether none are left to report.
  private func tellsOfMissing() -> Bool {
    guard lost > 0 else { return true }
    let line = Array(((isCut ? "\n" : "") + missing(lost)).utf8)
    guard unsafe line.withUnsafeBytes({ unsafe writeAll(of: $0) }) == line.count else { return false }
    lost = 0
    return true
  }

  /// Writes everything and returns the number of bytes; it is smaller only if the target is broken.
  private func writeAll(of bytes: UnsafeRawBufferPointer) -> Int {
    var written = 0
    while written < bytes.count {
      let count = unsafe writeSome(of: UnsafeRawBufferPointer(rebasing: bytes[written...]))
      guard count > 0 else { break }
      written += count
    }
    if written > 0 { isCut = unsafe bytes[written - 1] != newline }
    return written
  }

  /// The number of bytes written; 0 if the target is broken.
  private func writeSome(of bytes: UnsafeRawBufferPointer) -> Int {
    while true {
      let count = unsafe Glibc.write(target.raw, bytes.baseAddress, bytes.count)
      if count > 0 { return count }
      // Another process that shares the descriptor has made it non-blocking.
      guard count < 0, errno == EAGAIN || errno == EINTR else { return 0 }
      var ready = pollfd(fd: target.raw, events: Int16(POLLOUT), revents: 0)
      _ = unsafe poll(&ready, 1, -1)
      // If the descriptor claims to be ready but is not, do not ask without a pause.
      usleep(10_000)
    }
  }
}

private let newline = UInt8(ascii: "\n")
