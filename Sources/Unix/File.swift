internal import Glibc

/// Reads a whole file of at most `maximum` bytes; a longer one throws EFBIG.
///
/// What is no regular file throws EINVAL: a pipe in its place must not keep us waiting.
public func readFile(_ path: String, maximum: Int) throws(SystemError) -> [UInt8] {
  let file = try FileDescriptor("opening \(path)", unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK))
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
/// Makes the directories above it, where they are missing. Waits for the disk.
public func replaceFile(_ path: String, with bytes: [UInt8]) throws(SystemError) {
  let directory = parent(of: path)
  try makeDirectories(directory)
  let temporary = path + ".new"
  let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW
  let file = try FileDescriptor("opening \(temporary)", unsafe open(temporary, flags, 0o600))
  var rest = bytes[...]
  while !rest.isEmpty {
    let count = unsafe rest.withUnsafeBytes { unsafe write(file.raw, $0.baseAddress, $0.count) }
    if count >= 0 {
      rest = rest.dropFirst(count)
    } else if errno != EINTR {
      throw SystemError(errnoOf: "writing \(temporary)")
    }
  }
  guard fsync(file.raw) == 0 else { throw SystemError(errnoOf: "syncing \(temporary)") }
  guard unsafe rename(temporary, path) == 0 else { throw SystemError(errnoOf: "renaming \(temporary)") }
  let parent = try FileDescriptor("opening \(directory)", unsafe open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
  guard fsync(parent.raw) == 0 else { throw SystemError(errnoOf: "syncing \(directory)") }
}

/// Makes a directory and those above it that are missing, open to nobody else.
public func makeDirectories(_ path: String) throws(SystemError) {
  if unsafe mkdir(path, 0o700) == 0 || errno == EEXIST { return }
  guard errno == ENOENT, path != "/" else { throw SystemError(errnoOf: "making the directory \(path)") }
  try makeDirectories(parent(of: path))
  guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else {
    throw SystemError(errnoOf: "making the directory \(path)")
  }
}

/// Tells a file from another one that takes its place at a path.
public struct FileIdentity: Sendable, Hashable {
  private let device: UInt64
  private let number: UInt64
  /// A number is soon given to another file; the time is not.
  private let changed: [Int]

  /// That of what lies at `path`; nil where there is nothing, or nothing that may be looked at.
  public init?(of path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    device = UInt64(status.st_dev)
    number = UInt64(status.st_ino)
    changed = [status.st_ctim.tv_sec, status.st_ctim.tv_nsec]
  }
}

/// The directory that an absolute path lies in.
public func parent(of path: String) -> String {
  guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
  return String(path[..<slash])
}

/// The names in a directory, without `.` and `..`, in order; none where it cannot be read.
public func names(inDirectory path: String) -> [String] {
  guard let directory = unsafe opendir(path) else { return [] }
  defer { unsafe closedir(directory) }
  var names: [String] = []
  while let entry = unsafe readdir(directory) {
    let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
      unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
    }
    if name != ".", name != ".." { names.append(name) }
  }
  return names.sorted()
}
