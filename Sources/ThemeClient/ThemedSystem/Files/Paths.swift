internal import CThemedLinux
internal import Glibc

/// The number of an open file, or of the file at a path; no other file has this number until the file is deleted and
/// closed everywhere.
public struct FileNumber: Sendable, Hashable {
  private let device: UInt64
  private let number: UInt64

  /// The end of its entry in the kernel's list of locks: file systems with subvolumes show another device there.
  var lockSuffix: Text { ":\(number)" }

  /// The number of the file at `path`, which may be a link; nil if there is no file or it cannot be examined.
  public init?(of path: String) {
    guard let status = fileStatus(path, followingLinks: false) else { return nil }
    self.init(status)
  }

  /// The number of an open file; that of a socket differs from the one of its path.
  public init?(of descriptor: borrowing FileDescriptor) {
    var status = stat()
    guard unsafe fstat(descriptor.raw, &status) == 0 else { return nil }
    self.init(status)
  }

  private init(_ status: stat) {
    device = UInt64(status.st_dev)
    number = UInt64(status.st_ino)
  }
}

/// A number that differs for a file that was created later, even if it has the number of a removed one; the same for all
/// on a file system that does not record when a file was created.
public func birth(of path: String) -> UInt64 { unsafe themed_birth(path) }

/// Whether there is a regular file at `path`, following links; nil if that cannot be found out.
public func isRegularFile(_ path: String) -> Bool? { fileStatus(path).map { $0.st_mode & S_IFMT == S_IFREG } }

/// Whether access(2) allows this user this mode of access to the file at `path`.
public func isAccessible(_ path: String, _ mode: CInt) -> Bool {
  FileWaits.begin(path)
  defer { FileWaits.end() }
  return unsafe access(path, mode) == 0
}

/// Whether there is a program at `path`, following links: a regular file with execute permission.
public func isExecutableFile(_ path: String) -> Bool {
  isRegularFile(path) == true && isAccessible(path, X_OK)
}

/// Whether there is a readable regular file at `path`, following links.
public func isReadableFile(_ path: String) -> Bool {
  isRegularFile(path) == true && isAccessible(path, R_OK)
}

/// Distinguishes a file from another one that takes its place at the same path.
public struct FileIdentity: Sendable, Hashable {
  private let device: UInt64
  private let number: UInt64
  /// The change time, because a file's number is reused soon, but a time is not.
  private let changed: [Int]

  /// The identity of the file at `path`; nil if there is no file or it cannot be examined.
  public init?(of path: String) {
    guard let status = fileStatus(path) else { return nil }
    device = UInt64(status.st_dev)
    number = UInt64(status.st_ino)
    changed = [status.st_ctim.tv_sec, status.st_ctim.tv_nsec]
  }

  /// Whether the last change is older than this, so that a change from now on gets another time.
  public func isOlder(thanSeconds seconds: Int) -> Bool {
    var now = timespec()
    guard unsafe clock_gettime(CLOCK_REALTIME, &now) == 0 else { return false }
    return changed[0] < now.tv_sec - seconds
  }
}

/// Whether there is a directory at `path`, following links.
public func isDirectory(_ path: String) -> Bool { fileStatus(path).map { $0.st_mode & S_IFMT == S_IFDIR } ?? false }

/// Whether there is a symbolic link at `path`.
public func isSymbolicLink(_ path: String) -> Bool {
  fileStatus(path, followingLinks: false).map { $0.st_mode & S_IFMT == S_IFLNK } ?? false
}

/// The status of the file at `path`; nil if there is no file or it cannot be examined.
func fileStatus(_ path: String, followingLinks follows: Bool = true) -> stat? {
  FileWaits.begin(path)
  defer { FileWaits.end() }
  var status = stat()
  return unsafe (follows ? stat(path, &status) : lstat(path, &status)) == 0 ? status : nil
}

/// The path of this program's own file.
public var ownProgram: String? { linkTarget(of: "/proc/self/exe").map { Text(decoding: $0).string } }

