/// What to do next for a file that is kept, and who is told: a pure rule.
///
/// One thing is in flight. Whoever comes meanwhile waits for the next save, which saves what holds when it begins: so one
/// save answers all whose changes it contains. Where something fails, those who wait are told at once; it is tried again
/// when the next change asks, after a while, and once more at the end.
struct SaveQueue<Waiter> {
  /// What to do next.
  enum Next: Equatable {
    /// Read the file, and take its lock.
    case load
    /// Save what holds now.
    case save
    /// Go on by ``retry()`` after so many milliseconds, unless something comes before.
    case wait(Int)
    /// Nothing, until something comes.
    case nothing
  }

  /// What came of what was in flight.
  enum Outcome: Equatable {
    /// It is done; after a load, the file is ours.
    case done
    /// The file was read, or was not written: another daemon has its lock.
    case anothers
    /// It could not be done.
    case failed
  }

  /// After how many milliseconds what has failed is tried again, and the last one holds from then on; none: not by itself.
  private let delays: [Int]
  /// Whether the file was read under its lock: nothing is saved over what may hold more than we know.
  private var isOurs: Bool
  private var inFlight: (isLoad: Bool, waiters: [Waiter])?
  private var waiting: [Waiter] = []
  /// Whether something holds that is not on the disk.
  private var isUnsaved = false
  private var failures = 0
  private var isEnding = false

  /// A rule for a file that is read first, or only written.
  init(readsFirst: Bool, delays: [Int]) {
    isOurs = !readsFirst
    self.delays = delays
  }

  /// Whether nothing is in flight.
  var isIdle: Bool { inFlight == nil }

  /// Whether there is nothing left to do: the file is ours and holds what holds.
  var isSettled: Bool { isIdle && isOurs && !isUnsaved }

  /// Something has changed that is to be saved; nil where nobody waits for that.
  mutating func request(for waiter: Waiter?) -> Next {
    isUnsaved = true
    if let waiter { waiting.append(waiter) }
    return begin() ?? .nothing
  }

  /// The time of a ``Next/wait(_:)`` has come.
  mutating func retry() -> Next { begin() ?? .nothing }

  /// Somebody asks for it to be tried again now, as if it had not failed before.
  mutating func retryAnew() -> Next {
    failures = 0
    return retry()
  }

  /// It is about to end: what is not saved is tried once more, and then no more.
  mutating func end() -> Next {
    isEnding = true
    return isUnsaved ? retry() : .nothing
  }

  /// What was in flight has ended: whom to tell of it, and what to do next.
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
      // What they wait for does not come soon.
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
