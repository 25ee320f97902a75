package import ThemeInterface
package import ThemeModel
package import ThemedSystem
package import ThemedVarlink

/// A call of the interface, and how to read its reply; the same for every way of sending it.
package struct Request<Value>: Sendable {
  package let call: Call
  /// The parameters of the reply to read.
  package let wanted: JSON.Wanted
  private let read: @Sendable (inout Parameters) throws(VarlinkError) -> Value

  fileprivate init(
    _ method: Text, _ parameters: JSON.Object = [:], keeping wanted: JSON.Wanted = .all,
    returning read: @escaping @Sendable (inout Parameters) throws(VarlinkError) -> Value
  ) {
    call = Call(method: method, parameters: parameters)
    self.wanted = wanted
    self.read = read
  }

  fileprivate init(
    _ method: ThemeInterface.Method, _ parameters: JSON.Object = [:], keeping wanted: JSON.Wanted = .all,
    returning read: @escaping @Sendable (inout Parameters) throws(VarlinkError) -> Value
  ) {
    self.init(method.fullName, parameters, keeping: wanted, returning: read)
  }

  /// The result in a reply; throws if the reply is an error, or does not belong to this call.
  package func value(of reply: Reply) throws(ThemeClientError) -> Value {
    if let error = ThemeClientError(reply) { throw error }
    var parameters = Parameters(reading: reply)
    do throws(VarlinkError) { return try read(&parameters) } catch { throw ThemeClientError(inReply: error) }
  }
}

extension Request<State> {
  package static func getState(app: String?, details: Bool) -> Request<State> {
    Self(.getState, named(app, details: details)) { (reply) throws(VarlinkError) in try reply.state() }
  }

  static func monitor(app: String?, details: Bool) -> Self {
    Self(.monitor, named(app, details: details)) { (reply) throws(VarlinkError) in try reply.state() }
  }
}

extension Request<Changed> {
  package static func setOverride(_ override: Override, clear: [Field]) -> Request<Changed> {
    var parameters: JSON.Object = ["override": .object(override.parameters)]
    parameters["clear"] = clear.isEmpty ? nil : .array(clear.map { .word($0.rawValue) })
    return Self(.setOverride, parameters, returning: Value.init)
  }

  package static func clearOverride(app: String?, fields: [Field]?, everyApp: Bool) -> Request<Changed> {
    var parameters = named(app)
    parameters["everyApp"] = everyApp ? .bool(true) : nil
    parameters["fields"] = fields.map { .array($0.map { .word($0.rawValue) }) }
    return Self(.clearOverride, parameters, returning: Value.init)
  }

  package static func toggle(app: String?, expiresAt: Int64?, untilDesktopChanges: Bool) -> Request<Changed> {
    var parameters = named(app)
    parameters["expiresAt"] = expiresAt.map(JSON.integer)
    parameters["untilDesktopChanges"] = untilDesktopChanges ? .bool(true) : nil
    return Self(.toggle, parameters, returning: Value.init)
  }
}

extension Request<OverrideList> {
  package static var listOverrides: Request<OverrideList> { Self(.listOverrides, returning: Value.init) }
}

extension Request<ClientList> {
  package static var listClients: Request<ClientList> {
    Self(.listClients) { (reply) throws(VarlinkError) in try ClientList(reply) }
  }
}

extension Request<ThemeList> {
  package static var listThemes: Request<ThemeList> {
    Self(.listThemes) { (reply) throws(VarlinkError) in try ThemeList(reply) }
  }
}

extension Request<InstalledTheme> {
  package static func getTheme(_ name: String) -> Request<InstalledTheme> {
    Self(.getTheme, ["name": .word(name)]) { (reply) throws(VarlinkError) in
      try InstalledTheme(reply.require(reply.structure("theme"), "theme"))
    }
  }
}

extension Request<ConfigurationInForce> {
  package static var getConfiguration: Request<ConfigurationInForce> { Self(.getConfiguration, returning: Value.init) }

  /// Reads the settings with these names, because most callers need only a few.
  package static func getConfiguration(of names: [Text]) -> Request<ConfigurationInForce> {
    Self(.getConfiguration, keeping: .only(["settings"])) { (reply) throws(VarlinkError) in
      try Value(&reply, of: names)
    }
  }
}

extension Request<Forecast> {
  package static var getSchedule: Request<Forecast> {
    Self(.getSchedule) { (reply) throws(VarlinkError) in try Forecast(reply) }
  }
}

extension Request<Diagnostics> {
  package static var getDiagnostics: Request<Diagnostics> {
    Self(.getDiagnostics) { (reply) throws(VarlinkError) in try Diagnostics(reply) }
  }
}

extension Request<Diagnostics.Upstream?> {
  /// Reads which daemon is followed in place of the desktop, and nothing else of the long diagnostics.
  package static var getUpstream: Request<Diagnostics.Upstream?> {
    Self(.getDiagnostics, keeping: .only(["upstream"])) { (reply) throws(VarlinkError) in
      try reply.structure("upstream", Diagnostics.Upstream.init)
    }
  }
}

extension Request<ServiceDescription> {
  package static var getInfo: Request<ServiceDescription> { Self("org.varlink.service.GetInfo", returning: Value.init) }
}

/// The parameters that name the app and ask for details.
func named(_ app: String?, details: Bool = false) -> JSON.Object {
  var object = JSON.Object()
  object.append("app", app.map(JSON.word))
  object.append("details", details ? .bool(true) : nil)
  return object
}
