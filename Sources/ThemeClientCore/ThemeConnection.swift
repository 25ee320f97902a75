internal import Glibc
internal import ThemeInterface
internal import ThemeModel
internal import ThemedSystem
package import ThemedVarlink

/// A connection to the daemon, for programs that can block.
///
/// Each call blocks until its answer arrives or the timeout ends.
///
/// ```swift
/// var theme = try ThemeConnection()
/// print(try theme.state().scheme)
/// ```
///
/// The connection is closed when the value goes out of scope. After a call has thrown because the connection failed or
/// the answer was late, make a new connection: each further call throws the same error. To follow the state, use
/// ``ThemeStates`` or ``ThemeMonitor``.
public struct ThemeConnection: ~Copyable, Sendable {
  private var wire: Wire
  private let timeout: Duration
  /// The first failure.
  ///
  /// After one, a late answer could be taken for that of the next call.
  private var failure: ThemeClientError?
  /// The calls that were sent, and whose answers were not asked for yet; the oldest call comes first.
  private var begun: [Call] = []

  /// Connects to the daemon; throws at once if no daemon is running.
  ///
  /// - Parameters:
  ///   - socket: The path of the daemon's socket; nil for the path in `THEMED_SOCKET`, or the default path.
  ///   - timeout: How long each call waits for its answer, and how long connecting may take.
  public init(socket: String? = nil, timeout: Duration = .seconds(25)) throws(ThemeClientError) {
    self.timeout = timeout
    wire = try Wire(path: socketPath(socket), until: Deadline(after: timeout))
  }

  /// The process that listens at the socket: the daemon or the service manager.
  ///
  /// 0 if this program cannot see the process, as in a container; nil if the process is not known.
  package var listener: Int32? { wire.listener }

  /// Returns the current state.
  ///
  /// - Parameters:
  ///   - app: The app whose state to return; nil for the state of a client without a name.
  ///   - details: Whether to include the palette, assets and values of the theme.
  public mutating func state(app: String? = nil, details: Bool = false) throws(ThemeClientError) -> ThemeState {
    ThemeState(try ask(.getState(app: app, details: details)))
  }

  /// Overrides each field that has a value or is pinned, for one app or for all apps.
  ///
  /// The new override of a field replaces the earlier override of this field. The other fields keep their overrides,
  /// unless you list them in `clearing`.
  ///
  /// - Parameters:
  ///   - override: The app, the fields and the end.
  ///   - fields: The fields whose overrides the call removes. A field cannot be both set and listed here.
  public mutating func setOverride(
    _ override: ThemeOverride, clearing fields: [ThemeField] = []
  ) throws(ThemeClientError) -> ThemeChange {
    ThemeChange(try ask(.setOverride(override.inner, clear: fields.map(\.inner))))
  }

  /// Removes these fields from the override for one app, or from the override that is for all apps.
  ///
  /// - Parameters:
  ///   - app: The app; nil for the override that is for all apps. Individual apps then keep their own overrides. To
  ///     remove those, too, use ``clearEveryOverride(fields:)``.
  ///   - fields: The fields; nil for every field.
  public mutating func clearOverride(
    app: String? = nil, fields: [ThemeField]? = nil
  ) throws(ThemeClientError) -> ThemeChange {
    ThemeChange(try ask(.clearOverride(app: app, fields: fields?.map(\.inner), everyApp: false)))
  }

