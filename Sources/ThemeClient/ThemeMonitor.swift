internal import ThemedUnix
internal import ThemedVarlink

/// Follows the daemon's state, for a thread that has nothing else to do.
///
/// ```swift
/// var monitor = try ThemeMonitor()
/// while true { print(try monitor.next().scheme) }
/// ```
///
/// It outlives the daemon: where none runs it waits for one, and connects again by itself. Asynchronous programs use
/// ``ThemeStates``.
public struct ThemeMonitor: ~Copyable {
  private let app: String?
  private let details: Bool
  private let path: String
  private var wire: Wire?
  /// Reports when the socket appears; there while there is no connection.
  private var watch: PathWatch?
  private var reconnection = Reconnection()
  private var changes = Changes()
  private var violations = 0
  private static let tolerableViolations = 3

  /// Will follow the daemon; connects when first asked for a state.
  ///
  /// - Parameters:
  ///   - app: The name of the calling app, for which the user may have set an override of its own.
  ///   - details: Whether the states are to hold the palette, assets and values of the theme.
  ///   - socket: The daemon's socket; nil for where it usually is, or where `THEMED_SOCKET` says.
  public init(app: String? = nil, details: Bool = false, socket: String? = nil) throws(ThemeClientError) {
    path = try socketPath(socket)
    self.app = app
    self.details = details
  }

  /// Connects now rather than in ``next()``, and throws where no daemon runs.
  ///
  /// Not needed; it tells whether ``next()`` will wait for a daemon first.
  public mutating func connect() throws(ThemeClientError) {
    let monitor = Call(
      method: ThemeInterface.Method.monitor.fullName, parameters: named(app, details: details), flag: .more)
    let wire = try Wire(path: path, until: Deadline(after: .zero))
    try wire.send(monitor, until: Deadline(after: .zero))
    self.wire = consume wire
    watch = nil
    reconnection.connected()
  }

  /// Waits for the state now, at the first call, and for the next one that differs at each later call.
  ///
  /// States that followed each other since the last call may be passed over, except for the newest. Throws only what
  /// trying again does not mend, such as a name that the daemon does not accept.
  public mutating func next() throws(ThemeClientError) -> State {
    while true {
      if let state = try next(or: nil) { return state }
    }
  }

  /// The same, but returns nil once the other end of the pipe, terminal or socket `output` is closed: whoever reads
  /// there has gone.
  public mutating func next(whileOpen output: CInt) throws(ThemeClientError) -> State? {
    try next(or: .onceHungUp(output))
  }

  /// The next state that differs; nil where it was stopped.
  mutating func next(or stop: Stop?) throws(ThemeClientError) -> State? {
    while true {
      switch reconnection.step {
      case .connect:
        do throws(ThemeClientError) { try connect() } catch { try disconnect(for: error) }
      case .read:
        do throws(ThemeClientError) {
          guard let state = try read(or: stop) else { return nil }
          if changes.isNew(state) { return state }
        } catch { try disconnect(for: error) }
      case .wait(let limit):
        guard awaitDaemon(limit, or: stop) else { return nil }
      }
    }
  }
}

// MARK: Carrying out what Reconnection says

extension ThemeMonitor {
  /// A state that came; nil where it was stopped.
  private mutating func read(or stop: Stop?) throws(ThemeClientError) -> State? {
    guard let reply = try wire?.reply(until: .never, or: stop) else { return nil }
    if let error = ThemeClientError(reply) { throw error }
    var parameters = Parameters(reading: reply)
    let state: State
    do throws(VarlinkError) { state = try parameters.state() } catch { throw ThemeClientError(inReply: error) }
    reconnection.delivered()
    violations = 0
    if !reply.continues { disconnect() }
    return state
  }

  /// Throws the error if connecting again does not mend it.
  private mutating func disconnect(for error: ThemeClientError) throws(ThemeClientError) {
    disconnect()
    switch error {
    case .refused, .anotherUsers: throw error
    case .violation:
      // Once may be a daemon that was killed within a frame. Again and again it is not our daemon.
      violations += 1
      if violations >= Self.tolerableViolations { throw error }
    default: break
    }
  }

  private mutating func disconnect() {
    wire = nil
    // A path that is not absolute starts here.
    if watch == nil { watch = try? PathWatch(path: path.utf8.first == UInt8(ascii: "/") ? path : "./" + path) }
    // Without a watch, of which a user has only so many, the socket is tried again after a pause.
    reconnection.failed(socketExists: (try? watch?.arm()) ?? true)
  }

  /// Whether it is time to try again; false where it was stopped.
  private mutating func awaitDaemon(_ limit: Duration?, or stop: Stop?) -> Bool {
    let awaited = wait(for: watch?.descriptor.raw ?? -1, until: Deadline(after: limit), or: stop)
    guard awaited != .stopped else { return false }
    watch?.drain()
    reconnection.waited()
    return true
  }
}
