internal import CThemedLinux
internal import Glibc

/// Unix signals as a descriptor (signalfd).
public struct SignalDescriptor: ~Copyable {
  /// Readable when a signal has arrived.
  public let descriptor: FileDescriptor
  private let before: sigset_t

  /// Blocks these signals until a descriptor for them is created.
  public static func block(_ signals: [CInt]) { _ = Self.mask(signals) }

  /// Receives these signals from now on.
  ///
  /// Create it before any thread, because threads inherit the blocked signals.
  public init(_ signals: [CInt]) throws(SystemError) {
    var (set, before) = Self.mask(signals)
    self.before = before
    let raw = unsafe signalfd(-1, &set, CInt(SFD_CLOEXEC) | CInt(SFD_NONBLOCK))
    if raw < 0 {
      let code = errno
      unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
      throw SystemError("signalfd", code)
    }
    descriptor = FileDescriptor(owning: raw)
  }

  /// Blocks these signals, and returns their set and the signals that were blocked before.
  private static func mask(_ signals: [CInt]) -> (set: sigset_t, before: sigset_t) {
    var (set, before) = (sigset_t(), sigset_t())
    unsafe sigemptyset(&set)
    for signal in signals { unsafe sigaddset(&set, signal) }
    unsafe pthread_sigmask(SIG_BLOCK, &set, &before)
    return (set, before)
  }

  /// Takes the next signal that has arrived; nil if there is none.
  public func next() -> CInt? {
    var info = signalfd_siginfo()
    let size = MemoryLayout<signalfd_siginfo>.size
    return unsafe read(descriptor.raw, &info, size) == size ? CInt(info.ssi_signo) : nil
  }

  /// Lets signals through again that were not blocked before.
  public func unblock() {
    var before = before
    unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
  }
}

/// Unix signals as events of the main loop.
public final class SignalWatch {
  private let signals: SignalDescriptor
  private var source: Source?

  /// Blocks `signals` until a watch is created.
  public static func hold(_ signals: [CInt]) { SignalDescriptor.block(signals) }

  /// Receives `signals` from now on.
  ///
  /// Create it before any thread, because threads inherit the blocked signals.
  public init(_ signals: [CInt], _ handler: @escaping (CInt) -> Void) throws(SystemError) {
    self.signals = try SignalDescriptor(signals)
    source = try EventLoop.main.watch(self.signals.descriptor.raw, for: .readable) { [unowned self] _ in
      // One signal per turn: a flood of signals delays nothing else, and the kernel merges signals of a kind.
      if let signal = self.signals.next() { handler(signal) }
    }
  }

  deinit { source?.cancel() }
}
