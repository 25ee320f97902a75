internal import Glibc

/// Calls `body`, within which a system call that waits is interrupted after some milliseconds, and fails with EINTR.
///
/// For a library that cannot be told not to wait. On the main thread alone, since it is what an alarm interrupts.
public func interruptingWaits<Result>(_ body: () -> Result) -> Result {
  var action = sigaction()
  // Without SA_RESTART: that is what interrupts. It stays: an alarm may be under way still when the timer is stopped,
  // and would end the process.
  unsafe action.__sigaction_handler.sa_handler = { _ in }
  unsafe sigaction(SIGALRM, &action, nil)
  // Again and again: the first alarm may come before the call begins to wait.
  setAlarm(everyMicroseconds: 10_000)
  defer { setAlarm(everyMicroseconds: 0) }
  return body()
}

private func setAlarm(everyMicroseconds interval: Int) {
  let time = timeval(tv_sec: 0, tv_usec: interval)
  var timer = itimerval(it_interval: time, it_value: time)
  unsafe setitimer(__itimer_which_t(ITIMER_REAL.rawValue), &timer, nil)
}
