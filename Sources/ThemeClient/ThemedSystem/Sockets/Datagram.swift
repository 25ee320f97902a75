internal import CThemedLinux
internal import Glibc

public func datagramSocket(_ blocking: Blocking) throws(SystemError) -> FileDescriptor {
  try unixSocket(SOCK_DGRAM, blocking)
}

/// The kernel's limit of descriptors in one message (SCM_MAX_FD).
public let maximumDescriptorsPerMessage = 253

/// Sends one whole message, and descriptors with it, which stay open here too; waits only if the socket is blocking.
///
/// `address` is nil for a connected socket.
public func sendMessage(
  _ bytes: [UInt8], passing descriptors: [CInt] = [], from socket: borrowing FileDescriptor,
  to address: SocketAddress?
) throws(SystemError) {
  let raw = socket.raw
  var code: CInt = 0
  repeat {
    let count =
      if let address {
        unsafe address.withSockaddr { unsafe send(bytes, descriptors, from: raw, to: $0, $1) }
      } else {
        send(bytes, descriptors, from: raw, to: nil, 0)
      }
    code = count < 0 ? errno : 0
  } while code == EINTR
  guard code == 0 else { throw SystemError(address.map { "cannot send to \($0)" } ?? "cannot send", code) }
}

private func send(
  _ bytes: [UInt8], _ descriptors: [CInt], from socket: CInt, to address: UnsafePointer<sockaddr>?, _ length: socklen_t
) -> Int {
  unsafe bytes.withUnsafeBytes { bytes in
    var part = unsafe iovec(iov_base: UnsafeMutableRawPointer(mutating: bytes.baseAddress), iov_len: bytes.count)
    return unsafe withUnsafeMutablePointer(to: &part) { part in
      var message = unsafe msghdr()
      unsafe message.msg_name = UnsafeMutableRawPointer(mutating: address)
      unsafe message.msg_namelen = length
      unsafe message.msg_iov = part
      unsafe message.msg_iovlen = 1
      var control = controlMessage(of: descriptors)
      return unsafe control.withUnsafeMutableBytes { control in
        unsafe message.msg_control = control.isEmpty ? nil : control.baseAddress
        unsafe message.msg_controllen = control.count
        return unsafe sendmsg(socket, &message, CInt(MSG_NOSIGNAL))
      }
    }
  }
}

public struct ReceivedMessage: Sendable {
  /// Its bytes; bytes that did not fit into the buffer are lost.
  public var bytes: [UInt8]
  /// Its descriptors; the receiver has to close them.
  public var descriptors: [CInt]
  /// Whether bytes or descriptors were lost.
  public var isCut: Bool

  /// Closes the descriptors, for a receiver that does not use them.
  public func closeDescriptors() {
    for raw in descriptors { _ = close(raw) }
  }
}

/// Receives one message of at most `maximum` bytes with its descriptors, without ever waiting; nil if there is none.
public func receiveMessage(
  maximum: Int, from socket: borrowing FileDescriptor
) throws(SystemError) -> ReceivedMessage? {
  var bytes = [UInt8](repeating: 0, count: maximum)
  // Room for a second control message, such as credentials, which the kernel may add unasked.
  var control = [UInt8](repeating: 0, count: headerSize + maximumDescriptorsPerMessage * descriptorSize + 256)
  var message = unsafe msghdr()
  let raw = socket.raw
  let count = unsafe bytes.withUnsafeMutableBytes { bytes in
    var part = unsafe iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)
    return unsafe withUnsafeMutablePointer(to: &part) { part in
      unsafe control.withUnsafeMutableBytes { control in
        unsafe message.msg_iov = part
        unsafe message.msg_iovlen = 1
        unsafe message.msg_control = control.baseAddress
        unsafe message.msg_controllen = control.count
        var count: Int
        repeat {
          count = unsafe recvmsg(raw, &message, CInt(MSG_DONTWAIT) | CInt(MSG_CMSG_CLOEXEC))
        } while count < 0 && errno == EINTR
        return count
      }
    }
  }
  guard count >= 0 else {
    if errno == EAGAIN { return nil }
    throw SystemError(errnoOf: "receiving")
  }
  let length = unsafe message.msg_controllen
  let flags = unsafe message.msg_flags
  let descriptors = descriptors(in: control[..<min(length, control.count)])
  // The end of a connection looks like an empty message.
  guard count > 0 || !descriptors.isEmpty else { return nil }
  let isCut = flags & (CInt(MSG_CTRUNC) | CInt(MSG_TRUNC)) != 0
  return ReceivedMessage(bytes: Array(bytes[..<count]), descriptors: descriptors, isCut: isCut)
}

// MARK: Control messages (cmsg(3)), each a header, its data, and padding to the size of a word

private let headerSize = aligned(MemoryLayout<cmsghdr>.size)
private let descriptorSize = MemoryLayout<CInt>.size

private func aligned(_ size: Int) -> Int {
  let word = MemoryLayout<Int>.size
  return (size + word - 1) / word * word
}

private func controlMessage(of descriptors: [CInt]) -> [UInt8] {
  guard !descriptors.isEmpty else { return [] }
  let length = headerSize + descriptors.count * descriptorSize
  var bytes = [UInt8](repeating: 0, count: aligned(length))
  unsafe bytes.withUnsafeMutableBytes { bytes in
    var header = cmsghdr()
    header.cmsg_len = length
    header.cmsg_level = SOL_SOCKET
    header.cmsg_type = CInt(SCM_RIGHTS)
    unsafe bytes.storeBytes(of: header, as: cmsghdr.self)
    for (index, descriptor) in descriptors.enumerated() {
      unsafe bytes.storeBytes(of: descriptor, toByteOffset: headerSize + index * descriptorSize, as: CInt.self)
    }
  }
  return bytes
}

private func descriptors(in control: ArraySlice<UInt8>) -> [CInt] {
  var descriptors: [CInt] = []
  unsafe control.withUnsafeBytes { bytes in
    var offset = 0
    while offset + headerSize <= bytes.count {
      let header = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: cmsghdr.self)
      let end = offset + header.cmsg_len
      guard header.cmsg_len >= headerSize, end <= bytes.count else { return }
      if header.cmsg_level == SOL_SOCKET, header.cmsg_type == CInt(SCM_RIGHTS) {
        for place in stride(from: offset + headerSize, through: end - descriptorSize, by: descriptorSize) {
          descriptors.append(unsafe bytes.loadUnaligned(fromByteOffset: place, as: CInt.self))
        }
      }
      offset += aligned(header.cmsg_len)
    }
  }
  return descriptors
}
