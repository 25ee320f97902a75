internal import ThemedDBus
internal import ThemedSystem

extension FileReader {
  /// A thread that reads files, and its current job.
  final class Worker {
    let thread: WorkThread
    /// Makes the loop collect the thread's results.
    var source: Source?
    var job: (number: Int, subject: Subject, progress: Progress)?

    init(_ thread: WorkThread) { self.thread = thread }
  }

  /// The serving thread, and the threads that hang.
  final class Workers {
    /// Takes the results on the loop.
    weak var reader: FileReader?
    /// The thread that gets the next job.
    private(set) var serving: Worker?
    /// Whether the loop waits for them.
    private(set) var isAttached = false

    private var stuck: [Worker] = []

    // Remove them from the loop before their descriptors are closed.
    deinit {
      for worker in stuck { worker.source?.cancel() }
      serving?.source?.cancel()
    }

    /// Makes the loop wait for them.
    func attach() throws(SystemError) {
      isAttached = true
      if let serving { try attach(serving) }
    }

    private func attach(_ worker: Worker) throws(SystemError) {
      guard isAttached else { return }
      worker.source = try MainLoop.watch(worker.thread.descriptor, for: .readable) {
        [unowned self, unowned worker] _ in reader?.receive(worker)
      }
    }

    /// The serving thread, which is started if necessary.
    func ready() throws(SystemError) -> Worker {
      if let serving { return serving }
      let worker = Worker(try WorkThread())
      try attach(worker)
      serving = worker
      return worker
    }

    /// Treats the serving thread as hanging, so that the next job gets another thread; returns the hanging one.
    func setAside() -> Worker? {
      defer { serving = nil }
      if let serving { stuck.append(serving) }
      return serving
    }

    /// Drops a thread that is no longer needed.
    func drop(_ worker: Worker) {
      worker.source = nil
      if serving === worker { serving = nil }
      stuck.removeAll { $0 === worker }
    }
  }

  /// Somebody who waits for a job that starts from now on.
  struct Waiter {
    let number: Int
    let subject: Subject
    let firstJob: Int
    let completion: () -> Void
    let deadline: Source?
  }
}

/// Watches the directories of the files; it is created for the first file, and the loop waits for it once the loop
/// runs.
final class DirectoryWatch {
  /// Takes the events.
  weak var reader: FileReader?
  /// Why there is no watch.
  private(set) var problem: SystemError?

  /// The watch, if there is one.
  var existing: FileWatch? { watch }

  private var watch: FileWatch?
  private var source: Source?
  private var isAttached = false

  // Remove it from the loop before its descriptor is closed.
  deinit { source?.cancel() }

  /// The watch, which is created if necessary; nil if that fails.
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

  /// From now on, the loop handles the events.
  func attach() {
    isAttached = true
    wait()
  }

  private func wait() {
    guard isAttached, let watch, source == nil else { return }
    do throws(SystemError) {
      source = try MainLoop.watch(watch.descriptor.raw, for: .readable) { [unowned self] _ in
        reader?.changed(self.watch?.events() ?? [])
      }
    } catch {
      (self.watch, problem) = (nil, error)
    }
  }
}
