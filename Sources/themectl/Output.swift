import ArgumentParser
import Glibc

/// Prints a line, at once.
func say(_ line: String) throws {
  try write(line + "\n")
}

/// Prints a text as it is, at once.
func write(_ text: String) throws {
  var unwritten = Array(text.utf8)[...]
  while !unwritten.isEmpty {
    let count = unsafe unwritten.withUnsafeBytes { unsafe Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
    switch (count, errno) {
    case (0..., _): unwritten = unwritten.dropFirst(count)
    case (_, EINTR): continue
    // Nobody reads any more.
    case (_, EPIPE): throw ExitCode.success
    case (_, let code):
      complain("cannot write to standard output: \(unsafe String(cString: strerror(code)))")
      throw ExitCode.failed
    }
  }
}

/// Tells the user what went wrong, in one line, whatever stands in it.
func complain(_ problem: String) {
  let line = Array("themectl: \(printable(problem))\n".utf8)
  _ = unsafe line.withUnsafeBytes { unsafe Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
}
