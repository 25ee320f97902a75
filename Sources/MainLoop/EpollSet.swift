internal import CGLib
internal import CLinux
internal import Glibc
public import Unix

/// Any number of descriptors as one source of the loop: GLib's own would all be polled each time round.
public final class EpollSet {
  /// What a descriptor is waited to be.
  ///
  /// Hang-ups and errors are reported unasked.
  public struct Interest: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt8

    /// A set of these bits.
    public init(rawValue: UInt8) {
      self.rawValue = rawValue
    }

    /// Bytes, or connections, have come.
    public static let input = Interest(rawValue: 1)
    /// Bytes can be sent.
    public static let output = Interest(rawValue: 2)

    fileprivate var events: UInt32 {
      (contains(.input) ? EPOLLIN.rawValue : 0) | (contains(.output) ? EPOLLOUT.rawValue : 0)
    }
  }

  /// What happened to a descriptor.
  public struct Event: Sendable {
    /// What the descriptor was added with.
    public let token: UInt64
    /// Bytes, or connections, have come.
    public let input: Bool
    /// Bytes can be sent.
    public let output: Bool
    /// The other end is gone in both directions, or the descriptor is broken.
    public let hangUp: Bool
  }

  /// How many events one round handles at most, so that the loop's other sources have their turn.
  private static let batch = 256

  private let descriptor: FileDescriptor
  private var source: Source?

  /// An empty set, whose events go to `handler`.
  public init(_ handler: @escaping (Event) -> Void) throws(SystemError) {
    let raw = epoll_create1(CInt(EPOLL_CLOEXEC))
    guard raw >= 0 else { throw SystemError("epoll_create1", errno) }
    descriptor = FileDescriptor(owning: raw)
    source = MainLoop.watch(raw, for: .readable) { [unowned self] _ in dispatch(handler) }
  }

  /// Waits for `interest` on a descriptor.
  ///
  /// `token` comes back with its events; the caller sees to it that no two descriptors of one time have the same.
  public func add(_ raw: CInt, token: UInt64, _ interest: Interest) throws(SystemError) {
    guard control(EPOLL_CTL_ADD, raw, token, interest) == 0 else { throw SystemError("epoll_ctl", errno) }
  }

  /// Waits for something else on a descriptor that was added.
  public func modify(_ raw: CInt, token: UInt64, _ interest: Interest) {
    _ = control(EPOLL_CTL_MOD, raw, token, interest)
  }

  /// Waits for the descriptor no longer.
  ///
  /// Closing it does the same.
  public func remove(_ raw: CInt) {
    _ = control(EPOLL_CTL_DEL, raw, 0, [])
  }

  private func control(_ operation: CInt, _ raw: CInt, _ token: UInt64, _ interest: Interest) -> CInt {
    var event = unsafe epoll_event(events: interest.events, data: epoll_data_t(u64: token))
    return unsafe epoll_ctl(descriptor.raw, operation, raw, &event)
  }

  private func dispatch(_ handler: (Event) -> Void) {
    unsafe withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: Self.batch) { events in
      // An interrupted call is made again in the loop's next round.
      let count = unsafe epoll_wait(descriptor.raw, events.baseAddress, CInt(Self.batch), 0)
      for index in 0..<max(0, Int(count)) {
        let event = unsafe events[index]
        let met = unsafe event.events
        handler(
          Event(
            token: unsafe event.data.u64, input: met & EPOLLIN.rawValue != 0, output: met & EPOLLOUT.rawValue != 0,
            hangUp: met & (EPOLLHUP.rawValue | EPOLLERR.rawValue) != 0))
      }
    }
  }
}
