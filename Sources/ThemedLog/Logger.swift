/// How important it is what the log is told, as syslog(3) has it.
public enum LogLevel: String, Sendable, Comparable, CaseIterable {
  case debug, info, notice, warning, error

  /// Whether it is less important than another.
  public static func < (one: LogLevel, other: LogLevel) -> Bool { one.rank < other.rank }

  private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// Hands on what is at least as important as its level; from any thread.
public struct Logger: Sendable {
  /// Takes what is to be written: how important it is, the text, and fields for the journal.
  public typealias Output = @Sendable (LogLevel, String, [String: String]) -> Void

  /// What is written is at least this important.
  public var level = LogLevel.info
  private let output: Output

  /// Hands on to `output`.
  public init(_ output: @escaping Output) { self.output = output }

  /// Writes a text, with fields that the journal keeps apart; neither is made where it is not important enough.
  public func log(
    _ level: LogLevel, _ text: @autoclosure () -> String, _ fields: @autoclosure () -> [String: String] = [:]
  ) {
    if level >= self.level { output(level, text(), fields()) }
  }
}
