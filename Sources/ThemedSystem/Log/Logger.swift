/// How important a log line is, as in syslog(3).
public enum LogLevel: String, Sendable, Comparable, CaseIterable {
  case debug, info, notice, warning, error

  /// Whether it is less important than another.
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

  /// A logger that passes its lines to `output`.
  public init(_ output: @escaping Output) { self.output = output }

  /// Logs a text, with fields that the journal stores separately; neither is made if the level is too low.
  public func log(
    _ level: LogLevel, _ text: @autoclosure () -> String, _ fields: @autoclosure () -> [String: String] = [:]
  ) {
    if level >= self.level { output(level, text(), fields()) }
  }
}
