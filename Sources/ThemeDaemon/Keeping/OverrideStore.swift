internal import CThemedLinux
internal import Glibc
internal import ThemedModel
internal import ThemedSystem

/// The overrides' file on disk with its lock, as the thread that keeps it accesses it.
///
/// It is unchecked because only that thread uses it, one job at a time.
final class OverrideStore: SavedFile, @unchecked Sendable {
  private let path: String
  private var lock: StateLock

  init(_ path: String) {
    self.path = path
    lock = StateLock(besideFile: path)
  }

  /// Takes the lock and reads the file; a missing file has no overrides.
  ///
  /// Only a file that could be read and is invalid is set aside, under the lock: a file that cannot be read may be
  /// valid.
  func load() -> Saver.Outcome {
    do throws(SystemError) {
      let isOurs = try isLockOurs()
      let (overrides, fault) = try read()
      guard isOurs else {
        return fault == nil ? .loaded(overrides, isOurs: false, warning: another) : .anothers(another)
      }
      removeTemporaryFiles(beside: path)
      return .loaded(
        overrides, isOurs: true, warning: try fault.map { (fault) throws(SystemError) in try setAside(fault) })
    } catch {
      return .failed("\(error)")
    }
  }

  /// Replaces the file if the lock is ours.
  func save(_ content: [UInt8]) -> Saver.Outcome {
    do throws(SystemError) {
      guard try lock.take() else { return .anothers(another) }
      try replaceFile(path, with: content)
      return .saved
    } catch {
      return .failed("\(error)")
    }
  }

  private var another: String { "overrides are not saved: another themed uses \(path)" }

  /// Whether no other daemon holds the lock.
  private func isLockOurs() throws(SystemError) -> Bool {
    do throws(SystemError) {
      return try lock.take()
    } catch {
      // The file may be readable without being writable; saving takes the lock first and will report it.
      guard [EACCES, EPERM, EROFS, ENOSPC, EDQUOT, ENOTDIR].contains(error.code) else { throw error }
      return true
    }
  }

  /// The content of the file, and what is wrong with it.
  private func read() throws(SystemError) -> (overrides: Overrides, fault: String?) {
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try readFile(path, maximum: Limits.stateFile)
    } catch {
      if error.code == ENOENT || error.code == ENOTDIR { return (Overrides(), nil) }
      guard error.code == EFBIG || isRegularFile(path) == false else { throw error }
      return (Overrides(), "is not a file that themed wrote: \(error)")
    }
    do throws(OverrideFile.Damage) {
      return (try OverrideFile.parse(bytes), nil)
    } catch {
      return (Overrides(), "is damaged: \(error)")
    }
  }

  private func setAside(_ fault: String) throws(SystemError) -> String {
    let start = "\(path).damaged-\(time(nil))"
    let names = (1...100).lazy.map { $0 == 1 ? start : "\(start)-\($0)" }
    do throws(SystemError) {
      let aside = try moveAside(path, to: names)
      return "\(path) \(fault); it was moved to \(aside), and no override is restored"
    } catch {
      throw SystemError("\(path) \(fault); \(error.operation)", error.code)
    }
  }
}

/// Decides which of several daemons with different sockets saves its overrides in the one state file.
///
/// Only the thread that saves the file uses it, so that a home directory that hangs blocks nothing else.
struct StateLock: ~Copyable {
  private let path: String
  private var held: LockFile?

  init(besideFile file: String) { path = file + ".lock" }

  /// Takes the lock, or checks that the held one is still at its path; false if another daemon holds it.
  mutating func take() throws(SystemError) -> Bool {
    if held?.isInPlace == true { return true }
    held = nil
    try makeDirectories(parent(of: path))
    do throws(SystemError) {
      held = try LockFile(path)
    } catch {
      // If this is not a file, or the file system does not support locks, no other daemon can lock it either.
      if [EISDIR, ELOOP, ENXIO, ENODEV, ENOLCK, EOPNOTSUPP, ENOSYS, EINVAL].contains(error.code) { return true }
      throw error
    }
    switch held {
    case nil: return false
    case _?: return true
    }
  }
}
