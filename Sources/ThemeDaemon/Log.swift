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

  /// Says why the program ends.
  public func error(_ text: String) { logger.error("\(text)") }
}

/// Writes the log to standard error, without ever waiting for whoever reads it.
///
/// A line that would have to wait is dropped and counted, and the next one that fits says how many are missing.
public struct StandardErrorLog: LogHandler {
  /// What is written before a line.
  public enum Style: Sendable {
    /// `<6>`, as journald reads it.
    case journal
    /// `warning: `, where it is more than information.
    case plain
  }

  /// Kept, and not written: the daemon's lines say what they have to say.
  public var metadata: Logger.Metadata = [:]
  /// Kept, and not asked.
  public var metadataProvider: Logger.MetadataProvider?
  /// What is written is at least this important.
  public var logLevel = Logger.Level.info

  private let style: Style
  private let dropped = Counter()

  /// A log in the style of what standard error is connected to.
  public init() {
    style = Self.isJournal ? .journal : .plain
  }

  /// A value of ``metadata``.
  public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  /// Writes one line.
  public func log(event: LogEvent) {
    var line = prefix(event.level) + "\(event.message)"
    // One event is one line, whatever a peer sent.
    if line.unicodeScalars.contains(where: \.isControl) {
      line = String(String.UnicodeScalarView(line.unicodeScalars.map { $0.isControl ? " " : $0 }))
    }
    let missing = dropped.take()
    let note = missing == 0 ? "" : prefix(.warning) + "\(missing) lines of the log could not be written\n"
    let written = Self.write(Array((note + line).utf8.prefix(Limits.logLine - 1)) + [UInt8(ascii: "\n")])
    if !written { dropped.add(missing + 1) }
  }

  private func prefix(_ level: Logger.Level) -> String {
    switch (style, level) {
    case (.journal, .critical): "<2>"
    case (.journal, .error): "<3>"
    case (.journal, .warning): "<4>"
    case (.journal, .notice): "<5>"
    case (.journal, .info): "<6>"
    case (.journal, .debug), (.journal, .trace): "<7>"
    case (.plain, .critical), (.plain, .error): "error: "
    case (.plain, .warning): "warning: "
    case (.plain, _): ""
    }
  }

  /// Whether standard error is the journal, by the rule of `systemd.exec(5)`: JOURNAL_STREAM names its device and inode.
  private static var isJournal: Bool {
    var status = stat()
    guard let stream = environment("JOURNAL_STREAM"), unsafe fstat(STDERR_FILENO, &status) == 0 else { return false }
    return stream == "\(status.st_dev):\(status.st_ino)"
  }

  /// Whether the line was written.
  private static func write(_ line: [UInt8]) -> Bool {
    // A descriptor that is shared with other programs must not be made non-blocking; one that is ready takes a line of
    // this length without waiting (pipe(7)), and a socket is told not to wait.
    var ready = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
    guard unsafe poll(&ready, 1, 0) == 1 else { return false }
    let flags = CInt(MSG_DONTWAIT) | CInt(MSG_NOSIGNAL)
    if unsafe Glibc.send(STDERR_FILENO, line, line.count, flags) == line.count { return true }
    return unsafe errno == ENOTSOCK && Glibc.write(STDERR_FILENO, line, line.count) == line.count
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
