/// What bounds the log.
public enum LogLimits {
  /// The longest line, in bytes: what a pipe takes whole or not at all.
  static let line = 4096
  /// The longest text in such a line, or in a field of the journal, in bytes: what stands around it fits as well.
  public static let text = line - 32
  /// How long the last lines may hold up the end of the program, in milliseconds.
  ///
  /// They say why it ends. On a busy machine a thread that was just made may not run for some tenths of a second.
  static let lastLines = 2_000
}
