internal import Glibc
internal import ThemedInterface
internal import ThemedSystem
public import ThemedVarlink

/// A connection to the daemon, for programs that can block.
///
/// Each call blocks until its answer arrives or the timeout ends.
///
/// ```swift
/// var theme = try ThemeConnection()
/// print(try theme.call(.state()).scheme)
/// ```
///
/// The connection is closed when the value goes out of scope. After a call has thrown because the connection failed or
/// the answer was late, make a new connection: each further call throws the same error.
public struct ThemeConnection: ~Copyable, Sendable {
  private var channel: Channel
  private let timeout: Duration
  /// The first failure.
  ///
  /// After one, a late answer could be taken for that of the next call.
  private var failure: CallError?
  /// The calls that were sent, and whose answers were not asked for yet; the oldest call comes first.
  private var begun: [Call] = []

  /// Connects to the daemon; throws at once if no daemon is running.
  ///
  /// - Parameters:
  ///   - socket: The path of the daemon's socket; nil for the path in `THEMED_SOCKET`, or the default path.
  ///   - timeout: How long each call waits for its answer, and how long connecting may take.
  public init(socket: String? = nil, timeout: Duration = .seconds(25)) throws(CallError) {
    self.timeout = timeout
    channel = try Channel(path: socketPath(socket), until: Deadline(after: timeout))
  }

  /// Whether a call can succeed: no call has failed for the connection's sake, and the daemon has not closed it meanwhile.
  public var isUsable: Bool { failure == nil && channel.isQuiet }

  /// The process that listens at the socket: the daemon or the service manager.
  ///
  /// 0 if this program cannot see the process, as in a container; nil if the process is not known.
  public var listener: Int32? { channel.listener }
}

// MARK: One call

extension ThemeConnection {
  /// Sends calls whose answers are asked for later, in this order, so that the program waits only once for all of them.
  ///
  /// An answer that is not asked for in its turn is dropped.
  public mutating func begin(_ calls: [Call]) throws(CallError) {
    try checked { (connection, deadline) throws(CallError) in
      try connection.passOver(until: nil, deadline)
      try connection.channel.send(calls.flatMap(\.frame), until: deadline)
      connection.begun = calls
    }
  }

  /// Makes a call, and blocks until its answer arrives.
  public mutating func call<Value>(_ request: ThemeRequest<Value>) throws(CallError) -> Value {
    let reply = try checked { (connection, deadline) throws(CallError) in
      try connection.passOver(until: request.call, deadline)
      if connection.begun.isEmpty {
        try connection.channel.send(request.call.frame, until: deadline)
      } else {
        connection.begun.removeFirst()
      }
      return try connection.channel.reply(keeping: request.wanted, until: deadline).alone()
    }
    return try request.value(of: reply)
  }

  /// Drops the answers to calls that were sent before this one.
  private mutating func passOver(until call: Call?, _ deadline: Deadline) throws(CallError) {
    while let next = begun.first, next != call {
      _ = try channel.reply(until: deadline).alone()
      begun.removeFirst()
    }
  }

  /// Runs `body`, and makes the connection unusable if that fails.
  private mutating func checked<Value>(
    _ body: (inout ThemeConnection, Deadline) throws(CallError) -> Value
  ) throws(CallError) -> Value {
    if let failure { throw failure }
    do throws(CallError) { return try body(&self, Deadline(after: timeout)) } catch {
      failure = error
      throw error
    }
  }
}

/// The path of the daemon's socket, if the caller does not give one.
public func socketPath(_ given: String? = nil) throws(CallError) -> String {
  let named = given ?? environment(ThemeInterface.socketVariable)
  let path = ThemeInterface.socketPath(override: named, runtimeDirectory: BaseDirectory.runtime)
  guard var path else { throw .noSocketPath }
  if case nil = named, isReadOnlyAlone(beside: path) { path = ThemeInterface.readOnlySocketPath(beside: path) }
  // If the path is too long, trying again would not help.
  do throws(SystemError) { _ = try SocketAddress(path: path) } catch { throw .system(error.description) }
  return path
}

/// Whether this program sees only the directory of the read-only socket, as in a container.
///
/// Once a daemon has run, its lock file is next to the socket, even while the socket is missing.
private func isReadOnlyAlone(beside path: String) -> Bool {
  func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }
  return exists(parent(of: ThemeInterface.readOnlySocketPath(beside: path))) && !exists(path) && !exists(path + ".lock")
}
