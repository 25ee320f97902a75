internal import CThemedLinux
internal import ThemedText
internal import Glibc

/// Reads a whole file of at most `maximum` bytes; a longer one throws EFBIG.
///
/// What is no regular file throws EINVAL: a pipe in its place must not keep us waiting.
public func readFile(_ path: String, maximum: Int) throws(SystemError) -> [UInt8] {
  FileWaits.begin(path)
  defer { FileWaits.end() }
  return try readAll(
    try FileDescriptor("opening \(path)", unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)), path, maximum)
}

/// Reads a whole file below a directory of somebody else's, such as a repository: through no symbolic link, neither of
/// the file nor of a directory on the way, and nothing outside; a link throws ELOOP.
public func readFile(_ path: String, beneath directory: String, maximum: Int) throws(SystemError) -> [UInt8] {
  FileWaits.begin(directory)
  defer { FileWaits.end() }
  let root = try FileDescriptor(
    "opening \(directory)", unsafe open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
  let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK
  let place = "\(directory)/\(path)"
  var raw = unsafe themed_open_beneath(root.raw, path, UInt64(flags))
  if raw < 0, errno == ENOSYS || errno == EPERM {
    // Before Linux 5.6, or where a filter does not know the call.
    raw = openStepwise(path, flags, below: root)
  }
  return try readAll(try FileDescriptor("opening \(place)", raw), place, maximum)
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
    // A link where a directory is wanted.
    errno = code == ENOTDIR ? ELOOP : code
    directory = next
  }
  return directory
}

private func readAll(_ file: borrowing FileDescriptor, _ path: String, _ maximum: Int) throws(SystemError) -> [UInt8] {
  var status = stat()
  guard unsafe fstat(file.raw, &status) == 0 else { throw SystemError(errnoOf: "reading \(path)") }
  guard status.st_mode & S_IFMT == S_IFREG else {
    throw SystemError("reading \(path), which is no regular file", EINVAL)
  }
  var bytes: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 4096)
  while true {
    let count = unsafe read(file.raw, &buffer, buffer.count)
    if count < 0 {
      guard errno == EINTR else { throw SystemError(errnoOf: "reading \(path)") }
      continue
    }
    guard count > 0 else { return bytes }
    bytes += buffer[..<count]
    guard bytes.count <= maximum else { throw SystemError("reading \(path)", EFBIG) }
  }
}

/// Replaces a file so that, whatever happens, either the old content stands there or the whole new one, and so that
/// the new one is on the disk when this returns.
///
/// Makes the directories above it, where they are missing. Waits for the disk. A new file is its owner's alone, and so is
/// the one that takes another's place, unless that one's mode is kept.
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
      throw SystemError(errnoOf: "giving what is to replace \(path) its mode")
    }
    try writeAll(bytes, to: temporary.descriptor, "writing what is to replace \(path)")
    guard fsync(temporary.descriptor.raw) == 0 else { throw SystemError(errnoOf: "syncing what is to replace \(path)") }
    guard unsafe rename(temporary.path, path) == 0 else { throw SystemError(errnoOf: "replacing \(path)") }
  } catch {
    unsafe unlink(temporary.path)
    throw error
  }
  let parent = try FileDescriptor("opening \(directory)", unsafe open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
  // Some file systems have no such thing for directories: what they keep of the name, they keep without being asked.
  guard fsync(parent.raw) == 0 || [EINVAL, EOPNOTSUPP, ENOSYS].contains(errno) else {
    throw SystemError(errnoOf: "syncing \(directory)")
  }
}

/// Writes all of these to a file, however many calls it takes; waits for the disk.
///
/// `operation` is what an error says was tried.
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

/// A new file beside another one: whatever already has its name is left alone, a link and a pipe too.
struct TemporaryFile: ~Copyable {
  /// What stands between the other file's name and the number that this one is told by.
  static let mark = ".new-"
  static let digits = 16

  let path: String
  let descriptor: FileDescriptor

