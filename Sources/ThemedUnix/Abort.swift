internal import Glibc

/// What is done before the end; written before the signal can come, and read by its handler alone.
nonisolated(unsafe) private var lastAct: (() -> Void)?

/// Does something once, where another process has this one abort, as a service manager does with one that hangs; then it
/// aborts, with the core dump of where it hung.
///
/// It interrupts whatever the main thread is at, and what that holds: only for what is better than the end without it.
/// Where it hangs as well, for so many seconds, that is the end.
public func beforeAborting(forAtMostSeconds limit: UInt32, _ body: @escaping () -> Void) {
  unsafe lastAct = {
    alarm(limit)
    body()
  }
  var action = sigaction()
  unsafe action.__sigaction_handler.sa_sigaction = { _, info, _ in
    // By itself a process aborts where it is not sound any more: then nothing of it is to be used.
    if let info = unsafe info, unsafe info.pointee.si_code == SI_USER { unsafe lastAct?() }
    // It waits until this has returned.
    raise(SIGABRT)
  }
  action.sa_flags = CInt(SA_SIGINFO) | CInt(bitPattern: UInt32(SA_RESETHAND))
  unsafe sigaction(SIGABRT, &action, nil)
}
