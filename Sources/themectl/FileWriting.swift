import ThemedUnix

/// Writes a file whole: whatever happens, either the old content stands there or the new one.
///
/// A symbolic link stays, and what it leads to is written: people keep their files elsewhere, and link to them. The
/// file keeps its mode.
func writeFile(_ path: String, _ bytes: [UInt8]) throws(SystemError) {
  try replaceFile(try destination(of: path), with: bytes, keepingMode: true)
}

/// Changes of several files: either all are made or none.
///
/// To be used below ``EnabledList/locked(_:)`` only.
struct FileChanges {
  private var changes: [(path: String, old: [UInt8]?, new: [UInt8]?)] = []

  /// What a file is to hold, if it is to change; nil within is a file that is to be removed.
  func pending(_ path: String) -> [UInt8]?? { changes.first { $0.path == Self.end(of: path) }.map(\.new) }

  /// Has a file changed, through every link; nil is a file that is not there.
  ///
  /// - Parameter isFirst: whether that is done before everything else.
  mutating func set(_ path: String, from old: [UInt8]?, to new: [UInt8]?, isFirst: Bool = false) {
    let path = Self.end(of: path)
    if let index = changes.firstIndex(where: { $0.path == path }) {
      changes[index].new = new
    } else {
      changes.insert((path, old, new), at: isFirst ? 0 : changes.count)
    }
  }

  /// Writes everything that is to be written, and then gives it its names; what was done is taken back if a later step
  /// fails.
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
