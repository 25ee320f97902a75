internal import CThemedLinux
internal import Glibc
public import ThemedSystem

/// A set of any number of descriptors with one handler, identified by tokens; a source for each would cost memory and
/// time.
///
/// Only one such set can exist at a time.
public final class EpollSet {
  /// The conditions to wait for on a descriptor.
  ///
  /// Hang-ups and errors are always reported.
  public struct Interest: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt8

    /// A set of these bits.
    public init(rawValue: UInt8) {
      self.rawValue = rawValue
    }

    /// Bytes or connections have arrived.
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
    /// Bytes or connections have arrived.
    public var input: Bool { bits & EPOLLIN.rawValue != 0 }
    /// Bytes can be sent.
    public var output: Bool { bits & EPOLLOUT.rawValue != 0 }
    /// The other end has closed both directions, or the descriptor is broken.
    public var hangUp: Bool { bits & (EPOLLHUP.rawValue | EPOLLERR.rawValue) != 0 }

    /// The bits of epoll.
    let bits: UInt32
  }

  private let waiter: Waiter

  /// An empty set without a handler.
  public init() throws(SystemError) {
    waiter = try Waiter.shared()
    precondition(waiter.handler == nil, "a second EpollSet")
    waiter.handler = { _ in }
  }

  deinit { waiter.handler = nil }

  /// Sets the handler of all events.
  public func handle(_ handler: @escaping (Event) -> Void) {
    waiter.handler = handler
  }

  /// Adds a descriptor and waits for `interest`.
  ///
  /// `token`, which is below 2^62, comes back with its events; no two descriptors may have the same token at the same
  /// time.
  public func add(_ raw: CInt, token: UInt64, _ interest: Interest) throws(SystemError) {
    guard waiter.control(EPOLL_CTL_ADD, raw, token, interest.events) == 0 else {
      throw SystemError("epoll_ctl", errno)
    }
  }

  /// Changes what to wait for on a descriptor.
  public func modify(_ raw: CInt, token: UInt64, _ interest: Interest) throws(SystemError) {
    guard waiter.control(EPOLL_CTL_MOD, raw, token, interest.events) == 0 else {
      throw SystemError("epoll_ctl", errno)
    }
  }

  /// Removes a descriptor.
  ///
  /// Closing it does the same. This needs no memory, and fails only for a descriptor that is not in the set.
  public func remove(_ raw: CInt) {
    _ = waiter.control(EPOLL_CTL_DEL, raw, 0, 0)
  }
}
