internal import Glibc
internal import ThemedSystem
public import ThemedVarlink

/// A connection to the daemon; its calls never wait.
public struct DaemonConnection: ~Copyable, Sendable {
  private let socket: FileDescriptor
  /// The user that the daemon belongs to, if that is a different user from ours.
  public let stranger: UInt32?
  /// The ID of the process that listens at the socket.
  ///
  /// 0 if the process is in another PID namespace; nil if the ID is not known.
  public let listener: Int32?

  /// Connects to the daemon that listens at `path`; nil if too many other clients are connecting.
  public init?(path: String) throws(CallError) {
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
  public var descriptor: CInt { socket.raw }

  /// How an attempt to send ended.
  public enum Sent: Sendable {
    /// This many bytes were sent; the number can be 0.
    case bytes(Int)
    /// The connection is broken, for this reason.
    case lost(String)
  }

  /// Sends as many bytes as possible without waiting.
  public func send(_ bytes: ArraySlice<UInt8>) -> Sent {
    switch ThemedSystem.send(bytes, to: socket) {
    case .bytes(let count): .bytes(count)
    case .wouldBlock: .bytes(0)
    case .end: .lost(Self.closed)
    case .failed(let code): .lost(SystemError.text(code))
    }
  }

  /// How an attempt to receive ended.
  public enum Received: Sendable {
    /// These bytes were received; the slice can be empty.
    case bytes(ArraySlice<UInt8>)
    /// The daemon has closed the connection, or the connection is broken, for this reason.
    case lost(String)
  }

  /// Receives some of the bytes that have arrived.
  public func receive() -> Received {
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

/// Takes bytes as they arrive, and returns replies; does no I/O.
public struct ReplyReader: Sendable, Hashable {
  /// The maximum length of a reply, in bytes.
  public static let maximumReply = 1 << 20

  private let limit: Int
  /// Received bytes.
  ///
  /// Those before `start` were returned, and there is no NUL before `scanned`.
  private var input: [UInt8] = []
  private var start = 0
  private var scanned = 0

  /// A reader that refuses a reply of more than `limit` bytes, even before its end has arrived.
  public init(limit: Int) { self.limit = limit }

  /// How many received bytes were not returned yet.
  public var count: Int { input.count - start }

  /// Whether all received bytes were returned.
  public var isEmpty: Bool { count == 0 }

  public mutating func receive(_ bytes: ArraySlice<UInt8>) {
    input.removeFirst(start)
    (start, scanned) = (0, scanned - start)
    input.append(contentsOf: bytes)
  }

  /// The next reply, if all of it has arrived; see ``next(keeping:)``.
  public mutating func reply(keeping wanted: JSON.Wanted = .all) throws(CallError) -> Reply? {
    do throws(Violation) { return try next(keeping: wanted) } catch { throw CallError(error) }
  }

  /// The next reply, if all of it has arrived; only the wanted parameters are read.
  public mutating func next(keeping wanted: JSON.Wanted = .all) throws(Violation) -> Reply? {
    let end = input[scanned...].firstIndex(of: 0)
    guard (end ?? input.count) - start <= limit else { throw .tooLong(maximum: limit) }
    guard let end else {
      scanned = input.count
      return nil
    }
    let reply = try Reply(parsing: input, in: start..<end, keeping: wanted)
    (start, scanned) = (end + 1, end + 1)
    // Frees the memory of a long reply at once.
    if isEmpty { (input, start, scanned) = ([], 0, 0) }
    return reply
  }
}
