internal import CThemedLinux
internal import Glibc
public import ThemedSystem

/// Unix signals as events of the loop, through signalfd; `g_unix_signal_add` would start a second thread.
public final class SignalWatch {
  private let descriptor: FileDescriptor
  private var source: Source?

  /// Blocks `signals` until a watch is created.
  public static func hold(_ signals: [CInt]) {
    var set = signalSet(signals)
    unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  private static func signalSet(_ signals: [CInt]) -> sigset_t {
    var set = sigset_t()
    unsafe sigemptyset(&set)
    for signal in signals { unsafe sigaddset(&set, signal) }
    return set
  }

  /// Receives `signals` from now on.
  ///
  /// Create it before any thread, because threads inherit the blocked signals.
  public init(_ signals: [CInt], _ handler: @escaping (CInt) -> Void) throws(SystemError) {
    var set = Self.signalSet(signals)
    unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
    let raw = unsafe signalfd(-1, &set, CInt(SFD_CLOEXEC) | CInt(SFD_NONBLOCK))
    guard raw >= 0 else { throw SystemError("signalfd", errno) }
    descriptor = FileDescriptor(owning: raw)
    source = try MainLoop.watch(raw, for: .readable) { _ in
      // One signal per round: a flood of signals delays nothing else, and the kernel merges signals of a kind.
      var info = signalfd_siginfo()
      guard unsafe read(raw, &info, MemoryLayout<signalfd_siginfo>.size) == MemoryLayout<signalfd_siginfo>.size else {
        return
      }
      handler(CInt(info.ssi_signo))
    }
  }

  // Remove it from the loop before its descriptor is closed.
  deinit { source?.cancel() }
}
