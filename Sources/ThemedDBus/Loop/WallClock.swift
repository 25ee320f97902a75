internal import CThemedLinux
internal import Glibc
public import ThemedSystem

/// A timer of the wall clock, which follows suspends and changes of the clock (timerfd on CLOCK_REALTIME).
public final class WallClock {
  private let descriptor: FileDescriptor
  private let handler: () -> Void
  private var source: Source?
  /// Calls the handler if the clock was changed while the timer was being set.
  private var again: Source?

  /// A timer that is not set.
  ///
  /// `handler` is called when the time has come and when the clock was changed; it reads ``now`` and sets the timer
  /// again.
  public init(_ handler: @escaping () -> Void) throws(SystemError) {
    let raw = timerfd_create(CLOCK_REALTIME, CInt(TFD_CLOEXEC) | CInt(TFD_NONBLOCK))
    guard raw >= 0 else { throw SystemError("timerfd_create", errno) }
    descriptor = FileDescriptor(owning: raw)
    self.handler = handler
    source = try MainLoop.watch(raw, for: .readable) { _ in
      var count: UInt64 = 0
      // This fails with ECANCELED if the clock was changed; in both cases the descriptor is no longer readable.
      _ = unsafe read(raw, &count, MemoryLayout<UInt64>.size)
      handler()
    }
  }

  // Remove it from the loop before its descriptor is closed.
  deinit {
    source?.cancel()
    again?.cancel()
  }

  /// Calls the handler at `time`, in seconds since the epoch, or at once if that is in the past; nil: never.
  public func set(_ time: Int64?) {
    var value = itimerspec()
    // Zero would turn the timer off.
    if let time { value.it_value.tv_sec = max(1, Int(time)) }
    let flags = CInt(TFD_TIMER_ABSTIME) | CInt(TFD_TIMER_CANCEL_ON_SET)
    let status = unsafe timerfd_settime(descriptor.raw, time == nil ? 0 : flags, &value, nil)
    // The timer is set, but an earlier change of the clock is reported here, and no read will report it.
    guard status != 0, errno == ECANCELED else { return }
    again = MainLoop.later { [unowned self] in
      handler()
      return false
    }
  }

  /// The time in seconds since the epoch.
  ///
  /// This is the clock of the timer: `time` may lag by a tick, and a timer would fire too early.
  public static var now: Int64 {
    var now = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &now)
    return Int64(now.tv_sec)
  }
}
