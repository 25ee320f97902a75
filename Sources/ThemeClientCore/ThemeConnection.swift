internal import Glibc
internal import ThemeInterface
internal import ThemeResolution
internal import ThemedUnix
package import ThemedVarlink

/// A connection to the daemon, for calls one after the other; each waits for its answer.
///
/// ```swift
/// var theme = try ThemeConnection()
/// print(try theme.state().scheme)
/// ```
///
/// It is closed when its owner goes. To follow the state, see ``ThemeStates`` and ``ThemeMonitor``.
public struct ThemeConnection: ~Copyable, Sendable {
  private var wire: Wire
  private let timeout: Duration
  /// After a failure an answer could still come, and would be taken for that of the next call.
  private var failure: ThemeClientError?
  /// The calls that went out before their answers were asked for, oldest first.
  private var begun: [Call] = []

  /// Connects to the daemon, at once or not at all.
  ///
  /// - Parameters:
  ///   - socket: The daemon's socket; nil for where it usually is, or where `THEMED_SOCKET` says.
  ///   - timeout: How long each call waits for its answer.
  public init(socket: String? = nil, timeout: Duration = .seconds(25)) throws(ThemeClientError) {
    self.timeout = timeout
    wire = try Wire(path: socketPath(socket), until: Deadline(after: timeout))
  }

  /// Which process listens at the socket, the daemon or the service manager: 0 where it is none that is seen from here, as
  /// from within a container, and nil where nobody knows.
  package var listener: Int32? { wire.listener }

  /// The state now.
  ///
  /// `app` is the name of the calling app, for which the user may have set an override of its own. With `details` the
  /// state holds the palette, assets and values of the theme.
  public mutating func state(app: String? = nil, details: Bool = false) throws(ThemeClientError) -> ThemeState {
    ThemeState(try ask(.getState(app: app, details: details)))
  }

  /// Overrides each field that is given, for one app or for all, in the place of what was overridden there, and removes
  /// in the same call what is overridden there of the fields to clear.
  public mutating func setOverride(
    _ override: ThemeOverride, clearing fields: [ThemeField] = []
  ) throws(ThemeClientError) -> ThemeChange {
    ThemeChange(try ask(.setOverride(override.inner, clear: fields.map(\.inner))))
  }

  /// Removes what is overridden of these fields for `app`, or with nil for all apps; with nil for the fields, of all.
  public mutating func clearOverride(
    app: String? = nil, fields: [ThemeField]? = nil
  ) throws(ThemeClientError) -> ThemeChange {
    ThemeChange(try ask(.clearOverride(app: app, fields: fields?.map(\.inner), everyApp: false)))
  }

  /// Removes what is overridden of these fields for all apps, and for each single one; with nil, of all fields.
  public mutating func clearEveryOverride(fields: [ThemeField]? = nil) throws(ThemeClientError) -> ThemeChange {
    ThemeChange(try ask(.clearOverride(app: nil, fields: fields?.map(\.inner), everyApp: true)))
  }

  /// Shows the opposite of what is shown, to `app` or with nil to all apps; with an end, until then.
  ///
  /// Twice is nothing.
  ///
  /// - Parameters:
  ///   - app: The app; nil for all apps.
  ///   - expiresAt: When what was shown before is shown again.
  ///   - untilDesktopChanges: Whether that comes when the desktop's own preference changes.
  public mutating func toggle(
    app: String? = nil, expiresAt: ThemeTime? = nil, untilDesktopChanges: Bool = false
  ) throws(ThemeClientError) -> ThemeChange {
    let request = Request.toggle(
      app: app, expiresAt: expiresAt?.secondsSinceEpoch, untilDesktopChanges: untilDesktopChanges)
    return ThemeChange(try ask(request))
  }

  /// The overrides that hold, those of all apps first.
  public mutating func overrides() throws(ThemeClientError) -> ThemeItems<ThemeOverride> {
    let list = try ask(.listOverrides)
    return ThemeItems(list.overrides, omitted: list.omitted) { ThemeOverride($0) }
  }

