internal import CLinux
internal import Glibc
internal import MainLoop
internal import Unix

/// Saves a file on a thread of its own: no disk ever holds up the loop.
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
  /// From the first save on: a thread that began and ended with each would take more time, and more memory.
  private var thread: SaveThread?

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
      if thread == nil {
        thread = try SaveThread(path) { [unowned self] outcome in
          if outcome == nil { thread = nil }
          finish(outcome ?? .failure(SystemError("saving", EIO)))
        }
      }
      try thread?.save(content())
    } catch {
      finish(.failure(error))
    }
  }

  private func finish(_ outcome: Outcome) {
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

/// The thread that saves one file, and the end of a socket by which the loop talks to it.
///
/// Bytes go in, and outcomes come out; nothing else is shared.
private final class SaveThread {
  private let socket: FileDescriptor
  private var waiting: Source?

  /// The outcome is nil where the thread has ended, which it does when it can tell none.
  init(_ path: String, _ onOutcome: @escaping (Saver.Outcome?) -> Void) throws(SystemError) {
    var ends: [CInt] = [-1, -1]
    let kind = CInt(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue)
    guard unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw SystemError("making a pair of sockets", errno) }
    let raw = ends[0]
    socket = FileDescriptor(owning: raw)
    let work = Work(path, FileDescriptor(owning: ends[1]))
    waiting = try MainLoop.watch(raw, for: .readable) { _ in onOutcome(Work.outcome(from: raw)) }
    try work.start()
  }

  // It is out of the loop before its descriptor is closed.
  deinit { waiting?.cancel() }

  /// Saves these; to be called again when the outcome has come.
  func save(_ content: [UInt8]) throws(SystemError) {
    let job = unsafe Unmanaged.passRetained(Content(content))
    var address = unsafe UInt(bitPattern: job.toOpaque())
    let size = MemoryLayout<UInt>.size
    guard unsafe send(socket.raw, &address, size, CInt(MSG_NOSIGNAL)) == size else {
      let code = errno
      unsafe job.release()
      throw SystemError("handing over what to save", code)
    }
  }
}

/// What to save, on its way.
private final class Content: Sendable {
  let bytes: [UInt8]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }
}

/// What the thread has: it saves what comes, until the other end is closed.
private final class Work: Sendable {
  private let path: String
  private let socket: FileDescriptor

  init(_ path: String, _ socket: consuming FileDescriptor) {
    self.path = path
    self.socket = socket
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
        if let data = unsafe data { unsafe Unmanaged<Work>.fromOpaque(data).takeRetainedValue().run() }
        return nil
      }, this.toOpaque())
    guard code == 0 else {
      unsafe this.release()
      throw SystemError("starting a thread to save with", code)
    }
  }

  private func run() {
    // The loop's alone, also those that are to interrupt it.
    var signals = sigset_t()
    unsafe sigfillset(&signals)
    unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    var address: UInt = 0
    while unsafe read(socket.raw, &address, MemoryLayout<UInt>.size) == MemoryLayout<UInt>.size,
      let job = unsafe UnsafeRawPointer(bitPattern: address)
    {
      guard save(unsafe Unmanaged<Content>.fromOpaque(job).takeRetainedValue().bytes) else { return }
    }
  }

  /// Whether the outcome could be told: the error number, 0 for success, and what was tried.
  private func save(_ content: [UInt8]) -> Bool {
    var code: CInt = 0
    var operation = ""
    do throws(SystemError) {
      try replaceFile(path, with: content)
    } catch {
      code = error.code
      operation = error.operation
    }
    let bytes = unsafe withUnsafeBytes(of: code) { unsafe Array($0) } + operation.utf8.prefix(Self.longest - 4)
    // One message, and the only one under way: there is room for it.
    return unsafe send(socket.raw, bytes, bytes.count, CInt(MSG_NOSIGNAL)) == bytes.count
  }

  private static let longest = 4096

  /// Reads what ``save(_:)`` sent.
  static func outcome(from socket: CInt) -> Saver.Outcome? {
    var bytes = [UInt8](repeating: 0, count: longest)
    let count = unsafe read(socket, &bytes, bytes.count)
    guard count >= 4 else { return nil }
    let code = unsafe bytes.withUnsafeBytes { unsafe $0.loadUnaligned(as: CInt.self) }
    return code == 0 ? .success(()) : .failure(SystemError(String(decoding: bytes[4..<count], as: UTF8.self), code))
  }
}
