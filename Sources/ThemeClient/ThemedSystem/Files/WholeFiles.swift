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
    if keepsMode, let status = fileStatus(path), fchmod(temporary.descriptor.raw, status.st_mode & 0o777) != 0 {
      throw SystemError(errnoOf: "cannot set the mode of the new \(path)")
    }
    try writeAll(bytes, to: temporary.descriptor, "cannot write the new \(path)")
    guard fsync(temporary.descriptor.raw) == 0 else { throw SystemError(errnoOf: "cannot sync the new \(path)") }
    guard unsafe rename(temporary.path, path) == 0 else { throw SystemError(errnoOf: "cannot replace \(path)") }
  } catch {
    unsafe unlink(temporary.path)
    throw error
  }
  try syncDirectory(directory)
}

/// Waits until the names in a directory are on disk.
func syncDirectory(_ path: String) throws(SystemError) {
  let directory = try FileDescriptor("cannot open \(path)", unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
  // Some file systems cannot sync directories; they keep the name without it.
  guard fsync(directory.raw) == 0 || [EINVAL, EOPNOTSUPP, ENOSYS].contains(errno) else {
    throw SystemError(errnoOf: "cannot sync \(path)")
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

/// Calls `body` with a new private directory, and removes that directory afterwards with everything in it.
public func withTemporaryDirectory<Value>(_ body: (String) throws -> Value) throws -> Value {
  let place = environment("TMPDIR").flatMap { Text($0).hasPrefix("/") ? $0 : nil } ?? "/tmp"
  var name = Array("\(place)/themed-XXXXXX".utf8) + [0]
  let isMade = unsafe name.withUnsafeMutableBytes { bytes in
    unsafe bytes.bindMemory(to: CChar.self).baseAddress.map { unsafe mkdtemp($0) != nil } ?? false
  }
  guard isMade else { throw SystemError(errnoOf: "cannot create a directory in \(place)") }
  let path = String(decoding: name.dropLast(), as: UTF8.self)
  defer { removeTree(path) }
  return try body(path)
}

/// Removes a file, or a directory with everything in it on the same file system; of a symbolic link, only the link.
private func removeTree(_ path: String, on device: dev_t? = nil) {
  guard let status = fileStatus(path, followingLinks: false) else { return }
  if status.st_mode & S_IFMT == S_IFDIR {
    guard device == nil || device == status.st_dev else { return }
    for name in names(inDirectory: path) { removeTree("\(path)/\(name)", on: status.st_dev) }
  }
  unsafe remove(path)
}
