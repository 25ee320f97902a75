internal import ThemedUnix
internal import ThemedVarlink

/// A connection to the daemon, for calls one after the other; each waits for its answer.
///
/// ```swift
/// var theme = try ThemeConnection()
/// print(try theme.getState().scheme)
/// ```
///
/// It is closed when its owner goes. To follow the state, see ``ThemeStates`` and ``ThemeMonitor``.
public struct ThemeConnection: ~Copyable, Sendable {
  private var wire: Wire
  private let timeout: Duration
  /// After a failure an answer could still come, and would be taken for that of the next call.
  private var failure: ThemeClientError?

  /// Connects to the daemon, at once or not at all.
  ///
  /// - Parameters:
  ///   - socket: The daemon's socket; nil for where it usually is, or where `THEMED_SOCKET` says.
  ///   - timeout: How long each call waits for its answer.
  public init(socket: String? = nil, timeout: Duration = .seconds(25)) throws(ThemeClientError) {
    self.timeout = timeout
    wire = try Wire(path: socketPath(socket), until: Deadline(after: timeout))
  }

  /// What an override, or its removal, led to.
  public struct Change: Sendable, Hashable {
    /// The state that resulted, and holds already.
    public let state: State
    /// Whether it is on the disk; if not, it is lost when the daemon ends, and the daemon's log says why.
    public let saved: Bool
  }

  /// The state now.
  ///
  /// `app` is the name of the calling app, for which the user may have set an override of its own. With `details` the
  /// state holds the palette, assets and values of the theme.
  public mutating func getState(app: String? = nil, details: Bool = false) throws(ThemeClientError) -> State {
    try perform(.getState(app: app, details: details))
  }

  /// Overrides each field that is given, for one app or for all, in the place of what was overridden there, and removes
  /// in the same call what is overridden there of the fields to clear.
  public mutating func setOverride(
    _ override: Override, clear: [Field] = []
  ) throws(ThemeClientError) -> Change {
    try perform(.setOverride(override, clear: clear))
  }

  /// Removes what is overridden of these fields for `app`, or with nil for all apps; with nil for the fields, of all.
  ///
  /// With `everyApp`, which goes without `app`, for all apps and for each single one.
  public mutating func clearOverride(
    app: String? = nil, fields: [Field]? = nil, everyApp: Bool = false
  ) throws(ThemeClientError) -> Change {
    try perform(.clearOverride(app: app, fields: fields, everyApp: everyApp))
  }

  /// Shows the opposite of what is shown, to `app` or with nil to all apps; with an end, until then.
  ///
  /// Twice is nothing.
  ///
  /// - Parameters:
  ///   - app: The app; nil for all apps.
  ///   - expiresAt: When what was shown before is shown again, in seconds since the epoch.
  ///   - untilDesktopChanges: Whether that comes when the desktop's own preference changes.
  public mutating func toggle(
    app: String? = nil, expiresAt: Int64? = nil, untilDesktopChanges: Bool = false
  ) throws(ThemeClientError) -> Change {
    try perform(.toggle(app: app, expiresAt: expiresAt, untilDesktopChanges: untilDesktopChanges))
  }

  /// The overrides that hold, that of all apps first.
  public mutating func listOverrides() throws(ThemeClientError) -> [Override] {
    try perform(.listOverrides)
  }

  /// The clients that monitor, in the order in which they began to.
  public mutating func listClients() throws(ThemeClientError) -> ClientList {
    try perform(.listClients)
  }

  /// The themes that are installed, by name; of those with the same name the one that holds.
  public mutating func listThemes() throws(ThemeClientError) -> ThemeList {
    try perform(.listThemes)
  }

  /// The theme of this name.
  public mutating func getTheme(_ name: String) throws(ThemeClientError) -> InstalledTheme {
    try perform(.getTheme(name))
  }

  /// The daemon's configuration.
  public mutating func getConfiguration() throws(ThemeClientError) -> ThemeConfiguration {
    try perform(.getConfiguration)
  }

  /// The schedule, and what it will say.
  public mutating func getSchedule() throws(ThemeClientError) -> Forecast {
    try perform(.getSchedule)
  }

  /// What the daemon knows of itself and its surroundings.
  public mutating func getDiagnostics() throws(ThemeClientError) -> Diagnostics {
    try perform(.getDiagnostics)
  }

  /// What the daemon says of itself.
  public mutating func getInfo() throws(ThemeClientError) -> ServiceInfo {
    try perform(.getInfo)
  }
}

// MARK: One call

extension ThemeConnection {
  private mutating func perform<Value>(_ request: Request<Value>) throws(ThemeClientError) -> Value {
    if let failure { throw failure }
    let reply: Reply
    do throws(ThemeClientError) {
      let deadline = Deadline(after: timeout)
      try wire.send(request.call, until: deadline)
      reply = try wire.reply(until: deadline).alone()
    } catch {
      failure = error
      throw error
    }
    return try request.value(of: reply)
  }
}

/// Where the daemon listens, if the caller does not say.
func socketPath(_ given: String?) throws(ThemeClientError) -> String {
  let path = ThemeInterface.socketPath(
    override: given ?? environment(ThemeInterface.socketVariable), runtimeDirectory: BaseDirectory.runtime)
  guard let path else { throw .noSocketPath }
  // No later try would mend one that is too long.
  do throws(SystemError) { _ = try SocketAddress(path: path) } catch { throw .system(error.description) }
  return path
}
