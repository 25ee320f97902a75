/// Follows the daemon's state in your own event loop: one descriptor to watch, and one call that never waits.
///
/// ```swift
/// var source = try ThemeSource(app: "editor")
/// // Whenever source.descriptor is readable:
/// while let state = try source.process() { show(state.scheme) }
/// ```
///
/// The descriptor stays the same as long as the source lives, even if the daemon restarts. The descriptor is readable
/// from the start. So no first call is needed: watch the descriptor, and call ``process()`` whenever it is readable.
///
/// The source uses no thread and no signal.
///
/// While the source cannot connect, it returns nothing and tries again by itself. This is the case if no daemon is
/// running, if the runtime directory is missing, or if the process has no descriptors left.
///
/// Programs that you start do not inherit the source's descriptors. After a fork without exec, do not use the source in
/// the child. The source closes its descriptors when it goes out of scope, so remove ``descriptor`` from your loop
/// before that.
public struct ThemeSource: ~Copyable, Sendable {
  private var following: FollowingSource<FollowedState>

  /// Prepares to follow the daemon; the first call of ``process()`` connects.
  ///
  /// - Parameters:
  ///   - app: The name of your app: its desktop file ID if it has one, or another name of 1 to 255 bytes without
  ///     control characters. The user can set an override for this app alone.
  ///   - details: Whether the states include the palette, assets and values of the theme.
  ///   - socket: The path of the daemon's socket; nil for the path in `THEMED_SOCKET`, or the default path.
  public init(app: String? = nil, details: Bool = false, socket: String? = nil) throws(ThemeClientError) {
    following = try FollowingSource(FollowedState(app: app, details: details), socket: socket)
  }

  /// The descriptor to watch.
  ///
  /// Call ``process()`` whenever the descriptor is readable. It stays readable as long as there is work to do.
  public var descriptor: CInt { following.descriptor }

  /// Does the work that is due, without waiting, and returns a state if a new state has arrived.
  ///
  /// First you get the current state. After that, you get the newest state whenever it differs from the one before. Nil
  /// means that there is no further state for now.
  ///
  /// This call throws only errors that retrying cannot fix, such as an app name that the daemon does not accept. After
  /// such an error, the source has ended: the descriptor is no longer readable, and each further call throws the same
  /// error.
  public mutating func process() throws(ThemeClientError) -> ThemeState? { try following.process() }

  /// Whether there was a connection to the daemon at the last call of ``process()``.
  ///
  /// While there is no connection, you can go on showing the last state.
  public var isConnected: Bool { following.isConnected }

  /// Connects now instead of in ``process()``, and throws if that fails.
  mutating func connect() throws(ThemeClientError) { try following.connect() }
}

/// Follows the list of themes in your own event loop, as ``ThemeSource`` follows the state.
///
/// ```swift
/// var source = try ThemeCatalogSource()
/// // Whenever source.descriptor is readable:
/// while let list = try source.process() { show(list) }
/// ```
///
/// With this source, a theme chooser does not have to poll or to read theme files. If a directory of themes hangs, for
/// example on a network file system, the daemon cannot list the themes. The source then returns nothing, and tries
/// again by itself. In all other respects, it behaves like ``ThemeSource``.
public struct ThemeCatalogSource: ~Copyable, Sendable {
  private var following: FollowingSource<FollowedCatalog>

  /// Prepares to follow the list; the first call of ``process()`` connects.
  ///
  /// - Parameter socket: The path of the daemon's socket; nil for the path in `THEMED_SOCKET`, or the default path.
  public init(socket: String? = nil) throws(ThemeClientError) {
    following = try FollowingSource(FollowedCatalog(), socket: socket)
  }

  /// The descriptor to watch.
  ///
  /// Call ``process()`` whenever the descriptor is readable. It stays readable as long as there is work to do.
  public var descriptor: CInt { following.descriptor }

  /// Does the work that is due, without waiting, and returns a list if a new list has arrived.
  ///
  /// First you get the current list. After that, you get the newest list whenever it differs from the one before. Each
  /// list is whole. Nil means that there is no further list for now.
  ///
  /// This call throws only errors that retrying cannot fix. After such an error, the source has ended: the descriptor
  /// is no longer readable, and each further call throws the same error.
  public mutating func process() throws(ThemeClientError) -> ThemeItems<ThemeSummary>? { try following.process() }
}

/// Follows the daemon's state on a thread that can block.
///
/// ```swift
/// var monitor = try ThemeMonitor(app: "editor")
/// while true { print(try monitor.next().scheme) }
/// ```
///
/// If no daemon is running or the daemon stops, the monitor waits for a daemon, and connects again by itself. In an
/// asynchronous program, use ``ThemeStates`` instead. In a program with an event loop, use ``ThemeSource``.
public struct ThemeMonitor: ~Copyable {
  private var source: ThemeSource

  /// Prepares to follow the daemon; the first call of ``next()`` connects.
  ///
  /// - Parameters:
  ///   - app: The name of your app: its desktop file ID if it has one, or another name of 1 to 255 bytes without
  ///     control characters. The user can set an override for this app alone.
  ///   - details: Whether the states include the palette, assets and values of the theme.
  ///   - socket: The path of the daemon's socket; nil for the path in `THEMED_SOCKET`, or the default path.
  public init(app: String? = nil, details: Bool = false, socket: String? = nil) throws(ThemeClientError) {
    source = try ThemeSource(app: app, details: details, socket: socket)
  }

  /// Connects now instead of in ``next()``, and throws if no daemon is running.
  ///
  /// You need this call only to find out whether ``next()`` would first wait for a daemon.
  public mutating func connect() throws(ThemeClientError) { try source.connect() }

  /// Returns the current state at the first call; each later call waits for a state that differs from the previous one.
  ///
  /// If there were several changes since the last call, you get only the newest state. This call throws only errors
  /// that retrying cannot fix, such as an app name that the daemon does not accept.
  public mutating func next() throws(ThemeClientError) -> ThemeState {
    while true {
      if let state = try nextState() { return state }
    }
  }

  /// Waits like ``next()``, but returns nil as soon as nobody can read from `output` any more.
  ///
  /// - Parameter output: The descriptor to which your program writes: a pipe, a terminal or a socket.
  public mutating func next(whileOpen output: CInt) throws(ThemeClientError) -> ThemeState? {
    try nextState(orHangUpOf: output)
  }

  /// The next state that differs; nil if the other end of `output` was closed.
  private mutating func nextState(orHangUpOf output: CInt? = nil) throws(ThemeClientError) -> ThemeState? {
    while true {
      if let state = try source.process() { return state }
      guard wait(for: source.descriptor, until: .never, orHangUpOf: output) != .stopped else { return nil }
    }
  }
}
