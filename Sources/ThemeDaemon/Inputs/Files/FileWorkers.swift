internal import Glibc
internal import Synchronization
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
    weak var reader: FileReader?
    /// The thread that gets the next job.
    private(set) var serving: Worker?
    private(set) var isAttached = false

    private var stuck: [Worker] = []

    deinit {
      for worker in stuck { worker.source?.cancel() }
      serving?.source?.cancel()
    }

    func attach() throws(SystemError) {
      isAttached = true
      if let serving { try attach(serving) }
    }

    private func attach(_ worker: Worker) throws(SystemError) {
      guard isAttached else { return }
      worker.source = try EventLoop.main.watch(worker.thread.descriptor, for: .readable) {
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

  /// The path that a job is accessing, to say why it does not finish.
  final class Progress: Sendable {
    private let path = Mutex<Text>("")

    /// Notes the path that is accessed next.
    func note(_ path: Text) { self.path.withLock { $0 = path } }

    var current: Text { path.withLock(\.self) }
  }
}

extension FileReader.Subject {
  /// The name of the subject in a log line.
  var words: String {
    switch self {
    case .configuration: "the configuration"
    case .theme(let name): "the theme '\(name.shown())'"
    case .themeList: "the list of themes"
    case .zone: "the time zone"
    case .watches: "the file watches"
    }
  }
}

extension SystemError {
  /// Advice to an administrator if the system has no more watches.
  var adviceOnWatches: String {
    switch code {
    case ENOSPC: "; raise the limit fs.inotify.max_user_watches"
    case EMFILE: "; raise the limit fs.inotify.max_user_instances"
    default: ""
    }
  }
}
