internal import Glibc
internal import ThemedUnix

/// When waiting ends, on a clock that stands still while the machine is suspended.
///
/// Not the standard library's `SuspendingClock`, which is the same: with that its whole runtime of tasks is linked, and
/// programs that have none pay for it in memory.
struct Deadline: Sendable {
  /// Waiting has no end.
  static let never = Deadline(after: nil)

  /// How long it was at first; nil for ever.
  let timeout: Duration?
  private let end: Int?

  /// Ends after this time; with nil, never.
  init(after timeout: Duration?) {
    self.timeout = timeout
    // The millisecond that runs already is none of it.
    end = timeout.map { monotonicMilliseconds() + $0.milliseconds + ($0 > .zero ? 1 : 0) }
  }

  /// Whether it has come.
  var isOver: Bool { milliseconds == 0 }

  /// What is left, in poll's milliseconds: rounded up, so that it is over when poll says so; -1 for ever.
  fileprivate var milliseconds: CInt {
    guard let end else { return -1 }
    return CInt(clamping: max(0, end - monotonicMilliseconds()))
  }
}

/// What ends every wait of its owner.
struct Stop: Sendable {
  fileprivate let descriptor: CInt

  /// Stops when the descriptor's other end is closed, which poll reports unasked.
  static func onceHungUp(_ descriptor: CInt) -> Stop { Stop(descriptor: descriptor) }
}

/// How a wait ended.
enum Awaited: Sendable {
  /// The descriptor is ready, or broken.
  case ready
  /// The deadline came.
  case timedOut
  /// What was given as the stop said so.
  case stopped
}

/// Waits until a descriptor can be read, or with `toSend` written; -1 waits for the other two alone.
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
