internal import CThemedLinux
internal import Glibc
internal import ThemedSystem

/// A descriptor that reports Unix signals; create it before any thread, because threads inherit that they are blocked.
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

  /// The next signal that has arrived.
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

  /// Reports once when a program opens one of these terminals, or writes to it, as programs do when they start.
  func watch(_ signs: [Int: UnopenedTerminals.Sign]) {
    for (number, sign) in signs {
      let mask = UInt32(sign == .opened ? IN_OPEN : IN_OPEN | IN_MODIFY) | UInt32(IN_ONESHOT)
      unsafe inotify_add_watch(descriptor.raw, "/dev/pts/\(number)", mask)
    }
  }

  /// Reads all events; returns whether a terminal was created.
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

/// The descriptors that the loop waits for, shared by the objects that own them.
final class WatchedParts {
  private let set: DescriptorSet

  init() throws(SystemError) { set = try DescriptorSet() }

  /// Adds a descriptor, under a number.
  func add(_ raw: CInt, as number: UInt64) throws(SystemError) { try set.add(raw, as: number) }

  func remove(_ raw: CInt) { set.remove(raw) }

  /// Waits until some are ready, and returns their numbers.
  func wait() -> [UInt64] { set.ready(.blocking) }
}

/// Makes orphans children of this process, so that it can collect their exit statuses.
func adoptOrphans() { _ = themed_adopt_orphans() }

/// Locks an open file for as long as it is open; false if another process has locked it.
func themedLock(_ descriptor: CInt) -> Bool { flock(descriptor, LOCK_EX | LOCK_NB) == 0 }
