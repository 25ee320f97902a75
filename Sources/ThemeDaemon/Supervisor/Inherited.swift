internal import CThemedLinux
internal import Glibc
internal import ThemedInterface
internal import ThemedSystem

/// The descriptors that the service manager passes at the start, by the protocol of `sd_listen_fds(3)`.
final class Inherited {
  /// The name of the listening socket with these rights.
  static func socketName(_ rights: Rights) -> Text { rights == .all ? "varlink" : "varlink-readonly" }

  private var descriptors: [(name: Text, raw: CInt)] = []

  /// Takes all of them; create this before anything else opens a descriptor.
  init() {
    defer { for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] { unsafe unsetenv(name) } }
    guard environment("LISTEN_PID").flatMap({ Int32($0) }) == getpid(),
      let count = environment("LISTEN_FDS").flatMap({ Int32($0) }), count > 0
    else { return }
    let names = environment("LISTEN_FDNAMES").map { Text($0).split(":") } ?? []
    for number in 0..<min(count, Limits.inheritedDescriptors) {
      let raw = 3 + number
      guard fcntl(raw, F_SETFD, FD_CLOEXEC) == 0 else { continue }
      descriptors.append((names.indices.contains(Int(number)) ? names[Int(number)] : "", raw))
    }
  }

  deinit {
    for (_, raw) in descriptors { _ = FileDescriptor(owning: raw) }
  }

  /// The socket with the name for these rights, or else the first listening one, because a handwritten unit may not
  /// name it.
  ///
  /// A socket with the name or at the path of the read-only socket is always read-only, whatever its unit says.
  func takeSocket(_ rights: Rights) -> FileDescriptor? {
    let candidates = descriptors.indices.filter { isForReading(descriptors[$0]) == (rights == .reading) }
    let index =
      candidates.first { descriptors[$0].name == Self.socketName(rights) }
      ?? candidates.first { Self.isListening(descriptors[$0].raw) }
    return index.map { FileDescriptor(owning: descriptors.remove(at: $0).raw) }
  }

  private func isForReading(_ descriptor: (name: Text, raw: CInt)) -> Bool {
    if descriptor.name == Self.socketName(.reading) { return true }
    return boundPath(ofRaw: descriptor.raw).map(ThemeInterface.isReadOnly) ?? false
  }

  /// The next descriptor that an earlier process has stored in the service manager.
  func takeStored() -> FileDescriptor? {
    let index = descriptors.firstIndex { $0.name == Text(HandoverQueue.name) }
    return index.map { FileDescriptor(owning: descriptors.remove(at: $0).raw) }
  }

  var names: [Text] { descriptors.map(\.name) }

  func contains(_ raw: CInt) -> Bool { descriptors.contains { $0.raw == raw } }

  static func isListening(_ raw: CInt) -> Bool {
    var isListening: CInt = 0
    var length = socklen_t(MemoryLayout<CInt>.size)
    return unsafe getsockopt(raw, SOL_SOCKET, SO_ACCEPTCONN, &isListening, &length) == 0 && isListening != 0
  }
}

/// Notifies a supervisor that the daemon is ready: writes a newline to an inherited descriptor and closes it, as s6,
/// dinit and others expect.
final class ReadyDescriptor {
  private var descriptor: FileDescriptor?

  /// Takes descriptor `number`; create this before anything else opens a descriptor, which could get this number.
  init(_ number: CInt, besides inherited: Inherited) throws(StartFailure) {
    let flags = fcntl(number, F_GETFL)
    guard flags >= 0, flags & O_ACCMODE != O_RDONLY, !inherited.contains(number) else {
      throw StartFailure("descriptor \(number) is not open for writing; --ready-fd needs one that the supervisor reads")
    }
    _ = fcntl(number, F_SETFD, FD_CLOEXEC)
    guard number <= STDERR_FILENO else {
      descriptor = FileDescriptor(owning: number)
      return
    }
    // Close another number than this: if a standard stream is closed, the next client would become it.
    let own = fcntl(number, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
    guard own >= 0 else { throw StartFailure("\(SystemError("cannot duplicate descriptor \(number)", errno))") }
    descriptor = FileDescriptor(owning: own)
    _ = close(number)
    openStandardStreams()
  }

  /// Notifies the supervisor once; returns whether that was possible.
  func tell() -> Bool {
    guard let descriptor = descriptor.take() else { return true }
    var ready = pollfd(fd: descriptor.raw, events: Int16(POLLOUT), revents: 0)
    guard unsafe poll(&ready, 1, 0) == 1, ready.revents & Int16(POLLERR) == 0 else { return false }
    // The supervisor shares the descriptor, so it can still block: a thread waits in our place, and then closes its
    // copy.
    return LineThread(to: descriptor.raw).write([UInt8(ascii: "\n")])
  }
}
