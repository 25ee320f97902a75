internal import CThemedLinux
internal import ThemedText
internal import Glibc

/// Waits for a path to appear, without asking again and again (inotify).
///
/// It watches the deepest directory above the path that exists. When ``descriptor`` is readable, ``drain()``, then
/// try the path, and where it still fails ``arm()`` again: a directory in between may have come or gone.
public struct PathWatch: ~Copyable, Sendable {
  /// Readable when something may have changed.
  public let descriptor: FileDescriptor
  private let path: String

  /// Will watch for `path`, an absolute path, once armed.
  public init(path: String) throws(SystemError) {
    self.path = path
    descriptor = try FileDescriptor("inotify_init1", inotify_init1(CInt(IN_CLOEXEC | IN_NONBLOCK)))
  }

  /// Watches the deepest existing directory above the path; whether the path is there already.
  ///
  /// What appears from the call on makes ``descriptor`` readable.
  public func arm() throws(SystemError) -> Bool {
    var watched: Text?
    while true {
      let deepest = try watchDeepest()
      // One that was made before the watch above it stood is reported by nobody: look again until nothing came.
      guard deepest != watched else { return unsafe access(path, F_OK) == 0 }
      watched = deepest
    }
  }

  private func watchDeepest() throws(SystemError) -> Text {
    let mask = UInt32(IN_CREATE | IN_MOVED_TO | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR)
    var directory = Text(parent(of: path))
    while unsafe inotify_add_watch(descriptor.raw, directory.string, mask) < 0 {
      guard errno == ENOENT || errno == ENOTDIR || errno == EACCES, directory != "/" else {
        throw SystemError(errnoOf: "watching \(directory)")
      }
      directory = Text(parent(of: directory.string))
    }
    return directory
  }

  /// Takes what was reported, so that ``descriptor`` is no longer readable.
  public func drain() {
    var buffer = [UInt8](repeating: 0, count: 4096)
    while unsafe read(descriptor.raw, &buffer, buffer.count) > 0 {}
  }
}
