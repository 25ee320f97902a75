internal import ThemedModel
internal import ThemedSystem

/// A file that a thread reads and writes.
protocol SavedFile: Sendable {
  func load() -> Saver.Outcome
  func save(_ content: [UInt8]) -> Saver.Outcome
}

/// Has the content of a saved file, and learns what becomes of it.
protocol SaverClient: AnyObject {
  var content: [UInt8] { get }
  /// An operation has this result; it comes before the next operation starts, so that what was read is part of the next
  /// save.
  func finished(_ outcome: Saver.Outcome)
  /// The content that a call has changed is on disk, or could not be written.
  func answer(_ answer: Keeping.Answer, saved: Bool)
  func settled()
  func idle()
}

/// Saves a file on a thread of its own, so that no disk can block the loop.
///
/// ``SaveQueue`` decides what to do when.
final class Saver {
  enum Outcome: Sendable {
    /// The file was read; it belongs to this daemon or to another one. The warning is for the log.
    case loaded(Overrides, isOurs: Bool, warning: String? = nil)
    case saved
    /// The file belongs to another daemon: nothing was saved, or nothing useful was read.
    case anothers(String)
    case failed(String)
  }

  weak var client: (any SaverClient)?

  private let file: any SavedFile
  private var queue: SaveQueue<Keeping.Answer>
  /// Created with the first job and kept: a thread for each job would cost more time and memory.
  private var thread: WorkThread?
  private var finishing: Source?
  private var retrying: Source?

  /// A saver of this file; with `readsFirst`, it is read before it is written.
  ///
  /// `retries` are the delays before a failed operation is repeated, in milliseconds.
  init(_ file: any SavedFile, readsFirst: Bool, retries: [Int]) {
    self.file = file
    queue = SaveQueue(readsFirst: readsFirst, delays: retries)
  }

  deinit { finishing?.cancel() }

  var isIdle: Bool { queue.isIdle }
  /// Whether nothing is left to do: the file is ours and has the current content.
  var isSettled: Bool { queue.isSettled }

  func begin() { act(queue.retry()) }

  /// Waits for the current operation for a limited time; use this before the loop runs.
  func wait(atMostMilliseconds time: Int) {
    thread?.wait(atMostMilliseconds: time)
    receive()
  }

  /// Saves the current content; a waiting call is answered when this or newer content is on disk.
  func save(for answer: Keeping.Answer? = nil) { act(queue.request(for: answer)) }

  func retry() { act(queue.retryFromStart()) }

  func end() { act(queue.end()) }

  private func act(_ next: SaveQueue<Keeping.Answer>.Next) {
    switch next {
    case .nothing: return
    case .load: start { [file] in file.load() }
    case .save: if let content = client?.content { start { [file] in file.save(content) } }
    case .wait(let delay):
      retrying = EventLoop.main.timer(afterMilliseconds: delay) { [unowned self] in
        retrying = nil
        act(queue.retry())
      }
    }
  }

  private func start(_ job: @escaping @Sendable () -> Outcome) {
    retrying = nil
    do throws(SystemError) {
      if thread == nil {
        let new = try WorkThread()
        finishing = try EventLoop.main.watch(new.descriptor, for: .readable) { [unowned self] _ in receive() }
        thread = new
      }
      try thread?.perform(job) { [unowned self] in finish($0) }
    } catch {
      drop()
      finish(.failed("\(error)"))
    }
  }

  private func receive() {
    guard let thread, !thread.finish(), self.thread === thread else { return }
    // The thread exits if it cannot report its result.
    drop()
    if !isIdle { finish(.failed("the thread that writes files has exited")) }
  }

  private func drop() {
    finishing = nil
    thread = nil
  }

  private func finish(_ outcome: Outcome) {
    client?.finished(outcome)
    let (answers, next) = queue.finished(outcome.kind)
    for answer in answers { client?.answer(answer, saved: outcome.kind == .done) }
    act(next)
    if isSettled { client?.settled() }
    if isIdle { client?.idle() }
  }
}

extension Saver.Outcome {
  fileprivate var kind: SaveQueue<Keeping.Answer>.Outcome {
    switch self {
    case .loaded(_, isOurs: true, _), .saved: .done
    case .loaded, .anothers: .anothers
    case .failed: .failed
    }
  }
}

/// Decides what to do next for a saved file, and which callers to answer: a pure rule.
///
/// Only one operation is under way. Changes that come meanwhile wait for the next save, which saves what is current
/// when it starts, so one save answers all of them. After a failure the waiting callers are answered at once. The
/// operation is repeated with the next change, after a delay, and once more at the exit.
struct SaveQueue<Waiter> {
  enum Next: Equatable {
    /// Read the file, and take its lock.
    case load
    case save
    /// Call ``retry()`` after this many milliseconds, unless something happens before.
    case wait(Int)
    case nothing
  }

  enum Outcome: Equatable {
    /// It succeeded; after a load, the file is ours.
    case done
    /// Another daemon holds the lock: the file was only read, or not written.
    case anothers
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

  init(readsFirst: Bool, delays: [Int]) {
    isOurs = !readsFirst
    self.delays = delays
  }

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
