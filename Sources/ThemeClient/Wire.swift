internal import Glibc
internal import ThemedUnix
internal import ThemedVarlink

/// One connection: calls go out, replies come in, and every wait has an end.
struct Wire: ~Copyable, Sendable {
  /// The longest reply, in bytes.
  static let maximumReply = 1 << 20

  private let socket: FileDescriptor
  private var replies = ReplyReader(limit: maximumReply)
  /// Whether a reply came.
  private var hasAnswered = false

  /// Connects to the daemon that listens at `path`.
  init(path: String, until deadline: Deadline) throws(ThemeClientError) {
    while true {
      do throws(SystemError) {
        socket = try ThemedUnix.connect(to: SocketAddress(path: path), .nonblocking)
        return
      } catch {
        // A full queue is the one failure that passes by itself, and poll cannot tell when.
        guard error.code == EAGAIN, !deadline.isOver else { throw ThemeClientError(connectingTo: path, error) }
        _ = wait(for: -1, until: Deadline(after: .milliseconds(10)))
      }
    }
  }

  /// Sends a call.
  func send(_ call: Call, until deadline: Deadline) throws(ThemeClientError) {
    guard replies.isEmpty else { throw ThemeClientError(.unexpectedReply) }
    var unsent = call.frame[...]
    while !unsent.isEmpty {
      switch ThemedUnix.send(unsent, to: socket) {
      case .bytes(let count): unsent = unsent.dropFirst(count)
      case .wouldBlock:
        guard wait(for: socket.raw, toSend: true, until: deadline) == .ready else { throw .timedOut(deadline) }
      case .end: throw lost("its end was closed")
      case .failed(let code): throw lost(SystemError.text(code))
      }
    }
  }

  /// Waits for the next reply.
  mutating func reply(until deadline: Deadline) throws(ThemeClientError) -> Reply {
    while true {
      do throws(Violation) {
        if let reply = try replies.next() {
          hasAnswered = true
          return reply
        }
      } catch { throw ThemeClientError(error) }
      guard wait(for: socket.raw, until: deadline) == .ready else { throw .timedOut(deadline) }
      try receive()
    }
  }

  private mutating func receive() throws(ThemeClientError) {
    var bytes = [UInt8](repeating: 0, count: 4096)
    switch ThemedUnix.receive(into: &bytes, from: socket) {
    case .bytes(let count): replies.receive(bytes[..<count])
    case .wouldBlock: break
    case .end where replies.isEmpty: throw lost("its end was closed")
    case .end: throw ThemeClientError(.ended)
    case .failed(let code): throw lost(SystemError.text(code))
    }
  }

  /// Why the connection was closed: a daemon answers nobody but the user whom it belongs to.
  private func lost(_ reason: String) -> ThemeClientError {
    guard !hasAnswered, let owner = Peer(of: socket)?.user, owner != Peer.ownUser else {
      return .connectionLost(reason: reason)
    }
    return .anotherUsers(owner)
  }
}

extension ThemeClientError {
  fileprivate init(connectingTo path: String, _ error: SystemError) {
    switch error.code {
    case EMFILE, ENFILE, ENOMEM, ENOBUFS, ENAMETOOLONG, EINVAL: self = .system(error.description)
    default: self = .noDaemon(path: path, reason: SystemError.text(error.code))
    }
  }

  fileprivate static func timedOut(_ deadline: Deadline) -> ThemeClientError {
    .timedOut(after: deadline.timeout ?? .zero)
  }
}
