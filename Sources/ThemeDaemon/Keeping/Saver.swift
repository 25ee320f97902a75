internal import ThemeModel
internal import ThemedDBus
internal import ThemedSystem

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

  /// Called when there is nothing left to do.
  var onSettled: () -> Void = {}
  /// Called when no operation is under way any more.
  var onIdle: () -> Void = {}
  /// Called with each result before the next operation starts, so that what was read is part of the next save.
  var onOutcome: (Outcome) -> Void = { _ in }

  private let load: (@Sendable () -> Outcome)?
  private let save: @Sendable ([UInt8]) -> Outcome
  /// Returns the content to save.
  var content: () -> [UInt8]
  private var queue: SaveQueue<(Bool) -> Void>
  /// Created with the first job and kept: a thread for each job would cost more time and memory.
  private var thread: WorkThread?
  private var finishing: Source?
  private var retrying: Source?

  /// A saver whose thread first does `load`, if given, and then `save` with the result of `content`.
  ///
  /// `retries` are the delays before a failed operation is repeated, in milliseconds.
  init(
    retries: [Int], load: (@Sendable () -> Outcome)? = nil, save: @escaping @Sendable ([UInt8]) -> Outcome,
    content: @escaping () -> [UInt8] = { [] }
  ) {
    self.load = load
    self.save = save
    self.content = content
    queue = SaveQueue(readsFirst: load != nil, delays: retries)
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

  /// Saves the current content, and tells `completion` whether this or newer content is on disk.
  func save(_ completion: ((Bool) -> Void)? = nil) {
    act(queue.request(for: completion))
  }

  /// Retries what has failed, as if for the first time.
  func retry() {
    act(queue.retryAnew())
  }

  /// Tries once more to save what is not saved.
  func end() {
    act(queue.end())
  }

  private func act(_ next: SaveQueue<(Bool) -> Void>.Next) {
    switch next {
    case .nothing: return
    case .load: if let load { start(load) }
    case .save: start { [save, content = content()] in save(content) }
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
    onOutcome(outcome)
    let (told, next) = queue.finished(outcome.kind)
    for waiter in told { waiter(outcome.kind == .done) }
    act(next)
    if isSettled { onSettled() }
    if isIdle { onIdle() }
  }
}

extension Saver.Outcome {
  fileprivate var kind: SaveQueue<(Bool) -> Void>.Outcome {
    switch self {
    case .loaded(_, isOurs: true, _), .saved: .done
    case .loaded, .anothers: .anothers
    case .failed: .failed
    }
  }
}
