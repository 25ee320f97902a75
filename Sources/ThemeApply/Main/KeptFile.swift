internal import Glibc
internal import ThemeApps
internal import ThemedSystem

/// A file in which this program keeps its state: it is written whole, on a thread, and only the newest content.
///
/// An empty file is removed.
final class KeptFile {
  private let path: String?
  private let thread: WorkThread
  private var waiting: [UInt8]?
  private var written: [UInt8]?
  private var isWriting = false

  /// Prepares the file; with nil, its content is dropped.
  init(_ path: String?) throws(SystemError) {
    self.path = path
    thread = try WorkThread()
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

  /// Finishes writing at the exit, with the newest content.
  func close() {
    for _ in 0..<2 where isWriting {
      thread.wait(atMostMilliseconds: Limits.grace)
      finish()
    }
  }

  /// Removes the file at the exit, because it describes this process.
  func remove() {
    waiting = nil
    close()
    if let path { unsafe unlink(path) }
  }

  private func next() {
    guard !isWriting, let path, let bytes = waiting else { return }
    (isWriting, waiting, written) = (true, nil, bytes)
    do throws(SystemError) {
      try thread.perform {
        // A killed process may have left some.
        removeTemporaryFiles(beside: path)
        if bytes.isEmpty { return unsafe unlink(path) == 0 || errno == ENOENT || errno == ENOTDIR }
        return (try? replaceFile(path, with: bytes)) != nil
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
    let lock = try openLockFile("\(directory)/lock")
    guard try tryToLock(lock) else { throw SystemError("cannot lock \(directory)/lock", EWOULDBLOCK) }
    file = lock
  }
}

/// The hooks that have finished, by name, in two files of lines `HASH16 NAME`.
///
/// The hash is that of the state that the hook was run for; for the same state, themed-apply does not run it again. The
/// file in the runtime directory is for a restart after a crash, and a regular exit removes it. The file in the state
/// directory is for the next session, which runs only those hooks again that are for each login.
enum FinishedHooks {
  static let maximumSize = 64 << 10

  /// The path of the file for the next session.
  static func path(state: Text) -> String { "\(state)/themed/hooks.done" }

  static func bytes(_ finished: [Text: UInt64]) -> [UInt8] {
    finished.sorted { $0.key < $1.key }.flatMap { name, hash in
      // A name that is no line is not kept: its hook runs again.
      name.contains("\n") ? [] : Array("\(FNV1a(value: hash).digits) \(name)\n".utf8)
    }
  }

  static func reading(_ bytes: [UInt8]) -> [Text: UInt64] {
    let lines = Text(decoding: bytes).split("\n", omittingEmpty: true)
    return lines.reduce(into: [:]) { finished, line in
      let words = line.split(" ", maxSplits: 1)
      if words.count == 2, let hash = UInt64(words[0].string, radix: 16) { finished[words[1]] = hash }
    }
  }
}
