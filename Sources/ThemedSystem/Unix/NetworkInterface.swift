internal import Glibc

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
