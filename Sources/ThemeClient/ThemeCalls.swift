public import ThemeClientCore
internal import Synchronization
internal import ThemeInterface
internal import ThemeResolution
internal import ThemedVarlink

/// Calls to the daemon, for asynchronous programs.
///
/// ```swift
/// let theme = ThemeCalls()
/// print(try await theme.state().scheme)
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
  public func state(app: String? = nil, details: Bool = false) async throws(ThemeClientError) -> ThemeState {
    ThemeState(try await ask(.getState(app: app, details: details)))
  }

  /// Overrides each field that is given, for one app or for all, in the place of what was overridden there, and removes
  /// in the same call what is overridden there of the fields to clear.
  public func setOverride(
    _ override: ThemeOverride, clearing fields: [ThemeField] = []
  ) async throws(ThemeClientError) -> ThemeChange {
    ThemeChange(try await ask(.setOverride(override.inner, clear: fields.map(\.inner))))
  }

  /// Removes what is overridden of these fields for `app`, or with nil for all apps; with nil for the fields, of all.
  public func clearOverride(
    app: String? = nil, fields: [ThemeField]? = nil
  ) async throws(ThemeClientError) -> ThemeChange {
    ThemeChange(try await ask(.clearOverride(app: app, fields: fields?.map(\.inner), everyApp: false)))
  }

  /// Removes what is overridden of these fields for all apps, and for each single one; with nil, of all fields.
  public func clearEveryOverride(fields: [ThemeField]? = nil) async throws(ThemeClientError) -> ThemeChange {
    ThemeChange(try await ask(.clearOverride(app: nil, fields: fields?.map(\.inner), everyApp: true)))
  }

  /// Shows the opposite of what is shown, to `app` or with nil to all apps; with an end, until then.
  ///
  /// Twice is nothing.
  ///
  /// - Parameters:
  ///   - app: The app; nil for all apps.
  ///   - expiresAt: When what was shown before is shown again.
  ///   - untilDesktopChanges: Whether that comes when the desktop's own preference changes.
  public func toggle(
    app: String? = nil, expiresAt: ThemeTime? = nil, untilDesktopChanges: Bool = false
  ) async throws(ThemeClientError) -> ThemeChange {
    let request = Request.toggle(
      app: app, expiresAt: expiresAt?.secondsSinceEpoch, untilDesktopChanges: untilDesktopChanges)
    return ThemeChange(try await ask(request))
  }

  /// The overrides that hold, those of all apps first.
  public func overrides() async throws(ThemeClientError) -> ThemeItems<ThemeOverride> {
    let list = try await ask(.listOverrides)
    return ThemeItems(list.overrides, omitted: list.omitted) { ThemeOverride($0) }
  }

  /// The clients that follow the state, in the order in which they began to.
  public func clients() async throws(ThemeClientError) -> ThemeItems<ThemeSubscriber> {
    let list = try await ask(.listClients)
    return ThemeItems(list.clients, omitted: list.omitted) { ThemeSubscriber($0) }
  }

  /// The themes that are installed, by name; of those with the same name the one that holds.
  public func themes() async throws(ThemeClientError) -> ThemeItems<ThemeSummary> {
    ThemeItems(try await ask(.listThemes))
  }

  /// The theme of this name.
  public func theme(named name: String) async throws(ThemeClientError) -> ThemeDescription {
    ThemeDescription(try await ask(.getTheme(name)))
  }

  /// The daemon's configuration.
  public func configuration() async throws(ThemeClientError) -> ThemeConfiguration {
    ThemeConfiguration(try await ask(.getConfiguration))
  }

  /// The schedule, and what it will say.
  public func schedule() async throws(ThemeClientError) -> ThemeForecast {
    ThemeForecast(try await ask(.getSchedule))
  }

  /// What the daemon knows of itself and its surroundings.
  public func diagnostics() async throws(ThemeClientError) -> ThemeDiagnostics {
    ThemeDiagnostics(try await ask(.getDiagnostics))
  }

  /// What the daemon says of itself.
  public func serviceInfo() async throws(ThemeClientError) -> ThemeServiceInfo {
    ThemeServiceInfo(try await ask(.getInfo))
  }
}

// MARK: One call

extension ThemeCalls {
  /// Asks what this library does not show its users as it is on the wire.
  package func ask<Value>(_ request: Request<Value>) async throws(ThemeClientError) -> Value {
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
