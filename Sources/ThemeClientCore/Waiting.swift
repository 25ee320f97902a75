internal import Glibc
internal import ThemedSystem

/// When to stop waiting, on a clock that does not run while the machine is suspended.
///
/// The standard library's `SuspendingClock` would do the same. But it links the whole runtime of tasks, which costs
/// memory in programs that have no tasks.
struct Deadline: Sendable {
  /// Never.
  static let never = Deadline(after: nil)

  /// The timeout that the deadline was made with; nil for no end.
  let timeout: Duration?
  private let end: Int?

  /// A deadline after this time; nil for no end.
  init(after timeout: Duration?) {
    self.timeout = timeout
    // The current millisecond has partly passed and does not count.
    end = timeout.map { monotonicMilliseconds() + $0.milliseconds + ($0 > .zero ? 1 : 0) }
  }

  /// Whether the deadline has passed.
  var isOver: Bool { milliseconds == 0 }

  /// The time left for poll, in milliseconds.
  ///
  /// Rounded up, so that the deadline has passed when poll returns; -1 for no end.
  fileprivate var milliseconds: CInt {
    guard let end else { return -1 }
    return CInt(clamping: max(0, end - monotonicMilliseconds()))
  }
}

/// Something that ends every wait of its owner.
struct Stop: Sendable {
  fileprivate let descriptor: CInt

  /// Stops when the other end of the descriptor is closed; poll always reports that.
  static func onceHungUp(_ descriptor: CInt) -> Stop { Stop(descriptor: descriptor) }
}

/// How a wait ended.
enum Awaited: Sendable {
  /// The descriptor is ready, or broken.
  case ready
  /// The deadline has passed.
  case timedOut
  /// The stop ended the wait.
  case stopped
}

/// Waits until a descriptor is readable, or with `toSend` writable; -1 waits only for the deadline and the stop.
func wait(for descriptor: CInt, toSend: Bool = false, until deadline: Deadline, or stop: Stop? = nil) -> Awaited {
  var descriptors: InlineArray = [
    pollfd(fd: stop?.descriptor ?? -1, events: 0, revents: 0),
    pollfd(fd: descriptor, events: Int16(toSend ? POLLOUT : POLLIN), revents: 0),
  ]
  var count: CInt
  repeat {
    var all = descriptors.mutableSpan
    count = unsafe all.withUnsafeMutableBufferPointer { all in
      unsafe poll(all.baseAddress, nfds_t(all.count), deadline.milliseconds)
    }
  } while count < 0 && errno == EINTR
  if count > 0, descriptors[0].revents != 0 { return .stopped }
  return count > 0 ? .ready : .timedOut
}
