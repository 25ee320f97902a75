import Glibc
import ThemedText
import ThemedUnix

/// Writes a file whole: whatever happens, either the old content stands there or the new one.
///
/// A symbolic link stays, and what it leads to is written: people keep their files elsewhere, and link to them. The
/// file keeps its mode.
func writeFile(_ path: String, _ bytes: [UInt8]) throws(SystemError) {
  let path = try destination(of: path)
  removeAbandonedFiles(inDirectory: directory(of: path))
  try replaceFile(path, with: bytes, keepingMode: true)
}

/// The signals by which users and the system stop a command.
enum StopSignals {
  private static let all = [SIGINT, SIGTERM, SIGHUP]

  /// Has them wait from now on, to the end of this process.
  static func hold() { _ = block() }

  /// Has them wait while `body` makes a change, and act after it: what stops in the middle leaves half of the change.
  static func held<Value, Failure: Error>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value {
    var before = block()
    defer { unsafe sigprocmask(SIG_SETMASK, &before, nil) }
    return try body()
  }

  /// Whether one of them waits.
  static var isPending: Bool {
    var pending = sigset_t()
    unsafe sigpending(&pending)
    return all.contains { unsafe sigismember(&pending, $0) == 1 }
  }

  /// Blocks them; what was blocked before.
  private static func block() -> sigset_t {
    var (signals, before) = (sigset_t(), sigset_t())
    unsafe sigemptyset(&signals)
    for signal in all { unsafe sigaddset(&signals, signal) }
    unsafe sigprocmask(SIG_BLOCK, &signals, &before)
    return before
  }
}

/// Changes of several files: either all are made or none.
///
/// A process that is killed in the middle (`kill -9`) leaves those that were made first.
///
/// To be used below ``EnabledList/locked(_:)`` only.
struct FileChanges {
  private var changes: [(path: String, old: [UInt8]?, new: [UInt8]?)] = []

  /// What a file is to hold, if it is to change; nil within is a file that is to be removed.
  func pending(_ path: String) -> [UInt8]?? { index(of: Self.end(of: path)).map { changes[$0].new } }

  // As bytes: to a String, two spellings of one letter are the same.
  private func index(of path: String) -> Int? { changes.firstIndex { Text($0.path) == Text(path) } }

  /// Has a file changed, through every link; nil is a file that is not there.
  ///
  /// - Parameter isFirst: whether that is done before everything else.
  mutating func set(_ path: String, from old: [UInt8]?, to new: [UInt8]?, isFirst: Bool = false) {
    let path = Self.end(of: path)
    if let index = index(of: path) {
      changes[index].new = new
    } else {
      changes.insert((path, old, new), at: isFirst ? 0 : changes.count)
    }
  }

  /// Writes everything that is to be written, and then gives it its names; what was done is taken back if a later step
  /// fails.
  func carryOut() throws(SystemError) {
    try StopSignals.held { () throws(SystemError) in try carryOutAll() }
  }

  private func carryOutAll() throws(SystemError) {
    var staged: [StagedFile] = []
    for change in changes where change.old != change.new {
      staged.append(try StagedFile(change.path, expecting: change.old, writing: change.new))
    }
    // Nothing has changed so far: up to here, a file that does not answer is given up.
    try FileWaits.neverEnding { () throws(SystemError) in try Self.put(staged) }
  }

  private static func put(_ staged: [StagedFile]) throws(SystemError) {
    for (index, file) in staged.enumerated() {
      do throws(SystemError) {
        try file.put()
      } catch {
        for file in staged[...index].reversed() { file.takeBack() }
        throw error
      }
    }
    for file in staged { file.settle() }
  }

  private static func end(of path: String) -> String { (try? destination(of: path)) ?? path }
}
