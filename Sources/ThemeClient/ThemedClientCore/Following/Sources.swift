public import ThemedModel

/// Follows the daemon's state in the caller's event loop.
public typealias StateSource = FollowingSource<FollowedState>
/// Follows the list of themes in the caller's event loop.
public typealias CatalogSource = FollowingSource<FollowedCatalog>

extension FollowingSource<FollowedState> {
  /// Prepares to follow the state for one app, or that of a client without a name; the first call of ``process()``
  /// connects.
  public init(app: String? = nil, details: Bool = false, socket: String? = nil) throws(CallError) {
    try self.init(FollowedState(app: app, details: details), socket: socket)
  }
}

extension FollowingSource<FollowedCatalog> {
  /// Prepares to follow the list; the first call of ``process()`` connects.
  public init(socket: String? = nil) throws(CallError) { try self.init(FollowedCatalog(), socket: socket) }
}

/// Follows the daemon's state on a thread that can block.
///
/// If no daemon is running or the daemon stops, the monitor waits for a daemon, and connects again by itself.
public struct StateMonitor: ~Copyable, Sendable {
  private var source: StateSource

  /// Prepares to follow the daemon; the first call of ``next(whileOpen:)`` connects.
  public init(app: String? = nil, details: Bool = false, socket: String? = nil) throws(CallError) {
    source = try StateSource(app: app, details: details, socket: socket)
  }

  /// Connects now instead of in ``next(whileOpen:)``, and throws if no daemon is running.
  public mutating func connect() throws(CallError) { try source.connect() }

  /// Returns the current state at the first call; each later call waits for a state that differs from the previous one.
  ///
  /// If there were several changes since the last call, you get only the newest state. This call throws only errors
  /// that retrying cannot fix, such as an app name that the daemon does not accept.
  public mutating func next() throws(CallError) -> State {
    while true {
      if let state = try nextState() { return state }
    }
  }

  /// Waits like ``next()``, but returns nil as soon as nobody can read from `output` any more.
  public mutating func next(whileOpen output: CInt) throws(CallError) -> State? { try nextState(whileOpen: output) }

  private mutating func nextState(whileOpen output: CInt? = nil) throws(CallError) -> State? {
    while true {
      if let state = try source.process() { return state }
      guard wait(for: source.descriptor, until: .never, orHangUpOf: output) != .stopped else { return nil }
    }
  }
}
