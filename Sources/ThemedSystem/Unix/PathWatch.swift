internal import CThemedLinux
internal import Glibc

/// Waits for a path to appear, without polling (inotify).
///
/// It watches the deepest existing directory above the path, following links, and the directories of the links on the
/// way. When ``descriptor`` is readable, call ``drain()`` and try the path. If it still fails, call ``arm()`` again,
/// because a directory in between may have appeared or gone.
public struct PathWatch: ~Copyable, Sendable {
  /// Readable when something may have changed.
  public let descriptor: FileDescriptor
  /// The directories that are watched since the last ``arm()``; they change with the path.
  public private(set) var directories: [Text] = []
  private let path: String

  /// A watch for `path`, which is absolute or begins with `./`; it starts with ``arm()``.
  public init(path: String) throws(SystemError) {
    self.path = path
    descriptor = try FileDescriptor("inotify_init1", inotify_init1(CInt(IN_CLOEXEC | IN_NONBLOCK)))
  }

  /// Watches for the path, and returns whether it exists already.
  ///
  /// From this call on, ``descriptor`` becomes readable if the path appears. It throws if the kernel would not report
  /// that, such as for a directory that may not be read.
  public mutating func arm() throws(SystemError) -> Bool {
    var last: [Text]?
    while true {
      directories = try watchWay()
      // inotify does not report a directory that was created before the watch above it: look again until nothing
      // changed.
      guard directories != last else { return unsafe access(path, F_OK) == 0 }
      last = directories
    }
  }

  private func watchWay() throws(SystemError) -> [Text] {
    var watched: [Text] = []
    var directory: Text = path.utf8.first == UInt8(ascii: "/") ? "/" : "."
    var rest = Text(path).split("/", omittingEmpty: true)[...]
    // As many links as the system follows.
    var links = 40
    while let name = rest.popFirst() {
      let next: Text = directory == "/" ? "/\(name)" : "\(directory)/\(name)"
      let link = linkTarget(of: next.string)
      if link != nil { watched.append(try watch(directory)) }
      if !rest.isEmpty, isDirectory(next.string) {
        directory = next
      } else if let link, links > 0 {
        // The link leads to nothing yet, or to the file itself.
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

  /// Watches a directory, or if it has just gone, the deepest one above it; returns that directory.
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

  /// Takes the reports, so that ``descriptor`` is no longer readable, unless there are more than one call takes.
  public func drain() {
    var buffer = [UInt8](repeating: 0, count: 4096)
    // Events may come faster than they are read.
    for _ in 0..<64 { guard unsafe read(descriptor.raw, &buffer, buffer.count) > 0 else { return } }
  }
}
