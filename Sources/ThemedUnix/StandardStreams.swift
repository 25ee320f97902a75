internal import Glibc

/// Opens /dev/null as each of the descriptors 0, 1 and 2 that is not open; to be called before anything opens another.
///
/// The kernel gives the lowest free number: a listening socket or a file of the state would get one of these, and what
/// is written to standard error with it.
public func openStandardStreams() {
  for number in STDIN_FILENO...STDERR_FILENO where fcntl(number, F_GETFD) < 0 {
    // Those below are open, so this is the number that it gets.
    let raw = unsafe open("/dev/null", O_RDWR)
    // Without devices nothing is better than what cannot be read or written.
    if raw < 0 { return }
  }
}

/// Whether so many descriptors can be opened now; standard input has to be open.
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
