internal import ThemedText
internal import Glibc
internal import ThemedUnix

/// The descriptors that the service manager hands over at the start, by the protocol of `sd_listen_fds(3)`.
final class Inherited {
  /// Those of this name are listening sockets, or are meant to be.
  static let socketName: Text = "varlink"

  /// What was handed over, and under which name.
  private var descriptors: [(name: Text, raw: CInt)] = []

  /// Takes all of them; to be made before anything else opens one.
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

  /// The socket that is named for this protocol, else the first that listens: a unit that was written by hand may name
  /// none.
  func takeSocket() -> FileDescriptor? {
    let index =
      descriptors.firstIndex { $0.name == Self.socketName } ?? descriptors.firstIndex { Self.isListening($0.raw) }
    return index.map { FileDescriptor(owning: descriptors.remove(at: $0).raw) }
  }

  /// The next of those that an earlier life of the daemon had the service manager keep.
  func takeStored() -> FileDescriptor? {
    let index = descriptors.firstIndex { $0.name == Text(HandoverQueue.name) }
    return index.map { FileDescriptor(owning: descriptors.remove(at: $0).raw) }
  }

  /// The names of those that were not taken.
  var names: [Text] { descriptors.map(\.name) }

  /// Whether a descriptor is one of those that were not taken.
  func contains(_ raw: CInt) -> Bool { descriptors.contains { $0.raw == raw } }

  static func isListening(_ raw: CInt) -> Bool {
    var isListening: CInt = 0
    var length = socklen_t(MemoryLayout<CInt>.size)
    return unsafe getsockopt(raw, SOL_SOCKET, SO_ACCEPTCONN, &isListening, &length) == 0 && isListening != 0
  }
}
