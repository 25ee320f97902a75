internal import CThemedLinux
internal import Glibc

/// Changes of files and directories that the kernel reports (inotify).
public struct Inotify: ~Copyable, Sendable {
  /// Readable when there are events.
  public let descriptor: FileDescriptor

  public init() throws(SystemError) {
    descriptor = try FileDescriptor("inotify_init1", inotify_init1(CInt(IN_CLOEXEC | IN_NONBLOCK)))
  }

  public struct Event: Sendable {
    /// The number of the watch; -1: events were lost.
    public let watch: CInt
    /// The kind of the event, in inotify's bits.
    public let mask: UInt32
    /// The name in the watched directory; empty for the watched file itself.
    public let name: Text
  }

  /// Watches a path for the events of this mask, and returns the number of the watch; may wait.
  public func add(_ path: Text, _ mask: UInt32) throws(SystemError) -> CInt {
    let watch = unsafe inotify_add_watch(descriptor.raw, path.string, mask)
    guard watch >= 0 else {
      let code = errno
      throw SystemError("cannot watch \(path)", code)
    }
    return watch
  }

  public func remove(_ watch: CInt) { inotify_rm_watch(descriptor.raw, watch) }

  /// Passes each reported event to `body`, without waiting; what is more than one call takes comes with the next.
  public func read(_ body: (Event) -> Void = { _ in }) {
    var buffer = [UInt8](repeating: 0, count: 4096)
    // Events may come faster than they are read.
    for _ in 0..<64 {
      let count = unsafe Glibc.read(descriptor.raw, &buffer, buffer.count)
      guard count > 0 else { return }
      unsafe buffer.withUnsafeBytes { bytes in
        var offset = 0
        while offset < count {
          let event = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
          offset += MemoryLayout<inotify_event>.size
          let name = unsafe bytes[offset..<offset + Int(event.len)].prefix { $0 != 0 }
          offset += Int(event.len)
          unsafe body(Event(watch: event.wd, mask: event.mask, name: Text(decoding: name)))
        }
      }
    }
  }
}

/// Reports when files may have changed, without polling (inotify).
///
/// It sees when a file is written and closed, replaced, removed, created or gets other permissions, also through
/// symbolic links, and when directories above it appear or disappear. To watch a path it has to access it, which hangs
/// if the file system does. So call ``watch(_:)`` and ``unwatch(_:)`` on a thread that may wait. ``events()`` never
/// waits.
public final class FileWatch: Sendable {
  private let inotify: Inotify
  public var descriptor: CInt { inotify.descriptor.raw }

  public init() throws(SystemError) { inotify = try Inotify() }

  /// The watches for some files, at the time when they were looked up.
  public struct Ways: Sendable, Equatable {
    /// The relevant names in each watched directory, by the number of its watch: the file's name, or that of the next
    /// directory.
    public var names: [CInt: Set<Text>] = [:]
    /// The watches of directories in which every name is relevant.
    public var whole: Set<CInt> = []
    /// Whether nothing on the paths changed during the lookup; if false, look them up again.
    public var isSettled = true
    /// Why changes may be missed, if that is so.
    public var problem: SystemError?

    public init() {}

    /// This watch together with what was watched before, whose paths may have changed since.
    public func added(to before: Ways) -> Ways {
      var ways = self
      ways.names.merge(before.names) { $0.union($1) }
      ways.whole.formUnion(before.whole)
      ways.isSettled = isSettled && before.isSettled
      ways.problem = problem ?? before.problem
      return ways
    }

    /// Whether an event concerns one of the files, or a directory on the way to it.
    public func concerns(_ event: Event) -> Bool {
      // Number -1: events were lost.
      guard event.watch >= 0 else { return true }
      guard let names = names[event.watch] else { return false }
      // An event without a name concerns the directory itself.
      return event.name.isEmpty || names.contains(event.name) || whole.contains(event.watch)
    }
  }

  public struct Event: Sendable, Hashable {
    /// The number of its watch; -1: events were lost.
    public let watch: CInt
    /// The name in the directory; empty for the directory itself.
    public let name: Text
    /// Whether the event says that the watch has ended; the reason was reported before.
    public let isEnd: Bool

    public init(watch: CInt, name: Text = "", isEnd: Bool = false) {
      (self.watch, self.name, self.isEnd) = (watch, name, isEnd)
    }
  }

  /// Returns what was reported, without duplicates; the rest comes with the next call.
  public func events() -> Set<Event> {
    var events: Set<Event> = []
    inotify.read { events.insert(Event(watch: $0.watch, name: $0.name, isEnd: $0.mask & UInt32(IN_IGNORED) != 0)) }
    return events
  }

