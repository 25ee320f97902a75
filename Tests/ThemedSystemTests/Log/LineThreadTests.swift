import CThemedLinux
import Glibc
import Testing
import ThemedTestSupport
@testable import ThemedSystem

/// The log on its way to a descriptor that takes it when it likes.
@Suite struct LineThreadTests {
  @Test func `a pipe that nobody reads holds up nothing, and is told later how much is missing`() throws {
    let pipe = try LogPipe()
    let log = StandardErrorLog(journal: nil, descriptor: pipe.writing)
    let logger = log.logger
    for number in 0..<20_000 { logger.log(.info, "line \(number)") }
    var received: [String] = []
    // There is room again once something was read; the thread is not asked when.
    while received.last != "after" {
      received += pipe.readLines(1)
      logger.log(.info, "after")
    }
    #expect(received.first == "line 0")
    // Each is written or counted, in its place: the thread may have its turn between two of them.
    var next = 0
    var warnings = 0
    for line in received where line != "after" {
      if line.hasPrefix("warning: ") {
        let count = try #require(Int(line.split(separator: " ")[1]))
        #expect(line == "warning: \(count == 1 ? "1 line" : "\(count) lines") of the log could not be written")
        (next, warnings) = (next + count, warnings + 1)
      } else {
        #expect(line == "line \(next)")
        next += 1
      }
    }
    #expect(next >= 20_000)
    #expect(warnings > 0)
  }

  @Test func `a terminal that takes a part of a line gets the rest, once it is read`() throws {
    let terminal = try Terminal()
    let log = StandardErrorLog(journal: nil, descriptor: terminal.slave)
    let logger = log.logger
    // More than a terminal holds, and no more than the way to the thread does, where each takes a page of sixteen.
    let lines = (0..<12).map { "\($0)" + String(repeating: "x", count: 3000) }
    for line in lines { logger.log(.info, line) }
    #expect(terminal.read(bytes: lines.reduce(0) { $0 + $1.utf8.count + 2 }) == lines.map { $0 + "\r\n" }.joined())
  }

  @Test func `a pipe that others have told not to wait gets every line whole as well`() throws {
    let pipe = try LogPipe()
    _ = fcntl(pipe.writing, F_SETFL, O_NONBLOCK)
    let log = StandardErrorLog(journal: nil, descriptor: pipe.writing)
    let logger = log.logger
    // More than the pipe holds, and less than the way to the thread does, which may get its turn late.
    let setPipeSize: CInt = 1031  // F_SETPIPE_SZ, which Swift does not see
    #expect(fcntl(pipe.writing, setPipeSize, 4096) == 4096)
    let lines = (0..<1000).map { "\($0) " + String(repeating: "x", count: 50) }
    for line in lines { logger.log(.info, line) }
    #expect(pipe.readLines(lines.count) == lines)
  }

  @Test func `a reader that was gone for a while is told how much it has missed`() throws {
    let scratch = try ScratchDirectory()
    let path = scratch.path("fifo")
    #expect(unsafe mkfifo(path, 0o600) == 0)
    // As in the daemon; what tests start does not inherit it.
    signal(SIGPIPE, SIG_IGN)
    var reader: LogPipe? = LogPipe(reading: unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC), writing: -1)
    let queue = try LogPipe()
    let writer = LineWriter(
      from: FileDescriptor(owning: queue.takeReading()),
      to: FileDescriptor(owning: unsafe open(path, O_WRONLY | O_CLOEXEC))
    ) { "missing: \($0)\n" }
    func write(_ lines: String) {
      let bytes = Array(lines.utf8) + [0]
      #expect(unsafe Glibc.write(queue.writing, bytes, bytes.count) == bytes.count)
      writer.run()
    }
    write("first\n")
    #expect(reader?.readLines(1) == ["first"])
    reader = nil
    write("lost\nlost\n")
    write("lost\n")
    reader = LogPipe(reading: unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC), writing: -1)
    write("last\n")
    #expect(reader?.readLines(1) == ["missing: 3", "last"])
  }

  @Test func `what was logged is written when the process ends`() throws {
    let pipe = try LogPipe()
    let log = StandardErrorLog(journal: nil, descriptor: pipe.writing)
    let logger = log.logger
    for round in 0..<100 {
      logger.log(.info, "line \(round)")
      let start = monotonicMilliseconds()
      log.finish()
      // It waits for a time in which the thread may not get its turn.
      let isInTime = monotonicMilliseconds() - start < LogLimits.lastLines
      #expect((isInTime ? pipe.readLinesThere() : pipe.readLines(1)) == ["line \(round)"])
    }
  }

  @Test func `a reader that reads nothing holds up the end for a moment only`() throws {
    let pipe = try LogPipe()
    let log = StandardErrorLog(journal: nil, descriptor: pipe.writing)
    let logger = log.logger
    for number in 0..<20_000 { logger.log(.info, "line \(number)") }
    log.finish()
  }
}

/// A pipe in the place of standard error.
final class LogPipe {
  let writing: CInt
  private var reading: CInt
  private var rest = ""

  init() throws {
    var ends: [CInt] = [-1, -1]
    guard unsafe pipe2(&ends, O_CLOEXEC) == 0 else { throw SystemError("pipe2", errno) }
    (reading, writing) = (ends[0], ends[1])
    _ = fcntl(reading, F_SETFL, O_NONBLOCK)
  }

  init(reading: CInt, writing: CInt) {
    self.reading = reading
    self.writing = writing
  }

  /// The reading end, which is the caller's from now on, and waits.
  func takeReading() -> CInt {
    defer { reading = -1 }
    _ = fcntl(reading, F_SETFL, 0)
    return reading
  }

  deinit {
    if reading >= 0 { close(reading) }
    if writing >= 0 { close(writing) }
  }

  /// At least so many lines, for which it waits, and whatever else is there.
  func readLines(_ count: Int) -> [String] {
    var lines = readLinesThere()
    while lines.count < count {
      var ready = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
      guard unsafe poll(&ready, 1, 30_000) == 1, ready.revents & Int16(POLLIN) != 0 else { break }
      lines += readLinesThere()
    }
    return lines
  }

  /// What has come.
  func readLinesThere() -> [String] {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = unsafe read(reading, &buffer, buffer.count)
      guard count > 0 else { break }
      rest += String(decoding: buffer[..<count], as: UTF8.self)
    }
    var lines = rest.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    rest = lines.removeLast()
    return lines
  }
}

/// A terminal in the place of standard error.
private final class Terminal {
  let slave: CInt
  private let master: CInt

  init() throws {
    master = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    // TIOCSPTLCK unlocks it, TIOCGPTPEER opens its other end.
    var lock: CInt = 0
    guard unsafe ioctl(master, 0x4004_5431, &lock) == 0 else { throw SystemError("unlocking a terminal", errno) }
    slave = ioctl(master, 0x5441, O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard slave >= 0 else { throw SystemError("opening a terminal", errno) }
  }

  deinit {
    close(master)
    close(slave)
  }

  func read(bytes count: Int) -> String {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while bytes.count < count {
      var ready = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
      guard unsafe poll(&ready, 1, 30_000) == 1 else { break }
      let some = unsafe Glibc.read(master, &buffer, buffer.count)
      guard some > 0 else { break }
      bytes += buffer[..<some]
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
