internal import CThemedLinux
internal import Glibc
internal import Synchronization

/// Records which file this process is waiting for, so that a command can say so and give up if a network mount hangs.
///
/// It covers only the thread that called ``watch(told:after:end:)``, and only the functions of this module that take a
/// path.
public enum FileWaits {
  private struct State {
    var thread: pthread_t?
    var looks: [(path: String, begun: Int, isEndless: Bool)] = []
    /// The number of accesses so far.
    var count = 0
    var isWatched = false
    /// The number of changes that are being made; no wait is given up in the middle of a change.
    var changes = 0
    var told: @Sendable (String) -> Void = { _ in }
    var end: @Sendable (String) -> Void = { _ in }
  }

  /// How many milliseconds pass until a wait is reported, and how many more until it is given up.
  private static let patience = (told: 2_000, end: 8_000)
  private static let pause = 250

  private static let state = Mutex(State())
  private static let isOn = Atomic(false)

  /// Calls `told` on another thread when this thread has waited for a file for two seconds, and `end`, which does not
  /// return, after ten.
  public static func watch(told: @escaping @Sendable (String) -> Void, end: @escaping @Sendable (String) -> Void) {
    state.withLock { state in
      state.thread = pthread_self()
      state.told = told
      state.end = end
    }
    isOn.store(true, ordering: .relaxed)
  }

  /// Marks that this thread starts to access a path; call ``end()`` afterwards.
  ///
  /// An endless access is reported but never given up: a writer to a pipe may take a long time.
  public static func begin(_ path: String, isEndless: Bool = false) {
    guard isOn.load(ordering: .relaxed) else { return }
    let isToStart = state.withLock { state in
      guard let thread = state.thread, pthread_equal(thread, pthread_self()) != 0 else { return false }
      state.looks.append((path, monotonicMilliseconds(), isEndless))
      state.count += 1
      defer { state.isWatched = true }
      return !state.isWatched
    }
    // If no thread can be created, waits are not reported.
    if isToStart { try? startThread(attend) }
  }

  /// Marks that the access is over.
  public static func end() {
    guard isOn.load(ordering: .relaxed) else { return }
    // errno belongs to the caller.
    let code = errno
    defer { errno = code }
    state.withLock { state in
      guard let thread = state.thread, pthread_equal(thread, pthread_self()) != 0 else { return }
      _ = state.looks.popLast()
    }
  }

  /// Runs `body` without giving up any wait, because that would leave half of a change; long waits are still reported.
  public static func neverEnding<Value, Failure: Error>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value {
    state.withLock { $0.changes += 1 }
    defer { state.withLock { $0.changes -= 1 } }
    return try body()
  }

  enum Verdict { case wait, tell, end }

  static func verdict(afterMilliseconds waited: Int, isEndless: Bool) -> Verdict {
    if waited > patience.told + patience.end, !isEndless { return .end }
    return waited > patience.told ? .tell : .wait
  }

  /// Runs until no access is under way; the next access starts another thread.
  private static func attend() {
    var (last, told) = (-1, -1)
    while true {
      usleep(useconds_t(pause * 1000))
      let now = monotonicMilliseconds()
      enum Step { case go, stop, tell(String), end(String) }
      let (step, said) = state.withLock { state -> (Step, State) in
        guard let look = state.looks.last else {
          if state.count == last {
            state.isWatched = false
            return (.stop, state)
          }
          last = state.count
          return (.go, state)
        }
        let isEndless = look.isEndless || state.changes > 0
        switch verdict(afterMilliseconds: now - look.begun, isEndless: isEndless) {
        case .end: return (.end(look.path), state)
        case .tell where told != state.count:
          told = state.count
          return (.tell(look.path), state)
        case .tell, .wait: return (.go, state)
        }
      }
      switch step {
      case .go: break
      case .stop: return
      case .tell(let path): said.told(path)
      case .end(let path): return said.end(path)
      }
    }
  }
}
