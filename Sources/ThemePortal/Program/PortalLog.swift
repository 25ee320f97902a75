internal import Glibc
internal import ThemedSystem

/// Writes the log to standard error, which other processes share and may not read: a thread waits for it.
private let lines = LineThread(to: STDERR_FILENO) { "\($0) lines of the log could not be written\n" }

/// Makes sure that no line ever waits, even if descriptors run out later.
func beginLog() { lines.begin() }

/// Writes a line to the log, without waiting.
func log(_ text: String) { _ = lines.write(Array((Text(text).shown(atMost: Limits.logLine) + "\n").utf8)) }

/// Waits a moment for the last lines, if necessary; call this at the end.
func finishLog() { lines.finish(withinMilliseconds: Limits.lastLines) }
