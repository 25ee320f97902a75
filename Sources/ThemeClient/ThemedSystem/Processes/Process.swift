internal import CThemedLinux
internal import Glibc

/// Replaces this process's standard streams with /dev/null, so that it does not keep other programs' pipes open.
public func leaveStandardStreams() {
  let null = unsafe open("/dev/null", O_RDWR | O_CLOEXEC)
  guard null >= 0 else { return }
  for number in STDIN_FILENO...STDERR_FILENO { dup2(null, number) }
  close(null)
}

/// Raises this process's descriptor limit as far as allowed.
public func openAsManyAsAllowed() {
  var limit = rlimit()
  guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
  limit.rlim_cur = limit.rlim_max
  _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
}

/// A descriptor of this process for another one: readable when this process has exited.
public func ownProcess() throws(SystemError) -> FileDescriptor {
  try FileDescriptor("pidfd_open", themed_pidfd_open(getpid()))
}

/// Kills exactly this process, even if its number is reused.
public func kill(process: borrowing FileDescriptor) {
  _ = themed_pidfd_send_signal(process.raw, SIGKILL)
}

/// Sets the name of this process in lists of processes, of at most 15 bytes.
public func nameProcess(_ name: String) { _ = unsafe themed_name_process(name) }

/// Makes the C library return freed memory to the system; call this before there is a second thread.
///
/// By default it keeps more and more: after the first long message is freed, it keeps blocks of up to that size, and
/// each thread has a heap of its own. The memory of a flood of messages would never be returned.
public func keepMemorySmall() {
  // Shorter than the replies that wait for a client that does not read.
  mallopt(M_MMAP_THRESHOLD, 32 * 1024)
  mallopt(M_ARENA_MAX, 1)
}

/// Returns freed memory to the system, for use after something that took much memory for a moment.
///
/// The more memory is in use, the longer it takes.
public func giveMemoryBack() { malloc_trim(0) }

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
    return isReadable(process) ? nil : name
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
