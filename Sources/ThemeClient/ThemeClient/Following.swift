internal import Synchronization
internal import ThemedClientCore
internal import ThemedSystem

/// Makes the shared thread follow the daemon and report each new value, until this object is released.
final class Following: Sendable {
  /// Receives each value on the shared thread, and at the end the error that stopped it, if there is one.
  typealias Tell<Value> = @Sendable (Result<Value, CallError>) -> Void

  private let number: UInt64

  init<Subject: Followed>(
    _ subject: Subject, socket: String?, tell: @escaping Tell<Subject.Value>
  ) throws(CallError) {
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
    let result: Result<Subject.Value, CallError>? = source.withLock { source in
      do throws(CallError) { return try source.process().map { .success($0) } } catch { return .failure(error) }
    }
    guard let result else { return true }
    tell(result)
    if case .failure = result { return false }
    return true
  }
}

/// Follows any subject in a task; ``AsyncThemeClient/Values`` iterates with it.
struct FollowingIterator<Subject: Followed> {
  private var values: AsyncThrowingStream<Subject.Value, any Error>.Iterator
  private var changes = Changes<Subject>()
  private var hasThrown = false

  init(_ subject: Subject, socket: String?) {
    let (stream, continuation) = AsyncThrowingStream<Subject.Value, any Error>.makeStream(
      bufferingPolicy: .bufferingNewest(1))
    values = stream.makeAsyncIterator()
    do throws(CallError) {
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
  mutating func next(isolation actor: isolated (any Actor)?) async throws(CallError) -> Subject.Value? {
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
      throw error as? CallError ?? .system("\(error)")
    }
  }
}

/// Something that the shared thread watches: it has a descriptor, and acts when the descriptor is readable.
protocol Attended: AnyObject, Sendable {
  /// The descriptor, which never changes.
  var descriptor: CInt { get }

  /// Does the work that is due, without waiting; returns whether to keep watching.
  func process() -> Bool
}

/// The one thread that waits for everything asynchronous in a process.
///
/// It starts with the first object to watch, and ends with the last.
final class SharedThread: Sendable {
  static let shared = SharedThread()

  /// The state of a running thread.
  private final class Room: Sendable {
    let set: DescriptorSet
    let bell: Bell

    init() throws(SystemError) {
      set = try DescriptorSet()
      bell = try Bell()
      try set.add(bell.descriptor.raw, as: SharedThread.bellNumber)
    }
  }

  private struct Work {
    var room: Room?
    var attended: [UInt64: any Attended] = [:]
    var count: UInt64 = SharedThread.bellNumber
  }

  private static let bellNumber: UInt64 = 0
  private let work = Mutex(Work())

  /// Watches an object from now on; pass the returned number to ``leave(_:)``.
  func attend(to newcomer: some Attended) throws(CallError) -> UInt64 {
    do throws(SystemError) {
      return try work.withLock { (work) throws(SystemError) -> UInt64 in
        let room = if let room = work.room { room } else { try begin() }
        work.room = room
        work.count += 1
        work.attended[work.count] = newcomer
        do throws(SystemError) { try room.set.add(newcomer.descriptor, as: work.count) } catch {
          work.attended[work.count] = nil
          if work.attended.isEmpty { room.bell.ring() }
          throw error
        }
        return work.count
      }
    } catch { throw .system(error.description) }
  }

  /// Stops watching an object; does nothing if it is not watched.
  ///
  /// A call of its `process()` that has begun may still finish.
  func leave(_ number: UInt64) {
    // Released only after unlocking, because its deinit may release other watched objects.
    let left: (any Attended)? = work.withLock { work in
      guard let left = work.attended.removeValue(forKey: number), let room = work.room else { return nil }
      room.set.remove(left.descriptor)
      if work.attended.isEmpty { room.bell.ring() }
      return left
    }
    _ = left
  }

  private func begin() throws(SystemError) -> Room {
    let room = try Room()
    try startThread { [self] in run(room) }
    return room
  }

  private func run(_ room: Room) {
    while true {
      for number in room.set.ready(.blocking) {
        if number == Self.bellNumber {
          room.bell.silence()
        } else if let one = work.withLock({ $0.attended[number] }), !one.process() {
          leave(number)
        }
      }
      let isOver = work.withLock { work in
        guard work.attended.isEmpty else { return false }
        // The next object to watch starts a new thread.
        work.room = nil
        return true
      }
      if isOver { return }
    }
  }
}
