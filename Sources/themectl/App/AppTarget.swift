import Glibc
import ThemeApps
import ThemedSystem

/// A file that themed-apply writes for an app.
struct AppTarget {
  /// The owner of the file.
  enum Owner: Equatable {
    /// The file does not exist.
    case nobody
    case themed
    /// The file is not ours, or its owner is unknown, for this reason.
    case other(String)
  }

  let path: String
  let owner: Owner
  /// The path after following every link.
  let file: String

  /// Looks at the file; nil if the directory with which its path begins is unknown.
  init?(_ write: App.Write, of app: Text) {
    guard let path = write.file.resolved(in: AppPlaces.directories)?.string else { return nil }
    self.path = path
    file = (try? destination(of: path)) ?? path
    do throws(SystemError) {
      let bytes = try readFile(path, maximum: Template.maximumResult * 2)
      let isOurs =
        write.comment.map { TargetMark(app: app, comment: $0).begins(bytes) } ?? Self.isWritten(bytes, at: file)
      FileWaits.begin(file)
      defer { FileWaits.end() }
      var status = stat()
      let isAnothers = unsafe stat(file, &status) == 0 && status.st_uid != geteuid()
      owner =
        isAnothers
        ? .other("it belongs to another user")
        : isOurs ? .themed : .other("themed did not write it, or it was changed since")
    } catch {
      owner = error.code == ENOENT ? .nobody : .other("it cannot be read: \(SystemError.text(error.code))")
    }
  }

  /// Removes the file.
  func remove() throws(SystemError) {
    FileWaits.begin(file)
    defer { FileWaits.end() }
    guard unsafe unlink(file) == 0 || errno == ENOENT else { throw SystemError("removing \(path)", errno) }
  }

  /// Whether a file is one that themed-apply has written, for whatever app.
  static func isOurs(_ path: String) -> Bool {
    guard let bytes = try? readFile(path, maximum: Template.maximumResult * 2) else { return false }
    return bytes.prefix(80).holds("Written by themed-apply for '".utf8)
      || isWritten(bytes, at: (try? destination(of: path)) ?? path)
  }

  private static func isWritten(_ bytes: [UInt8], at path: String) -> Bool {
    guard let state = BaseDirectory.state else { return false }
    let list = WrittenFiles.path(state: Text(state)).string
    guard let lines = try? readFile(list, maximum: WrittenFiles.maximumSize) else { return false }
    return WrittenFiles(lines).contains(bytes, at: Text(path))
  }
}
