internal import CThemedLinux
internal import Glibc
internal import ThemedSystem

/// Notifies a supervisor that the daemon is ready: writes a newline to an inherited descriptor and closes it, as s6,
/// dinit and others expect.
final class ReadyDescriptor {
  private var descriptor: FileDescriptor?

  /// Takes descriptor `number`; create this before anything else opens a descriptor, which could get this number.
  init(_ number: CInt, besides inherited: Inherited) throws(StartFailure) {
    let flags = fcntl(number, F_GETFL)
    guard flags >= 0, flags & O_ACCMODE != O_RDONLY, !inherited.contains(number) else {
      throw StartFailure("descriptor \(number) is not open for writing; --ready-fd needs one that the supervisor reads")
    }
    _ = fcntl(number, F_SETFD, FD_CLOEXEC)
    guard number <= STDERR_FILENO else {
      descriptor = FileDescriptor(owning: number)
      return
    }
    // Close another number than this: if a standard stream is closed, the next client would become it.
    let own = fcntl(number, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
    guard own >= 0 else { throw StartFailure("\(SystemError("cannot duplicate descriptor \(number)", errno))") }
    descriptor = FileDescriptor(owning: own)
    _ = close(number)
    openStandardStreams()
  }

  /// Notifies the supervisor once; returns whether that was possible.
  func tell() -> Bool {
    guard let descriptor = descriptor.take() else { return true }
    var ready = pollfd(fd: descriptor.raw, events: Int16(POLLOUT), revents: 0)
    guard unsafe poll(&ready, 1, 0) == 1, ready.revents & Int16(POLLERR) == 0 else { return false }
    // The supervisor shares the descriptor, so it can still block: a thread waits in our place, and then closes its
    // copy.
    return LineThread(to: descriptor.raw).write([UInt8(ascii: "\n")])
  }
}
