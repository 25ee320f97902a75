internal import CThemedLinux
internal import Glibc
internal import Synchronization
internal import ThemedUnix

/// Writes lines to a descriptor that others opened, and lets nobody wait for it: a stopped terminal, a full pipe or a
/// file on a dead server takes a line when it likes, and none of them can be told not to wait, as whoever shares it
/// would be told so too.
///
/// A thread waits in the log's place. Between the two is a pipe, which keeps the order, bounds what is on its way, and
/// takes a line whole or not at all; nothing else is shared.
public final class LineThread: Sendable {
  private let descriptor: CInt
  private let missing: @Sendable (Int) -> String
  /// The end of the pipe that the log writes into; -1 before the first line.
  private let queue = Mutex<CInt>(-1)

  /// A thread that writes to `descriptor`, from the first line on; `missing` is the line that says how many it could not
  /// write, once it can again.
  public init(to descriptor: CInt, missing: @escaping @Sendable (Int) -> String = { _ in "" }) {
    self.descriptor = descriptor
    self.missing = missing
  }

  /// What is on its way is still written.
  deinit {
    queue.withLock { if $0 >= 0 { _ = close($0) } }
  }

  /// Whether the line, which ends with a newline and holds no NUL, is on its way.
  public func write(_ line: [UInt8]) -> Bool {
    queue.withLock { queue in
      if queue < 0 { queue = start() }
      return queue < 0 ? writeHere(line) : unsafe Glibc.write(queue, line, line.count) == line.count
    }
  }

  /// Starts the thread now, while there is room for it; else the first line does.
  public func begin() {
    queue.withLock { queue in if queue < 0 { queue = start() } }
  }

  /// Waits until everything is written, for at most so many milliseconds: at the end of the process.
  public func finish(withinMilliseconds limit: Int) {
    queue.withLock { queue in
      let deadline = monotonicMilliseconds() + limit
      let end: [UInt8] = [0]
      // It closes its end when it has written all that came before.
      guard queue >= 0, Self.wait(for: POLLOUT, of: queue, until: deadline),
        unsafe Glibc.write(queue, end, 1) == 1, Self.wait(for: 0, of: queue, until: deadline)
      else { return }
      _ = close(queue)
      queue = -1
    }
  }

  /// The pipe to a new thread; -1 where there can be none.
  private func start() -> CInt {
    var ends: [CInt] = [-1, -1]
    guard unsafe pipe2(&ends, O_CLOEXEC) == 0 else { return -1 }
    let reading = FileDescriptor(owning: ends[0])
    let writing = ends[1]
    // A number of its own: that of the log may be closed, and given to another, while a line waits.
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

  /// Without a thread, as where descriptors have run out, only what takes a line at once gets it.
  private func writeHere(_ line: [UInt8]) -> Bool {
    guard Self.wait(for: POLLOUT, of: descriptor, until: 0) else { return false }
    return unsafe Glibc.write(descriptor, line, line.count) == line.count
  }

  /// Whether the descriptor came to be so, or broken, in time.
  private static func wait(for condition: CInt, of descriptor: CInt, until deadline: Int) -> Bool {
    while true {
      var polled = pollfd(fd: descriptor, events: Int16(condition), revents: 0)
      let rest = max(0, deadline - monotonicMilliseconds())
      let count = unsafe poll(&polled, 1, CInt(clamping: rest))
      guard count < 0, errno == EINTR else { return count == 1 }
    }
  }
}

/// What the thread has: it writes what comes, until a NUL or until nothing more can come.
@safe
final class LineWriter: @unchecked Sendable {
  private let source: FileDescriptor
  private let target: FileDescriptor
  private let missing: @Sendable (Int) -> String
  /// Room for a line of which the end has not been read, and more behind it.
  ///
  /// Made before the thread, which needs no memory of its own then.
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 2 * LogLimits.line, alignment: 1)
  /// How many lines the target did not take.
  private var lost = 0
  /// Whether it has the beginning of a line whose rest was lost.
  private var isCut = false

  /// A writer of what comes from the end of a pipe.
  init(
    from source: consuming FileDescriptor, to target: consuming FileDescriptor,
    _ missing: @escaping @Sendable (Int) -> String
  ) {
    self.source = source
    self.target = target
    self.missing = missing
  }

  deinit { unsafe buffer.deallocate() }

  /// Writes what comes.
  func run() {
    var held = 0
    while true {
      let count = unsafe read(source.raw, buffer.baseAddress! + held, buffer.count - held)
      guard count > 0 else { return }
      held += count
      let isOver = unsafe buffer[held - 1] == 0
      if isOver { held -= 1 }
      // As many lines at once as a pipe takes without those of others between them.
      while let end = unsafe buffer[..<min(held, LogLimits.line)].lastIndex(of: newline) {
        unsafe write(UnsafeRawBufferPointer(rebasing: buffer[...end]))
        held -= end + 1
        unsafe memmove(buffer.baseAddress!, buffer.baseAddress! + end + 1, held)
      }
      if isOver { return }
    }
  }

  /// Writes lines whole, however long it takes.
  private func write(_ lines: UnsafeRawBufferPointer) {
    var written = 0
    if tellsOfMissing() { written = unsafe writeAll(of: lines) }
    unsafe lost += lines[written...].count { $0 == newline }
  }

  /// Whether nothing is missing, or that was written.
  private func tellsOfMissing() -> Bool {
    guard lost > 0 else { return true }
    let line = Array(((isCut ? "\n" : "") + missing(lost)).utf8)
    guard unsafe line.withUnsafeBytes({ unsafe writeAll(of: $0) }) == line.count else { return false }
    lost = 0
    return true
  }

  /// How many bytes were written: less than all only where the target is broken.
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

  /// How many bytes were written; 0 where the target is broken.
  private func writeSome(of bytes: UnsafeRawBufferPointer) -> Int {
    while true {
      let count = unsafe Glibc.write(target.raw, bytes.baseAddress, bytes.count)
      if count > 0 { return count }
      // Somebody else who shares it has told it not to wait.
      guard count < 0, errno == EAGAIN || errno == EINTR else { return 0 }
      var ready = pollfd(fd: target.raw, events: Int16(POLLOUT), revents: 0)
      _ = unsafe poll(&ready, 1, -1)
      // Where it says that it is ready, and is not, that is not asked without pause.
      usleep(10_000)
    }
  }
}

private let newline = UInt8(ascii: "\n")
