internal import CThemedLinux
internal import Glibc
internal import ThemedUnix

/// Unix signals as something to read; to be made before any thread, which inherits that they are blocked.
struct SignalDescriptor: ~Copyable {
  let descriptor: FileDescriptor

  init(_ signals: [CInt]) throws(SystemError) {
    var set = sigset_t()
    unsafe sigemptyset(&set)
    for signal in signals { unsafe sigaddset(&set, signal) }
    unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
    let raw = unsafe signalfd(-1, &set, CInt(SFD_CLOEXEC) | CInt(SFD_NONBLOCK))
    guard raw >= 0 else { throw SystemError("signalfd", errno) }
    descriptor = FileDescriptor(owning: raw)
  }

  /// One that has come.
  func next() -> CInt? {
    var info = signalfd_siginfo()
    let size = MemoryLayout<signalfd_siginfo>.size
    return unsafe read(descriptor.raw, &info, size) == size ? CInt(info.ssi_signo) : nil
  }
}

/// Reports new terminals, by watching the directory of devpts.
struct TerminalWatch: ~Copyable {
  let descriptor: FileDescriptor

  init() throws(SystemError) {
    let raw = inotify_init1(CInt(IN_CLOEXEC | IN_NONBLOCK))
    guard raw >= 0 else { throw SystemError("inotify_init1", errno) }
    let watch = FileDescriptor(owning: raw)
    guard unsafe inotify_add_watch(raw, "/dev/pts", UInt32(IN_CREATE)) >= 0 else {
      throw SystemError("watching /dev/pts", errno)
    }
    descriptor = watch
  }

  /// Tells, once, when one of these terminals belongs to somebody: somebody opens it, or writes to it, as its program does
  /// when it begins.
  func watch(_ signs: [Int: UnopenedTerminals.Sign]) {
    for (number, sign) in signs {
      let mask = UInt32(sign == .opened ? IN_OPEN : IN_OPEN | IN_MODIFY) | UInt32(IN_ONESHOT)
      unsafe inotify_add_watch(descriptor.raw, "/dev/pts/\(number)", mask)
    }
  }

  /// Takes what has come; whether a terminal was made.
  func drain() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 4096)
    var isNew = false
    while true {
      let count = unsafe read(descriptor.raw, &buffer, buffer.count)
      guard count > 0 else { return isNew }
      unsafe buffer.withUnsafeBytes { bytes in
        var offset = 0
        while offset < count {
          let event = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
          // Of what is lost nothing is known.
          if event.mask & UInt32(IN_CREATE | IN_Q_OVERFLOW) != 0 { isNew = true }
          offset += MemoryLayout<inotify_event>.size + Int(event.len)
        }
      }
    }
  }
}

/// The descriptors that the loop waits for, shared by those who have some.
final class WatchedParts {
  private let set: DescriptorSet

  init() throws(SystemError) { set = try DescriptorSet() }

  /// Waits for this one, too, under a number.
  func add(_ raw: CInt, as number: UInt64) throws(SystemError) { try set.add(raw, as: number) }

  func remove(_ raw: CInt) { set.remove(raw) }

  /// Waits until some are ready; their numbers.
  func wait() -> [UInt64] { set.ready(.blocking) }
}

/// Makes those who lose their parents children of this process, so that their ends are seen.
func adoptOrphans() { _ = themed_adopt_orphans() }

/// Locks an open file for as long as it is open; whether nobody else has.
func themedLock(_ descriptor: CInt) -> Bool { flock(descriptor, LOCK_EX | LOCK_NB) == 0 }
