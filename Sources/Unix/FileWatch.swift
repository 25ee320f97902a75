internal import CLinux
internal import Glibc

/// Tells when files may have changed, without asking again and again (inotify).
///
/// It sees a file be written and closed, replaced, removed and made, also behind a symbolic link, and the directories
/// above it come and go. When ``descriptor`` is readable, ``changed()`` says whether it was about one of the files.
public final class FileWatch {
  /// Readable when something has happened near a file.
  public let descriptor: FileDescriptor
  /// The files, by absolute paths; they do not have to exist.
  ///
  /// What happens to one is seen from when it is set here.
  public var paths: Set<String> {
    didSet { if paths != oldValue { watch() } }
  }
  /// The names that matter in each watched directory: a file's, or that of the directory on the way to it.
  private var names: [CInt: Set<String>] = [:]

  /// Watches the files at `paths`, absolute paths; they do not have to exist.
  public init(paths: Set<String>) throws(SystemError) {
    self.paths = paths
    descriptor = try FileDescriptor("inotify_init1", inotify_init1(CInt(IN_CLOEXEC | IN_NONBLOCK)))
    watch()
  }

  /// Takes what was reported.
  ///
  /// Whether it was about one of the files, or about a directory on the way to it.
  public func changed() -> Bool {
    var isConcerned = false
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = unsafe read(descriptor.raw, &buffer, buffer.count)
      guard count > 0 else { break }
      unsafe buffer.withUnsafeBytes { bytes in
        var offset = 0
        while offset < count {
          let event = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
          offset += MemoryLayout<inotify_event>.size
          let name = unsafe bytes[offset..<offset + Int(event.len)].prefix { $0 != 0 }
          offset += Int(event.len)
          // That a watch has ended is told after the reason for it, or was asked for.
          guard event.mask & UInt32(IN_IGNORED) == 0 else { continue }
          // Without a name it is about the directory itself, or events were lost.
          let text = unsafe String(decoding: name, as: UTF8.self)
          if text.isEmpty || names[event.wd]?.contains(text) == true { isConcerned = true }
        }
      }
    }
    if isConcerned { watch() }
    return isConcerned
  }

  /// Watches the ways to the files, step by step, as they are now; again, where they have changed meanwhile.
  private func watch() {
    let before = names
    var steps = Self.steps(to: paths)
    // Somebody who changes the way faster than we look, for so long, will do it again.
    for _ in 0..<8 {
      names = [:]
      for (directory, step) in steps {
        let watched = unsafe inotify_add_watch(descriptor.raw, directory, step.mask)
        guard watched >= 0 else { continue }
        // One directory by two paths is one watch.
        if names[watched] != nil { unsafe inotify_add_watch(descriptor.raw, directory, Self.everything) }
        names[watched, default: []].formUnion(step.names)
      }
      let now = Self.steps(to: paths)
      if now == steps { break }
      steps = now
    }
    // Only now: a directory that is watched still must at no instant be unwatched.
    for watched in before.keys where names[watched] == nil { inotify_rm_watch(descriptor.raw, watched) }
  }

  private static let gone = UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR)
  private static let entry = UInt32(IN_CREATE | IN_MOVED_TO | IN_DELETE | IN_MOVED_FROM)
  private static let everything = gone | entry | UInt32(IN_CLOSE_WRITE)

  /// What is watched of one directory.
  private struct Step: Equatable {
    var mask: UInt32
    /// The names in it that matter.
    var names: Set<String> = []
  }

  private static func steps(to paths: Set<String>) -> [String: Step] {
    var steps: [String: Step] = [:]
    for path in paths { add(wayTo: path, &steps) }
    return steps
  }

  /// Adds the directories on the way to the file, links followed, down to the first that is missing.
  ///
  /// Of one that is there, its going is watched; of one that a link leads to, the link; and of the last, what happens
  /// to the file, or to the directory that is missing. So other files that come and go wake nobody but for those.
  private static func add(wayTo path: String, _ steps: inout [String: Step]) {
    var directory = "/"
    var rest = path.split(separator: "/").map(String.init)[...]
    var links = 0
    while let name = rest.popFirst() {
      let full = directory == "/" ? "/" + name : directory + "/" + name
      // A chain of links as long as the kernel follows.
      if links < 40, let target = link(at: full) {
        links += 1
        steps[directory, default: Step(mask: gone)].mask |= entry
        steps[directory]?.names.insert(name)
        if target.hasPrefix("/") { directory = "/" }
        rest = (target.split(separator: "/").map(String.init) + rest)[...]
      } else if !rest.isEmpty, unsafe access(full + "/.", F_OK) == 0 {
        steps[full, default: Step(mask: gone)].mask |= gone
        directory = full
      } else {
        let written = rest.isEmpty ? UInt32(IN_CLOSE_WRITE) : 0
        steps[directory, default: Step(mask: gone)].mask |= entry | written
        steps[directory]?.names.insert(name)
        break
      }
    }
  }

  /// What a symbolic link says; nil where there is none.
  private static func link(at path: String) -> String? {
    var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe buffer.withUnsafeMutableBytes { buffer in
      unsafe buffer.baseAddress.map { unsafe readlink(path, $0.assumingMemoryBound(to: CChar.self), buffer.count) }
        ?? -1
    }
    guard count > 0 else { return nil }
    return String(decoding: buffer[..<count], as: UTF8.self)
  }
}
