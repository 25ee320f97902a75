import ArgumentParser
import Glibc

// What a command was to do is done, and its exit status tells of that, though whoever read its output has gone: then
// there is nobody to tell, and no reason to stop in the middle. `monitor` alone lives for its reader.

/// Prints a line, at once; throws where that fails for another reason than that nobody reads.
func say(_ line: String) throws {
  try write(line + "\n")
}

/// Prints a text as it is, at once; throws where that fails for another reason than that nobody reads.
func write(_ text: String) throws {
  var unwritten = Array(text.utf8)[...]
  while !unwritten.isEmpty {
    let count = unsafe unwritten.withUnsafeBytes { unsafe Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
    switch (count, errno) {
    case (0..., _): unwritten = unwritten.dropFirst(count)
    case (_, EINTR): continue
    case (_, EPIPE): return
    // Somebody else who shares it, such as a terminal's, has told it not to wait.
    case (_, EAGAIN): awaitRoom()
    case (_, let code):
      complain("cannot write to standard output: \(unsafe String(cString: strerror(code)))")
      throw ExitCode.failed
    }
  }
}

/// Waits until standard output takes more.
private func awaitRoom() {
  var waited = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
  _ = unsafe poll(&waited, 1, -1)
}

/// Tells the user what went wrong, in one line, whatever stands in it.
func complain(_ problem: String) {
  let line = Array("themectl: \(printable(problem))\n".utf8)
  _ = unsafe line.withUnsafeBytes { unsafe Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
}
