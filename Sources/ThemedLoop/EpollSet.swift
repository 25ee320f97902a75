internal import CThemedLinux
internal import Glibc
public import ThemedUnix

/// A set of any number of descriptors with one handler, identified by tokens; a source for each would cost memory and
/// time.
///
/// Only one such set can exist at a time.
public final class EpollSet {
  /// What to wait for on a descriptor.
  ///
  /// Hang-ups and errors are always reported.
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

  /// An event of a descriptor.
  public struct Event: Sendable {
    /// The token that the descriptor was added with.
    public let token: UInt64
    /// Bytes, or connections, have come.
    public var input: Bool { bits & EPOLLIN.rawValue != 0 }
    /// Bytes can be sent.
    public var output: Bool { bits & EPOLLOUT.rawValue != 0 }
    /// The other end is gone in both directions, or the descriptor is broken.
    public var hangUp: Bool { bits & (EPOLLHUP.rawValue | EPOLLERR.rawValue) != 0 }

    /// epoll's.
    let bits: UInt32
  }

  private let waiter: Waiter

  /// An empty set, whose events go nowhere yet.
  public init() throws(SystemError) {
    waiter = try Waiter.shared()
    precondition(waiter.handler == nil, "a second EpollSet")
    waiter.handler = { _ in }
  }

  deinit { waiter.handler = nil }

  /// Has all events go to `handler`.
  public func handle(_ handler: @escaping (Event) -> Void) {
    waiter.handler = handler
  }

  /// Waits for `interest` on a descriptor.
  ///
  /// `token`, below 2^62, comes back with its events; the caller sees to it that no two descriptors of one time have the
  /// same.
  public func add(_ raw: CInt, token: UInt64, _ interest: Interest) throws(SystemError) {
    guard waiter.control(EPOLL_CTL_ADD, raw, token, interest.events) == 0 else {
      throw SystemError("epoll_ctl", errno)
    }
  }

  /// Waits for something else on a descriptor that was added.
  public func modify(_ raw: CInt, token: UInt64, _ interest: Interest) throws(SystemError) {
    guard waiter.control(EPOLL_CTL_MOD, raw, token, interest.events) == 0 else {
      throw SystemError("epoll_ctl", errno)
    }
  }

  /// Waits for the descriptor no longer.
  ///
  /// Closing it does the same. It needs no memory, and fails only for a descriptor that is not in the set.
  public func remove(_ raw: CInt) {
    _ = waiter.control(EPOLL_CTL_DEL, raw, 0, 0)
  }
}
