internal import CThemedLinux
public import ThemedText
internal import Glibc

/// The name of the program that a peer's process runs, as the kernel keeps it: 15 bytes of which the program itself may
/// make anything; nil where the process has ended, or cannot be seen.
///
/// It lies in memory, and waits for nothing.
public func programName(of peer: Peer, at descriptor: borrowing FileDescriptor) -> Text? {
  var raw: CInt = -1
  var length = socklen_t(MemoryLayout<CInt>.size)
  if unsafe getsockopt(descriptor.raw, SOL_SOCKET, CInt(THEMED_SO_PEERPIDFD), &raw, &length) == 0 {
    let process = FileDescriptor(owning: raw)
    let name = commandName(peer.pid)
    // Readable once it has ended: then the number may be another's.
    var ended = pollfd(fd: process.raw, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&ended, 1, 0) == 0 ? name : nil
  }
  // An older kernel cannot tell; any other error is that it has ended.
  return errno == ENOPROTOOPT ? commandName(peer.pid) : nil
}

/// The name of the program that a process runs, as ``programName(of:at:)`` has it; the number may be another's by now.
public func commandName(_ process: Int32) -> Text? {
  guard process > 0, let line = try? readFile("/proc/\(process)/comm", maximum: 256) else { return nil }
  let name = Text(decoding: line.last == UInt8(ascii: "\n") ? line.dropLast() : line[...])
  return name.isEmpty ? nil : name
}
