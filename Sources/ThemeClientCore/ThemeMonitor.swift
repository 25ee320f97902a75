/// Follows the daemon's state, for a thread that has nothing else to do.
///
/// ```swift
/// var monitor = try ThemeMonitor()
/// while true { print(try monitor.next().scheme) }
/// ```
///
/// It outlives the daemon: where none runs it waits for one, and connects again by itself. Asynchronous programs use
/// ``ThemeStates``, those with a loop of their own ``ThemeSource``.
public struct ThemeMonitor: ~Copyable {
  private var source: ThemeSource

  /// Will follow the daemon; connects when first asked for a state.
  ///
  /// - Parameters:
  ///   - app: The name of the calling app, for which the user may have set an override of its own.
  ///   - details: Whether the states are to hold the palette, assets and values of the theme.
  ///   - socket: The daemon's socket; nil for where it usually is, or where `THEMED_SOCKET` says.
  public init(app: String? = nil, details: Bool = false, socket: String? = nil) throws(ThemeClientError) {
    source = try ThemeSource(app: app, details: details, socket: socket)
  }

  /// Connects now rather than in ``next()``, and throws where no daemon runs.
  ///
  /// Not needed; it tells whether ``next()`` will wait for a daemon first.
  public mutating func connect() throws(ThemeClientError) { try source.connect() }

  /// Waits for the state now, at the first call, and for the next one that differs at each later call.
  ///
  /// States that followed each other since the last call may be passed over, except for the newest. Throws only what
  /// trying again does not mend, such as a name that the daemon does not accept.
  public mutating func next() throws(ThemeClientError) -> ThemeState {
    while true {
      if let state = try next(or: nil) { return state }
    }
  }

  /// The same, but returns nil once the other end of the pipe, terminal or socket `output` is closed: whoever reads
  /// there has gone.
  public mutating func next(whileOpen output: CInt) throws(ThemeClientError) -> ThemeState? {
    try next(or: .onceHungUp(output))
  }

  /// The next state that differs; nil where it was stopped.
  private mutating func next(or stop: Stop?) throws(ThemeClientError) -> ThemeState? {
    while true {
      if let state = try source.process() { return state }
      guard wait(for: source.descriptor, until: .never, or: stop) != .stopped else { return nil }
    }
  }
}
