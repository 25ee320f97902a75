import Glibc

/// Sockets of the local machine, named by a path.
enum UnixSocket {
  /// How many may wait to be accepted, as the kernel is told.
  static let queue = 64

  /// A socket that listens, as an activator would hand over.
  static func listening(at path: String) throws -> Descriptor {
    let socket = try make(SOCK_STREAM)
    guard try unsafe named(path, { unsafe bind(socket.number, $0, $1) }) == 0, listen(socket.number, Int32(queue)) == 0
    else {
      throw Failure("cannot listen at \(path): \(lastError())")
    }
    return socket
  }

  /// A socket that receives datagrams.
  static func receiving(at path: String) throws -> Descriptor {
    let socket = try make(SOCK_DGRAM)
    guard try unsafe named(path, { unsafe bind(socket.number, $0, $1) }) == 0 else {
      throw Failure("cannot receive at \(path): \(lastError())")
    }
    return socket
  }

  /// A socket connected to the one that listens at `path`.
  static func connected(to path: String) throws -> Descriptor {
    let socket = try make(SOCK_STREAM)
    guard try unsafe named(path, { unsafe connect(socket.number, $0, $1) }) == 0 else {
      throw Failure("cannot connect to \(path): \(lastError())")
    }
    return socket
  }

  /// As many sockets, connected to the one that listens at `path`, as come before its queue is full, or `maximum`.
  static func crowd(at path: String, maximum: Int) throws -> [Descriptor] {
    var sockets: [Descriptor] = []
    while sockets.count < maximum {
      let socket = try make(SOCK_STREAM)
      _ = fcntl(socket.number, F_SETFL, O_NONBLOCK)
      guard try unsafe named(path, { unsafe connect(socket.number, $0, $1) }) == 0 else {
        guard errno == EAGAIN else { throw Failure("cannot connect to \(path): \(lastError())") }
        break
      }
      sockets.append(socket)
    }
    return sockets
  }

  private static func make(_ type: __socket_type) throws -> Descriptor {
    let number = socket(AF_UNIX, Int32(type.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard number >= 0 else { throw Failure("socket: \(lastError())") }
    return Descriptor(number)
  }

  private static func named(
    _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) throws -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
      throw Failure("the path of a socket is too long: \(path)")
    }
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
    return unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}