  /// Errors do not tell the name: the same failure is the same text each time.
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
      guard errno == EEXIST, attempts < 8 else { throw SystemError(errnoOf: "making a file beside \(file)") }
    }
  }

  /// Whether this is the name of one whose process has ended.
  static func isAbandoned(_ name: Text) -> Bool {
    let number = Array(name.utf8.suffix(digits))
    let file = Text(decoding: name.utf8.dropLast(digits + mark.utf8.count))
    guard !file.isEmpty, isName(name, beside: file.string),
      let process = UInt32(Text(decoding: number.prefix(digits / 2)).string, radix: 16)
    else { return false }
    // No process has a greater number than a pid_t holds.
    guard let process = pid_t(exactly: process), process > 0 else { return true }
    return kill(process, 0) != 0 && errno == ESRCH
  }

  /// Whether this is the name of one beside a file of that name.
  static func isName(_ name: Text, beside file: String) -> Bool {
    let start = Array((file + mark).utf8)
    let number = name.utf8.dropFirst(start.count)
    return name.utf8.starts(with: start) && number.count == digits
      && number.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
  }
}

/// Removes what ``replaceFile(_:with:keepingMode:)`` has left beside `path` where the power failed, or the process was killed.
///
/// To be called only where nobody else replaces the file at that time.
public func removeTemporaryFiles(beside path: String) {
  let directory = parent(of: path)
  let file = String(decoding: path.utf8.split(separator: UInt8(ascii: "/")).last ?? [], as: UTF8.self)
  for name in names(inDirectory: directory) where TemporaryFile.isName(name, beside: file) {
    // A directory stays.
    unsafe unlink("\(directory)/\(name)")
  }
}

/// Removes the new files that processes which were killed have left in a directory, beside whatever file of ours or the
/// user's; those of a process that still runs stay.
public func removeAbandonedFiles(inDirectory directory: String) {
  for name in names(inDirectory: directory) where TemporaryFile.isAbandoned(name) {
    // A directory stays.
    unsafe unlink("\(directory)/\(name)")
  }
}

/// Moves what lies at `path` to the first free of `names`, and never over anything; the path that it has then.
///
/// Throws EEXIST where none is free.
public func moveAside(_ path: String, to names: some Sequence<String>) throws(SystemError) -> String {
  FileWaits.begin(path)
  defer { FileWaits.end() }
  for name in names {
    if unsafe themed_rename_no_replace(path, name) == 0 { return name }
    var code = errno
    // Not every file system can refuse to replace something; nobody but us makes such names.
    if code == EINVAL || code == ENOSYS {
      guard unsafe access(name, F_OK) != 0, FileNumber(of: name) == nil else { continue }
      if unsafe rename(path, name) == 0 { return name }
      code = errno
    }
    guard code == EEXIST else { throw SystemError("moving \(path) aside", code) }
  }
  throw SystemError("moving \(path) aside", EEXIST)
}

/// Makes a directory and those above it that are missing, open to nobody else.
public func makeDirectories(_ path: String) throws(SystemError) {
  FileWaits.begin(path)
  defer { FileWaits.end() }
  if unsafe mkdir(path, 0o700) == 0 || errno == EEXIST { return }
  guard errno == ENOENT, path.utf8.count > 1 else { throw SystemError(errnoOf: "making the directory \(path)") }
  try makeDirectories(parent(of: path))
  guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else {
    throw SystemError(errnoOf: "making the directory \(path)")
  }
}

/// The number of a file that somebody holds open, or of what lies at a path: no other file has it before that one is
/// gone from everywhere.
public struct FileNumber: Sendable, Hashable {
  private let device: UInt64
  private let number: UInt64

  /// How the kernel's list of locks names it at the end: file systems with subvolumes have another device there.
  var lockSuffix: Text { ":\(number)" }

