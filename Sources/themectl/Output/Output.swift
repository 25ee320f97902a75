public import ArgumentParser
import Glibc
import Synchronization
import ThemeApps
public import ThemeModel
import ThemedSystem
import ThemedVarlink

// A closed pipe is not an error: the command still does its work, and its exit status says whether that succeeded. Only
// `monitor` exits with its reader.

/// Whether lines for people are left out, because the output is JSON.
private let isSilent = Atomic(false)

/// Carries out `body`, with or without what it says to people on standard output.
func silently<Value>(_ isQuiet: Bool, _ body: () throws -> Value) rethrows -> Value {
  isSilent.store(isQuiet, ordering: .relaxed)
  defer { isSilent.store(false, ordering: .relaxed) }
  return try body()
}

/// Prints a line at once; throws if that fails, except for a closed pipe.
func say(_ line: String) throws { if !isSilent.load(ordering: .relaxed) { try write(line + "\n") } }

/// Prints a text as it is, at once; throws if that fails, except for a closed pipe.
func write(_ text: String) throws {
  var unwritten = Array(text.utf8)[...]
  while !unwritten.isEmpty {
    let count = unsafe unwritten.withUnsafeBytes { unsafe Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
    switch (count, errno) {
    case (0..., _): unwritten = unwritten.dropFirst(count)
    case (_, EINTR): continue
    case (_, EPIPE): return
    // Another process that shares the descriptor, such as a terminal's, may have made it nonblocking.
    case (_, EAGAIN): awaitRoom()
    case (_, let code):
      throw failed("cannot write to standard output: \(unsafe String(cString: strerror(code)))")
    }
  }
}

private func awaitRoom() {
  var waited = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
  _ = unsafe poll(&waited, 1, -1)
}

/// Tells the user what went wrong, in one line whatever the text contains; below it, the lines of a file with mistakes.
func complain(_ problem: String, quoting lines: [String] = []) {
  writeToStandardError(["themectl: \(printable(problem))"] + lines)
}

/// Writes lines that are safe for a terminal, in one call.
func writeToStandardError(_ lines: [String]) {
  let text = Array(lines.map { $0 + "\n" }.joined().utf8)
  _ = unsafe text.withUnsafeBytes { unsafe Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
}

/// Tells the user why the command fails; `throw` the result.
func failed(_ problem: String, quoting lines: [String] = []) -> ExitCode {
  complain(problem, quoting: lines)
  return .failed
}

struct Refusal: Error, Hashable, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

extension Remark {
  func shown(in path: String) -> String {
    let place = printable(path) + (line.map { ":\($0)" } ?? "")
    return "\(place): \(isError ? "error" : "warning"): \(printable(text))"
  }

  /// The remark for programs; without a path if it is about the file that they asked about.
  func json(path: String? = nil) -> JSON {
    .object([
      "path": path.map(JSON.word), "line": line.map { .integer(Int64($0)) },
      "severity": .word(isError ? "error" : "warning"), "text": .word(text),
    ])
  }
}

/// A line of a file with its number, as messages show it below a mistake; nil if the file has no such line.
func quotedLine(_ number: Int?, of bytes: [UInt8]) -> String? {
  // A line that is longer than this would hide the message.
  let maximum = 120
  let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
  guard let number, number >= 1, number <= lines.count else { return nil }
  // A tab has no width of its own after a number, and a text from Windows ends with a carriage return.
  let bytes = lines[number - 1].map { $0 == UInt8(ascii: "\t") ? UInt8(ascii: " ") : $0 }
  let line = Text(decoding: bytes.last == UInt8(ascii: "\r") ? bytes.dropLast() : bytes[...])
  return line.isEmpty ? nil : "  \(number) | \(line.shown(atMost: maximum))"
}

/// The system's reason why there is no file at a path, or why it cannot be examined.
func reasonOfAbsence(_ path: String) -> String {
  // Checks again, since the watch over slow file systems may have changed errno.
  unsafe access(path, F_OK) == 0 ? "the file has changed; try again" : SystemError.text(errno)
}

extension ColorScheme: ExpressibleByArgument {}
// Every command about themes names a side by `--light` or `--dark`.
extension ColorScheme: EnumerableFlag {}
extension Mode: ExpressibleByArgument {}

/// A text from outside, made safe for a line of a message.
///
/// Every text from the daemon, a file, a name or the command line goes through this: control characters are commands
/// for a terminal, and other characters reverse or hide the text next to them.
func printable(_ text: some CustomStringConvertible) -> String { Text("\(text)").shown() }

/// Asks whether the user agrees to the plan; says so if not, and what to type if there is no terminal to ask on.
func confirms(orSkipWith command: String) throws -> Bool {
  guard isatty(STDIN_FILENO) != 0 else {
    complain("standard input is not a terminal, so nothing was changed; run '\(command)' to skip the question")
    return false
  }
  try write("Continue? [y/N] ")
  guard isYes(readLine() ?? "") else {
    try say("Nothing was changed.")
    return false
  }
  return true
}

/// Whether an answer to a question means yes: y or yes, in letters of any case, with blanks around it or without.
func isYes(_ answer: String) -> Bool {
  let blanks = Array(" \t\r\n".utf8)
  let word = answer.utf8.drop { blanks.contains($0) }.reversed().drop { blanks.contains($0) }.reversed()
  return ["y", "yes"].contains { $0.utf8.elementsEqual(word.map { $0 | 0x20 }) }
}
