internal import ThemeResolution
internal import ThemedLoop
internal import ThemedUnix

/// Keeps a file by a thread of its own: no disk ever holds up the loop.
///
/// What is done when is for ``SaveQueue`` to say.
final class Saver {
  /// What the thread has done.
  enum Outcome: Sendable {
    /// The file was read, and is ours from now on or another daemon's; with what to tell of that.
    case loaded(Overrides, isOurs: Bool, warning: String? = nil)
    /// What was to be saved is on the disk.
    case saved
    /// The file is another daemon's: nothing was saved, or nothing of use was read.
    case anothers(String)
    /// It could not be done, for this reason.
    case failed(String)
  }

  /// Called when there is nothing left to do.
  var onSettled: () -> Void = {}
  /// Called when nothing is in flight any more.
  var onIdle: () -> Void = {}
  /// Called with each outcome: before anything else is begun, so that what was read is part of the next save.
  var onOutcome: (Outcome) -> Void = { _ in }

  private let load: (@Sendable () -> Outcome)?
  private let save: @Sendable ([UInt8]) -> Outcome
  /// Called for what to save.
  var content: () -> [UInt8]
  private var queue: SaveQueue<(Bool) -> Void>
  /// From the first job on: a thread that began and ended with each would take more time, and more memory.
  private var thread: WorkThread?
  private var finishing: Source?
  private var retrying: Source?

  /// A saver whose thread does `load`, where it has to be done first, and then `save`; `content` is what to save, when
  /// it is asked, and `retries` says after how many milliseconds what has failed is tried again.
  init(
    retries: [Int], load: (@Sendable () -> Outcome)? = nil, save: @escaping @Sendable ([UInt8]) -> Outcome,
    content: @escaping () -> [UInt8] = { [] }
  ) {
    self.load = load
    self.save = save
    self.content = content
    queue = SaveQueue(readsFirst: load != nil, delays: retries)
  }

  // Out of the loop before its descriptor is closed.
  deinit { finishing?.cancel() }

  /// Whether nothing is in flight.
  var isIdle: Bool { queue.isIdle }
  /// Whether there is nothing left to do: the file is ours and holds what holds.
  var isSettled: Bool { queue.isSettled }

  /// Begins to load.
  func begin() {
    act(queue.retry())
  }

  /// Waits until what was begun is done, at most so long: for before the loop runs.
  func wait(atMostMilliseconds time: Int) {
    thread?.wait(atMostMilliseconds: time)
    receive()
  }

  /// Saves what holds now, and tells `completion` whether that, or what came later, is on the disk.
  func save(_ completion: ((Bool) -> Void)? = nil) {
    act(queue.request(for: completion))
  }

  /// Tries again what has failed, as if it were for the first time.
  func retry() {
    act(queue.retryAnew())
  }

  /// Tries what is not saved once more.
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

  /// Takes the outcome, where there is one.
  private func receive() {
    guard let thread, !thread.finish(), self.thread === thread else { return }
    // It has ended, which it does when it can tell no outcome.
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