  /// That of what lies at `path`, be it a link; nil where there is nothing, or nothing that may be looked at.
  public init?(of path: String) {
    FileWaits.begin(path)
    defer { FileWaits.end() }
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// That of an open file; of a socket it is not the one of its path.
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

/// Whether a regular file lies at `path`, links followed; nil where that cannot be told.
public func isRegularFile(_ path: String) -> Bool? {
  FileWaits.begin(path)
  defer { FileWaits.end() }
  var status = stat()
  guard unsafe stat(path, &status) == 0 else { return nil }
  return status.st_mode & S_IFMT == S_IFREG
}

/// Whether this user may do this with what lies at `path`, as access(2) says.
public func isAccessible(_ path: String, _ mode: CInt) -> Bool {
  FileWaits.begin(path)
  defer { FileWaits.end() }
  return unsafe access(path, mode) == 0
}

/// Whether a program lies at `path`, links followed: a regular file that may be executed.
public func isExecutableFile(_ path: String) -> Bool {
  isRegularFile(path) == true && isAccessible(path, X_OK)
}

/// Whether a regular file that may be read lies at `path`, links followed.
public func isReadableFile(_ path: String) -> Bool {
  isRegularFile(path) == true && isAccessible(path, R_OK)
}

/// Tells a file from another one that takes its place at a path.
public struct FileIdentity: Sendable, Hashable {
  private let device: UInt64
  private let number: UInt64
  /// A number is soon given to another file; the time is not.
  private let changed: [Int]

  /// That of what lies at `path`; nil where there is nothing, or nothing that may be looked at.
  public init?(of path: String) {
    FileWaits.begin(path)
    defer { FileWaits.end() }
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    device = UInt64(status.st_dev)
    number = UInt64(status.st_ino)
    changed = [status.st_ctim.tv_sec, status.st_ctim.tv_nsec]
  }

  /// Whether it was changed longer ago than that: a file that is changed again from now on gets another time.
  public func isOlder(thanSeconds seconds: Int) -> Bool {
    var now = timespec()
    guard unsafe clock_gettime(CLOCK_REALTIME, &now) == 0 else { return false }
    return changed[0] < now.tv_sec - seconds
  }
}

/// Whether a directory lies at `path`, or where links there lead.
public func isDirectory(_ path: String) -> Bool {
  FileWaits.begin(path)
  defer { FileWaits.end() }
  var status = stat()
  return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
}

/// Whether a symbolic link lies at `path`.
public func isSymbolicLink(_ path: String) -> Bool {
  FileWaits.begin(path)
  defer { FileWaits.end() }
  var status = stat()
  return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
}

/// The bytes that a symbolic link says; nil where there is none.
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

/// Where what is written to `path` comes to lie, through every link, also through one that leads nowhere yet.
///
/// What is no link lies where it says; what one leads to has one path, however the link says it.
public func destination(of path: String) throws(SystemError) -> String {
  FileWaits.begin(path)
  defer { FileWaits.end() }
  guard isSymbolicLink(path) else { return path }
  var end = path
  // As many as the system itself follows.
  for _ in 0...40 {
    guard let link = linkTarget(of: end) else {
      let name = Text(end).splitAtLast("/")?.behind ?? Text(end)
      guard let resolved = unsafe realpath(directory(of: end), nil) else {
        throw SystemError("following \(path), a link to \(end)", errno)
      }
      defer { unsafe free(resolved) }
      let above = Text(unsafe String(cString: resolved))
      return above == "/" ? "/\(name)" : "\(above)/\(name)"
    }
    let target = Text(decoding: link)
    end = target.hasPrefix("/") ? target.string : "\(directory(of: end))/\(target)"
  }
  throw SystemError("following \(path)", ELOOP)
}

/// The directory that a path lies in, absolute or not.
public func directory(of path: String) -> String { Text(path).contains("/") ? parent(of: path) : "." }

/// The same path from the root, for who reads it elsewhere; as it is where the current directory is not known.
public func absolutePath(_ path: String) -> String {
  guard !Text(path).hasPrefix("/"), let here = unsafe getcwd(nil, 0) else { return path }
  defer { unsafe free(here) }
  // A name that is no UTF-8 would become another one.
  guard let directory = unsafe String(validatingCString: here), Text(directory).hasPrefix("/") else { return path }
  var rest = Text(path)
  while let below = rest.dropping(prefix: "./") { rest = below }
  return Text(directory) == "/" ? "/\(rest)" : "\(directory)/\(rest)"
}

/// The directory that an absolute path lies in.
public func parent(of path: String) -> String {
  // Over bytes: to a Character, a slash before a combining mark is none.
  guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash != path.utf8.startIndex else { return "/" }
  return String(decoding: path.utf8[..<slash], as: UTF8.self)
}
