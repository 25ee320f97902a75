internal import CThemedLinux
internal import Synchronization
internal import ThemedSystem

/// Hears when programs start: the kernel opens their files then.
final class ProgramWatch: Sendable {
  private let inotify: Inotify
  private let watches = Mutex<Set<CInt>>([])

  init() throws(SystemError) { inotify = try Inotify() }

  /// Readable when one of them may have started.
  var descriptor: CInt { inotify.descriptor.raw }

  /// Watches these program files and no others; may wait.
  func follow(_ files: [Text]) {
    // An upgrade replaces the file, which changes the number of links of the old one. Then the new one has to be watched.
    let new = Set(files.compactMap { try? inotify.add($0, UInt32(IN_OPEN | IN_ATTRIB | IN_MOVE_SELF)) })
    watches.withLock { watches in
      for watch in watches.subtracting(new) { inotify.remove(watch) }
      watches = new
    }
  }

  /// Whether one of them may have started, or was replaced so that it has to be watched again, since the last call.
  func haveStarted() -> Bool {
    var haveStarted = false
    inotify.read { if $0.mask & UInt32(IN_IGNORED) == 0 { haveStarted = true } }
    return haveStarted
  }
}
