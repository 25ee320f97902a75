internal import ThemeModel
internal import ThemedDBus
internal import ThemedSystem

/// A file that a thread reads and writes.
protocol SavedFile: Sendable {
  /// Reads it.
  func load() -> Saver.Outcome
  /// Writes this content.
  func save(_ content: [UInt8]) -> Saver.Outcome
}

/// Has the content of a saved file, and learns what becomes of it.
protocol SaverClient: AnyObject {
  /// The content to save.
  var content: [UInt8] { get }
  /// An operation has this result; it comes before the next operation starts, so that what was read is part of the next
  /// save.
  func finished(_ outcome: Saver.Outcome)
  /// The content that a call has changed is on disk, or could not be written.
  func answer(_ answer: Keeping.Answer, saved: Bool)
  /// Nothing is left to do.
  func settled()
  /// No operation is under way any more.
  func idle()
}

/// Saves a file on a thread of its own, so that no disk can block the loop.
///
/// ``SaveQueue`` decides what to do when.
final class Saver {
  /// The result of the thread's work.
  enum Outcome: Sendable {
    /// The file was read; it belongs to this daemon or to another one. The warning is for the log.
    case loaded(Overrides, isOurs: Bool, warning: String? = nil)
    /// The content is on disk.
    case saved
    /// The file belongs to another daemon: nothing was saved, or nothing useful was read.
    case anothers(String)
    /// It failed, for this reason.
    case failed(String)
  }

  /// Has the content.
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

  // Remove it from the loop before its descriptor is closed.
  deinit { finishing?.cancel() }

  /// Whether no operation is under way.
  var isIdle: Bool { queue.isIdle }
  /// Whether nothing is left to do: the file is ours and has the current content.
  var isSettled: Bool { queue.isSettled }

  /// Starts to load.
  func begin() {
    act(queue.retry())
  }

  /// Waits for the current operation for a limited time; use this before the loop runs.
  func wait(atMostMilliseconds time: Int) {
    thread?.wait(atMostMilliseconds: time)
    receive()
  }

  /// Saves the current content; a waiting call is answered when this or newer content is on disk.
  func save(for answer: Keeping.Answer? = nil) {
    act(queue.request(for: answer))
  }

  /// Retries what has failed, as if for the first time.
  func retry() {
    act(queue.retryFromStart())
  }

  /// Tries once more to save what is not saved.
  func end() {
    act(queue.end())
  }

  private func act(_ next: SaveQueue<Keeping.Answer>.Next) {
    switch next {
    case .nothing: return
    case .load: start { [file] in file.load() }
    case .save: start { [file, content = client?.content ?? []] in file.save(content) }
    case .wait(let delay):
      retrying = MainLoop.timer(afterMilliseconds: delay) { [unowned self] in
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
        finishing = try MainLoop.watch(new.descriptor, for: .readable) { [unowned self] _ in receive() }
        thread = new
      }
      try thread?.perform(job) { [unowned self] in finish($0) }
    } catch {
      drop()
      finish(.failed("\(error)"))
    }
  }

  /// Takes the result, if there is one.
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
