internal import CThemedLinux
internal import Glibc

/// The name of the program that a peer's process runs, as the kernel has it; nil if the process has exited or is not
/// visible.
///
/// The kernel keeps at most 15 bytes, and the program can set any name. Reading it never waits, because it is in
/// memory.
public func programName(of peer: Peer, at descriptor: borrowing FileDescriptor) -> Text? {
  var raw: CInt = -1
  var length = socklen_t(MemoryLayout<CInt>.size)
  if unsafe getsockopt(descriptor.raw, SOL_SOCKET, CInt(THEMED_SO_PEERPIDFD), &raw, &length) == 0 {
    let process = FileDescriptor(owning: raw)
    let name = commandName(peer.pid)
    // Readable after the process has exited: then another process may have its number.
    var ended = pollfd(fd: process.raw, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&ended, 1, 0) == 0 ? name : nil
  }
  // An older kernel cannot tell; any other error means that the process has exited.
  return errno == ENOPROTOOPT ? commandName(peer.pid) : nil
}

/// The name of the program that a process runs, like ``programName(of:at:)``; the number may belong to another process
/// by now.
public func commandName(_ process: Int32) -> Text? {
  guard process > 0, let line = try? readFile("/proc/\(process)/comm", maximum: 256) else { return nil }
  let name = Text(decoding: line.last == UInt8(ascii: "\n") ? line.dropLast() : line[...])
  return name.isEmpty ? nil : name
}