  /// Removes the override for all apps and the overrides for individual apps.
  ///
  /// - Parameter fields: The fields whose overrides to remove; nil for every field.
  public mutating func clearEveryOverride(fields: [ThemeField]? = nil) throws(ThemeClientError) -> ThemeChange {
    ThemeChange(try ask(.clearOverride(app: nil, fields: fields?.map(\.inner), everyApp: true)))
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
  public mutating func toggle(
    app: String? = nil, expiresAt: ThemeTime? = nil, untilDesktopChanges: Bool = false
  ) throws(ThemeClientError) -> ThemeChange {
    let request = Request.toggle(
      app: app, expiresAt: expiresAt?.secondsSinceEpoch, untilDesktopChanges: untilDesktopChanges)
    return ThemeChange(try ask(request))
  }

  /// Returns the current overrides, those for all apps first.
  public mutating func overrides() throws(ThemeClientError) -> ThemeItems<ThemeOverride> {
    let list = try ask(.listOverrides)
    return ThemeItems(list.overrides, omitted: list.omitted) { ThemeOverride($0) }
  }

  /// Returns the clients that follow the state; the client that has followed longest comes first.
  public mutating func clients() throws(ThemeClientError) -> ThemeItems<ThemeSubscriber> {
    let list = try ask(.listClients)
    return ThemeItems(list.clients, omitted: list.omitted) { ThemeSubscriber($0) }
  }

  /// Returns the installed themes, sorted by name.
  ///
  /// If several themes have the same name, the list has only the theme that is used.
  public mutating func themes() throws(ThemeClientError) -> ThemeItems<ThemeSummary> {
    ThemeItems(try ask(.listThemes))
  }

  /// Returns the theme with this name.
  public mutating func theme(named name: String) throws(ThemeClientError) -> ThemeDescription {
    ThemeDescription(try ask(.getTheme(name)))
  }

  /// Returns the daemon's configuration.
  public mutating func configuration() throws(ThemeClientError) -> ThemeConfiguration {
    ThemeConfiguration(try ask(.getConfiguration))
  }

  /// Returns the schedule and its next switches.
  public mutating func schedule() throws(ThemeClientError) -> ThemeForecast {
    ThemeForecast(try ask(.getSchedule))
  }

  /// Returns the daemon's report about itself and its environment, which explains the state that the daemon sends.
  public mutating func diagnostics() throws(ThemeClientError) -> ThemeDiagnostics {
    ThemeDiagnostics(try ask(.getDiagnostics))
  }

  /// Returns the daemon's name, version and interfaces, in the form that is common to all Varlink services.
  public mutating func serviceInfo() throws(ThemeClientError) -> ThemeServiceInfo {
    ThemeServiceInfo(try ask(.getInfo))
  }
}

// MARK: One call

extension ThemeConnection {
  /// Sends calls whose answers are asked for later, in this order, so that the program waits only once for all of them.
  ///
  /// An answer that is not asked for in its turn is dropped.
  package mutating func begin(_ calls: [Call]) throws(ThemeClientError) {
    try checked { (connection, deadline) throws(ThemeClientError) in
      try connection.passOver(until: nil, deadline)
      try connection.wire.send(calls.flatMap(\.frame), until: deadline)
      connection.begun = calls
    }
  }

  /// Makes a call whose reply this library does not expose in its wire format.
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

  /// Drops the answers to calls that were sent before this one.
  private mutating func passOver(until call: Call?, _ deadline: Deadline) throws(ThemeClientError) {
    while let next = begun.first, next != call {
      _ = try wire.reply(until: deadline).alone()
      begun.removeFirst()
    }
  }

  /// Runs `body`, and makes the connection unusable if that fails.
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

/// The path of the daemon's socket, if the caller does not give one.
package func socketPath(_ given: String?) throws(ThemeClientError) -> String {
  let named = given ?? environment(ThemeInterface.socketVariable)
  let path = ThemeInterface.socketPath(override: named, runtimeDirectory: BaseDirectory.runtime)
  guard var path else { throw .noSocketPath }
  if case nil = named, isReadOnlyAlone(beside: path) { path = ThemeInterface.readOnlySocketPath(beside: path) }
  // If the path is too long, trying again would not help.
  do throws(SystemError) { _ = try SocketAddress(path: path) } catch { throw .system(error.description) }
  return path
}

/// Whether this program sees only the directory of the read-only socket, as in a container.
///
/// Once a daemon has run, its lock file is next to the socket, even while the socket is missing.
private func isReadOnlyAlone(beside path: String) -> Bool {
  func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }
  return exists(parent(of: ThemeInterface.readOnlySocketPath(beside: path))) && !exists(path) && !exists(path + ".lock")
}