  /// Watches these files, by absolute paths, and every directory on the way; starts again if the paths change
  /// meanwhile.
  ///
  /// The files do not have to exist. This may hang. `directories` are watched for changes of all their files. `others`
  /// are watches that other files still need. `note` is called with each path before it is accessed.
  public func watch(
    _ paths: [Text], contentsOf directories: [Text] = [], besides others: Set<CInt> = [],
    _ note: (Text) -> Void = { _ in }
  ) -> Ways {
    var ways = Ways()
    var steps = Self.steps(to: paths, directories, note)
    // If something changes the paths faster than we look them up, it will trigger another look.
    for _ in 0..<8 {
      ways = Ways()
      for (directory, step) in steps {
        note(directory)
        // Add to the existing mask: the same directory can be on the way to another file, or have another path.
        do throws(SystemError) {
          let watched = try inotify.add(directory, step.mask | UInt32(IN_MASK_ADD))
          // Otherwise the mask of an earlier path would wake us for nothing.
          if ways.names[watched] == nil, !others.contains(watched) { _ = try? inotify.add(directory, step.mask) }
          ways.names[watched, default: []].formUnion(step.names)
          if step.isWhole { ways.whole.insert(watched) }
        } catch {
          switch error.code {
          case ENOENT, ENOTDIR, ELOOP: ways.isSettled = false
          // A directory that may be passed but not listed: what happens further down is visible.
          case EACCES where step.names.isEmpty && !step.isWhole: break
          default: ways.problem = error
          }
        }
      }
      let now = Self.steps(to: paths, directories, note)
      if now != steps { ways.isSettled = false }
      if ways.isSettled { break }
      steps = now
    }
    return ways
  }

  public func unwatch(_ watches: [CInt]) {
    for watch in watches { inotify.remove(watch) }
  }

  // MARK: Steps

  private static let gone = UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR)
  private static let entry = UInt32(IN_CREATE | IN_MOVED_TO | IN_DELETE | IN_MOVED_FROM | IN_ATTRIB)

  private struct Step: Equatable {
    var mask = FileWatch.gone
    /// The relevant names in it.
    var names: Set<Text> = []
    /// Whether every name in it is relevant.
    var isWhole = false
    /// The identity of the directory, because another one may take its place.
    var identity: [UInt64]
  }

  private static func steps(to paths: [Text], _ directories: [Text], _ note: (Text) -> Void) -> [Text: Step] {
    var steps: [Text: Step] = [:]
    for path in paths { add(wayTo: path, isDirectory: false, &steps, note) }
    for path in directories { add(wayTo: path, isDirectory: true, &steps, note) }
    return steps
  }

  /// Adds the directories on the way to the file, or to the contents of a directory, following links, down to the first
  /// missing one.
  ///
  /// An existing directory is watched for its removal, a link for its change, and the last directory for events of the
  /// file or of the missing directory. So changes of other files wake nothing up.
  private static func add(
    wayTo path: Text, isDirectory: Bool, _ steps: inout [Text: Step], _ note: (Text) -> Void
  ) {
    var directory: Text = "/"
    var identity: [UInt64] = []
    var rest = path.split("/", omittingEmpty: true)[...]
    var links = 0
    func watch(_ mask: UInt32, _ name: Text) {
      steps[directory, default: Step(identity: identity)].mask |= mask
      steps[directory]?.names.insert(name)
    }
    while let name = rest.popFirst() {
      let full: Text = directory == "/" ? "/\(name)" : "\(directory)/\(name)"
      note(full)
      // Follows as many links as the kernel does.
      if links < 40, let target = link(at: full) {
        links += 1
        watch(entry, name)
        if target.hasPrefix("/") { (directory, identity) = ("/", []) }
        rest = (target.split("/", omittingEmpty: true) + rest)[...]
      } else if !rest.isEmpty || isDirectory, let next = directoryIdentity(full) {
        steps[full, default: Step(identity: next)].mask |= gone
        (directory, identity) = (full, next)
      } else {
        return watch(entry | (rest.isEmpty && !isDirectory ? UInt32(IN_CLOSE_WRITE) : 0), name)
      }
    }
    guard isDirectory else { return }
    steps[directory, default: Step(identity: identity)].mask |= entry | UInt32(IN_CLOSE_WRITE)
    steps[directory]?.isWhole = true
  }

  /// The identity of the directory at this path; nil if there is none that this user may enter.
  private static func directoryIdentity(_ path: Text) -> [UInt64]? {
    var status = stat()
    guard unsafe stat(path.string + "/.", &status) == 0 else { return nil }
    return [UInt64(status.st_dev), UInt64(status.st_ino)]
  }

  private static func link(at path: Text) -> Text? { linkTarget(of: path.string).map { Text(decoding: $0) } }
}

/// Waits for a path to appear, without polling (inotify).
///
/// It watches the deepest existing directory above the path, following links, and the directories of the links on the
/// way. When ``descriptor`` is readable, call ``drain()`` and try the path. If it still fails, call ``arm()`` again,
/// because a directory in between may have appeared or gone.
public struct PathWatch: ~Copyable, Sendable {
  private let inotify: Inotify
  /// Readable when something may have changed.
  public var descriptor: CInt { inotify.descriptor.raw }
  /// The directories that are watched since the last ``arm()``; they change with the path.
  public private(set) var directories: [Text] = []
  private let path: String

  /// A watch for `path`, which is absolute or begins with `./`; it starts with ``arm()``.
  public init(path: String) throws(SystemError) {
    self.path = path
    inotify = try Inotify()
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
    while true {
      do throws(SystemError) {
        _ = try inotify.add(directory, mask)
        return directory
      } catch {
        guard error.code == ENOENT || error.code == ENOTDIR, directory != "/", directory != "." else { throw error }
        directory = Text(parent(of: directory.string))
      }
    }
  }

  /// Takes the reports, so that ``descriptor`` is no longer readable, unless there are more than one call takes.
  public func drain() { inotify.read() }
}
