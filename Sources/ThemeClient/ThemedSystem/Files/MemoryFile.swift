internal import CThemedLinux
internal import Glibc

/// Creates a file in memory with these bytes, which no process can change any more.
///
/// `name` is for debuggers.
public func memoryFile(_ name: String, holding bytes: [UInt8]) throws(SystemError) -> FileDescriptor {
  let flags = UInt32(THEMED_MFD_CLOEXEC | THEMED_MFD_ALLOW_SEALING)
  let file = try FileDescriptor("memfd_create", unsafe memfd_create(name, flags))
  try writeAll(bytes, to: file, "cannot write to memory")
  guard fcntl(file.raw, CInt(THEMED_F_ADD_SEALS), CInt(THEMED_SEALS)) == 0 else {
    throw SystemError(errnoOf: "cannot seal memory")
  }
  return file
}

/// Reads a whole file that ``memoryFile(_:holding:)`` created; nil for any other file, or for one longer than
/// `maximum`.
///
/// Other files are not read: they could hang, or change during the read.
public func readMemoryFile(_ file: borrowing FileDescriptor, maximum: Int) -> [UInt8]? {
  let seals = fcntl(file.raw, CInt(THEMED_F_GET_SEALS))
  let wanted = CInt(THEMED_SEALS)
  var status = stat()
  guard seals >= 0, seals & wanted == wanted, unsafe fstat(file.raw, &status) == 0,
    (0...maximum).contains(Int(status.st_size))
  else { return nil }
  var bytes: [UInt8] = []
  bytes.reserveCapacity(Int(status.st_size))
  var buffer = [UInt8](repeating: 0, count: 64 * 1024)
  while true {
    let count = unsafe pread(file.raw, &buffer, buffer.count, off_t(bytes.count))
    if count == 0 { return bytes }
    guard count > 0 || errno == EINTR else { return nil }
    bytes += buffer[..<max(0, count)]
  }
}

/// A number that one process counts up and another one reads: the file position of an empty file that both have open.
///
/// They share no memory, so neither reads memory while the other writes it.
public struct SharedCount: ~Copyable, Sendable {
  /// The descriptor to pass to the other process.
  public let descriptor: FileDescriptor

  public init() throws(SystemError) {
    descriptor = try FileDescriptor("memfd_create", unsafe memfd_create("count", UInt32(THEMED_MFD_CLOEXEC)))
  }

  /// The number of another process.
  public init(_ descriptor: consuming FileDescriptor) { self.descriptor = descriptor }

  /// Adds one.
  public func add() { _ = lseek(descriptor.raw, 1, SEEK_CUR) }

  public var value: Int { Int(lseek(descriptor.raw, 0, SEEK_CUR)) }
}
