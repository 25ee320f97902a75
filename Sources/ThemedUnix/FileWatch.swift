internal import CThemedLinux
public import ThemedText
internal import Glibc

/// Tells when files may have changed, without asking again and again (inotify).
///
/// It sees a file be written and closed, replaced, removed, made, and given other rights, also behind a symbolic link, and
/// the directories above it come and go. To watch a path takes looking at it, which may wait for ever where a file system
/// hangs: ``watch(_:)`` and ``unwatch(_:)`` are for a thread that may. ``events()`` never waits.
public final class FileWatch: Sendable {
  /// Readable when something has happened near a file.
  public let descriptor: FileDescriptor

  /// Watches nothing yet.
  public init() throws(SystemError) {
    descriptor = try FileDescriptor("inotify_init1", inotify_init1(CInt(IN_CLOEXEC | IN_NONBLOCK)))
  }

  /// What is watched for some files, as it was when they were looked for.
  public struct Ways: Sendable, Equatable {
    /// The names that matter in each watched directory, by the number of its watch: a file's, or that of the directory on
    /// the way to it.
    public var names: [CInt: Set<Text>] = [:]
    /// The watches of directories in which every name matters.
    public var whole: Set<CInt> = []
    /// Whether the ways were still while they were looked at; else there is to be another look.
    public var isSettled = true
    /// Why changes may go unseen, if they may.
    public var problem: SystemError?

    /// Nothing.
    public init() {}

    /// These and what was watched before, on ways that may be others now.
    public func added(to before: Ways) -> Ways {
      var ways = self
      ways.names.merge(before.names) { $0.union($1) }
      ways.whole.formUnion(before.whole)
      ways.isSettled = isSettled && before.isSettled
      ways.problem = problem ?? before.problem
      return ways
    }

    /// Whether an event is about one of the files, or about a directory on the way to it.
    public func concerns(_ event: Event) -> Bool {
      // Number -1: events were lost.
      guard event.watch >= 0 else { return true }
      guard let names = names[event.watch] else { return false }
      // Without a name it is about the directory itself.
      return event.name.isEmpty || names.contains(event.name) || whole.contains(event.watch)
    }
  }

  /// Something that has happened in a directory.
  public struct Event: Sendable, Hashable {
    /// The number of its watch; -1: events were lost.
    public let watch: CInt
    /// What of it; empty: the directory itself.
    public let name: Text
    /// Whether it says that the watch has ended, the reason for which was told before.
    public let isEnd: Bool

    /// An event.
    public init(watch: CInt, name: Text = "", isEnd: Bool = false) {
      self.watch = watch
      self.name = name
      self.isEnd = isEnd
    }
  }

  /// Takes what was reported, each thing once; what is left comes with the next call.
  public func events() -> Set<Event> {
    var events: Set<Event> = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    // Somebody may make events faster than they are read.
    for _ in 0..<64 {
      let count = unsafe read(descriptor.raw, &buffer, buffer.count)
      guard count > 0 else { break }
      unsafe buffer.withUnsafeBytes { bytes in
        var offset = 0
        while offset < count {
          let event = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
          offset += MemoryLayout<inotify_event>.size
          let name = unsafe bytes[offset..<offset + Int(event.len)].prefix { $0 != 0 }
          offset += Int(event.len)
          events.insert(
            Event(watch: event.wd, name: unsafe Text(decoding: name), isEnd: event.mask & UInt32(IN_IGNORED) != 0))
        }
      }
    }
    return events
  }

  /// Watches the ways to these files, absolute paths, step by step, as they are now; again, where they have changed
  /// meanwhile.
  ///
  /// The files do not have to exist. May wait for ever. `directories` are watched for whatever happens to files in them;
  /// `others` are watches that are needed for other files too; `note` is called with each path before it is looked at.
  public func watch(
    _ paths: [Text], contentsOf directories: [Text] = [], besides others: Set<CInt> = [],
    _ note: (Text) -> Void = { _ in }
  ) -> Ways {
    var ways = Ways()
    var steps = Self.steps(to: paths, directories, note)
    // Somebody who changes the way faster than we look, for so long, will do it again.
    for _ in 0..<8 {
      ways = Ways()
      for (directory, step) in steps {
        note(directory)
        // Added to what is watched: the same directory may be on the way to another file, or here by another path.
        let watched = unsafe inotify_add_watch(descriptor.raw, directory.string, step.mask | UInt32(IN_MASK_ADD))
        if watched >= 0 {
          // Else what was watched for, when the way was another one, would wake us for nothing.
          if ways.names[watched] == nil, !others.contains(watched) {
            unsafe inotify_add_watch(descriptor.raw, directory.string, step.mask)
          }
          ways.names[watched, default: []].formUnion(step.names)
          if step.isWhole { ways.whole.insert(watched) }
          continue
        }
        let code = errno
        switch code {
        case ENOENT, ENOTDIR, ELOOP: ways.isSettled = false
        // A directory that one may pass and not list: what happens further down is seen.
        case EACCES where step.names.isEmpty && !step.isWhole: break
        default: ways.problem = SystemError("cannot watch \(directory)", code)
        }
      }
      let now = Self.steps(to: paths, directories, note)
      if now != steps { ways.isSettled = false }
      if ways.isSettled { break }
      steps = now
    }
    return ways
  }

  /// Watches these directories no longer; may wait.
  public func unwatch(_ watches: [CInt]) {
    for watch in watches { inotify_rm_watch(descriptor.raw, watch) }
  }

  // MARK: Steps

  private static let gone = UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR)
  private static let entry = UInt32(IN_CREATE | IN_MOVED_TO | IN_DELETE | IN_MOVED_FROM | IN_ATTRIB)

  /// What is watched of one directory.
  private struct Step: Equatable {
    var mask = FileWatch.gone
    /// The names in it that matter.
    var names: Set<Text> = []
    /// Whether every name in it does.
    var isWhole = false
    /// Which directory it is: another may take its place.
    var identity: [UInt64]
  }

  private static func steps(to paths: [Text], _ directories: [Text], _ note: (Text) -> Void) -> [Text: Step] {
    var steps: [Text: Step] = [:]
    for path in paths { add(wayTo: path, isDirectory: false, &steps, note) }
    for path in directories { add(wayTo: path, isDirectory: true, &steps, note) }
    return steps
  }

  /// Adds the directories on the way to the file, or to all that lies in a directory, links followed, down to the first
  /// that is missing.
  ///
  /// Of one that is there, its going is watched; of one that a link leads to, the link; and of the last, what happens
  /// to the file, or to the directory that is missing. So other files that come and go wake nobody but for those.
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
      // A chain of links as long as the kernel follows.
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

  /// Which directory lies there; nil where none does that one may enter.
  private static func directoryIdentity(_ path: Text) -> [UInt64]? {
    var status = stat()
    guard unsafe stat(path.string + "/.", &status) == 0 else { return nil }
    return [UInt64(status.st_dev), UInt64(status.st_ino)]
  }

  /// What a symbolic link says; nil where there is none.
  private static func link(at path: Text) -> Text? { linkTarget(of: path.string).map { Text(decoding: $0) } }
}
