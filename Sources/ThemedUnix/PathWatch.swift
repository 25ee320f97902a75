internal import CThemedLinux
public import ThemedText
internal import Glibc

/// Waits for a path to appear, without asking again and again (inotify).
///
/// It watches the deepest directory above the path that exists, also where links lead, and those that the links on the
/// way lie in. When ``descriptor`` is readable, ``drain()``, then try the path, and where it still fails ``arm()`` again: a
/// directory in between may have come or gone.
public struct PathWatch: ~Copyable, Sendable {
  /// Readable when something may have changed.
  public let descriptor: FileDescriptor
  /// The directories that are watched since it was last armed: others once something on the way has changed.
  public private(set) var directories: [Text] = []
  private let path: String

  /// Will watch for `path`, an absolute path or one that begins with `./`, once armed.
  public init(path: String) throws(SystemError) {
    self.path = path
    descriptor = try FileDescriptor("inotify_init1", inotify_init1(CInt(IN_CLOEXEC | IN_NONBLOCK)))
  }

  /// Watches for the path; whether it is there already.
  ///
  /// What appears from the call on makes ``descriptor`` readable. Throws where nobody would tell of it, as of what
  /// appears in a directory that may not be read.
  public mutating func arm() throws(SystemError) -> Bool {
    var last: [Text]?
    while true {
      directories = try watchWay()
      // One that was made before the watch above it stood is reported by nobody: look again until nothing came.
      guard directories != last else { return unsafe access(path, F_OK) == 0 }
      last = directories
    }
  }

  private func watchWay() throws(SystemError) -> [Text] {
    var watched: [Text] = []
    var directory: Text = path.utf8.first == UInt8(ascii: "/") ? "/" : "."
    var rest = Text(path).split("/", omittingEmpty: true)[...]
    // As many as the system itself follows.
    var links = 40
    while let name = rest.popFirst() {
      let next: Text = directory == "/" ? "/\(name)" : "\(directory)/\(name)"
      let link = linkTarget(of: next.string)
      if link != nil { watched.append(try watch(directory)) }
      if !rest.isEmpty, isDirectory(next.string) {
        directory = next
      } else if let link, links > 0 {
        // To nothing yet, or to the file itself.
        links -= 1
        let target = Text(decoding: link)
        if target.hasPrefix("/") { directory = "/" }
        rest = (target.split("/", omittingEmpty: true) + rest)[...]
      } else {
        break
      }
    }
    return watched + [try watch(directory)]
  }

  /// Watches a directory, or where it has just gone the deepest above it; which.
  private func watch(_ directory: Text) throws(SystemError) -> Text {
    let mask = UInt32(IN_CREATE | IN_MOVED_TO | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR)
    var directory = directory
    while unsafe inotify_add_watch(descriptor.raw, directory.string, mask) < 0 {
      guard errno == ENOENT || errno == ENOTDIR, directory != "/", directory != "." else {
        throw SystemError(errnoOf: "cannot watch \(directory)")
      }
      directory = Text(parent(of: directory.string))
    }
    return directory
  }

  /// Takes what was reported, so that ``descriptor`` is no longer readable, unless more comes than is taken at a time.
  public func drain() {
    var buffer = [UInt8](repeating: 0, count: 4096)
    // Somebody may make events faster than they are read.
    for _ in 0..<64 { guard unsafe read(descriptor.raw, &buffer, buffer.count) > 0 else { return } }
  }
}
