internal import CThemedLinux
internal import Glibc

/// Reads a whole file of at most `maximum` bytes; throws EFBIG for a longer file.
///
/// It throws EINVAL for anything but a regular file, because reading a pipe could hang.
public func readFile(_ path: String, maximum: Int) throws(SystemError) -> [UInt8] {
  FileWaits.begin(path)
  defer { FileWaits.end() }
  return try readAll(
    try FileDescriptor("cannot open \(path)", unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)), path, maximum)
}

/// Reads a whole file below a directory that belongs to somebody else, such as a repository.
///
/// It follows no symbolic link and does not leave the directory; if the file or a directory on the way is a link, it
/// throws ELOOP.
public func readFile(_ path: String, beneath directory: String, maximum: Int) throws(SystemError) -> [UInt8] {
  FileWaits.begin(directory)
  defer { FileWaits.end() }
  let root = try FileDescriptor(
    "cannot open \(directory)", unsafe open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
  let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK
  let place = "\(directory)/\(path)"
  var raw = unsafe themed_open_beneath(root.raw, path, UInt64(flags))
  if raw < 0, errno == ENOSYS || errno == EPERM {
    // Linux before 5.6 does not have the call, and a system call filter may not know it.
    raw = openStepwise(path, flags, below: root)
  }
  return try readAll(try FileDescriptor("cannot open \(place)", raw), place, maximum)
}

private func openStepwise(_ path: String, _ flags: CInt, below root: borrowing FileDescriptor) -> CInt {
  let names = Text(path).split("/", omittingEmpty: true)
  var directory = fcntl(root.raw, F_DUPFD_CLOEXEC, 0)
  for (index, name) in names.enumerated() where directory >= 0 {
    let isLast = index == names.count - 1
    guard name != ".." else {
      close(directory)
      errno = EXDEV
      return -1
    }
    let next = unsafe openat(directory, name.string, (isLast ? flags : O_RDONLY | O_DIRECTORY | O_CLOEXEC) | O_NOFOLLOW)
    let code = errno
    close(directory)
    // There is a link in the place of a directory.
    errno = code == ENOTDIR ? ELOOP : code
    directory = next
  }
  return directory
}

private func readAll(_ file: borrowing FileDescriptor, _ path: String, _ maximum: Int) throws(SystemError) -> [UInt8] {
  var status = stat()
  guard unsafe fstat(file.raw, &status) == 0 else { throw SystemError(errnoOf: "cannot read \(path)") }
  guard status.st_mode & S_IFMT == S_IFREG else {
    throw SystemError("cannot read \(path), which is not a regular file", EINVAL)
  }
  var bytes: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 4096)
  while true {
    let count = unsafe read(file.raw, &buffer, buffer.count)
    if count < 0 {
      guard errno == EINTR else { throw SystemError(errnoOf: "cannot read \(path)") }
      continue
    }
    guard count > 0 else { return bytes }
    bytes += buffer[..<count]
    guard bytes.count <= maximum else { throw SystemError("cannot read \(path)", EFBIG) }
  }
}

