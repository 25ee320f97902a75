internal import Synchronization
internal import ThemedVarlink

/// Calls to the daemon, for asynchronous programs.
///
/// ```swift
/// let theme = ThemeCalls()
/// print(try await theme.getState().scheme)
/// ```
///
/// No call holds a thread: the one that ``ThemeStates`` has, too, waits for the answers. Calls are made in the order in which
/// they were begun, one after the other, over one connection, which is made for the first and again for the next one
/// after it was lost. A task that is cancelled has its call end at once, by ``ThemeClientError/Code/cancelled``; whether the
/// daemon did what was asked for is then unknown. The connection is closed when its owner goes.
public final class ThemeCalls: Sendable {
  private let socket: String?
  private let timeout: Duration
  private let content = Mutex(Content())

  private struct Content {
    var line: CallLine?
    var count: UInt64 = 0
  }

  /// Will call the daemon.
  ///
  /// - Parameters:
  ///   - socket: The daemon's socket; nil for where it usually is, or where `THEMED_SOCKET` says.
  ///   - timeout: How long each call waits for its answer, its turn among the others counted in.
  public init(socket: String? = nil, timeout: Duration = .seconds(25)) {
    self.socket = socket
    self.timeout = timeout
  }

  deinit { content.withLock { $0.line }?.close() }

  /// The state now.
  ///
  /// `app` is the name of the calling app, for which the user may have set an override of its own. With `details` the
  /// state holds the palette, assets and values of the theme.
  public func getState(app: String? = nil, details: Bool = false) async throws(ThemeClientError) -> State {
    try await perform(.getState(app: app, details: details))
  }

  /// Overrides each field that is given, for one app or for all, in the place of what was overridden there, and removes
  /// in the same call what is overridden there of the fields to clear.
  public func setOverride(
    _ override: Override, clear: [Field] = []
  ) async throws(ThemeClientError) -> ThemeConnection.Change {
    try await perform(.setOverride(override, clear: clear))
  }

  /// Removes what is overridden of these fields for `app`, or with nil for all apps; with nil for the fields, of all.
  ///
  /// With `everyApp`, which goes without `app`, for all apps and for each single one.
  public func clearOverride(
    app: String? = nil, fields: [Field]? = nil, everyApp: Bool = false
  ) async throws(ThemeClientError) -> ThemeConnection.Change {
    try await perform(.clearOverride(app: app, fields: fields, everyApp: everyApp))
  }

  /// Shows the opposite of what is shown, to `app` or with nil to all apps; with an end, until then.
  ///
  /// Twice is nothing.
  ///
  /// - Parameters:
  ///   - app: The app; nil for all apps.
  ///   - expiresAt: When what was shown before is shown again, in seconds since the epoch.
  ///   - untilDesktopChanges: Whether that comes when the desktop's own preference changes.
  public func toggle(
    app: String? = nil, expiresAt: Int64? = nil, untilDesktopChanges: Bool = false
  ) async throws(ThemeClientError) -> ThemeConnection.Change {
    try await perform(.toggle(app: app, expiresAt: expiresAt, untilDesktopChanges: untilDesktopChanges))
  }

  /// The overrides that hold, that of all apps first.
  public func listOverrides() async throws(ThemeClientError) -> [Override] {
    try await perform(.listOverrides)
  }

  /// The clients that monitor, in the order in which they began to.
  public func listClients() async throws(ThemeClientError) -> ClientList {
    try await perform(.listClients)
  }

  /// The themes that are installed, by name; of those with the same name the one that holds.
  public func listThemes() async throws(ThemeClientError) -> ThemeList {
    try await perform(.listThemes)
  }

  /// The theme of this name.
  public func getTheme(_ name: String) async throws(ThemeClientError) -> InstalledTheme {
    try await perform(.getTheme(name))
  }

  /// The daemon's configuration.
  public func getConfiguration() async throws(ThemeClientError) -> ThemeConfiguration {
    try await perform(.getConfiguration)
  }

  /// What the daemon knows of itself and its surroundings.
  public func getDiagnostics() async throws(ThemeClientError) -> Diagnostics {
    try await perform(.getDiagnostics)
  }

  /// What the daemon says of itself.
  public func getInfo() async throws(ThemeClientError) -> ServiceInfo {
    try await perform(.getInfo)
  }
}

// MARK: One call

extension ThemeCalls {
  private func perform<Value>(_ request: Request<Value>) async throws(ThemeClientError) -> Value {
    guard !Task.isCancelled else { throw .cancelled }
    let (line, number) = try begin()
    let (frame, time) = (request.call.frame, timeout.milliseconds)
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        line.call(number, frame, within: time) { continuation.resume(returning: $0) }
        // It may have been cancelled before it had its place.
        if Task.isCancelled { line.cancel(number) }
      }
    } onCancel: {
      line.cancel(number)
    }
    return try request.value(of: result.get())
  }

  private func begin() throws(ThemeClientError) -> (CallLine, UInt64) {
    try content.withLock { (content) throws(ThemeClientError) -> (CallLine, UInt64) in
      let line = if let line = content.line { line } else { try CallLine(path: socketPath(socket), timeout: timeout) }
      content.line = line
      content.count += 1
      return (line, content.count)
    }
  }
}
