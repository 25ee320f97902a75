internal import CThemedLinux
internal import Glibc
internal import Synchronization
internal import ThemeApps
internal import ThemedText
internal import ThemedUnix

/// Which files without comments are ours: `apply.files` in the state directory, a line for what was written to each.
///
/// The line is written first, beside that of what the file holds: what is ours is known whatever happens between, and
/// what anybody has changed since is not ours.
struct Ownership {
  private let list: String?

  init(_ places: Places) {
    list = places.directories.state.map { WrittenFiles.path(state: $0).string }
  }

  func remembers(_ bytes: [UInt8], _ file: String) throws(SystemError) -> Bool {
    try lines().contains(WrittenFiles.line(bytes, at: Text(file)))
  }

  /// Takes note of what a file is to hold instead of `old`, and of nothing that it held before.
  func remember(_ bytes: [UInt8], _ file: String, instead old: [UInt8]?) throws(SystemError) {
    guard let list else { throw SystemError("finding the state directory", ENOENT) }
    let directory = parent(of: list)
    try makeDirectories(directory)
    // Other lanes, and other sessions of the user's, have lines of theirs in it.
    let raw = unsafe open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard raw >= 0 else { throw SystemError("opening \(directory)", errno) }
    let lock = FileDescriptor(owning: raw)
    // NFS, for one, locks no directory: then it holds between our own lanes alone.
    if case .held(let holder) = ThemedUnix.lock(lock, atMostMilliseconds: Limits.lock) {
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

  /// Held by the lane that changes the list.
  private static let writing = Mutex(())

  /// A list that cannot be read is no empty one.
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
