internal import Glibc

/// Opens /dev/null as each of the descriptors 0, 1 and 2 that is closed; call this before anything else opens a
/// descriptor.
///
/// The kernel gives out the lowest free number. Otherwise a socket or a state file could become standard error, and
/// messages would be written to it.
public func openStandardStreams() {
  for number in STDIN_FILENO...STDERR_FILENO where fcntl(number, F_GETFD) < 0 {
    // All lower numbers are open, so it gets this one.
    let raw = unsafe open("/dev/null", O_RDWR)
    // Without /dev/null, a closed stream is better than a wrong one.
    if raw < 0 { return }
  }
}

/// Whether this many descriptors can still be opened; standard input has to be open.
public func hasRoom(forDescriptors count: Int) -> Bool {
  var opened: [CInt] = []
  defer { for raw in opened { _ = close(raw) } }
  for _ in 0..<count {
    let raw = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
    guard raw >= 0 else { return false }
    opened.append(raw)
  }
  return true
}
