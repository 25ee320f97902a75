internal import CThemedLinux
internal import Glibc

/// A descriptor that becomes readable after a time, by a clock that stops while the system sleeps (timerfd).
public struct Alarm: ~Copyable, Sendable {
  /// Readable when the time is over.
  public let descriptor: FileDescriptor

  /// An alarm that is not set.
  public init() throws(SystemError) {
    descriptor = try FileDescriptor(
      "timerfd_create", timerfd_create(CLOCK_MONOTONIC, CInt(TFD_CLOEXEC) | CInt(TFD_NONBLOCK)))
  }

  /// Sets the alarm again, or turns it off with nil; until the time is over, the descriptor is not readable.
  public func set(afterMilliseconds milliseconds: Int?) {
    var value = itimerspec()
    if let milliseconds {
      // A time of zero would turn the timer off.
      let nanoseconds = milliseconds > 0 ? milliseconds % 1000 * 1_000_000 : 1
      value.it_value = timespec(tv_sec: max(0, milliseconds / 1000), tv_nsec: nanoseconds)
    }
    // This fails only for impossible times.
    _ = unsafe timerfd_settime(descriptor.raw, 0, &value, nil)
  }
}
