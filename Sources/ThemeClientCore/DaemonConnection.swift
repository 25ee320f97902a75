internal import Glibc
internal import ThemedSystem

/// A connection to the daemon; its calls never wait.
package struct DaemonConnection: ~Copyable, Sendable {
  private let socket: FileDescriptor
  /// The user that the daemon belongs to, if that is a different user from ours.
  package let stranger: UInt32?
  /// The ID of the process that listens at the socket.
  ///
  /// 0 if the process is in another PID namespace; nil if the ID is not known.
  package let listener: Int32?

  /// Connects to the daemon that listens at `path`; nil if too many other clients are connecting.
  package init?(path: String) throws(ThemeClientError) {
    do throws(SystemError) {
      socket = try ThemedSystem.connect(to: SocketAddress(path: path), .nonblocking)
    } catch {
      switch error.code {
      case EAGAIN: return nil
      case EMFILE, ENFILE, ENOMEM, ENOBUFS, ENAMETOOLONG, EINVAL: throw .system(error.description)
      default: throw .noDaemon(path: path, reason: SystemError.text(error.code))
      }
    }
    let peer = Peer(of: socket)
    let owner = peer?.user
    listener = peer?.pid
    stranger = owner == Peer.ownUser ? nil : owner
  }

  /// Readable when bytes arrived or the connection has ended.
  package var descriptor: CInt { socket.raw }

  /// How an attempt to send ended.
  package enum Sent: Sendable {
    /// This many bytes were sent; the number can be 0.
    case bytes(Int)
    /// The connection is broken, for this reason.
    case lost(String)
  }

  /// Sends as many bytes as possible without waiting.
  package func send(_ bytes: ArraySlice<UInt8>) -> Sent {
    switch ThemedSystem.send(bytes, to: socket) {
    case .bytes(let count): .bytes(count)
    case .wouldBlock: .bytes(0)
    case .end: .lost(Self.closed)
    case .failed(let code): .lost(SystemError.text(code))
    }
  }

  /// How an attempt to receive ended.
  package enum Received: Sendable {
    /// These bytes were received; the slice can be empty.
    case bytes(ArraySlice<UInt8>)
    /// The daemon has closed the connection, or the connection is broken, for this reason.
    case lost(String)
  }

  /// Receives some of the bytes that have arrived.
  package func receive() -> Received {
    var bytes = receiveBuffer(16 << 10)
    switch ThemedSystem.receive(into: &bytes, from: socket) {
    case .bytes(let count): return .bytes(bytes[..<count])
    case .wouldBlock: return .bytes([])
    case .end: return .lost(Self.closed)
    case .failed(let code): return .lost(SystemError.text(code))
    }
  }

  private static let closed = "the daemon closed the connection"
}
