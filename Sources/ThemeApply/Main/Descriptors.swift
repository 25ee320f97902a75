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

/// Tells when a terminal is made: devpts says so to whoever watches its directory.
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

  /// Tells, once, when somebody opens one of these terminals, or writes to it, as its program does when it begins: then
  /// it belongs to somebody.
  func watch(_ unopened: Set<Int>) {
    for number in unopened {
      let mask = UInt32(IN_OPEN | IN_MODIFY) | UInt32(IN_ONESHOT)
      unsafe inotify_add_watch(descriptor.raw, "/dev/pts/\(number)", mask)
    }
  }

  func drain() {
    var buffer = [UInt8](repeating: 0, count: 4096)
    while unsafe read(descriptor.raw, &buffer, buffer.count) > 0 {}
  }
}

/// Makes those who lose their parents children of this process, so that their ends are seen.
func adoptOrphans() { _ = themed_adopt_orphans() }

/// Locks an open file for as long as it is open; whether nobody else has.
func themedLock(_ descriptor: CInt) -> Bool { flock(descriptor, LOCK_EX | LOCK_NB) == 0 }
