internal import Glibc
internal import Synchronization

/// Which file this process waits for, for a command that says so and gives up: a network mount that does not answer keeps
/// whoever looks at a file on it, for ever and in silence.
///
/// Only the thread that asks for it with ``watch(told:after:end:)`` is watched, and only the functions of this module that
/// take a path tell of it.
public enum FileWaits {
  private struct State {
    var thread: pthread_t?
    var looks: [(path: String, begun: Int, isEndless: Bool)] = []
    /// How many have begun.
    var count = 0
    var isWatched = false
    /// How many changes are being made, in the middle of which nothing is given up.
    var changes = 0
    var told: @Sendable (String) -> Void = { _ in }
    var end: @Sendable (String) -> Void = { _ in }
  }

  /// After how many milliseconds a wait is told, and after how many more it is given up.
  private static let patience = (told: 2_000, end: 8_000)
  private static let pause = 250

  private static let state = Mutex(State())
  private static let isOn = Atomic(false)

  /// Has `told` called, on another thread, once this thread has waited for a file for two seconds, and `end`, which does not
  /// return, after ten.
  public static func watch(told: @escaping @Sendable (String) -> Void, end: @escaping @Sendable (String) -> Void) {
    state.withLock { state in
      state.thread = pthread_self()
      state.told = told
      state.end = end
    }
    isOn.store(true, ordering: .relaxed)
  }

  /// This thread begins to look at what lies at a path; to be followed by ``end()``.
  ///
  /// An endless look is told, and never given up: somebody may take a long time to write into a pipe.
  public static func begin(_ path: String, isEndless: Bool = false) {
    guard isOn.load(ordering: .relaxed) else { return }
    let isToStart = state.withLock { state in
      guard let thread = state.thread, pthread_equal(thread, pthread_self()) != 0 else { return false }
      state.looks.append((path, monotonicMilliseconds(), isEndless))
      state.count += 1
      defer { state.isWatched = true }
      return !state.isWatched
    }
    // Where there is no room for a thread, nobody is told.
    if isToStart { try? startThread(attend) }
  }

  /// It has looked.
  public static func end() {
    guard isOn.load(ordering: .relaxed) else { return }
    // What the look has left there is the caller's.
    let code = errno
    defer { errno = code }
    state.withLock { state in
      guard let thread = state.thread, pthread_equal(thread, pthread_self()) != 0 else { return }
      _ = state.looks.popLast()
    }
  }

  /// Gives nothing up while `body` runs, which would leave half of a change; a wait is still told.
  public static func neverEnding<Value, Failure: Error>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value {
    state.withLock { $0.changes += 1 }
    defer { state.withLock { $0.changes -= 1 } }
    return try body()
  }

  /// What is done about a look.
  enum Verdict { case wait, tell, end }

  /// What is done about a look that has taken so long.
  static func verdict(afterMilliseconds waited: Int, isEndless: Bool) -> Verdict {
    if waited > patience.told + patience.end, !isEndless { return .end }
    return waited > patience.told ? .tell : .wait
  }

  /// Whether a change is being made.
  static var isChanging: Bool { state.withLock { $0.changes > 0 } }

  /// Goes on until nothing is looked at any more; the next look starts another thread.
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
