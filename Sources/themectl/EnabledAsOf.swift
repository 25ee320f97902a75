import Glibc
import ThemeApps
import ThemedText
import ThemedUnix

/// What is known of an app since it was enabled: its app file as it was then, and what the user's files were before.
///
/// Disabling needs nothing else: the app file may be changed or gone since, and a program may have rewritten its file
/// without our comments.
struct EnabledAsOf {
  /// What was there before.
  struct Before: Equatable {
    /// What stood in the files that got a line; nil is a file that was not there.
    var files: [Text: [UInt8]?] = [:]
    /// The directories that were missing.
    var directories: Set<Text> = []
  }

  private let appPath: String?
  private let beforePath: String?

  /// What is known of the app of this name.
  init(_ name: Text) {
    let directory = App.isValidName(name) ? BaseDirectory.state.map { "\($0)/themed/enabled" } : nil
    appPath = directory.map { "\($0)/\(name)\(App.suffix)" }
    beforePath = directory.map { "\($0)/\(name).before" }
  }

  /// The apps of which something is known.
  static var names: [Text] {
    guard let state = BaseDirectory.state else { return [] }
    let files = ThemedUnix.names(inDirectory: "\(state)/themed/enabled")
    return files.compactMap { $0.dropping(suffix: App.suffix) }.filter(App.isValidName).sorted()
  }

  /// Whether something is known.
  var isThere: Bool { appPath.map { FileIdentity(of: $0) != nil } ?? false }

  /// What its app file asked for; nil if nothing was kept.
  func app(_ name: Text) throws(SystemError) -> App? {
    guard let appPath, let bytes = try existing(appPath) else { return nil }
    return AppFile(name: name, bytes).app
  }

  /// What was there before; to be read below ``EnabledList/locked(_:)``, since another command may change it.
  func before() throws(SystemError) -> Before {
    guard let beforePath, let bytes = try existing(beforePath) else { return Before() }
    return Before(bytes)
  }

  /// Has the app file that lies there and what was there before kept, before anything else is changed.
  ///
  /// The app file is the first of all: where it is kept and the app is not enabled, there is something to undo.
  func keep(_ file: String, _ before: Before, in changes: inout FileChanges) throws(SystemError) {
    guard let appPath, let beforePath else { return }
    let app = try readFile(file, maximum: AppFile.maximumSize)
    changes.set(beforePath, from: try existing(beforePath), to: before.bytes, isFirst: true)
    changes.set(appPath, from: try existing(appPath), to: app, isFirst: true)
  }

  /// Notes which of the list and the directories that all enabled apps share were not there before the first of them.
  ///
  /// - Parameter made: the directories that were made for the list just now.
  func noteShared(_ list: EnabledList, made: [String], in before: inout Before) {
    let records = appPath.map { missingDirectories(above: $0) } ?? []
    before.directories.formUnion((made + records).map { Text($0) })
    if list.isNew { before.files[Text(list.path)] = .some(nil) }
    // Whichever app is disabled last takes them away.
    for other in Self.names.compactMap({ try? EnabledAsOf($0).before() }) {
      before.directories.formUnion(
        other.directories.filter { directory in
          [list.path, appPath].contains { $0.map { Text($0).hasPrefix("\(directory)/") } ?? false }
        })
      if other.files[Text(list.path)] == .some(nil) { before.files[Text(list.path)] = .some(nil) }
    }
  }

  private func existing(_ path: String) throws(SystemError) -> [UInt8]? {
    do throws(SystemError) { return try readFile(path, maximum: .max) } catch {
      guard error.code == ENOENT else { throw error }
      return nil
    }
  }

  /// Forgets it; the app file, without which nothing can be undone, goes last.
  ///
  /// Of the directories that were made for the app, those that are empty go.
  func forget(_ before: Before) {
    before.removeDirectories()
    guard let beforePath, let appPath else { return }
    for path in [beforePath, appPath] { unsafe unlink(path) }
    removeAbandonedFiles(inDirectory: parent(of: appPath))
    // Nothing else is ever in it.
    unsafe rmdir(parent(of: appPath))
    // Those that held these files.
    before.removeDirectories()
  }
}

extension EnabledAsOf.Before {
  /// Removes the directories that were made, the deepest first; one that holds something stays.
  fileprivate func removeDirectories() {
    for directory in directories.sorted(by: >) {
      removeAbandonedFiles(inDirectory: directory.string)
      unsafe rmdir(directory.string)
    }
  }
}

extension EnabledAsOf.Before {
  /// A line for each file or directory: what it is and how long its path is, and for a file how long its content; the
  /// path and the content follow.
  fileprivate var bytes: [UInt8] {
    var bytes: [UInt8] = []
    for (path, content) in files.sorted(by: { $0.key < $1.key }) {
      let head = content.map { "file \(path.count) \($0.count)" } ?? "absent \(path.count) 0"
      bytes += Array("\(head)\n".utf8) + Array(path.utf8) + (content ?? []) + [0x0A]
    }
    for path in directories.sorted() {
      bytes += Array("directory \(path.count) 0\n".utf8) + Array(path.utf8) + [0x0A]
    }
    return bytes
  }

  /// Reads that; what is damaged ends it.
  fileprivate init(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while let end = rest.firstIndex(of: 0x0A) {
      let words = Text(decoding: rest[..<end]).split(" ")
      rest = rest[(end + 1)...]
      guard words.count == 3, let pathCount = Int(words[1].string), let count = Int(words[2].string), pathCount >= 0,
        count >= 0,
        pathCount <= rest.count, count <= rest.count - pathCount
      else { return }
      let path = Text(decoding: rest.prefix(pathCount))
      let content = Array(rest.dropFirst(pathCount).prefix(count))
      rest = rest.dropFirst(pathCount + count + 1)
      switch words[0] {
      case "file": files[path] = .some(content)
      case "absent": files[path] = .some(nil)
      case "directory": directories.insert(path)
      default: return
      }
    }
  }
}