/// The target of a symbolic link; nil if there is no link.
public func linkTarget(of path: String) -> [UInt8]? {
  FileWaits.begin(path)
  defer { FileWaits.end() }
  var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
  let count = unsafe buffer.withUnsafeMutableBytes { buffer in
    unsafe buffer.baseAddress.map {
      unsafe readlink(path, $0.assumingMemoryBound(to: CChar.self), buffer.count)
    } ?? -1
  }
  return count > 0 ? Array(buffer[..<count]) : nil
}

/// The path of the file that a write to `path` would change, through all links, even if the last link points to a
/// missing file.
///
/// A path that is not a link is returned as it is. For links, the result is always the same resolved path, whichever
/// way the link is written.
public func destination(of path: String) throws(SystemError) -> String {
  FileWaits.begin(path)
  defer { FileWaits.end() }
  guard isSymbolicLink(path) else { return path }
  var end = path
  // As many links as the system follows.
  for _ in 0...40 {
    guard let link = linkTarget(of: end) else {
      let name = Text(end).splitAtLast("/")?.behind ?? Text(end)
      guard let resolved = unsafe realpath(directory(of: end), nil) else {
        throw SystemError("cannot follow \(path), a link to \(end)", errno)
      }
      defer { unsafe free(resolved) }
      let above = Text(unsafe String(cString: resolved))
      return above == "/" ? "/\(name)" : "\(above)/\(name)"
    }
    let target = Text(decoding: link)
    end = target.hasPrefix("/") ? target.string : "\(directory(of: end))/\(target)"
  }
  throw SystemError("cannot follow \(path)", ELOOP)
}

/// The directory of a path, which may be relative.
public func directory(of path: String) -> String { Text(path).contains("/") ? parent(of: path) : "." }

/// The absolute form of a path, for a reader in another directory; the path itself if the current directory is not
/// known.
public func absolutePath(_ path: String) -> String {
  guard !Text(path).hasPrefix("/"), let here = unsafe getcwd(nil, 0) else { return path }
  defer { unsafe free(here) }
  // A name that is not UTF-8 would become a different name.
  guard let directory = unsafe String(validatingCString: here), Text(directory).hasPrefix("/") else { return path }
  var rest = Text(path)
  while let below = rest.dropping(prefix: "./") { rest = below }
  return Text(directory) == "/" ? "/\(rest)" : "\(directory)/\(rest)"
}

/// The directory of an absolute path.
public func parent(of path: String) -> String {
  // Compares bytes: for Character, a slash before a combining mark is not a slash.
  guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash != path.utf8.startIndex else { return "/" }
  return String(decoding: path.utf8[..<slash], as: UTF8.self)
}

/// The names in a directory in order, without `.` and `..`; empty if the directory cannot be read.
public func names(inDirectory path: String) -> [Text] {
  var names: [Text] = []
  forEachName(inDirectory: path) {
    names.append($0)
    return true
  }
  return names.sorted()
}

/// Why the names in a directory cannot be read; nil if they can, or if the directory does not exist.
public func problem(ofDirectory path: String) -> String? {
  FileWaits.begin(path)
  defer { FileWaits.end() }
  guard let directory = unsafe opendir(path) else { return errno == ENOENT ? nil : SystemError.text(errno) }
  unsafe closedir(directory)
  return nil
}

/// Calls `body` with each name in a directory except `.` and `..`, in any order, until it returns false; never if the
/// directory cannot be read.
public func forEachName(inDirectory path: String, _ body: (Text) -> Bool) {
  FileWaits.begin(path)
  let opened = unsafe opendir(path)
  FileWaits.end()
  guard let directory = unsafe opened else { return }
  defer { unsafe closedir(directory) }
  while let entry = unsafe next(of: directory, path) {
    let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
      unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe Text(String(cString: $0)) }
    }
    guard name != ".", name != ".." else { continue }
    guard body(name) else { return }
  }
}

private func next(of directory: OpaquePointer, _ path: String) -> UnsafeMutablePointer<dirent>? {
  FileWaits.begin(path)
  defer { FileWaits.end() }
  return unsafe readdir(directory)
}
