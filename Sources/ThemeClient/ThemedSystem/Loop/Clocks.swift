internal import CThemedLinux
internal import Glibc

/// The time in milliseconds, by a clock that does not jump and stops while the system sleeps (CLOCK_MONOTONIC).
///
/// It is a number because the standard library's clocks count in 128 bits, whose arithmetic adds a quarter of a MiB of
/// code.
public func monotonicMilliseconds() -> Int { monotonicNanoseconds() / 1_000_000 }

/// The same time in nanoseconds.
func monotonicNanoseconds() -> Int { nanoseconds(of: CLOCK_MONOTONIC) }

private func nanoseconds(of clock: clockid_t) -> Int {
  var now = timespec()
  unsafe clock_gettime(clock, &now)
  return Int(now.tv_sec) * 1_000_000_000 + Int(now.tv_nsec)
}

/// The time of the kernel's two clocks that run evenly, in milliseconds.
public struct Clocks: Sendable, Hashable {
  /// The clock that runs during a suspend.
  public var withSleep: Int64
  /// The clock that stops during a suspend.
  public var awake: Int64

  public init(withSleep: Int64, awake: Int64) { (self.withSleep, self.awake) = (withSleep, awake) }

  public static var now: Clocks {
    Clocks(
      withSleep: Int64(nanoseconds(of: CLOCK_BOOTTIME) / 1_000_000),
      awake: Int64(nanoseconds(of: CLOCK_MONOTONIC) / 1_000_000))
  }

  /// How long the machine was suspended between `then` and these times.
  public func slept(since then: Clocks) -> Int64 { (withSleep - then.withSleep) - (awake - then.awake) }
}

// MARK: Timers of the kernel

/// A timer of a clock, which is not set (timerfd).
private func timerDescriptor(_ clock: clockid_t) throws(SystemError) -> FileDescriptor {
  try FileDescriptor("timerfd_create", timerfd_create(clock, CInt(TFD_CLOEXEC) | CInt(TFD_NONBLOCK)))
}

/// Sets a timer, whose descriptor is not readable until the time comes; a time of zero turns it off.
///
/// Returns false if the wall clock was changed before this; the timer is set anyway.
private func set(_ timer: borrowing FileDescriptor, to time: timespec, _ flags: CInt = 0) -> Bool {
  var value = itimerspec()
  value.it_value = time
  return unsafe timerfd_settime(timer.raw, flags, &value, nil) == 0 || errno != ECANCELED
}

/// A descriptor that becomes readable after a time, by a clock that stops while the system sleeps.
public struct Alarm: ~Copyable, Sendable {
  /// Readable when the time is over.
  public let descriptor: FileDescriptor

  public init() throws(SystemError) { descriptor = try timerDescriptor(CLOCK_MONOTONIC) }

  /// Sets the alarm again, or turns it off with nil; until the time is over, the descriptor is not readable.
  public func set(afterMilliseconds milliseconds: Int?) {
    // A time of zero would turn the timer off.
    let nanoseconds = milliseconds.map { $0 > 0 ? $0 % 1000 * 1_000_000 : 1 } ?? 0
    let time = timespec(tv_sec: max(0, (milliseconds ?? 0) / 1000), tv_nsec: nanoseconds)
    _ = ThemedSystem.set(descriptor, to: time)
  }
}

/// A timer of the wall clock on the main loop, which follows suspends and changes of the clock.
public final class WallClock {
  /// A time that never comes, for a timer that only reports changes of the clock and suspends.
  public static let never: Int64 = 253_402_300_799

  private let descriptor: FileDescriptor
  private let handler: () -> Void
  private var source: Source?
  /// Calls the handler if the clock was changed while the timer was being set.
  private var again: Source?

  /// A timer that is not set.
  ///
  /// `handler` is called when the time has come, when the system was suspended, and when the clock was changed; it
  /// reads ``now`` and sets the timer again.
  public init(_ handler: @escaping () -> Void) throws(SystemError) {
    descriptor = try timerDescriptor(CLOCK_REALTIME)
    self.handler = handler
    let raw = descriptor.raw
    source = try EventLoop.main.watch(raw, for: .readable) { _ in
      var count: UInt64 = 0
      // This fails with ECANCELED if the clock was changed; in both cases the descriptor is no longer readable.
      _ = unsafe read(raw, &count, MemoryLayout<UInt64>.size)
      handler()
    }
  }

  deinit {
    source?.cancel()
    again?.cancel()
  }

  /// Calls the handler at `time`, in seconds since the epoch, or at once if that is in the past; nil: never.
  public func set(_ time: Int64?) {
    // Zero would turn the timer off.
    let value = timespec(tv_sec: time.map { max(1, Int($0)) } ?? 0, tv_nsec: 0)
    let flags = CInt(TFD_TIMER_ABSTIME) | CInt(TFD_TIMER_CANCEL_ON_SET)
    // The timer is set, but an earlier change of the clock is reported here, and no read will report it.
    guard !ThemedSystem.set(descriptor, to: value, time == nil ? 0 : flags) else { return }
    again = EventLoop.main.later { [unowned self] in
      handler()
      return false
    }
  }

  /// The time in seconds since the epoch.
  ///
  /// This is the clock of the timer: `time` may lag by a tick, and a timer would fire too early.
  public static var now: Int64 { Int64(nanoseconds(of: CLOCK_REALTIME) / 1_000_000_000) }
}

// MARK: Memory

/// Returns freed memory to the system (``giveMemoryBack()``) a while after work, and while work continues.
///
/// It wakes the program up once after work, and once per such interval while work continues; a sleeping program stays
/// asleep. It does not wait for an idle moment: clients that keep asking leave none.
public final class MemoryTrim {
  private let delay: Int
  private var timer: Source?
  /// Whether the current turn is the timer's own, which does not count as work.
  private var isOwnTurn = false

  /// A timer that fires this many milliseconds after the first work since it last fired.
  public init(afterMilliseconds delay: Int) { self.delay = delay }

  /// Call this after each turn of the loop.
  public func worked() {
    guard !isOwnTurn else {
      isOwnTurn = false
      return
    }
    guard timer == nil else { return }
    timer = EventLoop.main.timer(afterMilliseconds: delay) { [unowned self] in
      (timer, isOwnTurn) = (nil, true)
      giveMemoryBack()
    }
  }
}
