internal import Synchronization
internal import ThemeClientCore

/// Makes the shared thread follow the daemon and report each new value, until this object is released.
final class Following: Sendable {
  /// Receives each value on the shared thread, and at the end the error that stopped it, if there is one.
  typealias Tell<Value> = @Sendable (Result<Value, ThemeClientError>) -> Void

  private let number: UInt64

  init<Subject: Followed>(
    _ subject: Subject, socket: String?, tell: @escaping Tell<Subject.Value>
  ) throws(ThemeClientError) {
    let follower = Follower(try FollowingSource(subject, socket: socket), tell)
    number = try SharedThread.shared.attend(to: follower)
  }

  /// Stops following, if it has not stopped yet.
  func cancel() { SharedThread.shared.leave(number) }

  deinit { cancel() }
}

/// A source as the shared thread sees it.
private final class Follower<Subject: Followed>: Attended {
  private let source: Mutex<FollowingSource<Subject>>
  private let tell: Following.Tell<Subject.Value>
  let descriptor: CInt

  init(_ source: consuming sending FollowingSource<Subject>, _ tell: @escaping Following.Tell<Subject.Value>) {
    descriptor = source.descriptor
    self.source = Mutex(source)
    self.tell = tell
  }

  func process() -> Bool {
    let result: Result<Subject.Value, ThemeClientError>? = source.withLock { source in
      do throws(ThemeClientError) { return try source.process().map { .success($0) } } catch { return .failure(error) }
    }
    guard let result else { return true }
    tell(result)
    if case .failure = result { return false }
    return true
  }
}
