internal import Glibc
internal import ThemedSystem
public import ThemedVarlink

/// A connection for a thread that blocks: it sends calls and receives replies, and every wait has an end.
struct Channel: ~Copyable, Sendable {
  private let connection: DaemonConnection
  private var replies = ReplyReader(limit: ReplyReader.maximumReply)
  /// Whether a reply was received.
  private var hasAnswered = false

  /// Connects to the daemon that listens at `path`.
  init(path: String, until deadline: Deadline) throws(CallError) {
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

  /// Whether nothing has arrived that nobody asked for, such as the end of the connection.
  var isQuiet: Bool { replies.isEmpty && wait(for: connection.descriptor, until: Deadline(after: .zero)) == .timedOut }

  /// The process that listens there; see ``DaemonConnection/listener``.
  var listener: Int32? { connection.listener }

  /// Sends the frames of calls.
  func send(_ frames: [UInt8], until deadline: Deadline) throws(CallError) {
    guard replies.isEmpty else { throw CallError(.unexpectedReply) }
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
  mutating func reply(keeping wanted: JSON.Wanted = .all, until deadline: Deadline) throws(CallError) -> Reply {
    while true {
      if let reply = try replies.reply(keeping: wanted) {
        hasAnswered = true
        return reply
      }
      guard wait(for: connection.descriptor, until: deadline) == .ready else { throw deadline.error }
      switch connection.receive() {
      case .bytes(let bytes): replies.receive(bytes)
      case .lost(let reason):
        guard replies.isEmpty else { throw CallError(.ended) }
        throw connection.lost(reason, hasAnswered: hasAnswered)
      }
    }
  }
}

extension Reply {
  /// This reply, if it is the only one to its call.
  public func alone() throws(CallError) -> Reply {
    if continues { throw .violation("the reply announces further replies, which were not requested") }
    return self
  }
}

extension DaemonConnection {
  fileprivate func lost(_ reason: String, hasAnswered: Bool) -> CallError {
    .lost(reason, stranger: hasAnswered ? nil : stranger)
  }
}

extension CallError {
  /// Why the connection ended: a daemon of another user that has never answered serves only that user.
  public static func lost(_ reason: String, stranger: UInt32?) -> CallError {
    stranger.map { .otherUser($0) } ?? .connectionLost(reason: reason)
  }

  /// So many clients are connecting that the queue of the socket is full.
  static func crowded(path: String) -> CallError {
    .noDaemon(path: path, reason: "too many clients are connecting at once")
  }
}

extension Deadline {
  fileprivate var error: CallError { .timedOut(after: timeout ?? .zero) }
}

/// When to stop waiting, on a clock that does not run while the machine is suspended.
///
/// The standard library's `SuspendingClock` would do the same. But it links the whole runtime of tasks, which costs
/// memory in programs that have no tasks.
struct Deadline: Sendable {
  /// Never.
  static let never = Deadline(after: nil)

  /// The timeout that the deadline was made with; nil for no end.
  let timeout: Duration?
  private let end: Int?

  /// A deadline after this time; nil for no end.
  init(after timeout: Duration?) {
    self.timeout = timeout
    // The current millisecond has partly passed and does not count.
    end = timeout.map { monotonicMilliseconds() + $0.milliseconds + ($0 > .zero ? 1 : 0) }
  }

  /// Whether the deadline has passed.
  var isOver: Bool { milliseconds == 0 }

  /// The time left for poll, in milliseconds.
  ///
  /// Rounded up, so that the deadline has passed when poll returns; -1 for no end.
  fileprivate var milliseconds: CInt {
    guard let end else { return -1 }
    return CInt(clamping: max(0, end - monotonicMilliseconds()))
  }
}

/// How a wait ended.
enum Awaited: Sendable {
  /// The descriptor is ready, or broken.
  case ready
  /// The deadline has passed.
  case timedOut
  /// The other end of the second descriptor was closed.
  case stopped
}

/// Waits until a descriptor is readable, or with `toSend` writable; -1 waits only for the deadline and the hang-up.
///
/// If the other end of `output` is closed, which poll always reports, the wait is over, too.
func wait(
  for descriptor: CInt, toSend: Bool = false, until deadline: Deadline, orHangUpOf output: CInt? = nil
) -> Awaited {
  var descriptors: InlineArray = [
    pollfd(fd: output ?? -1, events: 0, revents: 0),
    pollfd(fd: descriptor, events: Int16(toSend ? POLLOUT : POLLIN), revents: 0),
  ]
  var count: CInt
  repeat {
    var all = descriptors.mutableSpan
    count = unsafe all.withUnsafeMutableBufferPointer { all in
      unsafe poll(all.baseAddress, nfds_t(all.count), deadline.milliseconds)
    }
  } while count < 0 && errno == EINTR
  if count > 0, descriptors[0].revents != 0 { return .stopped }
  return count > 0 ? .ready : .timedOut
}
