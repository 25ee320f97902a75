internal import Synchronization
internal import ThemedSystem

/// The messages of threads to the loop.
final class Mailbox: Sendable {
  enum Letter: Sendable {
    /// A run has ended.
    case ended(LaneName, Outcome)
  }

  private let letters = Mutex<[Letter]>([])
  private let bell: Bell

  init() throws(SystemError) { bell = try Bell() }

  /// Readable when there is a message.
  var descriptor: CInt { bell.descriptor.raw }

  func post(_ letter: Letter) {
    letters.withLock { $0.append(letter) }
    bell.ring()
  }

  /// The messages that have arrived.
  func take() -> [Letter] {
    bell.silence()
    return letters.withLock { letters in
      defer { letters = [] }
      return letters
    }
  }
}
