internal import CThemedLinux
internal import Glibc

/// The address of a Unix socket: a path, or a name in Linux's abstract name space.
public struct SocketAddress: Sendable, Hashable, CustomStringConvertible {
  /// The longest path or name, in bytes; the kernel's limit.
  public static let maximumLength = 107

  /// The path; for an abstract name, the name.
  public let name: String
  /// Whether it is an abstract name.
  public let isAbstract: Bool

  /// The address of a path; throws ENAMETOOLONG if it is too long.
  public init(path: String) throws(SystemError) { try self.init(name: path, isAbstract: false) }

  /// The address of an abstract name; throws ENAMETOOLONG if it is too long.
  public init(abstract name: String) throws(SystemError) {
    try self.init(name: name, isAbstract: true)
  }

  private init(name: String, isAbstract: Bool) throws(SystemError) {
    guard !name.isEmpty, name.utf8.count <= Self.maximumLength, !name.utf8.contains(0) else {
      throw SystemError(
        "cannot use '\(name)' as a socket path, which must have 1 to \(Self.maximumLength) bytes",
        name.isEmpty ? EINVAL : ENAMETOOLONG)
    }
    self.name = name
    self.isAbstract = isAbstract
  }

  /// The path, or an abstract name with a leading `@`.
  public var description: String { isAbstract ? "@" + name : name }

  /// Calls `body` with the address in the form of a system call.
  func withSockaddr<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let offset = isAbstract ? 1 : 0
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { path in
      for (index, byte) in name.utf8.enumerated() { unsafe path[offset + index] = byte }
    }
    // A path ends with a NUL byte, an abstract name with its length.
    let header = MemoryLayout<sockaddr_un>.size - MemoryLayout.size(ofValue: address.sun_path)
    let length = socklen_t(header + name.utf8.count + 1)
    return unsafe withUnsafePointer(to: address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe body($0, length) }
    }
  }
}

public enum Blocking: Sendable {
  case blocking, nonblocking
}

func unixSocket(_ type: __socket_type, _ blocking: Blocking) throws(SystemError) -> FileDescriptor {
  let flags = SOCK_CLOEXEC.rawValue | (blocking == .nonblocking ? SOCK_NONBLOCK.rawValue : 0)
  return try FileDescriptor("socket", socket(AF_UNIX, CInt(type.rawValue | flags), 0))
}

/// Connects a stream socket.
///
/// If it does not wait, a full queue at the other end throws EAGAIN.
public func connect(to address: SocketAddress, _ blocking: Blocking) throws(SystemError) -> FileDescriptor {
  let socket = try unixSocket(SOCK_STREAM, blocking)
  while unsafe address.withSockaddr({ unsafe Glibc.connect(socket.raw, $0, $1) }) != 0 {
    guard errno == EINTR else { throw SystemError(errnoOf: "cannot connect to \(address)") }
  }
  return socket
}

/// Binds a stream socket that only its owner may connect to, and listens on it, without ever waiting.
///
/// At most `backlog` connections wait to be accepted.
public func listen(at address: SocketAddress, backlog: Int32) throws(SystemError) -> FileDescriptor {
  let socket = try unixSocket(SOCK_STREAM, .nonblocking)
  // Before bind, because the file gets the socket's mode and must never be open to others; a umask would affect other
  // threads.
  guard fchmod(socket.raw, 0o600) == 0 else { throw SystemError(errnoOf: "fchmod") }
  guard unsafe address.withSockaddr({ unsafe bind(socket.raw, $0, $1) }) == 0 else {
    throw SystemError(errnoOf: "cannot bind \(address)")
  }
  guard Glibc.listen(socket.raw, backlog) == 0 else { throw SystemError(errnoOf: "cannot listen on \(address)") }
  return socket
}

