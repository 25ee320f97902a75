internal import CLinux
internal import Glibc
internal import MainLoop
internal import Unix

/// Saves a file on a thread that lives only as long as the save: no disk ever holds up the loop.
///
/// Bytes go in, and the outcome comes out through a pipe; nothing else is shared.
final class Saver {
  /// What became of a save.
  typealias Outcome = Result<Void, SystemError>

  /// Called once, when nothing is being saved any more.
  var onIdle: () -> Void = {}

  /// Where the file is; nil where no place for it is known.
  let path: String?
  /// Why the last save failed, if it did.
  private(set) var problem: String?

  private let content: () -> [UInt8]
  private var queue = SaveQueue<(Outcome) -> Void>()
  private var reading: FileDescriptor?
  private var waiting: Source?

  /// A saver of the file at `path`, nil where no place for it is known; `content` is what to save, when it is asked.
  init(path: String?, content: @escaping () -> [UInt8]) {
    self.path = path
    self.content = content
  }

  /// Whether nothing is being saved.
  var isIdle: Bool { queue.isIdle }

  /// Saves what holds now, and tells `completion` when that, or what came later, is on the disk or could not be.
  func save(_ completion: @escaping (Outcome) -> Void) {
    guard let path else {
      let error = SystemError("saving nowhere, for the reason told at the start", EROFS)
      problem = "\(error)"
      return completion(.failure(error))
    }
    if queue.request(for: completion) { start(path) }
  }

  private func start(_ path: String) {
    do throws(SystemError) {
      var ends: [CInt] = [-1, -1]
      guard unsafe pipe2(&ends, O_CLOEXEC) == 0 else { throw SystemError("making a pipe", errno) }
      let (reading, writing) = (ends[0], ends[1])
      self.reading = FileDescriptor(owning: reading)
      waiting = MainLoop.watch(reading, for: .readable) { [weak self] _ in self?.finish(Job.outcome(from: reading)) }
      try Job(path, content(), outcome: FileDescriptor(owning: writing)).start()
    } catch {
      finish(.failure(error))
    }
  }

  private func finish(_ outcome: Outcome) {
    waiting = nil
    reading = nil
    problem = if case .failure(let error) = outcome { "\(error)" } else { nil }
    let (waiters, beginsAnother) = queue.finished()
    for waiter in waiters { waiter(outcome) }
    if beginsAnother, let path {
      start(path)
    } else if isIdle {
      onIdle()
    }
  }
}

/// One save, on a thread of its own.
private final class Job: Sendable {
  private let path: String
  private let content: [UInt8]
  private let writing: FileDescriptor

  /// A save of `content` whose outcome goes into the pipe that ends at `outcome`.
  init(_ path: String, _ content: [UInt8], outcome: consuming FileDescriptor) {
    self.path = path
    self.content = content
    writing = outcome
  }

  func start() throws(SystemError) {
    var attributes = pthread_attr_t()
    unsafe pthread_attr_init(&attributes)
    defer { unsafe pthread_attr_destroy(&attributes) }
    unsafe pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED))
    var thread = pthread_t()
    let this = unsafe Unmanaged.passRetained(self)
    let code = unsafe pthread_create(
      &thread, &attributes,
      { data in
        if let data = unsafe data { unsafe Unmanaged<Job>.fromOpaque(data).takeRetainedValue().run() }
        return nil
      }, this.toOpaque())
    guard code == 0 else {
      unsafe this.release()
      throw SystemError("starting a thread to save with", code)
    }
  }

  /// An outcome is the error number and what was tried; a save that succeeded has the number 0.
  private func run() {
    var code: CInt = 0
    var operation = ""
    do throws(SystemError) {
      try replaceFile(path, with: content)
    } catch {
      code = error.code
      operation = error.operation
    }
    let bytes = unsafe withUnsafeBytes(of: code) { unsafe Array($0) } + operation.utf8
    // Less than a pipe takes at once, and nobody else writes: it is written whole.
    _ = unsafe write(writing.raw, bytes, min(bytes.count, Int(PIPE_BUF)))
  }

  /// Reads what ``run()`` wrote.
  static func outcome(from pipe: CInt) -> Saver.Outcome {
    var bytes = [UInt8](repeating: 0, count: Int(PIPE_BUF))
    let count = unsafe read(pipe, &bytes, bytes.count)
    guard count >= 4 else { return .failure(SystemError("saving", EIO)) }
    let code = unsafe bytes.withUnsafeBytes { unsafe $0.loadUnaligned(as: CInt.self) }
    return code == 0 ? .success(()) : .failure(SystemError(String(decoding: bytes[4..<count], as: UTF8.self), code))
  }
}
