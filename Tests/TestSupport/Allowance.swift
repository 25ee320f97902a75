import Glibc

/// How many seconds any wait may last before it counts as failed; never how long a test takes.
public let patience: Double = 30

/// Time to wait that passes only while the machine goes on.
///
/// A virtual machine whose host takes the processor away for half a minute has let nobody answer: of such a standstill no
/// more than a second counts.
public struct Allowance {
  private static let slice = 0.5

  private var left: Double
  private var last = Self.now

  /// So many seconds.
  public init(seconds: Double = patience) { left = seconds }

  /// For how many seconds to wait next, and then to look; nil where none are left.
  public mutating func next() -> Double? {
    let now = Self.now
    left -= min(now - last, 2 * Self.slice)
    last = now
    return left > 0 ? min(left, Self.slice) : nil
  }

  private static var now: Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

/// Waits until there is something to be read, or accepted; false where nothing comes.
func isReadable(_ descriptor: Int32) -> Bool {
  var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
  var allowance = Allowance()
  while let next = allowance.next() {
    if unsafe Glibc.poll(&poll, 1, Int32(next * 1000)) > 0 { return true }
  }
  return false
}