  /// The clients that follow the state, in the order in which they began to.
  public mutating func clients() throws(ThemeClientError) -> ThemeItems<ThemeSubscriber> {
    let list = try ask(.listClients)
    return ThemeItems(list.clients, omitted: list.omitted) { ThemeSubscriber($0) }
  }

  /// The themes that are installed, by name; of those with the same name the one that holds.
  public mutating func themes() throws(ThemeClientError) -> ThemeItems<ThemeSummary> {
    ThemeItems(try ask(.listThemes))
  }

  /// The theme of this name.
  public mutating func theme(named name: String) throws(ThemeClientError) -> ThemeDescription {
    ThemeDescription(try ask(.getTheme(name)))
  }

  /// The daemon's configuration.
  public mutating func configuration() throws(ThemeClientError) -> ThemeConfiguration {
    ThemeConfiguration(try ask(.getConfiguration))
  }

  /// The schedule, and what it will say.
  public mutating func schedule() throws(ThemeClientError) -> ThemeForecast {
    ThemeForecast(try ask(.getSchedule))
  }

  /// What the daemon knows of itself and its surroundings.
  public mutating func diagnostics() throws(ThemeClientError) -> ThemeDiagnostics {
    ThemeDiagnostics(try ask(.getDiagnostics))
  }

  /// What the daemon says of itself.
  public mutating func serviceInfo() throws(ThemeClientError) -> ThemeServiceInfo {
    ThemeServiceInfo(try ask(.getInfo))
  }
}

// MARK: One call

extension ThemeConnection {
  /// Sends calls whose answers are asked for afterwards, in this order: that waits once for all of them.
  ///
  /// What is not asked for in its turn is passed over.
  package mutating func begin(_ calls: [Call]) throws(ThemeClientError) {
    try checked { (connection, deadline) throws(ThemeClientError) in
      try connection.passOver(until: nil, deadline)
      try connection.wire.send(calls.flatMap(\.frame), until: deadline)
      connection.begun = calls
    }
  }

  /// Asks what this library does not show its users as it is on the wire.
  package mutating func ask<Value>(_ request: Request<Value>) throws(ThemeClientError) -> Value {
    let reply = try checked { (connection, deadline) throws(ThemeClientError) in
      try connection.passOver(until: request.call, deadline)
      if connection.begun.isEmpty {
        try connection.wire.send(request.call.frame, until: deadline)
      } else {
        connection.begun.removeFirst()
      }
      return try connection.wire.reply(keeping: request.wanted, until: deadline).alone()
    }
    return try request.value(of: reply)
  }

  /// Drops the answers to calls that were begun before this one.
  private mutating func passOver(until call: Call?, _ deadline: Deadline) throws(ThemeClientError) {
    while let next = begun.first, next != call {
      _ = try wire.reply(until: deadline).alone()
      begun.removeFirst()
    }
  }

  /// Does what makes the connection useless where it fails.
  private mutating func checked<Value>(
    _ body: (inout ThemeConnection, Deadline) throws(ThemeClientError) -> Value
  ) throws(ThemeClientError) -> Value {
    if let failure { throw failure }
    do throws(ThemeClientError) { return try body(&self, Deadline(after: timeout)) } catch {
      failure = error
      throw error
    }
  }
}

/// Where the daemon listens, if the caller does not say.
package func socketPath(_ given: String?) throws(ThemeClientError) -> String {
  let named = given ?? environment(ThemeInterface.socketVariable)
  let path = ThemeInterface.socketPath(override: named, runtimeDirectory: BaseDirectory.runtime)
  guard var path else { throw .noSocketPath }
  if case nil = named, isReadOnlyAlone(beside: path) { path = ThemeInterface.readOnlySocketPath(beside: path) }
  // No later try would mend one that is too long.
  do throws(SystemError) { _ = try SocketAddress(path: path) } catch { throw .system(error.description) }
  return path
}

/// Whether of the daemon's directories this program was given the one alone that the socket for reading only lies in, as a
/// container is.
///
/// Where a daemon has ever run, its lock lies beside the socket, also while that is not there.
private func isReadOnlyAlone(beside path: String) -> Bool {
  func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }
  return exists(parent(of: ThemeInterface.readOnlySocketPath(beside: path))) && !exists(path) && !exists(path + ".lock")
}
