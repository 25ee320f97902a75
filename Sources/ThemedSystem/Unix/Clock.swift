// Either module may own timespec: the one whose header the compiler meets first.
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
