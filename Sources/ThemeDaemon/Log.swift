internal import CLinux
internal import Glibc
public import Logging
internal import Synchronization
internal import Unix

/// The daemon's log: one logger, whose level a reload may change for everybody.
public final class Log {
  /// The logger; what it writes goes to standard error.
  public var logger = Logger(label: "themed") { _ in StandardErrorLog() }

  /// A log that writes what is at least information.
  public init() {}

  func debug(_ text: @autoclosure () -> String) { logger.debug("\(text())") }
  func info(_ text: @autoclosure () -> String) { logger.info("\(text())") }
  func notice(_ text: String) { logger.notice("\(text)") }
  func warning(_ text: String) { logger.warning("\(text)") }

  /// Tells what clients are shown now; the journal keeps the fields apart.
  func change(_ text: @autoclosure () -> String, _ fields: @autoclosure () -> [String: String]) {
    logger.info("\(text())", metadata: fields().mapValues { .string($0) })
  }

  /// Says why the program ends.
  public func error(_ text: String) { logger.error("\(text)") }
}

/// Writes the log to the journal or to standard error, without ever waiting for whoever reads it.
///
/// A line that would have to wait is dropped and counted, and the next one that fits says how many are missing.
public struct StandardErrorLog: LogHandler {
  /// Fields that every entry of the journal has; lines have none.
  public var metadata: Logger.Metadata = [:]
  /// Kept, and not asked.
  public var metadataProvider: Logger.MetadataProvider?
  /// What is written is at least this important.
  public var logLevel = Logger.Level.info

  /// Nil where standard error is not connected to the journal.
  private let journal: Journal?
  private let descriptor: CInt
  private let dropped = Counter()

  /// A log for whatever standard error is connected to.
  public init() {
    self.init(journal: Self.isJournal ? Journal() : nil)
  }

  /// A log for `journal`, or with nil for a descriptor alone.
  init(journal: Journal?, descriptor: CInt = STDERR_FILENO) {
    self.journal = journal
    self.descriptor = descriptor
  }

  /// A value of ``metadata``.
  public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  /// Writes one line.
  public func log(event: LogEvent) {
    let missing = dropped.take()
    guard missing == 0 || write("\(missing) lines of the log could not be written", .warning, metadata) else {
      return dropped.add(missing + 1)
    }
    var line = "\(event.message)"
    // One event is one line, whatever a peer sent.
    if line.unicodeScalars.contains(where: \.isControl) {
      line = String(String.UnicodeScalarView(line.unicodeScalars.map { $0.isControl ? " " : $0 }))
    }
    if line.utf8.count > Limits.logLine { line = String(decoding: line.utf8.prefix(Limits.logLine), as: UTF8.self) }
    let fields = event.metadata.map { metadata.merging($0) { $1 } } ?? metadata
    if !write(line, event.level, fields) { dropped.add(1) }
  }

  /// Whether the line was written.
  private func write(_ line: String, _ level: Logger.Level, _ fields: Logger.Metadata) -> Bool {
    if let journal {
      var entry = JournalEntry()
      entry.add("MESSAGE", line)
      entry.add("PRIORITY", "\(level.priority)")
      entry.add("SYSLOG_IDENTIFIER", "themed")
      for (name, value) in fields.sorted(by: { $0.key < $1.key }) { entry.add(name, "\(value)") }
      switch journal.send(entry) {
      case .sent: return true
      case .refused: return false
      case .absent: break
      }
    }
    let bytes = Array((prefix(level) + line).utf8.prefix(Limits.logLine - 1))
    return Self.write(bytes + [UInt8(ascii: "\n")], to: descriptor)
  }

  /// What is written before a line: `<6>`, as journald reads it, or `warning: ` where it is more than information.
  private func prefix(_ level: Logger.Level) -> String {
    guard journal == nil else { return "<\(level.priority)>" }
    return level >= .error ? "error: " : level == .warning ? "warning: " : ""
  }

  /// Whether standard error is the journal, by the rule of `systemd.exec(5)`: JOURNAL_STREAM names its device and inode.
  private static var isJournal: Bool {
    var status = stat()
    guard let stream = environment("JOURNAL_STREAM"), unsafe fstat(STDERR_FILENO, &status) == 0 else { return false }
    return stream == "\(status.st_dev):\(status.st_ino)"
  }

  /// Whether the line was written.
  private static func write(_ line: [UInt8], to descriptor: CInt) -> Bool {
    // A descriptor that is shared with other programs must not be made non-blocking; one that is ready takes a line of
    // this length without waiting (pipe(7)), and a socket is told not to wait.
    var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    guard unsafe poll(&ready, 1, 0) == 1 else { return false }
    let flags = CInt(MSG_DONTWAIT) | CInt(MSG_NOSIGNAL)
    if unsafe Glibc.send(descriptor, line, line.count, flags) == line.count { return true }
    return unsafe errno == ENOTSOCK && Glibc.write(descriptor, line, line.count) == line.count
  }
}

extension Logger.Level {
  /// The priority that the journal knows it by (syslog(3)).
  fileprivate var priority: Int {
    switch self {
    case .critical: 2
    case .error: 3
    case .warning: 4
    case .notice: 5
    case .info: 6
    case .debug, .trace: 7
    }
  }
}

extension Unicode.Scalar {
  /// Whether its category is Cc: the two ranges of it never change, and are found faster than the table's entry.
  fileprivate var isControl: Bool { value < 0x20 || 0x7F..<0xA0 ~= value }
}

/// How many lines were dropped; a log handler may be used from any thread.
private final class Counter: Sendable {
  private let count = Atomic(0)

  func add(_ more: Int) { count.add(more, ordering: .relaxed) }
  func take() -> Int { count.exchange(0, ordering: .relaxed) }
}
