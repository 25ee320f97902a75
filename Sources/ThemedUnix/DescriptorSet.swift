internal import CThemedLinux
internal import Glibc

/// Descriptors that are waited for together, told apart by numbers (epoll).
///
/// It is a descriptor itself, readable while one of them is, or is broken; so a set may be in another one. Any thread may
/// add and remove while another one waits.
public struct DescriptorSet: ~Copyable, Sendable {
  /// Readable while one of them is; the same for as long as this value lives.
  public let descriptor: FileDescriptor

  /// An empty set.
  public init() throws(SystemError) {
    descriptor = try FileDescriptor("epoll_create1", epoll_create1(CInt(EPOLL_CLOEXEC)))
  }

  /// Waits for a descriptor to be readable, too.
  public func add(_ raw: CInt, as number: UInt64) throws(SystemError) {
    var event = unsafe epoll_event(events: EPOLLIN.rawValue, data: epoll_data_t(u64: number))
    guard unsafe epoll_ctl(descriptor.raw, EPOLL_CTL_ADD, raw, &event) == 0 else {
      throw SystemError(errnoOf: "epoll_ctl")
    }
  }

  /// Waits for a descriptor no longer.
  ///
  /// It has to be told before that is closed: where the process has been forked, closing is not the end of it.
  public func remove(_ raw: CInt) {
    var event = unsafe epoll_event()
    _ = unsafe epoll_ctl(descriptor.raw, EPOLL_CTL_DEL, raw, &event)
  }

  /// The numbers of some that are ready; waits until there is one, or returns none at once.
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