/// Replaces a file atomically: at every moment it has either the old content or all of the new one, and the new one is
/// on disk when this returns.
///
/// It creates missing directories above the file, and waits for the disk. Only the owner may read the file, also if it
/// replaces another one, unless `keepsMode` is set.
public func replaceFile(
  _ path: String, with bytes: [UInt8], keepingMode keepsMode: Bool = false
) throws(SystemError) {
  FileWaits.begin(path)
  defer { FileWaits.end() }
  let directory = parent(of: path)
  try makeDirectories(directory)
  let temporary = try TemporaryFile(beside: path)
  do throws(SystemError) {
    var status = stat()
    if keepsMode, unsafe stat(path, &status) == 0, fchmod(temporary.descriptor.raw, status.st_mode & 0o777) != 0 {
      throw SystemError(errnoOf: "cannot set the mode of the new \(path)")
    }
    try writeAll(bytes, to: temporary.descriptor, "cannot write the new \(path)")
    guard fsync(temporary.descriptor.raw) == 0 else { throw SystemError(errnoOf: "cannot sync the new \(path)") }
    guard unsafe rename(temporary.path, path) == 0 else { throw SystemError(errnoOf: "cannot replace \(path)") }
  } catch {
    unsafe unlink(temporary.path)
    throw error
  }
  let parent = try FileDescriptor(
    "cannot open \(directory)", unsafe open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
  // Some file systems cannot sync directories; they keep the name without it.
  guard fsync(parent.raw) == 0 || [EINVAL, EOPNOTSUPP, ENOSYS].contains(errno) else {
    throw SystemError(errnoOf: "cannot sync \(directory)")
  }
}

/// Writes all bytes to a file, in as many calls as needed; waits for the disk.
///
/// `operation` is the start of the error message, such as "cannot write X".
public func writeAll(
  _ bytes: [UInt8], to file: borrowing FileDescriptor, _ operation: @autoclosure () -> String
) throws(SystemError) {
  var rest = bytes[...]
  while !rest.isEmpty {
    let count = unsafe rest.withUnsafeBytes { unsafe write(file.raw, $0.baseAddress, $0.count) }
    if count >= 0 {
      rest = rest.dropFirst(count)
    } else if errno != EINTR {
      let code = errno
      throw SystemError(operation(), code)
    }
  }
}

/// A new file beside another one; an existing file of its name, even a link or a pipe, is left alone.
struct TemporaryFile: ~Copyable {
  /// Separates the other file's name from the number in the temporary name.
  static let mark = ".new-"
  static let digits = 16

  let path: String
  let descriptor: FileDescriptor

  /// Errors do not contain the temporary name, so that the same failure always gives the same message.
  init(beside file: String) throws(SystemError) {
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
    var attempts = 0
    while true {
      // The first half is the number of this process, so that others know whether the file is still in use.
      let value = UInt64(UInt32(bitPattern: getpid())) << 32 | UInt64(UInt32.random(in: .min ... .max))
      let number = String(value, radix: 16)
      let path = file + Self.mark + String(repeating: "0", count: Self.digits - number.utf8.count) + number
      let raw = unsafe open(path, flags, 0o600)
      if raw >= 0 {
        self.path = path
        descriptor = FileDescriptor(owning: raw)
        return
      }
      attempts += 1
      guard errno == EEXIST, attempts < 8 else { throw SystemError(errnoOf: "cannot create a file beside \(file)") }
    }
  }

  /// Whether this is the name of a temporary file beside the file of that name, whose process has ended.
  static func isAbandoned(_ name: Text, beside file: String) -> Bool {
    guard isName(name, beside: file),
      let process = UInt32(Text(decoding: name.utf8.suffix(digits).prefix(digits / 2)).string, radix: 16)
    else { return false }
    // No process has a greater number than a pid_t holds.
    guard let process = pid_t(exactly: process), process > 0 else { return true }
    return kill(process, 0) != 0 && errno == ESRCH
  }

  /// Whether this is the name of a temporary file beside the file of that name.
  static func isName(_ name: Text, beside file: String) -> Bool {
    let start = Array((file + mark).utf8)
    let number = name.utf8.dropFirst(start.count)
    return name.utf8.starts(with: start) && number.count == digits
      && number.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
  }
}

/// Removes the temporary files beside `path` that ``replaceFile(_:with:keepingMode:)`` left after a power failure or a
/// kill.
///
/// Call it only if no other process replaces the file at that time.
public func removeTemporaryFiles(beside path: String) {
  removeFiles(beside: path) { TemporaryFile.isName($0, beside: $1) }
}

/// Removes the temporary files beside `path` that killed processes have left; those of a running process stay.
///
/// Other files stay, even if their names look similar, because users may have named them.
public func removeAbandonedFiles(beside path: String) {
  removeFiles(beside: path) { TemporaryFile.isAbandoned($0, beside: $1) }
}

/// Removes the files in the directory of `path` that `isWanted` chooses by their name and the name of `path`.
private func removeFiles(beside path: String, where isWanted: (_ name: Text, _ file: String) -> Bool) {
  let directory = parent(of: path)
  let file = String(decoding: path.utf8.split(separator: UInt8(ascii: "/")).last ?? [], as: UTF8.self)
  for name in names(inDirectory: directory) where isWanted(name, file) {
    // Directories are left alone.
    unsafe unlink("\(directory)/\(name)")
  }
}

/// Renames the file at `path` to the first free of `names`, never over another file, and returns the new path.
///
/// Throws EEXIST if no name is free.
public func moveAside(_ path: String, to names: some Sequence<String>) throws(SystemError) -> String {
  FileWaits.begin(path)
  defer { FileWaits.end() }
  for name in names {
    if unsafe themed_rename_no_replace(path, name) == 0 { return name }
    var code = errno
    // Not every file system can refuse to replace a file; only we create such names.
    if code == EINVAL || code == ENOSYS {
      guard unsafe access(name, F_OK) != 0, FileNumber(of: name) == nil else { continue }
      if unsafe rename(path, name) == 0 { return name }
      code = errno
    }
    guard code == EEXIST else { throw SystemError("cannot move \(path) aside", code) }
  }
  throw SystemError("cannot move \(path) aside", EEXIST)
}

/// Creates a directory and the missing ones above it, closed to other users.
public func makeDirectories(_ path: String) throws(SystemError) {
  FileWaits.begin(path)
  defer { FileWaits.end() }
  if unsafe mkdir(path, 0o700) == 0 || errno == EEXIST { return }
  guard errno == ENOENT, path.utf8.count > 1 else { throw SystemError(errnoOf: "cannot create the directory \(path)") }
  try makeDirectories(parent(of: path))
  guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else {
    throw SystemError(errnoOf: "cannot create the directory \(path)")
  }
}

/// The number of an open file, or of the file at a path; no other file has this number until the file is deleted and
/// closed everywhere.
public struct FileNumber: Sendable, Hashable {
  private let device: UInt64
  private let number: UInt64

  /// The end of its entry in the kernel's list of locks: file systems with subvolumes show another device there.
  var lockSuffix: Text { ":\(number)" }

  /// The number of the file at `path`, which may be a link; nil if there is no file or it cannot be examined.
  public init?(of path: String) {
    FileWaits.begin(path)
    defer { FileWaits.end() }
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else { return nil }
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

/// Whether there is a regular file at `path`, following links; nil if that cannot be found out.
public func isRegularFile(_ path: String) -> Bool? {
  FileWaits.begin(path)
  defer { FileWaits.end() }
  var status = stat()
  guard unsafe stat(path, &status) == 0 else { return nil }
  return status.st_mode & S_IFMT == S_IFREG
}

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
    FileWaits.begin(path)
    defer { FileWaits.end() }
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
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
public func isDirectory(_ path: String) -> Bool {
  FileWaits.begin(path)
  defer { FileWaits.end() }
  var status = stat()
  return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
}

/// Whether there is a symbolic link at `path`.
public func isSymbolicLink(_ path: String) -> Bool {
  FileWaits.begin(path)
  defer { FileWaits.end() }
  var status = stat()
  return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
}

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
