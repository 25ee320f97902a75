internal import CThemedLinux
internal import Glibc

/// A change of the network that the kernel reports.
public enum NetworkChange: Sendable, Hashable {
  /// An address or a route was added, so something may be reachable.
  case gained
  /// An address or a route was removed, so connections may be dead.
  case lost

  /// The changes in these rtnetlink(7) messages, each kind once; unknown messages are ignored.
  ///
  /// With an interface, removals on other interfaces are ignored, because networks of containers come and go.
  public static func changes(in bytes: ArraySlice<UInt8>, ofInterface interface: UInt32? = nil) -> Set<NetworkChange> {
    var changes: Set<NetworkChange> = []
    var rest = bytes
    while rest.count >= header {
      let length = Int(number(rest, at: 0, UInt32.self))
      guard length >= header, length <= rest.count else { break }
      let message = rest.prefix(length)
      if let change = change(message), change == .gained || concerns(interface, message) { changes.insert(change) }
      rest = rest.dropFirst(min(rest.count, length + (4 - length % 4) % 4))
    }
    return changes
  }

  /// The length of nlmsghdr; ifaddrmsg or rtmsg follows it.
  private static let header = 16

  private static func change(_ message: ArraySlice<UInt8>) -> NetworkChange? {
    let kind = Int(number(message, at: 4, UInt16.self))
    let body = message.dropFirst(header)
    func byte(_ offset: Int) -> Int { offset < body.count ? Int(body[body.startIndex + offset]) : -1 }
    switch kind {
    // The fourth byte of an address is its scope: addresses of this link or this machine lead nowhere.
    case RTM_NEWADDR where byte(3) == 0: return isRenewed(body.dropFirst(8)) ? nil : .gained
    case RTM_DELADDR where byte(3) == 0: return .lost
    // The type of a route is its eighth byte; broadcasts and our own addresses do not count.
    case RTM_NEWROUTE, RTM_DELROUTE:
      guard byte(7) == 1, !isOfLink(body.dropFirst(12), family: byte(0)) else { return nil }
      return kind == RTM_NEWROUTE ? .gained : .lost
    default: return nil
    }
  }

  /// Whether a message about an address or a route belongs to this interface, or names no interface.
  private static func concerns(_ interface: UInt32?, _ message: ArraySlice<UInt8>) -> Bool {
    guard let interface else { return true }
    let body = message.dropFirst(header)
    if Int(number(message, at: 4, UInt16.self)) == RTM_DELADDR { return number(body, at: 4, UInt32.self) == interface }
    // RTA_OIF; a route over several interfaces does not have it.
    guard let way = attribute(4, in: body.dropFirst(12)), way.count == 4 else { return true }
    return number(way, at: 0, UInt32.self) == interface
  }

  /// Whether an address existed before and was only extended: the third and fourth number of IFA_CACHEINFO are its
  /// creation and its last change.
  private static func isRenewed(_ attributes: ArraySlice<UInt8>) -> Bool {
    guard let times = attribute(6, in: attributes), times.count >= 16 else { return false }
    return number(times, at: 8, UInt32.self) != number(times, at: 12, UInt32.self)
  }

  /// Whether a route (whose target is RTA_DST) leads to fe80::/10 or ff00::/8, like one of each interface that comes
  /// up.
  private static func isOfLink(_ attributes: ArraySlice<UInt8>, family: Int) -> Bool {
    guard family == Int(AF_INET6), let end = attribute(1, in: attributes), let first = end.first else { return false }
    return first == 0xFF || first == 0xFE && end.dropFirst().first.map { $0 & 0xC0 == 0x80 } == true
  }

  /// The content of the first attribute of this type.
  private static func attribute(_ type: UInt16, in attributes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    var rest = attributes
    while rest.count >= 4 {
      let length = Int(number(rest, at: 0, UInt16.self))
      guard length >= 4, length <= rest.count else { return nil }
      if number(rest, at: 2, UInt16.self) == type { return rest.prefix(length).dropFirst(4) }
      rest = rest.dropFirst(min(rest.count, length + (4 - length % 4) % 4))
    }
    return nil
  }

  /// A number in the machine's byte order, as the kernel writes it.
  private static func number<Number: FixedWidthInteger>(
    _ bytes: ArraySlice<UInt8>, at offset: Int, _: Number.Type
  ) -> Number {
    let part = bytes.dropFirst(offset).prefix(Number.bitWidth / 8)
    return Number(littleEndian: part.reversed().reduce(0) { $0 << 8 | Number(truncatingIfNeeded: $1) })
  }
}

