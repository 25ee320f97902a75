internal import CLinux
internal import Glibc
internal import Unix

/// Decides which of several daemons, at sockets of their own, keeps its overrides in the one state file.
final class StateLock {
  /// Whether another daemon holds it.
  let isAnothers: Bool
  private let descriptor: FileDescriptor

  /// Takes the lock of a file, for as long as this object lives; nil where it cannot be opened, as in a directory that
  /// cannot be written: saving will say so.
  init?(besideFile path: String) {
    guard (try? makeDirectories(parent(of: path))) != nil else { return nil }
    let raw = unsafe open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    guard raw >= 0 else { return nil }
    descriptor = FileDescriptor(owning: raw)
    isAnothers = flock(raw, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK
  }
}
