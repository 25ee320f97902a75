import CThemedLinux
import Glibc
import ThemedSystem

@testable import ThemeDaemon

/// Two sockets that are connected, as a process and its client are.
final class Pair {
  let one: Held
  let other: Held

  init(_ type: __socket_type = SOCK_STREAM) throws {
    var ends: [CInt] = [-1, -1]
    let type = CInt(type.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    guard unsafe socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw SystemError("socketpair", errno) }
    one = Held(FileDescriptor(owning: ends[0]))
    other = Held(FileDescriptor(owning: ends[1]))
  }
}

/// A descriptor that may be held in several places.
final class Held {
  let descriptor: FileDescriptor

  init(_ descriptor: consuming FileDescriptor) { self.descriptor = descriptor }

  var cookie: UInt64? { socketCookie(of: descriptor) }
  var content: HandoverQueue.Content? { HandoverQueue.content(of: descriptor, log: .silent) }
}
