internal import CThemedLinux
internal import Glibc
internal import Synchronization

/// A descriptor that one thread makes readable for another (eventfd).
public struct Bell: ~Copyable, Sendable {
  /// Readable from ``ring()`` until ``silence()``.
  public let descriptor: FileDescriptor

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

/// Messages of other threads to the loop.
public final class Mailbox<Letter: Sendable>: Sendable {
  private let letters = Mutex<[Letter]>([])
  private let bell: Bell

  public init() throws(SystemError) { bell = try Bell() }

  /// Readable when there is a message.
  public var descriptor: CInt { bell.descriptor.raw }

  /// Adds a message, on any thread.
  public func post(_ letter: Letter) {
    letters.withLock { $0.append(letter) }
    bell.ring()
  }

  public func take() -> [Letter] {
    bell.silence()
    return letters.withLock { letters in
      defer { letters = [] }
      return letters
    }
  }
}
