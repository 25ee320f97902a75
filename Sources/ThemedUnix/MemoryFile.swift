internal import CThemedLinux
internal import Glibc

/// Makes a file in memory that holds `bytes` and that nobody can change any more, whoever gets it.
///
/// `name` is what debuggers show.
public func memoryFile(_ name: String, holding bytes: [UInt8]) throws(SystemError) -> FileDescriptor {
  let flags = UInt32(THEMED_MFD_CLOEXEC | THEMED_MFD_ALLOW_SEALING)
  let file = try FileDescriptor("memfd_create", unsafe memfd_create(name, flags))
  try writeAll(bytes, to: file, "cannot write to memory")
  guard fcntl(file.raw, CInt(THEMED_F_ADD_SEALS), CInt(THEMED_SEALS)) == 0 else {
    throw SystemError(errnoOf: "cannot seal memory")
  }
  return file
}

/// Reads a whole file that ``memoryFile(_:holding:)`` made; nil for any other one, and for one longer than `maximum`.
///
/// Nothing else is read from: it might keep us waiting, or change meanwhile.
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
