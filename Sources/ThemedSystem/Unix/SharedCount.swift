internal import CThemedLinux
internal import Glibc

/// A number that one process counts up and another one reads: the file position of an empty file that both have open.
///
/// They share no memory, so neither reads memory while the other writes it.
public struct SharedCount: ~Copyable, Sendable {
  /// The descriptor to pass to the other process.
  public let descriptor: FileDescriptor

  /// A number that starts at zero.
  public init() throws(SystemError) {
    descriptor = try FileDescriptor("memfd_create", unsafe memfd_create("count", UInt32(THEMED_MFD_CLOEXEC)))
  }

  /// The number of another process.
  public init(_ descriptor: consuming FileDescriptor) {
    self.descriptor = descriptor
  }

  /// Adds one.
  public func add() { _ = lseek(descriptor.raw, 1, SEEK_CUR) }

  /// The current number.
  public var value: Int { Int(lseek(descriptor.raw, 0, SEEK_CUR)) }
}
