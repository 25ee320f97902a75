internal import Glibc
internal import Unix

/// Tells a supervisor that the daemon serves: a newline on a descriptor that it handed over, which is then closed, as
/// s6, dinit and others have it.
final class ReadyDescriptor {
  private var descriptor: FileDescriptor?

  /// Takes descriptor `number`; to be made before anything else opens one, which might be given this number.
  init(_ number: CInt) throws(StartFailure) {
    let flags = fcntl(number, F_GETFL)
    guard flags >= 0, flags & O_ACCMODE != O_RDONLY, !Inherited.isListening(number) else {
      throw StartFailure("descriptor \(number) is not open for writing: --ready-fd takes one that the supervisor reads")
    }
    _ = fcntl(number, F_SETFD, FD_CLOEXEC)
    descriptor = FileDescriptor(owning: number)
  }

  /// Says so, once; whether it could.
  func tell() -> Bool {
    guard let descriptor = descriptor.take() else { return true }
    // It is shared with the supervisor, so not made non-blocking: one that is ready takes a byte without waiting.
    var ready = pollfd(fd: descriptor.raw, events: Int16(POLLOUT), revents: 0)
    let newline: [UInt8] = [UInt8(ascii: "\n")]
    return unsafe poll(&ready, 1, 0) == 1 && write(descriptor.raw, newline, 1) == 1
  }
}
