/// Decides what to do next for a saved file, and which callers to answer: a pure rule.
///
/// Only one operation is under way. Changes that come meanwhile wait for the next save, which saves what is current
/// when it starts, so one save answers all of them. After a failure the waiting callers are answered at once. The
/// operation is repeated with the next change, after a delay, and once more at the exit.
struct SaveQueue<Waiter> {
  /// The next step for the caller.
  enum Next: Equatable {
    /// Read the file, and take its lock.
    case load
    /// Save the current content.
    case save
    /// Call ``retry()`` after this many milliseconds, unless something happens before.
    case wait(Int)
    /// Nothing, until something happens.
    case nothing
  }

  /// The result of an operation.
  enum Outcome: Equatable {
    /// It succeeded; after a load, the file is ours.
    case done
    /// Another daemon holds the lock: the file was only read, or not written.
    case anothers
    /// It failed.
    case failed
  }

  /// The delays before a failed operation is repeated, in milliseconds; the last one is used from then on, and without
  /// any, nothing is repeated by itself.
  private let delays: [Int]
  /// Whether the file was read under its lock: otherwise a save could overwrite content that we do not know.
  private var isOurs: Bool
  private var inFlight: (isLoad: Bool, waiters: [Waiter])?
  private var waiting: [Waiter] = []
  /// Whether the current content is not on disk.
  private var isUnsaved = false
  private var failures = 0
  private var isEnding = false

  /// A rule for a file that is read first, or that is only written.
  init(readsFirst: Bool, delays: [Int]) {
    isOurs = !readsFirst
    self.delays = delays
  }

  /// Whether no operation is under way.
  var isIdle: Bool { inFlight == nil }

  /// Whether nothing is left to do: the file is ours and has the current content.
  var isSettled: Bool { isIdle && isOurs && !isUnsaved }

  /// The content has changed; nil if no caller waits for the save.
  mutating func request(for waiter: Waiter?) -> Next {
    isUnsaved = true
    if let waiter { waiting.append(waiter) }
    return begin() ?? .nothing
  }

  /// The delay of a ``Next/wait(_:)`` is over.
  mutating func retry() -> Next { begin() ?? .nothing }

  /// Retries now, as if there had been no failure.
  mutating func retryFromStart() -> Next {
    failures = 0
    return retry()
  }

  /// The daemon is about to exit: what is not saved is tried once more.
  mutating func end() -> Next {
    isEnding = true
    return isUnsaved ? retry() : .nothing
  }

  /// The operation is finished; returns the callers to answer and what to do next.
  mutating func finished(_ outcome: Outcome) -> (told: [Waiter], next: Next) {
    guard let ended = inFlight else { return ([], .nothing) }
    inFlight = nil
    if case .done = outcome {
      failures = 0
      isOurs = true
      return (ended.waiters, begin() ?? .nothing)
    }
    if !ended.isLoad { isUnsaved = true }
    if case .anothers = outcome { isOurs = false }
    var told = ended.waiters
    if ended.isLoad || !isOurs {
      // What they are waiting for will take long.
      told += waiting
      waiting = []
    } else if !waiting.isEmpty, let next = begin() {
      return (told, next)
    }
    guard !isEnding, let last = delays.last else { return (told, .nothing) }
    failures += 1
    return (told, .wait(failures <= delays.count ? delays[failures - 1] : last))
  }

  private mutating func begin() -> Next? {
    guard isIdle else { return nil }
    guard isOurs else {
      inFlight = (isLoad: true, waiters: [])
      return .load
    }
    guard isUnsaved else { return nil }
    inFlight = (isLoad: false, waiters: waiting)
    (waiting, isUnsaved) = ([], false)
    return .save
  }
}
