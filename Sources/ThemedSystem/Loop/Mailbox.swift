internal import CThemedLinux
internal import Glibc
internal import Synchronization

/// A descriptor that one thread makes readable for another (eventfd).
package struct Bell: ~Copyable, Sendable {
  /// Readable from ``ring()`` until ``silence()``.
  package let descriptor: FileDescriptor

  package init() throws(SystemError) {
    descriptor = try FileDescriptor("eventfd", eventfd(0, CInt(EFD_CLOEXEC | EFD_NONBLOCK)))
  }

  /// Makes the descriptor readable.
  package func ring() {
    // This fails only after more rings than 64 bits can count.
    _ = eventfd_write(descriptor.raw, 1)
  }

  /// Makes the descriptor no longer readable.
  package func silence() {
    var count: eventfd_t = 0
    _ = unsafe eventfd_read(descriptor.raw, &count)
  }
}

/// Messages of other threads to the loop.
package final class Mailbox<Letter: Sendable>: Sendable {
  private let letters = Mutex<[Letter]>([])
  private let bell: Bell

  package init() throws(SystemError) { bell = try Bell() }

  /// Readable when there is a message.
  package var descriptor: CInt { bell.descriptor.raw }

  /// Adds a message, on any thread.
  package func post(_ letter: Letter) {
    letters.withLock { $0.append(letter) }
    bell.ring()
  }

  package func take() -> [Letter] {
    bell.silence()
    return letters.withLock { letters in
      defer { letters = [] }
      return letters
    }
  }
}
