import Foundation
import Synchronization
public import Testing

/// Gives each test of a suite a thread of its own, for those that block: they wait for programs, and hold nobody up.
///
/// The threads of the cooperative pool are as many as there are processors, and asynchronous tests need them. Some tests
/// run at a time, `THEMED_TEST_WIDTH` of them; the others wait without a thread.
public struct OwnThreads: SuiteTrait, TestTrait, TestScoping {
  /// Whether each test waits for its turn.
  let inTurn: Bool

  /// Each test of a suite and of the suites within it.
  public var isRecursive: Bool { true }

  /// Runs one test, when it is its turn.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    if inTurn { await Turns.shared.take() }
    defer { if inTurn { Turns.shared.give() } }
    try await withTaskExecutorPreference(ThreadPerJob.shared, operation: function)
  }
}

extension Trait where Self == OwnThreads {
  /// For a test that blocks, or a suite of such tests.
  public static var ownThreads: Self { Self(inTurn: true) }

  /// The same for short tests with a limit of time, in which waiting for a turn would count.
  public static var ownThreadsAtOnce: Self { Self(inTurn: false) }
}

/// Runs each job on a new thread.
private final class ThreadPerJob: TaskExecutor {
  static let shared = ThreadPerJob()

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let thread = Thread { [self] in unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
    // What the main thread has: tests write their arrays on the stack.
    thread.stackSize = 8 << 20
    thread.start()
  }
}

/// How many tests run at a time.
private final class Turns: Sendable {
  static let shared = Turns()

  private struct State {
    var free: Int
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state: Mutex<State>

  init() {
    // They wait more than they work.
    let width = ProcessInfo.processInfo.environment["THEMED_TEST_WIDTH"].flatMap(Int.init)
    state = Mutex(State(free: max(1, width ?? 4 * ProcessInfo.processInfo.activeProcessorCount)))
  }

  func take() async {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        if state.free == 0 {
          state.waiting.append(continuation)
          return false
        }
        state.free -= 1
        return true
      }
      if isFree { continuation.resume() }
    }
  }

  func give() {
    let next: CheckedContinuation<Void, Never>? = state.withLock { state in
      guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
      state.free += 1
      return nil
    }
    next?.resume()
  }
}
