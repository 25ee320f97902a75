internal import ThemedText
internal import ThemedVarlink

/// A call of the interface, and how its reply is read: all there is to know of it, however it is sent.
struct Request<Value>: Sendable {
  let call: Call
  private let read: @Sendable (inout Parameters) throws(VarlinkError) -> Value

  fileprivate init(
    _ method: Text, _ parameters: JSON.Object = [:],
    returning read: @escaping @Sendable (inout Parameters) throws(VarlinkError) -> Value
  ) {
    call = Call(method: method, parameters: parameters)
    self.read = read
  }

  fileprivate init(
    _ method: ThemeInterface.Method, _ parameters: JSON.Object = [:],
    returning read: @escaping @Sendable (inout Parameters) throws(VarlinkError) -> Value
  ) {
    self.init(method.fullName, parameters, returning: read)
  }

  /// What a reply says; throws the error that it is, or that it is none to this call.
  func value(of reply: Reply) throws(ThemeClientError) -> Value {
    if let error = ThemeClientError(reply) { throw error }
    var parameters = Parameters(reading: reply)
    do throws(VarlinkError) { return try read(&parameters) } catch { throw ThemeClientError(inReply: error) }
  }
}

extension Request<State> {
  static func getState(app: String?, details: Bool) -> Self {
    Self(.getState, named(app, details: details)) { (reply) throws(VarlinkError) in try reply.state() }
  }
}

extension Request<ThemeConnection.Change> {
  static func setOverride(_ override: Override, clear: [Field]) -> Self {
    var parameters: JSON.Object = ["override": .object(override.parameters)]
    parameters["clear"] = clear.isEmpty ? nil : .array(clear.map { .word($0.rawValue) })
    return Self(.setOverride, parameters, returning: Value.init)
  }

  static func clearOverride(app: String?, fields: [Field]?, everyApp: Bool) -> Self {
    var parameters = named(app)
    parameters["everyApp"] = everyApp ? .bool(true) : nil
    parameters["fields"] = fields.map { .array($0.map { .word($0.rawValue) }) }
    return Self(.clearOverride, parameters, returning: Value.init)
  }

  static func toggle(app: String?, expiresAt: Int64?, untilDesktopChanges: Bool) -> Self {
    var parameters = named(app)
    parameters["expiresAt"] = expiresAt.map(JSON.integer)
    parameters["untilDesktopChanges"] = untilDesktopChanges ? .bool(true) : nil
    return Self(.toggle, parameters, returning: Value.init)
  }
}

extension Request<[Override]> {
  static var listOverrides: Self {
    Self(.listOverrides) { (reply) throws(VarlinkError) in
      let overrides = try reply.structures("overrides") { (override) throws(VarlinkError) in
        var override = override
        return try Override(reading: &override)
      }
      return try reply.require(overrides, "overrides")
    }
  }
}

extension Request<ClientList> {
  static var listClients: Self {
    Self(.listClients) { (reply) throws(VarlinkError) in try ClientList(reply) }
  }
}

extension Request<ThemeList> {
  static var listThemes: Self {
    Self(.listThemes) { (reply) throws(VarlinkError) in try ThemeList(reply) }
  }
}

extension Request<InstalledTheme> {
  static func getTheme(_ name: String) -> Self {
    Self(.getTheme, ["name": .word(name)]) { (reply) throws(VarlinkError) in
      try InstalledTheme(reply.require(reply.structure("theme"), "theme"))
    }
  }
}

extension Request<ThemeConfiguration> {
  static var getConfiguration: Self { Self(.getConfiguration, returning: Value.init) }
}

extension Request<Forecast> {
  static var getSchedule: Self {
    Self(.getSchedule) { (reply) throws(VarlinkError) in try Forecast(reply) }
  }
}

extension Request<Diagnostics> {
  static var getDiagnostics: Self {
    Self(.getDiagnostics) { (reply) throws(VarlinkError) in try Diagnostics(reply) }
  }
}

extension Request<ServiceInfo> {
  static var getInfo: Self { Self("org.varlink.service.GetInfo", returning: Value.init) }
}

/// The parameters that name the calling app, and ask for details.
func named(_ app: String?, details: Bool = false) -> JSON.Object {
  ["app": app.map(JSON.word), "details": details ? .bool(true) : nil]
}
