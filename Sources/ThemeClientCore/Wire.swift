internal import ThemedSystem
package import ThemedVarlink

/// A connection for a thread that blocks: it sends calls and receives replies, and every wait has an end.
package struct Wire: ~Copyable, Sendable {
  /// The maximum length of a reply, in bytes.
  package static let maximumReply = 1 << 20

  private let connection: DaemonConnection
  private var replies = ReplyReader(limit: maximumReply)
  /// Whether a reply was received.
  private var hasAnswered = false

  /// Connects to the daemon that listens at `path`.
  init(path: String, until deadline: Deadline) throws(ThemeClientError) {
    while true {
      if let made = try DaemonConnection(path: path) {
        connection = made
        return
      }
      // A full queue of connections is the one failure that passes by itself, and poll cannot wait for it.
      guard !deadline.isOver else { throw .crowded(path: path) }
      _ = wait(for: -1, until: Deadline(after: .milliseconds(10)))
    }
  }

  /// The process that listens there; see ``DaemonConnection/listener``.
  var listener: Int32? { connection.listener }

  /// Sends the frames of calls.
  func send(_ frames: [UInt8], until deadline: Deadline) throws(ThemeClientError) {
    guard replies.isEmpty else { throw ThemeClientError(.unexpectedReply) }
    var unsent = frames[...]
    while !unsent.isEmpty {
      switch connection.send(unsent) {
      case .bytes(0):
        guard wait(for: connection.descriptor, toSend: true, until: deadline) == .ready else { throw deadline.error }
      case .bytes(let count): unsent = unsent.dropFirst(count)
      case .lost(let reason): throw connection.lost(reason, hasAnswered: hasAnswered)
      }
    }
  }

  /// Waits for the next reply, and reads only its wanted parameters.
  mutating func reply(keeping wanted: JSON.Wanted = .all, until deadline: Deadline) throws(ThemeClientError) -> Reply {
    while true {
      if let reply = try replies.reply(keeping: wanted) {
        hasAnswered = true
        return reply
      }
      guard wait(for: connection.descriptor, until: deadline) == .ready else { throw deadline.error }
      switch connection.receive() {
      case .bytes(let bytes): replies.receive(bytes)
      case .lost(let reason):
        guard replies.isEmpty else { throw ThemeClientError(.ended) }
        throw connection.lost(reason, hasAnswered: hasAnswered)
      }
    }
  }
}

extension ReplyReader {
  /// The next reply, if all of it has arrived; see ``next(keeping:)``.
  package mutating func reply(keeping wanted: JSON.Wanted = .all) throws(ThemeClientError) -> Reply? {
    do throws(Violation) { return try next(keeping: wanted) } catch { throw ThemeClientError(error) }
  }
}

extension Reply {
  /// This reply, if it is the only one to its call.
  package func alone() throws(ThemeClientError) -> Reply {
    if continues { throw .violation("the reply announces further replies, which were not requested") }
    return self
  }
}

extension DaemonConnection {
  fileprivate func lost(_ reason: String, hasAnswered: Bool) -> ThemeClientError {
    .lost(reason, stranger: hasAnswered ? nil : stranger)
  }
}

extension ThemeClientError {
  /// Why the connection ended: a daemon of another user that has never answered serves only that user.
  package static func lost(_ reason: String, stranger: UInt32?) -> ThemeClientError {
    stranger.map { .anotherUsers($0) } ?? .connectionLost(reason: reason)
  }

  /// So many clients are connecting that the queue of the socket is full.
  static func crowded(path: String) -> ThemeClientError {
    .noDaemon(path: path, reason: "too many clients are connecting at once")
  }
}

extension Deadline {
  fileprivate var error: ThemeClientError { .timedOut(after: timeout ?? .zero) }
}
