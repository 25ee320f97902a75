internal import CThemedLinux
internal import Glibc
internal import Synchronization
internal import ThemeApps
internal import ThemedSystem

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
