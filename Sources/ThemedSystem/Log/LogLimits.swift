/// The limits of the log.
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
