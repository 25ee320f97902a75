import Glibc
import ThemeApps
import ThemedText
import ThemedUnix

/// A file that themed-apply writes for an app.
struct AppTarget {
  /// Whose it is.
  enum Owner: Equatable {
    /// There is none.
    case nobody
    case themed
    /// Somebody else's, or nobody can tell: why.
    case other(String)
  }

  let path: String
  let owner: Owner
  /// Where it is, through every link.
  let file: String

  /// Looks at the file; nil where the directory that its path begins with is not known.
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
        : isOurs ? .themed : .other("it is not written by themed, or was changed since")
    } catch {
      owner = error.code == ENOENT ? .nobody : .other("it cannot be read: \(SystemError.text(error.code))")
    }
  }

  /// Removes it.
  func remove() throws(SystemError) {
    FileWaits.begin(file)
    defer { FileWaits.end() }
    guard unsafe unlink(file) == 0 || errno == ENOENT else { throw SystemError("removing \(path)", errno) }
  }

  private static func isWritten(_ bytes: [UInt8], at path: String) -> Bool {
    guard let state = BaseDirectory.state else { return false }
    let list = WrittenFiles.path(state: Text(state)).string
    guard let lines = try? readFile(list, maximum: WrittenFiles.maximumSize) else { return false }
    return WrittenFiles(lines).contains(bytes, at: Text(path))
  }
}
