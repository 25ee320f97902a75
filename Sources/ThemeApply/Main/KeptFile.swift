internal import Glibc
internal import ThemeApps
internal import ThemedUnix

/// A file of this program's that says how things are: written whole, on a thread, and only the newest.
final class KeptFile {
  private let path: String?
  private let thread: WorkThread
  private var waiting: [UInt8]?
  private var written: [UInt8]?
  private var isWriting = false

  /// Removes what one that was killed has left of it.
  init(_ places: Places, _ name: String) throws(SystemError) {
    path = places.directories.runtime.map { "\($0)/themed-apply/\(name)" }
    thread = try WorkThread()
    if let path { removeTemporaryFiles(beside: path) }
  }

  /// Readable when it is written.
  var descriptor: CInt { thread.descriptor }

  /// What one that was killed has left in it.
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

  /// It may be written.
  func finish() { _ = thread.finish() }

  /// There is nobody any more of whom it tells.
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

/// What no two of us have at once: two would write the same files by turns.
struct InstanceLock: ~Copyable {
  private let file: FileDescriptor

  /// Takes it; throws EWOULDBLOCK where somebody has it.
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
