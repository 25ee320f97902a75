import CThemedLinux
import Glibc
package import ThemedSystem

/// Replaces the content of a file: whatever happens, the file has either the old content or the new one.
///
/// A symbolic link stays, and its target is written, because people keep their files elsewhere and link to them. The
/// file keeps its mode.
package func writeFile(_ path: String, _ bytes: [UInt8]) throws(SystemError) {
  let path = try destination(of: path)
  removeAbandonedFiles(beside: path)
  try replaceFile(path, with: bytes, keepingMode: true)
}

/// The system's reason why there is no file at a path, or why it cannot be examined.
package func reasonOfAbsence(_ path: String) -> String {
  // Checks again, since the watch over slow file systems may have changed errno.
  unsafe access(path, F_OK) == 0 ? "the file has changed; try again" : SystemError.text(errno)
}

/// The number of the user who owns the file at a path; nil if there is no file.
package func owner(of path: String) -> UInt32? {
  FileWaits.begin(path)
  defer { FileWaits.end() }
  var status = stat()
  return unsafe stat(path, &status) == 0 ? status.st_uid : nil
}

func unique<Value: Hashable>(_ values: [Value]) -> [Value] {
  var seen: Set<Value> = []
  return values.filter { seen.insert($0).inserted }
}

/// The signals by which users and the system stop a command.
package enum StopSignals {
  /// The signals, without those that this process was started to ignore, as by nohup(1).
  package static let all = [SIGINT, SIGTERM, SIGHUP].filter { !isIgnored($0) }

  private static func isIgnored(_ signal: CInt) -> Bool {
    var action = sigaction()
    guard unsafe sigaction(signal, nil, &action) == 0 else { return false }
    return unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
      == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// Blocks these signals from now on, until this process exits.
  static func hold() { _ = block() }

  /// Blocks these signals while `body` makes a change, because stopping in the middle would leave half of it.
  package static func held<Value, Failure: Error>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value {
    var before = block()
    defer { unsafe sigprocmask(SIG_SETMASK, &before, nil) }
    return try body()
  }

  static var isPending: Bool {
    var pending = sigset_t()
    unsafe sigpending(&pending)
    return all.contains { unsafe sigismember(&pending, $0) == 1 }
  }

  private static func block() -> sigset_t {
    var (signals, before) = (sigset_t(), sigset_t())
    unsafe sigemptyset(&signals)
    for signal in all { unsafe sigaddset(&signals, signal) }
    unsafe sigprocmask(SIG_BLOCK, &signals, &before)
    return before
  }
}

/// Changes to several files, of which either all are made or none.
///
/// `kill -9` in the middle leaves the changes that were made first.
///
/// Use this only within ``EnabledList/locked(_:)``.
package struct FileChanges {
  private var changes: [(path: String, old: [UInt8]?, new: [UInt8]?)] = []

  var isEmpty: Bool { changes.isEmpty }

  /// The planned content of a file, if it changes; an inner nil means that the file is to be removed.
  func pending(_ path: String) -> [UInt8]?? { index(of: Self.end(of: path)).map { changes[$0].new } }

  // As Text, because Strings with two encodings of one letter are equal.
  private func index(of path: String) -> Int? { changes.firstIndex { Text($0.path) == Text(path) } }

  /// Plans a change of a file, after following every link; nil stands for a missing file.
  package mutating func set(_ path: String, from old: [UInt8]?, to new: [UInt8]?) {
    let path = Self.end(of: path)
    if let index = index(of: path) {
      changes[index].new = new
    } else {
      changes.append((path, old, new))
    }
  }

  /// Writes all new contents to temporary files, and then renames them.
  ///
  /// If a step fails, the steps before it are undone.
  ///
  /// - Parameter others: Changes that are made after these; if they fail, these are undone, too.
  package func carryOut(then others: FileChanges? = nil) throws(SystemError) {
    try StopSignals.held { () throws(SystemError) in try carryOutAll(others) }
  }

  private func carryOutAll(_ others: FileChanges?) throws(SystemError) {
    var staged: [StagedFile] = []
    for change in changes where change.old != change.new {
      staged.append(try StagedFile(change.path, expecting: change.old, writing: change.new))
    }
    // Nothing has changed so far, so the waits up to here may be given up.
    try FileWaits.neverEnding { () throws(SystemError) in try Self.put(staged, then: others) }
  }

  private static func put(_ staged: [StagedFile], then others: FileChanges?) throws(SystemError) {
    for (index, file) in staged.enumerated() {
      do throws(SystemError) {
        try file.put()
      } catch {
        for file in staged[...index].reversed() { file.takeBack() }
        throw error
      }
    }
    do throws(SystemError) { try others?.carryOutAll(nil) } catch {
      for file in staged.reversed() { file.takeBack() }
      throw error
    }
    for file in staged { file.settle() }
  }

  private static func end(of path: String) -> String { (try? destination(of: path)) ?? path }
}
