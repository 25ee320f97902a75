internal import CThemedLinux
internal import Glibc

/// What the kernel says of the network.
public enum NetworkChange: Sendable, Hashable {
  /// An address or a route has come, by which something may be reached.
  case gained
  /// One has gone, with which connections may be dead.
  case lost

  /// What messages of rtnetlink(7) say, each kind once; of what is not understood nothing.
  public static func changes(in bytes: ArraySlice<UInt8>) -> Set<NetworkChange> {
    var changes: Set<NetworkChange> = []
    var rest = bytes
    while rest.count >= header {
      let length = Int(number(rest, at: 0, UInt32.self))
      guard length >= header, length <= rest.count else { break }
      if let change = change(rest.prefix(length)) { changes.insert(change) }
      rest = rest.dropFirst(min(rest.count, length + (4 - length % 4) % 4))
    }
    return changes
  }

  /// The length of nlmsghdr, behind which ifaddrmsg or rtmsg stands.
  private static let header = 16

  private static func change(_ message: ArraySlice<UInt8>) -> NetworkChange? {
    let kind = Int(number(message, at: 4, UInt16.self))
    let body = message.dropFirst(header)
    func byte(_ offset: Int) -> Int { offset < body.count ? Int(body[body.startIndex + offset]) : -1 }
    switch kind {
    // Of an address the scope is the fourth byte: what is of this link or of this machine leads nowhere.
    case RTM_NEWADDR, RTM_DELADDR: return byte(3) == 0 ? (kind == RTM_NEWADDR ? .gained : .lost) : nil
    // Of a route the type is the eighth: one to somewhere, and no broadcast, nor our own address.
    case RTM_NEWROUTE, RTM_DELROUTE: return byte(7) == 1 ? (kind == RTM_NEWROUTE ? .gained : .lost) : nil
    default: return nil
    }
  }

  /// A number in the byte order of the machine, as the kernel writes it.
  private static func number<Number: FixedWidthInteger>(
    _ bytes: ArraySlice<UInt8>, at offset: Int, _: Number.Type
  ) -> Number {
    let part = bytes.dropFirst(offset).prefix(Number.bitWidth / 8)
    return Number(littleEndian: part.reversed().reduce(0) { $0 << 8 | Number(truncatingIfNeeded: $1) })
  }
}

/// Tells when addresses and routes come and go (rtnetlink's multicast); asleep otherwise.
public struct NetworkWatch: ~Copyable, Sendable {
  /// Readable when something has changed.
  public let descriptor: FileDescriptor

  /// A watch from now on.
  public init() throws(SystemError) {
    let type = CInt(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    descriptor = try Self.bound(FileDescriptor("a netlink socket", socket(AF_NETLINK, type, NETLINK_ROUTE)))
  }

  private static func bound(_ descriptor: consuming FileDescriptor) throws(SystemError) -> FileDescriptor {
    var address = sockaddr_nl()
    address.nl_family = sa_family_t(AF_NETLINK)
    address.nl_groups = UInt32(RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR | RTMGRP_IPV4_ROUTE | RTMGRP_IPV6_ROUTE)
    let status = unsafe withUnsafePointer(to: address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe bind(descriptor.raw, $0, socklen_t(MemoryLayout<sockaddr_nl>.size))
      }
    }
    guard status == 0 else { throw SystemError(errnoOf: "listening to the network's changes") }
    return descriptor
  }

  /// What has changed since it was asked before.
  public func changes() -> Set<NetworkChange> {
    var changes: Set<NetworkChange> = []
    var buffer = receiveBuffer(32 * 1024)
    for _ in 0..<64 {
      var sender = sockaddr_nl()
      var length = socklen_t(MemoryLayout<sockaddr_nl>.size)
      let count = unsafe withUnsafeMutablePointer(to: &sender) { sender in
        unsafe sender.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          unsafe recvfrom(descriptor.raw, &buffer, buffer.count, 0, $0, &length)
        }
      }
      // So much that some was lost: anything may have changed.
      if count < 0, errno == ENOBUFS { changes = [.lost, .gained] }
      guard count > 0 || errno == ENOBUFS else { break }
      // Any process may send to this socket; the kernel is number 0.
      if count > 0, sender.nl_pid == 0 { changes.formUnion(NetworkChange.changes(in: buffer[..<count])) }
    }
    return changes
  }
}
