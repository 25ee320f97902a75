internal import ThemedLoop
internal import ThemedUnix

extension FileReader {
  /// A thread that reads, and what it is at.
  final class Worker {
    let thread: WorkThread
    /// What has the loop take what it has read.
    var source: Source?
    var job: (number: Int, subject: Subject, progress: Progress)?

    init(_ thread: WorkThread) { self.thread = thread }
  }

  /// The thread that serves, and those that are stuck.
  final class Workers {
    /// Called on the loop when one has done something, or has ended.
    var onResult: (Worker) -> Void = { _ in }
    /// Who is given what is to be read.
    private(set) var serving: Worker?
    /// Whether they are waited for on the loop.
    private(set) var isAttached = false

    private var stuck: [Worker] = []

    // Out of the loop before their descriptors are closed.
    deinit {
      for worker in stuck { worker.source?.cancel() }
      serving?.source?.cancel()
    }

    /// Waits for them on the loop from now on.
    func attach() throws(SystemError) {
      isAttached = true
      if let serving { try attach(serving) }
    }

    private func attach(_ worker: Worker) throws(SystemError) {
      guard isAttached else { return }
      worker.source = try MainLoop.watch(worker.thread.descriptor, for: .readable) {
        [unowned self, unowned worker] _ in onResult(worker)
      }
    }

    /// The one that serves, which is begun where there is none.
    func ready() throws(SystemError) -> Worker {
      if let serving { return serving }
      let worker = Worker(try WorkThread())
      try attach(worker)
      serving = worker
      return worker
    }

    /// Takes the one that serves for stuck: the next is another; which it was.
    func setAside() -> Worker? {
      defer { serving = nil }
      if let serving { stuck.append(serving) }
      return serving
    }

    /// One is of no use any more.
    func drop(_ worker: Worker) {
      worker.source = nil
      if serving === worker { serving = nil }
      stuck.removeAll { $0 === worker }
    }
  }

  /// Who waits for something to be read that begins from now on.
  struct Waiter {
    let number: Int
    let subject: Subject
    let firstJob: Int
    let completion: () -> Void
    let deadline: Source?
  }
}

/// What watches the directories of what is read: made when something is watched first, and waited for once the loop runs.
final class DirectoryWatch {
  /// Called with what has happened.
  var onEvents: (Set<FileWatch.Event>) -> Void = { _ in }
  /// Why there is none.
  private(set) var problem: SystemError?

  /// The watch, if there is one.
  var existing: FileWatch? { watch }

  private var watch: FileWatch?
  private var source: Source?
  private var isAttached = false

  // Out of the loop before its descriptor is closed.
  deinit { source?.cancel() }

  /// The watch, which is made where there is none; nil where that fails.
  func begun() -> FileWatch? {
    guard watch == nil else { return watch }
    do throws(SystemError) {
      watch = try FileWatch()
      problem = nil
      wait()
    } catch {
      problem = error
    }
    return watch
  }

  /// From now on, what happens is told on the loop.
  func attach() {
    isAttached = true
    wait()
  }

  private func wait() {
    guard isAttached, let watch, source == nil else { return }
    do throws(SystemError) {
      source = try MainLoop.watch(watch.descriptor.raw, for: .readable) { [unowned self] _ in
        onEvents(self.watch?.events() ?? [])
      }
    } catch {
      (self.watch, problem) = (nil, error)
    }
  }
}
