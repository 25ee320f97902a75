internal import CThemedLinux
internal import Glibc

/// A set of descriptors that are waited for together and identified by numbers (epoll).
///
/// The set is a descriptor itself. It is readable while one of its descriptors is readable or broken, so a set can be
/// in another set. Any thread may add and remove descriptors while another thread waits.
public struct DescriptorSet: ~Copyable, Sendable {
  /// Readable while one of the descriptors is; it stays the same while this value lives.
  public let descriptor: FileDescriptor

  public init() throws(SystemError) {
    descriptor = try FileDescriptor("epoll_create1", epoll_create1(CInt(EPOLL_CLOEXEC)))
  }

  /// Adds a descriptor, which the set then waits for to become readable.
  public func add(_ raw: CInt, as number: UInt64) throws(SystemError) {
    guard control(EPOLL_CTL_ADD, raw, as: number, EPOLLIN.rawValue) else { throw SystemError(errnoOf: "epoll_ctl") }
  }

  /// Removes a descriptor from the set.
  ///
  /// Do this before you close the descriptor: after a fork, closing it here does not remove it from the set.
  public func remove(_ raw: CInt) { _ = control(EPOLL_CTL_DEL, raw, as: 0, 0) }

  /// Returns the numbers of some ready descriptors; waits until there is one, or returns an empty array at once.
  public func ready(_ blocking: Blocking) -> [UInt64] {
    let maximum = 16
    return unsafe withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: maximum) { events in
      let limit = blocking == .blocking ? nil : 0
      while true {
        // An interrupted wait looks like one without events.
        let count = unsafe wait(events, atMostMilliseconds: limit)
        if count > 0 || limit != nil { return (0..<count).map { unsafe events[$0].data.u64 } }
      }
    }
  }

  /// Changes what the set waits for; false if that fails, with the reason in errno.
  func control(_ operation: CInt, _ raw: CInt, as number: UInt64, _ events: UInt32) -> Bool {
    var event = unsafe epoll_event(events: events, data: epoll_data_t(u64: number))
    return unsafe epoll_ctl(descriptor.raw, operation, raw, &event) == 0
  }

  /// Waits for events, for at most this many milliseconds, and returns their number; 0 also if the wait was
  /// interrupted.
  func wait(_ events: UnsafeMutableBufferPointer<epoll_event>, atMostMilliseconds limit: Int?) -> Int {
    let timeout = limit.map { CInt(clamping: $0) } ?? -1
    return unsafe Int(max(0, epoll_wait(descriptor.raw, events.baseAddress, CInt(events.count), timeout)))
  }
}

/// Any number of descriptors of the main loop with one handler, identified by tokens; a source for each would cost
/// memory and time.
///
/// Only one such set can exist at a time.
public final class EpollSet {
  /// The token of a descriptor, and the conditions that it is in.
  public struct Event: Sendable {
    public let token: UInt64
    public let condition: EventLoop.Condition
  }

  private let loop = EventLoop.main

  /// An empty set without a handler.
  public init() throws(SystemError) {
    precondition(loop.handler == nil, "a second EpollSet")
    try loop.withSet { _ in }
    loop.handler = { _ in }
  }

  deinit { loop.handler = nil }

  /// Sets the handler of all events.
  public func handle(_ handler: @escaping (Event) -> Void) { loop.handler = handler }

  /// Adds a descriptor and waits for `condition`.
  ///
  /// `token`, which is below 2^63, comes back with its events; no two descriptors may have the same token at the same
  /// time.
  public func add(_ raw: CInt, token: UInt64, _ condition: EventLoop.Condition) throws(SystemError) {
    try control(EPOLL_CTL_ADD, raw, token, condition)
  }

  /// Changes what to wait for on a descriptor.
  public func modify(_ raw: CInt, token: UInt64, _ condition: EventLoop.Condition) throws(SystemError) {
    try control(EPOLL_CTL_MOD, raw, token, condition)
  }

  private func control(_ operation: CInt, _ raw: CInt, _ token: UInt64, _ condition: EventLoop.Condition)
    throws(SystemError)
  {
    let code = try loop.withSet { $0.control(operation, raw, as: token, condition.rawValue) ? 0 : errno }
    guard code == 0 else { throw SystemError("epoll_ctl", code) }
  }

  /// Removes a descriptor.
  ///
  /// Closing it does the same. This needs no memory, and fails only for a descriptor that is not in the set.
  public func remove(_ raw: CInt) { try? loop.withSet { $0.remove(raw) } }
}
