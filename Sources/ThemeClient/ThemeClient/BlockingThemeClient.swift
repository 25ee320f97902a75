internal import ThemedClientCore
internal import ThemedSystem

/// A client of the daemon, for programs that can block.
///
/// ```swift
/// var client = try BlockingThemeClient(app: "editor")
/// while true { show(try client.nextState().scheme) }
/// ```
///
/// Each call blocks until its answer arrives or the timeout ends. The first call opens a connection. If the connection
/// has failed or the last answer was late, the next call opens a new one. The connections are closed when the client goes
/// out of scope.
///
/// In an asynchronous program, use ``AsyncThemeClient`` instead. In a program with an event loop, use ``ThemeSource``.
public struct BlockingThemeClient: ~Copyable, Sendable {
  private let app: String?
  private let details: Bool
  private let socket: String?
  private let timeout: Duration
  private var connection: ThemeConnection?
  private var monitor: StateMonitor?

  /// Prepares for calls; throws only if the path of the daemon's socket is not known or too long.
  ///
  /// - Parameters:
  ///   - app: The name of your app: its desktop file ID if it has one, or another name of 1 to 255 bytes without
  ///     control characters. The states are then those for this app, and the user can override them for this app alone.
  ///   - details: Whether the states include the colours, images and values of the theme.
  ///   - socket: The path of the daemon's socket; nil for the path in `THEMED_SOCKET`, or the default path.
  ///   - timeout: How long each call waits for its answer, and how long connecting may take.
  public init(
    app: String? = nil, details: Bool = false, socket: String? = nil, timeout: Duration = .seconds(25)
  ) throws(ThemeError) {
    self.socket = try publicly { () throws(CallError) in try socketPath(socket) }
    (self.app, self.details, self.timeout) = (app, details, timeout)
  }

  /// Returns the current state at the first call; each later call waits for a state that differs from the previous one.
  ///
  /// If there were several changes since the last call, you get only the newest state. If no daemon is running or the
  /// daemon stops, the call waits for a daemon, without a timeout. It throws only errors that retrying cannot fix, such
  /// as an app name that the daemon does not accept, and at the first call ``ThemeError/Code/system`` if the process has
  /// no descriptors left.
  public mutating func nextState() throws(ThemeError) -> ThemeState {
    do throws(CallError) {
      var following =
        if let old = monitor.take() { old } else {
          try StateMonitor(app: app, details: details, socket: socket)
        }
      let result = Result { () throws(CallError) in try following.next() }
      monitor = consume following
      return ThemeState(try result.get())
    } catch { throw ThemeError(error) }
  }

  /// Returns the current state.
  public mutating func state() throws(ThemeError) -> ThemeState {
    ThemeState(try call(.state(app: app, details: details)))
  }

  /// Returns the installed themes, sorted by name, as ``AsyncThemeClient/themes()`` does.
  public mutating func themes() throws(ThemeError) -> [ThemeSummary] {
    try call(.themes).map { ThemeSummary($0) }
  }

  /// Returns the theme with this name.
  public mutating func theme(named name: String) throws(ThemeError) -> ThemeDescription {
    ThemeDescription(try call(.theme(named: name)))
  }

  /// Returns the current overrides, those for all apps first.
  public mutating func overrides() throws(ThemeError) -> [ThemeOverride] {
    try call(.overrides).map { ThemeOverride($0) }
  }

  /// Overrides each field that has a value or is pinned, as ``AsyncThemeClient/setOverride(_:clearing:)`` does.
  @discardableResult
  public mutating func setOverride(
    _ override: ThemeOverride, clearing fields: [ThemeState.Field] = []
  ) throws(ThemeError) -> ThemeOverride.Change {
    ThemeOverride.Change(try call(.setOverride(override.inner, clearing: fields.map(\.inner))))
  }

  /// Removes these fields from an override, as ``AsyncThemeClient/clearOverride(app:fields:)`` does.
  @discardableResult
  public mutating func clearOverride(
    app: String? = nil, fields: [ThemeState.Field]? = nil
  ) throws(ThemeError) -> ThemeOverride.Change {
    ThemeOverride.Change(try call(.clearOverride(app: app, fields: fields?.map(\.inner))))
  }

  /// Removes the override for all apps and the overrides for individual apps.
  @discardableResult
  public mutating func clearEveryOverride(
    fields: [ThemeState.Field]? = nil
  ) throws(ThemeError) -> ThemeOverride.Change {
    ThemeOverride.Change(try call(.clearEveryOverride(fields: fields?.map(\.inner))))
  }

  /// Switches from light to dark, or from dark to light, as
  /// ``AsyncThemeClient/toggle(app:expiresAt:untilDesktopChanges:)`` does.
  @discardableResult
  public mutating func toggle(
    app: String? = nil, expiresAt: ThemeTime? = nil, untilDesktopChanges: Bool = false
  ) throws(ThemeError) -> ThemeOverride.Change {
    ThemeOverride.Change(
      try call(.toggle(app: app, expiresAt: expiresAt?.secondsSinceEpoch, untilDesktopChanges: untilDesktopChanges)))
  }

  private mutating func call<Value>(_ request: ThemeRequest<Value>) throws(ThemeError) -> Value {
    do throws(CallError) {
      // After a late answer, or a restart of the daemon, the old connection is of no use.
      var usable: ThemeConnection
      if let old = connection.take(), old.isUsable {
        usable = old
      } else {
        usable = try ThemeConnection(socket: socket, timeout: timeout)
      }
      let result = Result { () throws(CallError) in try usable.call(request) }
      connection = consume usable
      return try result.get()
    } catch { throw ThemeError(error) }
  }
}
