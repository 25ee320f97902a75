internal import CThemedLinux
internal import Glibc
internal import Synchronization

/// A program's log, with a single logger whose level a reload may change everywhere.
public final class Log {
  /// The logger; it writes to the journal or to standard error.
  public var logger: Logger
  private let output: StandardErrorLog

  /// A log of the program with this name, at the level info.
  ///
  /// It may open descriptors, so create it after the inherited ones are taken.
  public init(_ program: String = "themed") {
    output = StandardErrorLog(program)
    logger = output.logger
    output.begin()
  }

  public func debug(_ text: @autoclosure () -> String) { logger.log(.debug, text()) }
  public func info(_ text: @autoclosure () -> String) { logger.log(.info, text()) }
  /// Logs something that a user may look for later.
  public func notice(_ text: String) { logger.log(.notice, text) }
  /// Logs a problem that needs attention.
  public func warning(_ text: String) { logger.log(.warning, text) }

  /// Logs a change of what clients are shown; the journal stores the fields separately.
  public func change(_ text: @autoclosure () -> String, _ fields: @autoclosure () -> [String: String]) {
    // Lines have no fields, so do not make them.
    logger.log(.info, text(), output.keepsFields ? fields() : [:])
  }

  /// Logs why the program exits.
  public func error(_ text: String) {
    logger.log(.error, text)
    finish()
  }

  /// Waits a moment for the last lines, if necessary; call this at the end.
  public func finish() { output.finish() }
}

/// Writes the log to the journal or to standard error, without ever waiting for a reader.
///
/// If there is no room for a line, it is dropped and counted, and the next line that fits says how many are missing.
final class StandardErrorLog: Sendable {
  private let program: String
  /// Nil if standard error is not connected to the journal.
  private let journal: Journal?
  private let lines: LineThread
  /// How many lines were lost.
  private let dropped = Atomic(0)

  /// A log for whatever standard error is connected to.
  convenience init(_ program: String) {
    self.init(program, journal: Self.isJournal ? Journal() : nil)
  }

  /// A log for `journal`, or with nil only for a descriptor.
  init(_ program: String = "themed", journal: Journal?, descriptor: CInt = STDERR_FILENO) {
    self.program = program
    self.journal = journal
    let prefix = Self.prefix(.warning, isJournal: journal != nil)
    lines = LineThread(to: descriptor) { prefix + Self.missing($0) + "\n" }
  }

  /// Whether fields are stored separately from the line.
  var keepsFields: Bool { journal != nil }

  /// Makes sure that no line ever waits, even if descriptors run out later.
  func begin() { if journal == nil { lines.begin() } }

  var logger: Logger { Logger { [self] in write($0, $1, $2) } }

  private func write(_ level: LogLevel, _ text: String, _ fields: [String: String]) {
    let missing = dropped.exchange(0, ordering: .relaxed)
    guard missing == 0 || put(Self.missing(missing), .warning, [:]) else { return lost(missing + 1) }
    // One event is one line, and contains no control characters for a terminal, whatever a peer sent.
    if !put(Text(text).shown(atMost: LogLimits.text), level, fields) { lost(1) }
  }

  private func lost(_ count: Int) { dropped.add(count, ordering: .relaxed) }

  private static func missing(_ count: Int) -> String {
    "\(count == 1 ? "1 line" : "\(count) lines") of the log could not be written"
  }

  /// Waits for the lines on their way to standard error, but only for a moment.
  func finish() { lines.finish(withinMilliseconds: LogLimits.lastLines) }

  /// Writes or queues a line; returns whether that was possible.
  private func put(_ line: String, _ level: LogLevel, _ fields: [String: String]) -> Bool {
    if let journal {
      var entry = JournalEntry()
      entry.add("MESSAGE", line)
      entry.add("PRIORITY", "\(level.priority)")
      entry.add("SYSLOG_IDENTIFIER", program)
      for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
        entry.add(name, Text(value).shown(atMost: LogLimits.text))
      }
      switch journal.send(entry) {
      case .sent: return true
      case .refused: return false
      case .absent: break
      }
    }
    return lines.write(Array((Self.prefix(level, isJournal: journal != nil) + line + "\n").utf8))
  }

  /// The start of a line: `<6>` for journald, or `warning: ` for warnings and errors on other outputs.
  private static func prefix(_ level: LogLevel, isJournal: Bool) -> String {
    guard !isJournal else { return "<\(level.priority)>" }
    return level >= .error ? "error: " : level == .warning ? "warning: " : ""
  }

  /// Whether standard error is the journal, as defined in `systemd.exec(5)`: JOURNAL_STREAM has its device and inode.
  private static var isJournal: Bool {
    var status = stat()
    guard let stream = environment("JOURNAL_STREAM"), unsafe fstat(STDERR_FILENO, &status) == 0 else { return false }
    return Text(stream) == "\(status.st_dev):\(status.st_ino)"
  }
}

extension LogLevel {
  /// The priority for the journal (syslog(3)).
  fileprivate var priority: Int {
    switch self {
    case .error: 3
    case .warning: 4
    case .notice: 5
    case .info: 6
    case .debug: 7
    }
  }
}

/// How important a log line is, as in syslog(3).
public enum LogLevel: String, Sendable, Comparable, CaseIterable {
  case debug, info, notice, warning, error

  public static func < (one: LogLevel, other: LogLevel) -> Bool { one.rank < other.rank }

  private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// Passes on lines that are at least as important as its level; usable from any thread.
public struct Logger: Sendable {
  /// Receives a line: its level, its text, and fields for the journal.
  public typealias Output = @Sendable (LogLevel, String, [String: String]) -> Void

  /// The lowest level that is written.
  public var level = LogLevel.info
  private let output: Output

  public init(_ output: @escaping Output) { self.output = output }

  /// Logs a text, with fields that the journal stores separately; neither is made if the level is too low.
  public func log(
    _ level: LogLevel, _ text: @autoclosure () -> String, _ fields: @autoclosure () -> [String: String] = [:]
  ) {
    if level >= self.level { output(level, text(), fields()) }
  }
}

public enum LogLimits {
  /// The longest line, in bytes: what a pipe takes whole or not at all.
  static let line = 4096
  /// The longest text in a line or in a field of the journal, in bytes; it leaves room for the prefix.
  public static let text = line - 32
  /// How long the last lines may delay the exit of the program, in milliseconds.
  ///
  /// They say why it exits. On a busy machine a new thread may not run for some tenths of a second.
  static let lastLines = 2_000
}
