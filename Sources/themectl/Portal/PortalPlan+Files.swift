import CThemedLinux
import Glibc
import ThemedSystem

extension PortalPlan {
  /// The file at a path.
  static func find(_ path: Text) -> File {
    let name = path.string
    let obstacle = directoryObstacle(path)
    guard isAccessible(name, F_OK) || isSymbolicLink(name) else {
      return obstacle.map { .barred($0) } ?? .missing
    }
    guard let bytes = read(path) else {
      return .untouchable(isSymbolicLink(name) ? "it is a symbolic link" : "it cannot be read")
    }
    if isSymbolicLink(name) { return .guarded(bytes, "it is a symbolic link") }
    if let obstacle { return .guarded(bytes, obstacle) }
    if owner(of: name) != geteuid() { return .guarded(bytes, "it belongs to another user") }
    return isAccessible(name, W_OK) ? .text(bytes) : .guarded(bytes, "it is read-only")
  }

  /// Makes all of the changes, or none.
  func perform() throws {
    let directories = missingDirectories
    var done = PortalPlan()
    do {
      for change in changes {
        try change.perform()
        done.changes.append(change)
      }
    } catch {
      done.takeBack(directories)
      throw error
    }
  }

  /// Undoes the changes, except in files that were changed again, and removes these directories if they are empty.
  ///
  /// Returns whether everything could be undone.
  @discardableResult
  func takeBack(_ directories: [Text]) -> Bool {
    var isWhole = true
    for change in changes.reversed() {
      do { try Change(path: change.path, before: change.after, after: change.before).perform() } catch {
        complain("\(error); that change was not undone")
        isWhole = false
      }
    }
    for directory in directories { unsafe rmdir(directory.string) }
    return isWhole
  }

  /// Removes the directories of removed files if they are empty; only the portal looks into them.
  func removeEmptyDirectories() {
    for change in changes where change.after == nil {
      if let directory = change.path.splitAtLast("/")?.before { unsafe rmdir(directory.string) }
    }
  }

  /// The directories that have to be created, the innermost first.
  var missingDirectories: [Text] {
    var found: [Text] = []
    for change in changes where change.before == nil {
      var path = change.path
      while let directory = path.splitAtLast("/")?.before, !directory.isEmpty,
        !isAccessible(directory.string, F_OK), !found.contains(directory)
      {
        found.append(directory)
        path = directory
      }
    }
    return found
  }

  /// Why nothing is written into the directory of a file: it is a link, so somebody keeps it elsewhere.
  private static func directoryObstacle(_ path: Text) -> String? {
    var path = path
    while let directory = path.splitAtLast("/")?.before, !directory.isEmpty {
      if isSymbolicLink(directory.string) { return "its directory is a symbolic link" }
      guard directory.splitAtLast("/")?.behind == "portals" else { return nil }
      path = directory
    }
    return nil
  }

  fileprivate static func read(_ path: Text) -> [UInt8]? { try? readFile(path.string, maximum: 1 << 20) }
}

/// The number of the user who owns a file.
private func owner(of path: String) -> uid_t? {
  FileWaits.begin(path)
  defer { FileWaits.end() }
  var status = stat()
  return unsafe stat(path, &status) == 0 ? status.st_uid : nil
}

extension PortalPlan.Change {
  /// The file and the lines that are added and removed, for people.
  var text: String {
    guard let after else { return "will remove \(path.belowHome.shown())" }
    let (old, new) = (lines(before ?? []), lines(after))
    let gone = old.filter { !new.contains($0) }.map { "  - \($0.shown())" }
    let come = new.filter { !old.contains($0) }.map { "  + \($0.shown())" }
    let what = "will \(before == nil ? "create" : "change") \(path.belowHome.shown()):"
    return ([what] + gone + come).joined(separator: "\n")
  }

  private func lines(_ bytes: [UInt8]) -> [Text] {
    bytes.split(separator: UInt8(ascii: "\n")).map { Text(decoding: $0) }
  }

  /// Makes the change, if the file is still as it was when the change was planned.
  func perform() throws {
    guard PortalPlan.read(path) == before else {
      throw PortalPlan.Refusal(description: "\(path.shown()) was changed by another program meanwhile; try again")
    }
    if let after { return try writeFile(path.string, after) }
    guard unsafe unlink(path.string) == 0 || errno == ENOENT else { throw SystemError("removing \(path)", errno) }
  }
}
