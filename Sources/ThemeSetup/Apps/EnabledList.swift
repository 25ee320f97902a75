import Glibc
package import ThemeApps
package import ThemedSystem

/// The list of enabled apps, as it is on the disk.
package struct EnabledList {
  package let path: String
  package private(set) var apps: EnabledApps
  /// The content of the file; nil if it does not exist.
  private let bytes: [UInt8]?

  /// Reads the list; throws why that fails.
  package init() throws {
    guard let configuration = BaseDirectory.configuration else {
      throw Refusal("cannot find the list of enabled apps: neither XDG_CONFIG_HOME nor HOME is set")
    }
    path = EnabledApps.path(configuration: Text(configuration)).string
    do throws(SystemError) {
      let read = try readFile(path, maximum: EnabledApps.maximumSize)
      (bytes, apps) = (read, EnabledApps(read))
    } catch {
      guard error.code == ENOENT else { throw Refusal("\(error)") }
      (bytes, apps) = (nil, EnabledApps())
    }
  }

  var isNew: Bool { bytes == nil }

  /// The names of the enabled apps, for code that changes nothing; empty if the list cannot be read.
  package static var names: [Text] { seen.names }

  /// The list, for code that changes nothing.
  package static var seen: EnabledApps {
    guard let configuration = BaseDirectory.configuration else { return EnabledApps() }
    let path = EnabledApps.path(configuration: Text(configuration)).string
    return EnabledApps((try? readFile(path, maximum: EnabledApps.maximumSize)) ?? [])
  }

  /// Runs a closure that reads and changes files, while no other command does so; it gets the directories that were
  /// made for that.
  ///
  /// - Parameter place: the directory to lock; nil for the usual one.
  static func locked<Value>(in place: String? = nil, _ body: (_ made: [String]) throws -> Value) throws -> Value {
    guard let directory = place ?? BaseDirectory.configuration.map({ "\($0)/themed" }) else { return try body([]) }
    var made: [String] = []
    while true {
      let lock: FileDescriptor
      do throws(SystemError) {
        made += missingDirectories(above: "\(directory)/")
        try makeDirectories(directory)
        lock = try openDirectory(directory)
      } catch { throw Refusal("\(error)\(Refusal.advice(error))") }
      let outcome = ThemedSystem.lock(lock, atMostMilliseconds: 10_000) { holder in
        Notices.tell("waiting for \(Self.words(holder)), which has locked \(Text(directory).belowHome)")
      }
      if case .held(let holder) = outcome {
        throw Refusal(
          "nothing was changed, since \(Self.words(holder)) has locked \(Text(directory).belowHome): run this again "
            + "when that process has exited")
      }
      // Another command may have removed the empty directory meanwhile.
      if let now = try? openDirectory(directory), FileNumber(of: now) == FileNumber(of: lock) {
        // Directories that stay empty are removed again.
        defer { for directory in made { unsafe rmdir(directory) } }
        return try body(made)
      }
    }
  }

  private static func openDirectory(_ path: String) throws(SystemError) -> FileDescriptor {
    FileWaits.begin(path)
    defer { FileWaits.end() }
    let number = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard number >= 0 else { throw SystemError("cannot open \(path)", errno) }
    return FileDescriptor(owning: number)
  }

  private static func words(_ process: Int32?) -> String {
    guard let process else { return "another process" }
    return "process \(process)" + (commandName(process).map { " (\(printable($0)))" } ?? "")
  }

  /// Adds or removes an app, and plans to write the list if it changes.
  ///
  /// - Parameter before: the state before; a list that we created is removed when it is empty again.
  package mutating func set(
    _ name: Text, isEnabled: Bool, _ before: EnabledRecord.Before, in changes: inout FileChanges
  ) {
    let old = apps
    if isEnabled { apps.insert(name) } else { apps.remove(name) }
    guard apps != old else { return }
    let isGone = apps.bytes.isEmpty && before.files[Text(path)] == .some(nil)
    changes.set(path, from: bytes, to: isGone ? nil : apps.bytes)
  }
}

