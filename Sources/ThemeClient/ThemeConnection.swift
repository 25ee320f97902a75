internal import ThemedText
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
  /// state holds the palette, assets and values of the theme; a daemon without the feature `Themes` refuses that.
  public mutating func getState(app: String? = nil, details: Bool = false) throws(ThemeClientError) -> State {
    try call(.getState, named(app, details: details)) { (reply) throws(VarlinkError) in try reply.state() }
  }

  /// Overrides each field that is given, for one app or for all, in the place of what was overridden there.
  public mutating func setOverride(_ override: Override) throws(ThemeClientError) -> Change {
    try call(.setOverride, ["override": .object(override.parameters)], returning: Change.init)
  }

  /// Removes what is overridden of these fields for `app`, or with nil for all apps; with nil for the fields, of all.
  ///
  /// With `everyApp`, which goes without `app`, for all apps and for each single one.
  public mutating func clearOverride(
    app: String? = nil, fields: [Field]? = nil, everyApp: Bool = false
  ) throws(ThemeClientError) -> Change {
    var parameters = named(app)
    parameters["everyApp"] = everyApp ? .bool(true) : nil
    parameters["fields"] = fields.map { .array($0.map { .word($0.rawValue) }) }
    return try call(.clearOverride, parameters, returning: Change.init)
  }

  /// Shows the opposite of what is shown, to `app` or with nil to all apps; with an end, until then.
  ///
  /// Twice is nothing. A daemon without the feature `TimedToggles` refuses an end.
  ///
  /// - Parameters:
  ///   - app: The app; nil for all apps.
  ///   - expiresAt: When what was shown before is shown again, in seconds since the epoch.
  ///   - untilDesktopChanges: Whether that comes when the desktop's own preference changes.
  public mutating func toggle(
    app: String? = nil, expiresAt: Int64? = nil, untilDesktopChanges: Bool = false
  ) throws(ThemeClientError) -> Change {
    var parameters = named(app)
    parameters["expiresAt"] = expiresAt.map(JSON.integer)
    parameters["untilDesktopChanges"] = untilDesktopChanges ? .bool(true) : nil
    return try call(.toggle, parameters, returning: Change.init)
  }

  /// The overrides that hold, that of all apps first.
  public mutating func listOverrides() throws(ThemeClientError) -> [Override] {
    try call(.listOverrides) { (reply) throws(VarlinkError) in
      let overrides = try reply.structures("overrides") { (override) throws(VarlinkError) in
        var override = override
        return try Override(reading: &override)
      }
      return try reply.require(overrides, "overrides")
    }
  }

  /// The clients that monitor, in the order in which they began to.
  public mutating func listClients() throws(ThemeClientError) -> ClientList {
    try call(.listClients) { (reply) throws(VarlinkError) in try ClientList(reply) }
  }

  /// The themes that are installed, by name; of those with the same name the one that holds.
  public mutating func listThemes() throws(ThemeClientError) -> ThemeList {
    try call(.listThemes) { (reply) throws(VarlinkError) in try ThemeList(reply) }
  }

  /// The theme of this name.
  public mutating func getTheme(_ name: String) throws(ThemeClientError) -> InstalledTheme {
    try call(.getTheme, ["name": .word(name)]) { (reply) throws(VarlinkError) in
      try InstalledTheme(reply.require(reply.structure("theme"), "theme"))
    }
  }

  /// The daemon's configuration.
  public mutating func getConfiguration() throws(ThemeClientError) -> ThemeConfiguration {
    try call(.getConfiguration, returning: ThemeConfiguration.init)
  }

  /// What the daemon knows of itself and its surroundings.
  public mutating func getDiagnostics() throws(ThemeClientError) -> Diagnostics {
    try call(.getDiagnostics) { (reply) throws(VarlinkError) in try Diagnostics(reply) }
  }

  /// What the daemon says of itself.
  public mutating func getInfo() throws(ThemeClientError) -> ServiceInfo {
    try call("org.varlink.service.GetInfo", returning: ServiceInfo.init)
  }
}

// MARK: One call

extension ThemeConnection {
  private mutating func call<Value>(
    _ method: ThemeInterface.Method, _ parameters: JSON.Object = [:],
    returning read: (inout Parameters) throws(VarlinkError) -> Value
  ) throws(ThemeClientError) -> Value {
    try call(method.fullName, parameters, returning: read)
  }

  private mutating func call<Value>(
    _ method: Text, _ parameters: JSON.Object = [:], returning read: (inout Parameters) throws(VarlinkError) -> Value
  ) throws(ThemeClientError) -> Value {
    var reply = try exchange(Call(method: method, parameters: parameters))
    do throws(VarlinkError) { return try read(&reply) } catch { throw ThemeClientError(inReply: error) }
  }

  private mutating func exchange(_ call: Call) throws(ThemeClientError) -> Parameters {
    if let failure { throw failure }
    let reply: Reply
    do throws(ThemeClientError) {
      let deadline = Deadline(after: timeout)
      try wire.send(call, until: deadline)
      // Nothing can stop it, so there is a reply.
      reply = try wire.reply(until: deadline) ?? Reply()
      if reply.continues { throw ThemeClientError.violation("it announces more replies than were asked for") }
    } catch {
      failure = error
      throw error
    }
    if let error = ThemeClientError(reply) { throw error }
    return Parameters(reading: reply)
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

/// The parameters that name the calling app, and ask for details: only where they are wanted, since an older daemon
/// refuses the question.
func named(_ app: String?, details: Bool = false) -> JSON.Object {
  ["app": app.map(JSON.word), "details": details ? .bool(true) : nil]
}
