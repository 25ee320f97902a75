internal import CThemedLinux
internal import Glibc

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
