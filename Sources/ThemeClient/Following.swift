internal import Synchronization

/// Has the shared thread follow the daemon, and tell what comes, until it goes.
final class Following: Sendable {
  /// Takes each state, on the shared thread, and at last what ended them, if anything did.
  typealias Tell = @Sendable (Result<ThemeState, ThemeClientError>) -> Void

  private let number: UInt64

  init(app: String?, details: Bool, socket: String?, tell: @escaping Tell) throws(ThemeClientError) {
    let follower = Follower(try ThemeSource(app: app, details: details, socket: socket), tell)
    number = try SharedThread.shared.attend(to: follower)
  }

  /// Ends it, if it has not ended.
  func cancel() { SharedThread.shared.leave(number) }

  deinit { cancel() }
}

/// A source, as the shared thread has it.
private final class Follower: Attended {
  private let source: Mutex<ThemeSource>
  private let tell: Following.Tell
  let descriptor: CInt

  init(_ source: consuming sending ThemeSource, _ tell: @escaping Following.Tell) {
    descriptor = source.descriptor
    self.source = Mutex(source)
    self.tell = tell
  }

  func process() -> Bool {
    let result: Result<ThemeState, ThemeClientError>? = source.withLock { source in
      do throws(ThemeClientError) { return try source.process().map { .success($0) } } catch { return .failure(error) }
    }
    guard let result else { return true }
    tell(result)
    if case .failure = result { return false }
    return true
  }
}
