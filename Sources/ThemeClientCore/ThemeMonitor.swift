/// Follows the daemon's state on a thread that can block.
///
/// ```swift
/// var monitor = try ThemeMonitor()
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
      if let state = try next(or: nil) { return state }
    }
  }

  /// Waits like ``next()``, but returns nil as soon as nobody can read from `output` any more.
  ///
  /// - Parameter output: The descriptor to which your program writes: a pipe, a terminal or a socket.
  public mutating func next(whileOpen output: CInt) throws(ThemeClientError) -> ThemeState? {
    try next(or: .onceHungUp(output))
  }

  /// The next state that differs; nil if `stop` ended the wait.
  private mutating func next(or stop: Stop?) throws(ThemeClientError) -> ThemeState? {
    while true {
      if let state = try source.process() { return state }
      guard wait(for: source.descriptor, until: .never, or: stop) != .stopped else { return nil }
    }
  }
}