/// Accepts a waiting connection, without ever waiting itself; nil if there is none.
public func accept(from listener: borrowing FileDescriptor) throws(SystemError) -> FileDescriptor? {
  while true {
    let flags = CInt(SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let raw = accept4(listener.raw, nil, nil, flags)
    if raw >= 0 { return FileDescriptor(owning: raw) }
    switch errno {
    case EINTR, ECONNABORTED: continue
    case EAGAIN: return nil
    default: throw SystemError(errnoOf: "accept")
    }
  }
}

/// The process at the other end of a connection, as the kernel saw it when the connection was made.
public struct Peer: Sendable, Hashable {
  public let pid: Int32
  public let user: UInt32

  /// Asks the kernel (SO_PEERCRED); nil if it does not tell.
  public init?(of descriptor: borrowing FileDescriptor) {
    var credentials = themed_ucred()
    var length = socklen_t(MemoryLayout<themed_ucred>.size)
    guard unsafe getsockopt(descriptor.raw, SOL_SOCKET, SO_PEERCRED, &credentials, &length) == 0 else { return nil }
    pid = credentials.pid
    user = credentials.uid
  }

  /// The effective user of this process.
  public static let ownUser: UInt32 = geteuid()
}

/// The name of a user; `user` and the number if the system does not know one.
public func userName(_ user: UInt32) -> String {
  var entry = unsafe passwd()
  var found: UnsafeMutablePointer<passwd>?
  var texts = [CChar](repeating: 0, count: 4096)
  return unsafe texts.withUnsafeMutableBufferPointer { texts in
    let status = unsafe getpwuid_r(user, &entry, texts.baseAddress!, texts.count, &found)
    guard status == 0, unsafe found != nil, let name = unsafe entry.pw_name else { return "user \(user)" }
    return unsafe String(cString: name)
  }
}

/// The kernel's unique number of a socket, which is not reused before the next boot (SO_COOKIE); nil for anything else.
public func socketCookie(of descriptor: borrowing FileDescriptor) -> UInt64? {
  var cookie: UInt64 = 0
  var length = socklen_t(MemoryLayout<UInt64>.size)
  guard unsafe getsockopt(descriptor.raw, SOL_SOCKET, SO_COOKIE, &cookie, &length) == 0 else { return nil }
  return cookie
}

/// Whether a descriptor is a Unix socket of this type, such as SOCK_STREAM, and not a listening one.
public func isSocket(_ descriptor: borrowing FileDescriptor, ofType type: CInt) -> Bool {
  func option(_ name: CInt) -> CInt? {
    var value: CInt = 0
    var length = socklen_t(MemoryLayout<CInt>.size)
    return unsafe getsockopt(descriptor.raw, SOL_SOCKET, name, &value, &length) == 0 ? value : nil
  }
  return option(SO_DOMAIN) == AF_UNIX && option(SO_TYPE) == type && option(SO_ACCEPTCONN) == 0
}

/// Limits how many bytes the kernel buffers for a slow reader.
public func setSendBuffer(_ size: Int, of descriptor: borrowing FileDescriptor) {
  var size = CInt(size)
  // If the kernel refuses, it keeps its default: a slow subscriber then sees more old states before the newest.
  _ = unsafe setsockopt(descriptor.raw, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<CInt>.size))
}

/// The path of a listening socket; nil if it is not a bound Unix socket.
public func boundPath(of descriptor: borrowing FileDescriptor) -> String? { boundPath(ofRaw: descriptor.raw) }

/// The path of the socket with this descriptor number; nil if it is not a bound Unix socket.
public func boundPath(ofRaw raw: CInt) -> String? {
  var address = sockaddr_un()
  var length = socklen_t(MemoryLayout<sockaddr_un>.size)
  let status = unsafe withUnsafeMutablePointer(to: &address) { address in
    unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      unsafe getsockname(raw, $0, &length)
    }
  }
  guard status == 0, address.sun_family == sa_family_t(AF_UNIX) else { return nil }
  let path = unsafe withUnsafeBytes(of: address.sun_path) { unsafe Array($0.prefix { $0 != 0 }) }
  return path.isEmpty ? nil : String(decoding: path, as: UTF8.self)
}
