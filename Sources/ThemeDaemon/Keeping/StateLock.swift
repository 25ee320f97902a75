internal import CThemedLinux
internal import Glibc
internal import ThemedUnix

/// Decides which of several daemons, at sockets of their own, keeps its overrides in the one state file.
///
/// It belongs to the thread that keeps the file: a home that hangs holds up nobody else.
struct StateLock: ~Copyable {
  private let path: String
  private var held: FileDescriptor?
  /// That of what is held.
  private var number: FileNumber?

  /// The lock of a file, not taken yet.
  init(besideFile file: String) {
    path = file + ".lock"
  }

  /// Takes the lock, or makes sure that it is still what lies there; false where another daemon holds it.
  mutating func take() throws(SystemError) -> Bool {
    if let number, number == FileNumber(of: path) { return true }
    // Removed or replaced under us: another daemon may hold the one that is there now.
    held = nil
    number = nil
    try makeDirectories(parent(of: path))
    let raw = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    guard raw >= 0 else {
      // What is no file cannot be locked by another daemon either.
      if [EISDIR, ELOOP, ENXIO, ENODEV].contains(errno) { return true }
      throw SystemError("cannot open \(path)", errno)
    }
    let lock = FileDescriptor(owning: raw)
    if flock(raw, LOCK_EX | LOCK_NB) != 0 {
      switch errno {
      case EWOULDBLOCK: return false
      // A file system without locks.
      case ENOLCK, EOPNOTSUPP, ENOSYS, EINVAL: break
      case let code: throw SystemError("cannot lock \(path)", code)
      }
    }
    number = FileNumber(of: lock)
    held = consume lock
    return true
  }
}
