internal import CThemedLinux
internal import Glibc
internal import Synchronization
internal import ThemeApps
internal import ThemedText
internal import ThemedUnix

/// A file of an app's that is written whole: through a symbolic link, only where it differs, and never over a file that is
/// not ours.
struct Target {
  let path: String
  /// The line that says whose it is; nil where the format has no comments, and a list says so.
  let mark: TargetMark?
  let places: Places

  /// Writes the file; whether it differed.
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
      if mark == nil { try ownership.remember(bytes, file) }
      // What was killed while it wrote.
      removeTemporaryFiles(beside: file)
      try replaceFile(file, with: bytes)
    } catch { throw fault(error) }
    return true
  }

  private var shown: String { Text(path).shown(atMost: 300) }

  /// The path without links.
  private func real() throws(Fault) -> String {
    guard isSymbolicLink(path) else { return path }
    guard let resolved = unsafe realpath(path, nil) else {
      let code = errno
      let target = Text(decoding: linkTarget(of: path) ?? []).shown(atMost: 300)
      throw Fault(
        "\(shown) is a symbolic link to \(target), which is not there: \(SystemError.text(code))",
        "make what it points to, or remove the link: 'rm \(shown)'")
    }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }

  /// What is in it; nil where there is no file.
  private func existing(_ file: String) throws(Fault) -> [UInt8]? {
    var status = stat()
    guard unsafe stat(file, &status) == 0 else {
      let code = errno
      guard code != ENOENT else { return nil }
      throw fault(SystemError("looking at \(file)", code))
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: throw Fault("\(shown) is a directory", "remove it, or move it away: 'mv \(shown) \(shown).old'")
    default: throw Fault("\(shown) is no regular file", "remove it, or move it away: 'mv \(shown) \(shown).old'")
    }
    guard status.st_uid == Peer.ownUser else {
      throw Fault(
        "\(shown) belongs to \(Text(userName(status.st_uid)).shown(atMost: 64))",
        "have it given to you, or removed: 'sudo chown \(Peer.ownUser) \(shown)'")
    }
    do throws(SystemError) { return try readFile(file, maximum: Limits.target) } catch {
      if error.code == EFBIG { throw notOurs }
      throw fault(error)
    }
  }

  private func requireOurs(_ old: [UInt8], _ file: String) throws(Fault) {
    let isOurs = mark.map { $0.begins(old) } ?? ownership.remembers(old, file)
    guard isOurs else { throw notOurs }
  }

  private var notOurs: Fault {
    Fault(
      "\(shown) is not ours, or was changed by somebody, and is not overwritten",
      "move it away, and it is written anew: 'mv \(shown) \(shown).old'")
  }

  private var ownership: Ownership { Ownership(places) }

  private func fault(_ error: SystemError) -> Fault {
    let directory = Text(parent(of: path)).shown(atMost: 300)
    let (advice, mends): (String, Bool) =
      switch error.code {
      case ENOSPC, EDQUOT: ("make room on its disk: 'df -h \(directory)'", true)
      case EROFS: ("it lies on a file system that is read-only: see 'findmnt -T \(directory)'", false)
      case EACCES, EPERM: ("make its directory writable: 'chmod u+wx \(directory)'", false)
      case ENOTDIR: ("see that \(directory) is a directory", false)
      case ELOOP, ENAMETOOLONG: ("name another file in the app's file", false)
      default: ("see 'ls -l \(directory)'", true)
      }
    return Fault("\(shown) cannot be written: \(SystemError.text(error.code))", advice, mendsItself: mends)
  }
}

/// Which files without comments are ours: `apply.files` in the state directory, a line for what was written to each.
///
/// The line is written first: what is ours is then known whatever happens between, and what anybody has changed since is
/// not ours.
private struct Ownership {
  private static let lock = Mutex(())
  private let list: String?

  init(_ places: Places) {
    list = places.directories.state.map { "\($0)/themed/apply.files" }
  }

  func remembers(_ bytes: [UInt8], _ file: String) -> Bool {
    Self.lock.withLock { _ in lines().contains(Self.line(bytes, file)) }
  }

  func remember(_ bytes: [UInt8], _ file: String) throws(SystemError) {
    guard let list else { throw SystemError("finding the state directory", ENOENT) }
    let result: Result<Void, SystemError> = Self.lock.withLock { _ in
      let old = lines()
      let line = Self.line(bytes, file)
      guard !old.contains(line) else { return .success(()) }
      // That of what is there now, and that of what comes: one of the two is.
      let same = old.filter { $0.hasSuffix(" \(file)") }.suffix(1)
      let kept = old.filter { !$0.hasSuffix(" \(file)") } + same + [line]
      do throws(SystemError) {
        try replaceFile(list, with: kept.flatMap { Array($0.utf8) + [0x0A] })
        return .success(())
      } catch { return .failure(error) }
    }
    try result.get()
  }

  private func lines() -> [Text] {
    guard let list, let bytes = try? readFile(list, maximum: Limits.sidecar) else { return [] }
    return bytes.split(separator: 0x0A).map { Text(decoding: $0) }
  }

  /// FNV-1a, 64 bits: whether a file is the same, not whether somebody wants it to seem so.
  private static func line(_ bytes: [UInt8], _ file: String) -> Text {
    let hash = bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    let digits = String(hash, radix: 16)
    return "\(String(repeating: "0", count: 16 - digits.utf8.count))\(digits) \(file)"
  }
}
