import CThemedLinux
import Glibc
import ThemeApps
import ThemedSystem

/// A file of the user's that is not changed, because it is generated or protected.
package struct LockedFile {
  /// The file, and why it is not changed.
  package let words: String
  /// Whether a package manager generates the file, so that a change belongs into its source.
  let isGenerated: Bool

  /// The directories in which package managers keep generated files.
  private static let stores: [Text] = ["/nix/store", "/gnu/store"]

  /// Looks at the file, which may be missing; nil if it can be changed.
  package init?(_ path: String) {
    let end = (try? destination(of: path)) ?? path
    let shown = Text(path).belowHome
    let place = Self.resolved(end)
    if let store = Self.stores.first(where: { place.hasPrefix("\($0)/") }) {
      (words, isGenerated) = ("\(shown) is generated (it leads to \(store))", true)
      return
    }
    guard let reason = Self.reasonToLeave(end) ?? Self.reasonNotToWrite(beside: end) else { return nil }
    let link = Text(end) == Text(path) ? "" : " (it leads to \(Text(end).belowHome))"
    (words, isGenerated) = ("\(shown)\(link) \(reason)", false)
  }

  /// The path without links, also in its directories.
  private static func resolved(_ path: String) -> Text {
    FileWaits.begin(path)
    defer { FileWaits.end() }
    guard let resolved = unsafe realpath(path, nil) else { return Text(path) }
    defer { unsafe free(resolved) }
    return Text(unsafe String(cString: resolved))
  }

  /// Why the file is not replaced; nil if nothing is in the way, or if it does not exist.
  ///
  /// Files that are read-only, belong to another user or have hard links are left alone, because replacing would change
  /// that.
  private static func reasonToLeave(_ path: String) -> String? {
    FileWaits.begin(path)
    defer { FileWaits.end() }
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    if status.st_mode & S_IFMT != S_IFREG { return "is not a regular file" }
    if status.st_uid != geteuid() { return "belongs to another user" }
    if status.st_mode & S_IWUSR == 0 { return "is read-only" }
    if unsafe access(path, W_OK) != 0, errno == EROFS { return "is on a read-only file system" }
    return status.st_nlink > 1 ? "has another name (a hard link)" : nil
  }

  /// Why nothing can be written into the directory of the file, or into the first one above it that exists.
  private static func reasonNotToWrite(beside path: String) -> String? {
    let above = missingDirectories(above: path).last.map { parent(of: $0) } ?? parent(of: path)
    // A link that leads nowhere is not read-only; the attempt to write tells what is wrong.
    if isAccessible(above, W_OK) || !isAccessible(above, F_OK) { return nil }
    return "cannot be written, because the directory \(Text(above).belowHome) is read-only"
  }
}
