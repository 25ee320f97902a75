internal import Glibc
internal import ThemedUnix

/// A connection to the daemon whose calls never wait.
package struct DaemonConnection: ~Copyable, Sendable {
  private let socket: FileDescriptor
  /// The user whom the daemon belongs to, if that is another than ours.
  package let stranger: UInt32?
  /// Who listens there, by the number of that process here; 0 where it is none of here, and nil where nobody knows.
  package let listener: Int32?

  /// Connects to the daemon that listens at `path`; nil where too many others are about to.
  package init?(path: String) throws(ThemeClientError) {
    do throws(SystemError) {
      socket = try ThemedUnix.connect(to: SocketAddress(path: path), .nonblocking)
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

  /// Readable when something came, or it has ended.
  package var descriptor: CInt { socket.raw }

  /// How an attempt to send ended.
  package enum Sent: Sendable {
    /// So many bytes went out, perhaps none.
    case bytes(Int)
    /// The connection is broken, for this reason.
    case lost(String)
  }

  /// Sends what can be sent now.
  package func send(_ bytes: ArraySlice<UInt8>) -> Sent {
    switch ThemedUnix.send(bytes, to: socket) {
    case .bytes(let count): .bytes(count)
    case .wouldBlock: .bytes(0)
    case .end: .lost(Self.closed)
    case .failed(let code): .lost(SystemError.text(code))
    }
  }

  /// How an attempt to receive ended.
  package enum Received: Sendable {
    /// These bytes came, perhaps none.
    case bytes(ArraySlice<UInt8>)
    /// The daemon has closed it, or it is broken, for this reason.
    case lost(String)
  }

  /// Receives some of what came.
  package func receive() -> Received {
    var bytes = receiveBuffer(16 << 10)
    switch ThemedUnix.receive(into: &bytes, from: socket) {
    case .bytes(let count): return .bytes(bytes[..<count])
    case .wouldBlock: return .bytes([])
    case .end: return .lost(Self.closed)
    case .failed(let code): return .lost(SystemError.text(code))
    }
  }

  private static let closed = "its end was closed"
}