/// Reports when addresses and routes are added and removed (rtnetlink's multicast); sleeps otherwise.
public struct NetworkWatch: ~Copyable, Sendable {
  /// Readable after a change.
  public let descriptor: FileDescriptor

  public init() throws(SystemError) {
    let type = CInt(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    descriptor = try Self.bound(FileDescriptor("cannot open a netlink socket", socket(AF_NETLINK, type, NETLINK_ROUTE)))
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
    guard status == 0 else { throw SystemError(errnoOf: "cannot listen to the network's changes") }
    return descriptor
  }

  /// The changes since the last call; with an interface, only its own removals.
  public func changes(ofInterface interface: UInt32? = nil) -> Set<NetworkChange> {
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
      // There was so much that some was lost: anything may have changed.
      if count < 0, errno == ENOBUFS { changes = [.lost, .gained] }
      guard count > 0 || errno == ENOBUFS else { break }
      // Any process may send to this socket; the kernel has number 0.
      guard count > 0, sender.nl_pid == 0 else { continue }
      changes.formUnion(NetworkChange.changes(in: buffer[..<count], ofInterface: interface))
    }
    return changes
  }
}

extension RunningProgram {
  /// The network interface of this program's first TCP connection; nil if there is none or it cannot be found out, such
  /// as if another program connects for it.
  public var networkInterface: UInt32? {
    let sockets = Set(
      names(inDirectory: "/proc/\(process)/fd").compactMap { name in
        linkTarget(of: "/proc/\(process)/fd/\(name.string)").map { Text(decoding: $0) }?
          .dropping(prefix: "socket:[")?.dropping(suffix: "]")
      })
    for table in ["tcp", "tcp6"] {
      guard let bytes = try? readFile("/proc/\(process)/net/\(table)", maximum: 1 << 20) else { continue }
      for line in Text(decoding: bytes).split("\n") {
        // The local address, the state (01: established) and the inode are the second, fourth and tenth word.
        let words = line.split(" ", omittingEmpty: true)
        guard words.count > 9, words[3] == "01", sockets.contains(words[9]),
          let address = LocalAddress(inTable: words[1]), let interface = address.interface
        else { continue }
        return interface
      }
    }
    return nil
  }
}

/// An address of this machine, as four or sixteen bytes.
struct LocalAddress: Hashable {
  let bytes: [UInt8]

  /// An address as in the kernel's connection tables: 32-bit numbers in the machine's byte order, in hexadecimal,
  /// followed by a colon and the port.
  init?(inTable text: Text) {
    let digits = Array(text.split(":")[0].utf8)
    guard digits.count == 8 || digits.count == 32 else { return nil }
    var bytes: [UInt8] = []
    for start in stride(from: 0, to: digits.count, by: 8) {
      guard let number = UInt32(String(decoding: digits[start..<(start + 8)], as: UTF8.self), radix: 16) else {
        return nil
      }
      bytes += (0..<4).map { UInt8(truncatingIfNeeded: number.littleEndian >> ($0 * 8)) }
    }
    self.bytes = bytes
  }

  /// The interface that has this address; nil if none has it.
  var interface: UInt32? {
    var first: UnsafeMutablePointer<ifaddrs>?
    guard unsafe getifaddrs(&first) == 0 else { return nil }
    defer { unsafe freeifaddrs(first) }
    var next = unsafe first
    while let entry = unsafe next {
      if unsafe Self.bytes(of: entry.pointee.ifa_addr) == bytes {
        return unsafe if_nametoindex(entry.pointee.ifa_name)
      }
      unsafe next = entry.pointee.ifa_next
    }
    return nil
  }

  /// The bytes of an Internet address; empty for other addresses.
  private static func bytes(of address: UnsafeMutablePointer<sockaddr>?) -> [UInt8] {
    guard let address = unsafe address else { return [] }
    let raw = unsafe UnsafeRawBufferPointer(start: address, count: MemoryLayout<sockaddr_in6>.size)
    // After the family and the port; the longer form has another number in between.
    switch unsafe CInt(address.pointee.sa_family) {
    case AF_INET: return unsafe Array(raw[4..<8])
    case AF_INET6: return unsafe Array(raw[8..<24])
    default: return []
    }
  }
}
