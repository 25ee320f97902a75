internal import CThemedLinux
internal import Glibc
internal import ThemedLog
internal import ThemedUnix

/// Tells a supervisor that the daemon serves: a newline on a descriptor that it handed over, which is then closed, as
/// s6, dinit and others have it.
final class ReadyDescriptor {
  private var descriptor: FileDescriptor?

  /// Takes descriptor `number`; to be made before anything else opens one, which might be given this number.
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
    // What is closed is another number: a standard stream that is not open becomes the next client's.
    let own = fcntl(number, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
    guard own >= 0 else { throw StartFailure("\(SystemError("cannot duplicate descriptor \(number)", errno))") }
    descriptor = FileDescriptor(owning: own)
    _ = close(number)
    openStandardStreams()
  }

  /// Says so, once; whether it could.
  func tell() -> Bool {
    guard let descriptor = descriptor.take() else { return true }
    var ready = pollfd(fd: descriptor.raw, events: Int16(POLLOUT), revents: 0)
    guard unsafe poll(&ready, 1, 0) == 1, ready.revents & Int16(POLLERR) == 0 else { return false }
    // The supervisor shares it, so that it can still block: a thread waits in our place, and closes its copy then.
    return LineThread(to: descriptor.raw).write([UInt8(ascii: "\n")])
  }
}
