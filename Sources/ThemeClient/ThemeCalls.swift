internal import Synchronization
public import ThemeClientCore
internal import ThemeInterface
internal import ThemeModel
internal import ThemedVarlink

/// Calls to the daemon, for asynchronous programs.
///
/// ```swift
/// let theme = ThemeCalls()
/// print(try await theme.state().scheme)
/// ```
///
/// A call does not block your thread: the library waits for the answer on a thread of its own, which ``ThemeStates``
/// also uses. All calls of one ``ThemeCalls`` object share one connection, and run in the order in which they were
/// made. The first call opens the connection. If the connection is lost, the next call opens a new one. The connection
/// is closed when the object is released.
///
/// If you cancel a task, its call throws ``ThemeClientError/Code/cancelled`` at once. The daemon may already have
/// carried out this call.
public final class ThemeCalls: Sendable {
  private let socket: String?
  private let timeout: Duration
  private let content = Mutex(Content())

  private struct Content {
    var line: CallLine?
    var count: UInt64 = 0
  }

  /// Prepares for calls; the first call connects.
  ///
  /// - Parameters:
  ///   - socket: The path of the daemon's socket; nil for the path in `THEMED_SOCKET`, or the default path.
  ///   - timeout: The longest time from a call to its answer. Time that the call spends waiting for earlier calls
  ///     counts, too.
  public init(socket: String? = nil, timeout: Duration = .seconds(25)) {
    self.socket = socket
    self.timeout = timeout
  }

  deinit { content.withLock { $0.line }?.close() }

  /// Returns the current state.
  ///
  /// - Parameters:
  ///   - app: The app whose state to return; nil for the state of a client without a name.
  ///   - details: Whether to include the palette, assets and values of the theme.
  public func state(app: String? = nil, details: Bool = false) async throws(ThemeClientError) -> ThemeState {
    ThemeState(try await ask(.getState(app: app, details: details)))
  }

  /// Overrides each field that has a value or is pinned, for one app or for all apps.
  ///
  /// The new override of a field replaces the earlier override of this field. The other fields keep their overrides,
  /// unless you list them in `clearing`.
  ///
  /// - Parameters:
  ///   - override: The app, the fields and the end.
  ///   - fields: The fields whose overrides the call removes. A field cannot be both set and listed here.
  public func setOverride(
    _ override: ThemeOverride, clearing fields: [ThemeField] = []
  ) async throws(ThemeClientError) -> ThemeChange {
    ThemeChange(try await ask(.setOverride(override.inner, clear: fields.map(\.inner))))
  }

  /// Removes these fields from the override for one app, or from the override that is for all apps.
  ///
  /// - Parameters:
  ///   - app: The app; nil for the override that is for all apps. Individual apps then keep their own overrides. To
  ///     remove those, too, use ``clearEveryOverride(fields:)``.
  ///   - fields: The fields; nil for every field.
  public func clearOverride(
    app: String? = nil, fields: [ThemeField]? = nil
  ) async throws(ThemeClientError) -> ThemeChange {
    ThemeChange(try await ask(.clearOverride(app: app, fields: fields?.map(\.inner), everyApp: false)))
  }

  /// Removes the override for all apps and the overrides for individual apps.
  ///
  /// - Parameter fields: The fields whose overrides to remove; nil for every field.
  public func clearEveryOverride(fields: [ThemeField]? = nil) async throws(ThemeClientError) -> ThemeChange {
    ThemeChange(try await ask(.clearOverride(app: nil, fields: fields?.map(\.inner), everyApp: true)))
  }

  /// Switches from light to dark, or from dark to light.
  ///
  /// A second call restores what was shown before.
  ///
  /// - Parameters:
  ///   - app: The app; nil for all apps.
  ///   - expiresAt: When to switch back; nil for no set time.
  ///   - untilDesktopChanges: Whether to switch back when the desktop's own preference changes, or at the schedule's
  ///     next switch.
  public func toggle(
    app: String? = nil, expiresAt: ThemeTime? = nil, untilDesktopChanges: Bool = false
  ) async throws(ThemeClientError) -> ThemeChange {
    let request = Request.toggle(
      app: app, expiresAt: expiresAt?.secondsSinceEpoch, untilDesktopChanges: untilDesktopChanges)
    return ThemeChange(try await ask(request))
  }

  /// Returns the current overrides, those for all apps first.
  public func overrides() async throws(ThemeClientError) -> ThemeItems<ThemeOverride> {
    let list = try await ask(.listOverrides)
    return ThemeItems(list.overrides, omitted: list.omitted) { ThemeOverride($0) }
  }

  /// Returns the clients that follow the state; the client that has followed longest comes first.
  public func clients() async throws(ThemeClientError) -> ThemeItems<ThemeSubscriber> {
    let list = try await ask(.listClients)
    return ThemeItems(list.clients, omitted: list.omitted) { ThemeSubscriber($0) }
  }

  /// Returns the installed themes, sorted by name.
  ///
  /// If several themes have the same name, the list has only the theme that is used.
  public func themes() async throws(ThemeClientError) -> ThemeItems<ThemeSummary> {
    ThemeItems(try await ask(.listThemes))
  }

  /// Returns the theme with this name.
  public func theme(named name: String) async throws(ThemeClientError) -> ThemeDescription {
    ThemeDescription(try await ask(.getTheme(name)))
  }

  /// Returns the daemon's configuration.
  public func configuration() async throws(ThemeClientError) -> ThemeConfiguration {
    ThemeConfiguration(try await ask(.getConfiguration))
  }

  /// Returns the schedule and its next switches.
  public func schedule() async throws(ThemeClientError) -> ThemeForecast {
    ThemeForecast(try await ask(.getSchedule))
  }

  /// Returns the daemon's report about itself and its environment, which explains the state that the daemon sends.
  public func diagnostics() async throws(ThemeClientError) -> ThemeDiagnostics {
    ThemeDiagnostics(try await ask(.getDiagnostics))
  }

  /// Returns the daemon's name, version and interfaces, in the form that is common to all Varlink services.
  public func serviceInfo() async throws(ThemeClientError) -> ThemeServiceInfo {
    ThemeServiceInfo(try await ask(.getInfo))
  }
}

// MARK: One call

extension ThemeCalls {
  /// Makes a call whose reply this library does not expose in its wire format.
  package func ask<Value>(_ request: Request<Value>) async throws(ThemeClientError) -> Value {
    guard !Task.isCancelled else { throw .cancelled }
    let (line, number) = try begin()
    let (frame, time) = (request.call.frame, timeout.milliseconds)
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        line.call(number, frame, within: time) { continuation.resume(returning: $0) }
        // The task may have been cancelled before its call was in the queue.
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
