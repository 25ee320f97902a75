internal import Glibc
internal import ThemeApps
internal import ThemedSystem

/// A file in which this program keeps its state: it is written whole, on a thread, and only the newest content.
final class KeptFile {
  private let path: String?
  private let thread: WorkThread
  private var waiting: [UInt8]?
  private var written: [UInt8]?
  private var isWriting = false

  /// Removes temporary files that an earlier, killed process has left.
  init(_ places: Places, _ name: String) throws(SystemError) {
    path = places.directories.runtime.map { "\($0)/themed-apply/\(name)" }
    thread = try WorkThread()
    if let path { removeTemporaryFiles(beside: path) }
  }

  /// Readable when the file is written.
  var descriptor: CInt { thread.descriptor }

  /// The content that an earlier, killed process has left in the file.
  func content(atMost maximum: Int) -> [UInt8] {
    let bytes = path.flatMap { try? readFile($0, maximum: maximum) } ?? []
    written = bytes
    return bytes
  }

  func write(_ bytes: [UInt8]) {
    guard bytes != waiting ?? written else { return }
    waiting = bytes
    next()
  }

  /// Waits for a write that is still under way.
  func finish() { _ = thread.finish() }

  /// Removes the file at the exit, because it describes this process.
  func remove() {
    waiting = nil
    if isWriting { thread.wait(atMostMilliseconds: Limits.grace) }
    if let path { unsafe unlink(path) }
  }

  private func next() {
    guard !isWriting, let path, let bytes = waiting else { return }
    (isWriting, waiting, written) = (true, nil, bytes)
    do throws(SystemError) {
      try thread.perform {
        (try? replaceFile(path, with: bytes)) != nil
      } _: { [unowned self] isDone in
        isWriting = false
        // What could not be written is not what is there.
        if !isDone { written = nil }
        next()
      }
    } catch { isWriting = false }
  }
}

/// A lock that allows only one themed-apply at a time: two would overwrite each other's files.
struct InstanceLock: ~Copyable {
  private let file: FileDescriptor

  /// Takes the lock; throws EWOULDBLOCK if another process has it.
  init(_ places: Places) throws(SystemError) {
    guard let runtime = places.directories.runtime else {
      throw SystemError("finding XDG_RUNTIME_DIR, where status.json is written", ENOENT)
    }
    let directory = "\(runtime)/themed-apply"
    try makeDirectories(directory)
    let raw = unsafe open("\(directory)/lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard raw >= 0 else { throw SystemError("opening \(directory)/lock", errno) }
    let lock = FileDescriptor(owning: raw)
    guard themedLock(raw) else { throw SystemError("locking \(directory)/lock", errno) }
    file = lock
  }
}
