import Synchronization

/// The messages of a call that goes on meanwhile, such as that it waits for another process.
package enum Notices {
  private static let listener = Mutex<@Sendable (String) -> Void>({ _ in })

  /// Makes `body` show such messages from now on.
  package static func listen(_ body: @escaping @Sendable (String) -> Void) { listener.withLock { $0 = body } }

  package static func tell(_ message: String) { listener.withLock { $0 }(message) }
}
