internal import CThemedLinux
internal import Glibc
internal import ThemedText

/// What became of a lock.
public enum LockOutcome: Sendable, Hashable {
  /// This process has it, or the file system has no locks for anybody.
  case taken
  /// Another process had it for all that time: its number, where that can be told.
  case held(by: Int32?)
}

/// Locks an open file for as long as it is open (flock), within so many milliseconds.
///
/// `onWait` is called once, after a second, with the process that has it. The kernel tells nobody that a lock is free but
/// those who wait in it without limit, so it is tried again and again.
public func lock(
  _ file: borrowing FileDescriptor, atMostMilliseconds limit: Int, onWait: (Int32?) -> Void = { _ in }
) -> LockOutcome {
  let start = monotonicMilliseconds()
  var isTold = false
  while true {
    if flock(file.raw, LOCK_EX | LOCK_NB) == 0 { return .taken }
    // A file system that has no locks has none for anybody.
    guard errno == EWOULDBLOCK || errno == EINTR else { return .taken }
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

/// The process that has the lock of a file, 0 where that is not told; nil where none has it.
///
/// It is looked up and not tried: a try would be in the way of a process that starts.
public func lockHolder(_ file: FileNumber?) -> Int32? {
  guard let file else { return nil }
  // The kernel gives its list in pieces, by number: while others come and go, one of those between may be left out.
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
