internal import CThemedLinux
internal import Glibc

/// Runs `body` on a thread of its own, which no signal interrupts: they are for the thread that started it.
public func startThread(_ body: @escaping @Sendable () -> Void) throws(SystemError) {
  var attributes = pthread_attr_t()
  unsafe pthread_attr_init(&attributes)
  defer { unsafe pthread_attr_destroy(&attributes) }
  unsafe pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED))
  // Of which only what is touched is there. Parsers are not deep.
  unsafe pthread_attr_setstacksize(&attributes, 512 * 1024)
  // It inherits what is blocked, so that there is no instant in which it would take one.
  var (all, before) = (sigset_t(), sigset_t())
  unsafe sigfillset(&all)
  unsafe pthread_sigmask(SIG_SETMASK, &all, &before)
  defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
  var thread = pthread_t()
  let start = unsafe Unmanaged.passRetained(Start(body))
  let code = unsafe pthread_create(
    &thread, &attributes,
    { data in
      if let data = unsafe data { unsafe Unmanaged<Start>.fromOpaque(data).takeRetainedValue().body() }
      return nil
    }, start.toOpaque())
  guard code == 0 else {
    unsafe start.release()
    throw SystemError("cannot start a thread", code)
  }
}

/// Lets others have the processor that want it now; whoever calls goes on behind them.
public func giveWay() {
  sched_yield()
}

/// What a thread begins with, on its way.
private final class Start: Sendable {
  let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) {
    self.body = body
  }
}
