public import ArgumentParser
import Glibc
import Synchronization
import ThemeApps
public import ThemedModel
import ThemeSetup
import ThemedSystem
import ThemedVarlink

// A closed pipe is not an error: the command still does its work, and its exit status says whether that succeeded. Only
// `monitor` exits with its reader.

/// The lines and notes for people, while a command with --json keeps them for its object.
private struct Record: Sendable {
  var lines: [String] = []
  var notes: [String] = []
}

private let record = Mutex<Record?>(nil)

/// Carries out `body`, and keeps its lines for people instead of printing them.
///
/// Returns the lines, and the notes, which are printed on standard error all the same.
func recording(_ body: () throws -> Void) rethrows -> (lines: [String], notes: [String]) {
  record.withLock { $0 = Record() }
  defer { record.withLock { $0 = nil } }
  try body()
  return record.withLock { ($0?.lines ?? [], $0?.notes ?? []) }
}

/// Prints a line at once; throws if that fails, except for a closed pipe.
func say(_ line: String) throws {
  let isKept = record.withLock { record in
    record?.lines.append(line)
    return record != nil
  }
  if !isKept { try write(line + "\n") }
}

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
  let note = Text(problem).dropping(prefix: "note: ")?.string ?? problem
  record.withLock { $0?.notes.append(([printable(note)] + lines).joined(separator: "\n")) }
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

/// Tells the user why something was not done; `throw` the result.
func failed(_ refusal: Refusal) -> ExitCode {
  for reason in refusal.reasons.dropLast() { complain(reason) }
  complain(refusal.reasons.last ?? "", quoting: refusal.lines)
  return refusal.lacksDaemon ? .noDaemon : .failed
}

extension ColorScheme: @retroactive ExpressibleByArgument {}
// Every command about themes names a side by `--light` or `--dark`.
extension ColorScheme: @retroactive EnumerableFlag {}

/// Asks whether the user agrees to the plan; says so if not, and what to type if there is no terminal to ask on.
func confirms(orSkipWith command: String) throws -> Bool {
  guard record.withLock({ $0 == nil }) else {
    complain("--json does not ask, so nothing was changed; run '\(command) --json' to carry out this plan")
    return false
  }
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
