internal import ThemedUnix
package import ThemedVarlink

/// One connection, for a thread that waits: calls go out, replies come in, and every wait has an end.
package struct Wire: ~Copyable, Sendable {
  /// The longest reply, in bytes.
  package static let maximumReply = 1 << 20

  private let connection: DaemonConnection
  private var replies = ReplyReader(limit: maximumReply)
  /// Whether a reply came.
  private var hasAnswered = false

  /// Connects to the daemon that listens at `path`.
  init(path: String, until deadline: Deadline) throws(ThemeClientError) {
    while true {
      if let made = try DaemonConnection(path: path) {
        connection = made
        return
      }
      // A full queue is the one failure that passes by itself, and poll cannot tell when.
      guard !deadline.isOver else { throw .crowded(path: path) }
      _ = wait(for: -1, until: Deadline(after: .milliseconds(10)))
    }
  }

  /// Who listens there; see ``DaemonConnection/listener``.
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

  /// Waits for the next reply, of which only the parameters that are wanted are read.
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
  /// The next reply, if it came whole; see ``next(keeping:)``.
  package mutating func reply(keeping wanted: JSON.Wanted = .all) throws(ThemeClientError) -> Reply? {
    do throws(Violation) { return try next(keeping: wanted) } catch { throw ThemeClientError(error) }
  }
}

extension Reply {
  /// Itself, as the one reply to a call.
  package func alone() throws(ThemeClientError) -> Reply {
    if continues { throw .violation("it announces more replies than were asked for") }
    return self
  }
}

extension DaemonConnection {
  fileprivate func lost(_ reason: String, hasAnswered: Bool) -> ThemeClientError {
    .lost(reason, stranger: hasAnswered ? nil : stranger)
  }
}

extension ThemeClientError {
  /// Why a connection was closed: a daemon answers nobody but the user whom it belongs to, a stranger until it does.
  package static func lost(_ reason: String, stranger: UInt32?) -> ThemeClientError {
    stranger.map { .anotherUsers($0) } ?? .connectionLost(reason: reason)
  }

  /// So many wait to be let in that there is no place to wait.
  static func crowded(path: String) -> ThemeClientError {
    .noDaemon(path: path, reason: "too many clients ask at once")
  }
}

extension Deadline {
  fileprivate var error: ThemeClientError { .timedOut(after: timeout ?? .zero) }
}
