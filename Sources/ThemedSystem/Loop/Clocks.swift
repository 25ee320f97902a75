internal import CThemedLinux
internal import Glibc

/// The time in milliseconds, by a clock that does not jump and stops while the system sleeps (CLOCK_MONOTONIC).
///
/// It is a number because the standard library's clocks count in 128 bits, whose arithmetic adds a quarter of a MiB of
/// code.
public func monotonicMilliseconds() -> Int {
  var now = timespec()
  unsafe clock_gettime(CLOCK_MONOTONIC, &now)
  return Int(now.tv_sec) * 1000 + Int(now.tv_nsec) / 1_000_000
}

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

/// The time of the kernel's two clocks that run evenly, in milliseconds.
public struct Clocks: Sendable, Hashable {
  /// The clock that runs during a suspend.
  public var withSleep: Int64
  /// The clock that stops during a suspend.
  public var awake: Int64

  /// These times.
  public init(withSleep: Int64, awake: Int64) {
    (self.withSleep, self.awake) = (withSleep, awake)
  }

  /// The current times.
  public static var now: Clocks {
    Clocks(withSleep: milliseconds(CLOCK_BOOTTIME), awake: milliseconds(CLOCK_MONOTONIC))
  }

  /// How long the machine was suspended between `then` and these times.
  public func slept(since then: Clocks) -> Int64 { (withSleep - then.withSleep) - (awake - then.awake) }

  private static func milliseconds(_ clock: clockid_t) -> Int64 {
    var now = timespec()
    unsafe clock_gettime(clock, &now)
    return Int64(now.tv_sec) * 1000 + Int64(now.tv_nsec) / 1_000_000
  }
}

/// Reports when the machine has woken up or its clock was set; sleeps otherwise.
public struct SleepWatch: ~Copyable, Sendable {
  /// Readable after such an event.
  public let descriptor: FileDescriptor

  /// A watch that starts now.
  public init() throws(SystemError) {
    let raw = timerfd_create(CLOCK_REALTIME, CInt(TFD_CLOEXEC) | CInt(TFD_NONBLOCK))
    descriptor = try FileDescriptor("timerfd_create", raw)
    arm()
  }

  /// Prepares for the next event.
  public func drain() {
    var count: UInt64 = 0
    _ = unsafe read(descriptor.raw, &count, MemoryLayout<UInt64>.size)
    arm()
  }

  /// Sets a timer that never expires: the kernel cancels it when the system wakes up, and only that matters.
  private func arm() {
    var value = itimerspec()
    value.it_value.tv_sec = 253_402_300_799
    let flags = CInt(TFD_TIMER_ABSTIME) | CInt(TFD_TIMER_CANCEL_ON_SET)
    // If the clock was set at this moment, the descriptor reports that as well.
    _ = unsafe timerfd_settime(descriptor.raw, flags, &value, nil)
  }
}
