internal import CThemedLinux
internal import Glibc

/// Runs `body` on a thread of its own; signals never interrupt it, but the thread that started it.
public func startThread(_ body: @escaping @Sendable () -> Void) throws(SystemError) {
  var attributes = pthread_attr_t()
  unsafe pthread_attr_init(&attributes)
  defer { unsafe pthread_attr_destroy(&attributes) }
  unsafe pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED))
  // Only touched pages take memory. The parsers do not recurse deeply.
  unsafe pthread_attr_setstacksize(&attributes, 512 * 1024)
  // The thread inherits the blocked signals, so it never receives one.
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

/// Lets other threads that are ready run first.
public func yieldProcessor() {
  sched_yield()
}

/// The code that a new thread starts with.
private final class Start: Sendable {
  let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) {
    self.body = body
  }
}
