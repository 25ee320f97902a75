/// Follows the daemon's state on a thread that can block.
///
/// ```swift
/// var monitor = try ThemeMonitor()
/// while true { print(try monitor.next().scheme) }
/// ```
///
/// If no daemon is running or the daemon stops, it waits for one and connects again by itself. Asynchronous programs
/// use ``ThemeStates`` instead, and programs with an event loop use ``ThemeSource``.
public struct ThemeMonitor: ~Copyable {
  private var source: ThemeSource

  /// Prepares to follow the daemon; the first call of ``next()`` connects.
  ///
  /// - Parameters:
  ///   - app: The name of your app. The user may have set an override for this app alone.
  ///   - details: Whether the states include the palette, assets and values of the theme.
  ///   - socket: The path of the daemon's socket; nil for the path in `THEMED_SOCKET`, or the default path.
  public init(app: String? = nil, details: Bool = false, socket: String? = nil) throws(ThemeClientError) {
    source = try ThemeSource(app: app, details: details, socket: socket)
  }

  /// Connects now instead of in ``next()``, and throws if no daemon is running.
  ///
  /// You need this only to find out whether ``next()`` would first wait for a daemon.
  public mutating func connect() throws(ThemeClientError) { try source.connect() }

  /// Returns the current state at the first call; later calls wait for the next state that differs.
  ///
  /// It may skip states since the last call, but never the newest one. It throws only errors that retrying cannot fix,
  /// such as an app name that the daemon does not accept.
  public mutating func next() throws(ThemeClientError) -> ThemeState {
    while true {
      if let state = try next(or: nil) { return state }
    }
  }

  /// Like ``next()``, but returns nil when the other end of `output`, a pipe, terminal or socket, is closed.
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
