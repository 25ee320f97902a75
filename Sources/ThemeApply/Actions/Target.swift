internal import CThemedLinux
internal import Glibc
internal import Synchronization
internal import ThemeApps
internal import ThemedSystem

/// A file that is written for an app: through symbolic links, only if it differs, and never over a file that is not ours.
struct Target {
  let path: String
  /// The line that marks the file as ours; nil if the format has no comments, so that a list is used instead.
  let mark: TargetMark?
  let places: Places

  /// Writes the file; true if it differed.
  func write(_ content: [UInt8]) throws(Fault) -> Bool {
    let bytes = mark?.marking(content) ?? content
    let file = try real()
    let old = try existing(file)
    if old == bytes {
      // Where nothing else says so, it is ours only if we have written it.
      return false
    }
    if let old { try requireOurs(old, file) }
    do throws(SystemError) {
      if mark == nil { try ownership.remember(bytes, file, instead: old) }
      // What was killed while it wrote.
      removeTemporaryFiles(beside: file)
      try replaceFile(file, with: bytes)
    } catch { throw fault(error) }
    return true
  }

  /// Removes the file if it is ours; true if it did.
  func remove() -> Bool {
    guard let file = try? real(), let bytes = try? existing(file), (try? isOurs(bytes, file)) == true else {
      return false
    }
    return unsafe unlink(file) == 0
  }

  private var shown: String { Text(path).shown(atMost: 300) }
  private var typed: String { Text(path).typed }

  /// The path without links.
  private func real() throws(Fault) -> String {
    do throws(SystemError) { return try destination(of: path) } catch {
      let target = Text(decoding: linkTarget(of: path) ?? []).shown(atMost: 300)
      throw Fault(
        "\(shown) is a broken symbolic link to \(target): \(SystemError.text(error.code))",
        "create the file that it points to, or remove the link: 'rm \(typed)'")
    }
  }

  /// The content; nil if the file does not exist.
  private func existing(_ file: String) throws(Fault) -> [UInt8]? {
    var status = stat()
    guard unsafe stat(file, &status) == 0 else {
      let code = errno
      guard code != ENOENT else { return nil }
      throw fault(SystemError("looking at \(file)", code))
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: throw Fault("\(shown) is a directory", "move it away: 'mv \(typed) \(Text(path + ".old").typed)'")
    default: throw Fault("\(shown) is not a regular file", "move it away: 'mv \(typed) \(Text(path + ".old").typed)'")
    }
    guard status.st_uid == Peer.ownUser else {
      throw Fault(
        "\(shown) belongs to \(Text(userName(status.st_uid)).shown(atMost: 64))",
        "become its owner: 'sudo chown \(Peer.ownUser) \(typed)'")
    }
    do throws(SystemError) { return try readFile(file, maximum: Limits.target) } catch {
      if error.code == EFBIG { throw notOurs }
      throw fault(error)
    }
  }

  private func requireOurs(_ old: [UInt8], _ file: String) throws(Fault) {
    do throws(SystemError) { guard try !isOurs(old, file) else { return } } catch {
      throw Fault(
        "cannot tell whether themed wrote \(shown): \(error)", "make that list readable", mendsItself: true)
    }
    throw notOurs
  }

  private func isOurs(_ bytes: [UInt8], _ file: String) throws(SystemError) -> Bool {
    if let mark { mark.begins(bytes) } else { try ownership.remembers(bytes, file) }
  }

  private var notOurs: Fault {
    Fault(
      "\(shown) stays as it is: themed did not write it, or it was changed since",
      "move it away, and themed-apply writes it again: 'mv \(typed) \(Text(path + ".old").typed)'")
  }

  private var ownership: Ownership { Ownership(places) }

  private func fault(_ error: SystemError) -> Fault { Self.fault(error, path) }

  /// The reason why a file cannot be written, and the advice.
  static func fault(_ error: SystemError, _ path: String) -> Fault {
    // The file behind a link is the one that is replaced.
    let shown = Text(path).shown(atMost: 300)
    let directory = Text(parent(of: (try? destination(of: path)) ?? path)).typed
    let (advice, mends): (String, Bool) =
      switch error.code {
      case ENOSPC, EDQUOT: ("free some space on its disk: 'df -h \(directory)'", true)
      case EROFS: ("its file system is read-only: see 'findmnt -T \(directory)'", false)
      case EACCES, EPERM: ("make its directory writable: 'chmod u+wx \(directory)'", false)
      case ENOTDIR: ("make \(directory) a directory", false)
      case ELOOP, ENAMETOOLONG: ("name another file in the app file", false)
      default: ("see 'ls -l \(directory)'", true)
      }
    return Fault("cannot write \(shown): \(SystemError.text(error.code))", advice, mendsItself: mends)
  }
}

/// Records which files without comments are ours, in `apply.files` in the state directory, with a line for each file.
///
/// The line of the new content is written first, beside that of the old one. So the file counts as ours even if this
/// process is killed in between, and a file that was changed since does not.
struct Ownership {
  private let list: String?

  init(_ places: Places) {
    list = places.directories.state.map { WrittenFiles.path(state: $0).string }
  }

  func remembers(_ bytes: [UInt8], _ file: String) throws(SystemError) -> Bool {
    try lines().contains(WrittenFiles.line(bytes, at: Text(file)))
  }

  /// Records the new content of a file beside `old`, and drops earlier contents.
  func remember(_ bytes: [UInt8], _ file: String, instead old: [UInt8]?) throws(SystemError) {
    guard let list else { throw SystemError("finding the state directory", ENOENT) }
    let directory = parent(of: list)
    try makeDirectories(directory)
    // Other lanes, and other sessions of the user's, have lines of theirs in it.
    let raw = unsafe open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard raw >= 0 else { throw SystemError("opening \(directory)", errno) }
    let lock = FileDescriptor(owning: raw)
    // NFS, for one, locks no directory: then it holds between our own lanes alone.
    if case .held(let holder) = ThemedSystem.lock(lock, atMostMilliseconds: Limits.lock) {
      throw SystemError(
        "locking \(directory), which \(holder.map { "process \($0)" } ?? "another process") has locked", EAGAIN)
    }
    try Self.writing.withLock { _ throws(SystemError) in
      let lines = try lines()
      let own = old.map { WrittenFiles.line($0, at: Text(file)) }
      let kept = lines.filter { !$0.hasSuffix(" \(file)") || $0 == own }
      let line = WrittenFiles.line(bytes, at: Text(file))
      let all = kept.contains(line) ? kept : kept + [line]
      guard all != lines else { return }
      removeTemporaryFiles(beside: list)
      try replaceFile(list, with: all.flatMap { Array($0.utf8) + [0x0A] })
    }
  }

  /// The lock of the lane that changes the list.
  private static let writing = Mutex(())

  /// Reads the list; a list that cannot be read is an error, and not empty.
  private func lines() throws(SystemError) -> [Text] {
    guard let list else { return [] }
    do throws(SystemError) {
      return try readFile(list, maximum: Limits.sidecar).split(separator: 0x0A).map { Text(decoding: $0) }
    } catch {
      if error.code == ENOENT { return [] }
      throw error
    }
  }
}
