internal import ThemeResolution
internal import Glibc
internal import ThemedUnix

/// The file of the overrides on the disk, with its lock: what the thread that keeps it does.
///
/// Unchecked: it is used by that one thread alone, by one job at a time.
final class OverrideStore: @unchecked Sendable {
  private let path: String
  private var lock: StateLock

  /// The store of the file at `path`.
  init(_ path: String) {
    self.path = path
    lock = StateLock(besideFile: path)
  }

  /// Takes the lock and reads the file; one that is not there holds nothing.
  ///
  /// Only what was read and is wrong is set aside, under the lock: what could not be read may be well.
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

  /// Replaces the file, where the lock is ours.
  func save(_ content: [UInt8]) -> Saver.Outcome {
    do throws(SystemError) {
      guard try lock.take() else { return .anothers(another) }
      try replaceFile(path, with: content)
      return .saved
    } catch {
      return .failed("\(error)")
    }
  }

  private var another: String {
    "overrides are not saved: another themed uses \(path)"
  }

  /// Whether no other daemon has the lock.
  private func isLockOurs() throws(SystemError) -> Bool {
    do throws(SystemError) {
      return try lock.take()
    } catch {
      // What cannot be written can be read all the same; saving will say so, and takes the lock before.
      guard [EACCES, EPERM, EROFS, ENOSPC, EDQUOT, ENOTDIR].contains(error.code) else { throw error }
      return true
    }
  }

  /// What the file holds, and what is wrong with it.
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

  /// Moves the file out of the way; what to tell of it.
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
