import ThemedUnix

/// Replaces the content of a file: whatever happens, the file has either the old content or the new one.
///
/// A symbolic link stays, and its target is written, because people keep their files elsewhere and link to them. The
/// file keeps its mode.
func writeFile(_ path: String, _ bytes: [UInt8]) throws(SystemError) {
  try replaceFile(try destination(of: path), with: bytes, keepingMode: true)
}

/// Changes to several files, of which either all are made or none.
///
/// Use this only within ``EnabledList/locked(_:)``.
struct FileChanges {
  private var changes: [(path: String, old: [UInt8]?, new: [UInt8]?)] = []

  /// The planned content of a file, if it changes; an inner nil means that the file is to be removed.
  func pending(_ path: String) -> [UInt8]?? { changes.first { $0.path == Self.end(of: path) }.map(\.new) }

  /// Plans a change of a file, after following every link; nil stands for a missing file.
  ///
  /// - Parameter isFirst: whether this change is made before all others.
  mutating func set(_ path: String, from old: [UInt8]?, to new: [UInt8]?, isFirst: Bool = false) {
    let path = Self.end(of: path)
    if let index = changes.firstIndex(where: { $0.path == path }) {
      changes[index].new = new
    } else {
      changes.insert((path, old, new), at: isFirst ? 0 : changes.count)
    }
  }

  /// Writes all new contents to temporary files, and then renames them.
  ///
  /// If a step fails, the steps before it are undone.
  func carryOut() throws(SystemError) {
    var staged: [StagedFile] = []
    for change in changes where change.old != change.new {
      staged.append(try StagedFile(change.path, expecting: change.old, writing: change.new))
    }
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
