internal import CThemedLinux
internal import Glibc
internal import ThemedSystem

/// Decides which of several daemons with different sockets saves its overrides in the one state file.
///
/// Only the thread that saves the file uses it, so that a home directory that hangs blocks nothing else.
struct StateLock: ~Copyable {
  private let path: String
  private var held: FileDescriptor?
  /// The file number of the lock that is held.
  private var number: FileNumber?

  /// The lock of a file, which is not taken yet.
  init(besideFile file: String) {
    path = file + ".lock"
  }

  /// Takes the lock, or checks that the held one is still at its path; false if another daemon holds it.
  mutating func take() throws(SystemError) -> Bool {
    if let number, number == FileNumber(of: path) { return true }
    // Our lock file was removed or replaced, so another daemon may hold the new one.
    held = nil
    number = nil
    try makeDirectories(parent(of: path))
    let raw = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    guard raw >= 0 else {
      // If this is not a file, no other daemon can lock it either.
      if [EISDIR, ELOOP, ENXIO, ENODEV].contains(errno) { return true }
      throw SystemError("cannot open \(path)", errno)
    }
    let lock = FileDescriptor(owning: raw)
    if flock(raw, LOCK_EX | LOCK_NB) != 0 {
      switch errno {
      case EWOULDBLOCK: return false
      // The file system does not support locks.
      case ENOLCK, EOPNOTSUPP, ENOSYS, EINVAL: break
      case let code: throw SystemError("cannot lock \(path)", code)
      }
    }
    number = FileNumber(of: lock)
    held = consume lock
    return true
  }
}
