internal import CThemedLinux
internal import Glibc

/// A number that two processes see, and one of them counts up: the place in a file of no length that both have open.
///
/// No memory is shared, and so none is looked at while it is written to.
public struct SharedCount: ~Copyable, Sendable {
  /// By which another process gets to it.
  public let descriptor: FileDescriptor

  /// A number that is nought.
  public init() throws(SystemError) {
    descriptor = try FileDescriptor("memfd_create", unsafe memfd_create("count", UInt32(THEMED_MFD_CLOEXEC)))
  }

  /// The number that another process has made.
  public init(_ descriptor: consuming FileDescriptor) {
    self.descriptor = descriptor
  }

  /// Counts.
  public func add() { _ = lseek(descriptor.raw, 1, SEEK_CUR) }

  /// The number now.
  public var value: Int { Int(lseek(descriptor.raw, 0, SEEK_CUR)) }
}
