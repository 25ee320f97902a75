internal import CThemedLinux
internal import Glibc

/// A set of descriptors that are waited for together and identified by numbers (epoll).
///
/// The set is a descriptor itself. It is readable while one of its descriptors is readable or broken, so a set can be
/// in another set. Any thread may add and remove descriptors while another thread waits.
public struct DescriptorSet: ~Copyable, Sendable {
  /// Readable while one of the descriptors is; it stays the same while this value lives.
  public let descriptor: FileDescriptor

  /// An empty set.
  public init() throws(SystemError) {
    descriptor = try FileDescriptor("epoll_create1", epoll_create1(CInt(EPOLL_CLOEXEC)))
  }

  /// Adds a descriptor, which the set then waits for to become readable.
  public func add(_ raw: CInt, as number: UInt64) throws(SystemError) {
    var event = unsafe epoll_event(events: EPOLLIN.rawValue, data: epoll_data_t(u64: number))
    guard unsafe epoll_ctl(descriptor.raw, EPOLL_CTL_ADD, raw, &event) == 0 else {
      throw SystemError(errnoOf: "epoll_ctl")
    }
  }

  /// Removes a descriptor from the set.
  ///
  /// Do this before you close the descriptor: after a fork, closing it here does not remove it from the set.
  public func remove(_ raw: CInt) {
    var event = unsafe epoll_event()
    _ = unsafe epoll_ctl(descriptor.raw, EPOLL_CTL_DEL, raw, &event)
  }

  /// Returns the numbers of some ready descriptors; waits until there is one, or returns an empty array at once.
  public func ready(_ blocking: Blocking) -> [UInt64] {
    let maximum = 16
    return unsafe withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: maximum) { events in
      var count: CInt
      repeat {
        count = unsafe epoll_wait(descriptor.raw, events.baseAddress, CInt(maximum), blocking == .blocking ? -1 : 0)
      } while count < 0 && errno == EINTR
      return (0..<Int(max(0, count))).map { unsafe events[$0].data.u64 }
    }
  }
}

/// A descriptor that one thread makes readable for another (eventfd).
public struct Bell: ~Copyable, Sendable {
  /// Readable from ``ring()`` until ``silence()``.
  public let descriptor: FileDescriptor

  /// A bell that is silent.
  public init() throws(SystemError) {
    descriptor = try FileDescriptor("eventfd", eventfd(0, CInt(EFD_CLOEXEC | EFD_NONBLOCK)))
  }

  /// Makes the descriptor readable.
  public func ring() {
    // This fails only after more rings than 64 bits can count.
    _ = eventfd_write(descriptor.raw, 1)
  }

  /// Makes the descriptor no longer readable.
  public func silence() {
    var count: eventfd_t = 0
    _ = unsafe eventfd_read(descriptor.raw, &count)
  }
}
