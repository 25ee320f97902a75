internal import ThemeClientCore

/// The iterator of ``ThemeStates``, for any subject.
struct FollowingIterator<Subject: Followed> {
  private var values: AsyncThrowingStream<Subject.Value, any Error>.Iterator
  private var changes = Changes<Subject>()
  private var hasThrown = false

  init(_ subject: Subject, socket: String?) {
    let (stream, continuation) = AsyncThrowingStream<Subject.Value, any Error>.makeStream(
      bufferingPolicy: .bufferingNewest(1))
    values = stream.makeAsyncIterator()
    do throws(ThemeClientError) {
      let following = try Following(subject, socket: socket) { result in
        switch result {
        case .success(let value): continuation.yield(value)
        case .failure(let error): continuation.finish(throwing: error)
        }
      }
      // Runs when the task is cancelled or the iterator is dropped.
      continuation.onTermination = { _ in following.cancel() }
    } catch { continuation.finish(throwing: error) }
  }

  /// The next value that differs from the previous one; nil once the task is cancelled.
  mutating func next(isolation actor: isolated (any Actor)?) async throws(ThemeClientError) -> Subject.Value? {
    // A stream that has thrown while a task waited for it would throw again.
    guard !hasThrown else { return nil }
    do {
      while let value = try await values.next(isolation: actor) {
        // The newest value may equal the last one that the consumer saw, with different values skipped in between.
        if changes.isNew(value) { return value }
      }
      return nil
    } catch {
      hasThrown = true
      throw error as? ThemeClientError ?? .system("\(error)")
    }
  }
}