/// The record of an enabled app: its app file when it was enabled, and the user's files before that.
///
/// Disabling needs nothing else, so it works even if the app file was changed or removed since, or if a program has
/// rewritten its file without our comments.
package struct EnabledRecord {
  package struct Before: Equatable {
    /// The contents of the files that got a line; nil for a file that did not exist.
    package var files: [Text: [UInt8]?] = [:]
    package var directories: Set<Text> = []
  }

  private let appPath: String?
  private let beforePath: String?

  package init(_ name: Text) {
    let directory = App.isValidName(name) ? BaseDirectory.state.map { "\($0)/themed/enabled" } : nil
    appPath = directory.map { "\($0)/\(name)\(App.suffix)" }
    beforePath = directory.map { "\($0)/\(name).before" }
  }

  package static var names: [Text] {
    guard let state = BaseDirectory.state else { return [] }
    let files = ThemedSystem.names(inDirectory: "\(state)/themed/enabled")
    return files.compactMap { $0.dropping(suffix: App.suffix) }.filter(App.isValidName).sorted()
  }

  /// The readable records of all apps.
  package static var all: [Before] { names.compactMap { try? EnabledRecord($0).before() } }

  package var exists: Bool { appPath.map { FileIdentity(of: $0) != nil } ?? false }

  /// The app file when the app was enabled; nil if there is no record.
  package func app(_ name: Text) throws(SystemError) -> App? {
    guard let appPath, let bytes = try existing(appPath) else { return nil }
    return AppFile(name: name, bytes, home: AppPlaces.directories.home).app
  }

  /// The user's files before the app was enabled; read them within ``EnabledList/locked(_:)``.
  package func before() throws(SystemError) -> Before {
    guard let beforePath, let bytes = try existing(beforePath) else { return Before() }
    return Before(bytes)
  }

  /// The change that saves the app file at a path and the user's files, which comes before all others.
  ///
  /// The app file is the first: if it is there and the app is not enabled, something has to be undone.
  func keeping(_ file: String, _ before: Before) throws(SystemError) -> FileChanges {
    var changes = FileChanges()
    guard let appPath, let beforePath else { return changes }
    changes.set(appPath, from: try existing(appPath), to: try readFile(file, maximum: AppFile.maximumSize))
    changes.set(beforePath, from: try existing(beforePath), to: before.bytes)
    return changes
  }

  /// Notes which of the list and the directories that all enabled apps share were not there before the first of them.
  ///
  /// - Parameter made: the directories that were made for the list just now.
  func noteShared(_ list: EnabledList, made: [String], in before: inout Before) {
    let records = appPath.map { missingDirectories(above: $0) } ?? []
    before.directories.formUnion((made + records).map { Text($0) })
    if list.isNew { before.files[Text(list.path)] = .some(nil) }
    // The app that is disabled last removes them.
    for other in Self.all {
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

  /// Removes the record, and the directories that were made for the app, if they are empty.
  ///
  /// The app file goes last, because nothing can be undone without it.
  ///
  /// - Parameter apps: the apps whose files may have temporary files of a killed command beside them.
  package func forget(_ before: Before, beside apps: [App]) {
    for target in apps.flatMap({ app in app.writes.compactMap { AppTarget($0, of: app.name) } }) {
      removeAbandonedFiles(beside: target.file)
    }
    before.removeDirectories()
    guard let beforePath, let appPath else { return }
    for path in [beforePath, appPath] {
      unsafe unlink(path)
      removeAbandonedFiles(beside: path)
    }
    // The directory contains nothing but records.
    unsafe rmdir(parent(of: appPath))
    // The directories that contained the records are empty only now.
    before.removeDirectories()
  }
}

extension EnabledRecord.Before {
  /// Removes the directories that were made, the deepest first; one that is not empty stays.
  fileprivate func removeDirectories() {
    for directory in directories.sorted(by: >) { unsafe rmdir(directory.string) }
  }

  /// The saved form: for each file or directory a line with its kind and the lengths of path and content, then the path
  /// and the content.
  package var bytes: [UInt8] {
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

  /// Reads the saved form, up to the first damaged entry.
  package init(_ bytes: [UInt8]) {
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
