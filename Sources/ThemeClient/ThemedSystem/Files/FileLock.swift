internal import CThemedLinux
internal import Glibc

/// A lock file that this process has locked, as long as this value lives.
public struct LockFile: ~Copyable, Sendable {
  private let path: String
  private let file: FileDescriptor

  /// Locks the file at `path`, which is created if it is missing; nil if another process holds the lock.
  public init?(_ path: String) throws(SystemError) {
    let file = try openLockFile(path)
    do throws(SystemError) {
      guard try tryToLock(file) else { return nil }
    } catch {
      throw SystemError("cannot lock \(path)", error.code)
    }
    self.path = path
    self.file = file
  }

  /// Whether the file is still at its path; if it was removed or replaced, another process may hold the new one.
  public var isInPlace: Bool { FileNumber(of: file) == FileNumber(of: path) }
}

/// Opens a file to lock it, and creates it if it is missing; follows no link, and never waits.
public func openLockFile(_ path: String) throws(SystemError) -> FileDescriptor {
  try FileDescriptor(
    "cannot open \(path)", unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600))
}

/// Locks an open file until it is closed (flock), without waiting; false if another process holds the lock.
public func tryToLock(_ file: borrowing FileDescriptor) throws(SystemError) -> Bool {
  while flock(file.raw, LOCK_EX | LOCK_NB) != 0 {
    switch errno {
    case EINTR: continue
    case EWOULDBLOCK: return false
    case let code: throw SystemError("cannot lock a file", code)
    }
  }
  return true
}

public enum LockOutcome: Sendable, Hashable {
  /// This process holds the lock, or the file system does not support locks.
  case taken
  /// Another process held it all the time; its number, if it is known.
  case held(by: Int32?)
}

/// Locks an open file until it is closed (flock); gives up after this many milliseconds.
///
/// After one second it calls `onWait` once, with the process that holds the lock. The kernel has no wait for a lock
/// with a time limit, so this tries repeatedly.
public func lock(
  _ file: borrowing FileDescriptor, atMostMilliseconds limit: Int, onWait: (Int32?) -> Void = { _ in }
) -> LockOutcome {
  let start = monotonicMilliseconds()
  var isTold = false
  while true {
    // A file system without locks has none for other processes either.
    if (try? tryToLock(file)) != false { return .taken }
    let waited = monotonicMilliseconds() - start
    if waited >= limit { return .held(by: knownHolder(of: file)) }
    if waited > 1_000, !isTold {
      isTold = true
      onWait(knownHolder(of: file))
    }
    usleep(20_000)
  }
}

private func knownHolder(of file: borrowing FileDescriptor) -> Int32? {
  lockHolder(FileNumber(of: file)).flatMap { $0 > 0 ? $0 : nil }
}

/// The process that holds the lock of a file, 0 if it is unknown; nil if the file is not locked.
///
/// This looks the lock up instead of trying to take it: a try could disturb a process that is starting.
public func lockHolder(_ file: FileNumber?) -> Int32? {
  guard let file else { return nil }
  // The kernel returns its list in pieces, by number; an entry can be missing if others come and go meanwhile.
  for _ in 0..<3 {
    guard let bytes = try? readFile("/proc/locks", maximum: 1 << 20) else { return 0 }
    for line in Text(decoding: bytes).split("\n") {
      let words = line.split(" ", omittingEmpty: true)
      guard words.count > 5, words[1] == "FLOCK", words[5].hasSuffix(file.lockSuffix) else { continue }
      return Int32(words[4].string) ?? 0
    }
  }
  return nil
}
