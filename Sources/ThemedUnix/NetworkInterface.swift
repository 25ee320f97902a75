internal import Glibc
internal import ThemedText

extension RunningProgram {
  /// The network interface that this program's first connection over TCP goes through; nil where it has none, or where
  /// that cannot be told, as of a program that is reached by another one.
  public var networkInterface: UInt32? {
    let sockets = Set(
      names(inDirectory: "/proc/\(process)/fd").compactMap { name in
        linkTarget(of: "/proc/\(process)/fd/\(name.string)").map { Text(decoding: $0) }?
          .dropping(prefix: "socket:[")?.dropping(suffix: "]")
      })
    for table in ["tcp", "tcp6"] {
      guard let bytes = try? readFile("/proc/\(process)/net/\(table)", maximum: 1 << 20) else { continue }
      for line in Text(decoding: bytes).split("\n") {
        // Local address, state (01: established) and inode are the second, fourth and tenth word.
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

  /// An address as the kernel's tables of connections say it: numbers of 32 bits in the byte order of the machine, in
  /// hexadecimal, and behind a colon the port.
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

  /// The interface that has it; nil where none has.
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

  /// The bytes of an Internet address; none of another one.
  private static func bytes(of address: UnsafeMutablePointer<sockaddr>?) -> [UInt8] {
    guard let address = unsafe address else { return [] }
    let raw = unsafe UnsafeRawBufferPointer(start: address, count: MemoryLayout<sockaddr_in6>.size)
    // In both kinds of them, behind family and port; the longer one has a number between.
    switch unsafe CInt(address.pointee.sa_family) {
    case AF_INET: return unsafe Array(raw[4..<8])
    case AF_INET6: return unsafe Array(raw[8..<24])
    default: return []
    }
  }
}
