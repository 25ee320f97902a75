public import ThemedInterface
public import ThemedModel
public import ThemedSystem
public import ThemedVarlink

/// A call to the daemon, and how to read its reply.
public struct ThemeRequest<Value>: Sendable {
  public let call: Call
  /// The parameters of the reply to read.
  public let wanted: JSON.Wanted
  private let read: @Sendable (inout Parameters) throws(VarlinkError) -> Value

  private init(
    _ method: Text, _ parameters: JSON.Object, keeping wanted: JSON.Wanted,
    _ read: @escaping @Sendable (inout Parameters) throws(VarlinkError) -> Value
  ) {
    call = Call(method: method, parameters: parameters)
    self.wanted = wanted
    self.read = read
  }

  fileprivate init(
    _ method: ThemeInterface.Method, _ parameters: JSON.Object = [:], keeping wanted: JSON.Wanted = .all,
    returning read: @escaping @Sendable (inout Parameters) throws(VarlinkError) -> Value
  ) {
    self.init(method.fullName, parameters, keeping: wanted, read)
  }

  /// The result in a reply; throws if the reply is an error, or does not belong to this call.
  public func value(of reply: Reply) throws(CallError) -> Value {
    if let error = CallError(reply) { throw error }
    var parameters = Parameters(reading: reply)
    do throws(VarlinkError) { return try read(&parameters) } catch { throw CallError(inReply: error) }
  }
}

// MARK: The state

extension ThemeRequest<State> {
  /// Returns the current state.
  ///
  /// - Parameters:
  ///   - app: The app whose state to return; nil for the state of a client without a name.
  ///   - details: Whether to include the palette, assets and values of the theme.
  public static func state(app: String? = nil, details: Bool = false) -> ThemeRequest<State> {
    Self(.getState, named(app, details: details)) { (reply) throws(VarlinkError) in try State(reading: &reply) }
  }

  static func monitor(app: String?, details: Bool) -> ThemeRequest<State> {
    Self(.monitor, named(app, details: details)) { (reply) throws(VarlinkError) in try State(reading: &reply) }
  }
}

// MARK: Overrides

extension ThemeRequest<OverrideChange> {
  /// Overrides each field that has a value or is pinned, and removes the overrides of the fields in `clearing`.
  public static func setOverride(
    _ override: Override, clearing fields: [Field] = []
  ) -> ThemeRequest<OverrideChange> {
    var parameters: JSON.Object = ["override": .object(override.parameters)]
    parameters["clear"] = fields.isEmpty ? nil : names(fields)
    return Self(.setOverride, parameters, returning: Value.init(reading:))
  }

  /// Removes these fields, or all, from the override for one app, or from the override that is for all apps.
  public static func clearOverride(app: String? = nil, fields: [Field]? = nil) -> ThemeRequest<OverrideChange> {
    var parameters = named(app)
    parameters["fields"] = fields.map(names)
    return Self(.clearOverride, parameters, returning: Value.init(reading:))
  }

  /// Removes these fields, or all, from every override.
  public static func clearEveryOverride(fields: [Field]? = nil) -> ThemeRequest<OverrideChange> {
    Self(.clearOverride, ["everyApp": .bool(true), "fields": fields.map(names)], returning: Value.init(reading:))
  }

  /// Switches from light to dark, or from dark to light; a second call restores what was shown before.
  public static func toggle(
    app: String? = nil, expiresAt: Int64? = nil, untilDesktopChanges: Bool = false
  ) -> ThemeRequest<OverrideChange> {
    var parameters = named(app)
    parameters["expiresAt"] = expiresAt.map(JSON.integer)
    parameters["untilDesktopChanges"] = untilDesktopChanges ? .bool(true) : nil
    return Self(.toggle, parameters, returning: Value.init(reading:))
  }
}

extension ThemeRequest<ThemeItems<Override>> {
  /// Returns the current overrides, those for all apps first.
  public static var overrides: ThemeRequest<ThemeItems<Override>> {
    Self(.listOverrides) { (reply) throws(VarlinkError) in
      try ThemeItems(reading: &reply, "overrides") { (override) throws(VarlinkError) in
        var override = override
        return try Override(reading: &override)
      }
    }
  }
}

// MARK: Lists

extension ThemeRequest<ThemeItems<Client>> {
  /// Returns the clients that follow the state; the client that has followed longest comes first.
  public static var clients: ThemeRequest<ThemeItems<Client>> {
    Self(.listClients) { (reply) throws(VarlinkError) in
      try ThemeItems(reading: &reply, "clients", Client.init)
    }
  }
}

extension ThemeRequest<ThemeItems<ThemeListing>> {
  /// Returns the installed themes, sorted by name.
  ///
  /// If several themes have the same name, the list has only the theme that is used.
  public static var themes: ThemeRequest<ThemeItems<ThemeListing>> {
    Self(.listThemes) { (reply) throws(VarlinkError) in
      try ThemeItems(reading: &reply, "themes", ThemeListing.init)
    }
  }
}

extension ThemeRequest<InstalledTheme> {
  /// Returns the theme with this name.
  public static func theme(named name: String) -> ThemeRequest<InstalledTheme> {
    Self(.getTheme, ["name": .word(name)]) { (reply) throws(VarlinkError) in
      try InstalledTheme(reply.require(reply.structure("theme"), "theme"))
    }
  }
}

// MARK: The daemon

extension ThemeRequest<ThemeConfiguration> {
  /// Returns the daemon's configuration.
  public static var configuration: ThemeRequest<ThemeConfiguration> {
    Self(.getConfiguration) { (reply) throws(VarlinkError) in try ThemeConfiguration(reading: &reply) }
  }

  /// Returns the settings with these names, because most callers need only a few.
  public static func configuration(of names: [Text]) -> ThemeRequest<ThemeConfiguration> {
    Self(.getConfiguration, keeping: .only(["settings"])) { (reply) throws(VarlinkError) in
      try ThemeConfiguration(reading: &reply, of: names)
    }
  }
}

extension ThemeRequest<Forecast> {
  /// Returns the schedule and its next switches.
  public static var schedule: ThemeRequest<Forecast> {
    Self(.getSchedule) { (reply) throws(VarlinkError) in try Forecast(reply) }
  }
}

extension ThemeRequest<Diagnostics> {
  /// Returns the daemon's report about itself and its environment, which explains the state that the daemon sends.
  public static var diagnostics: ThemeRequest<Diagnostics> {
    Self(.getDiagnostics) { (reply) throws(VarlinkError) in try Diagnostics(reply) }
  }
}

extension ThemeRequest<Diagnostics.Upstream?> {
  /// Returns the daemon that is followed in place of the desktop, and nothing else of the long diagnostics.
  public static var upstream: ThemeRequest<Diagnostics.Upstream?> {
    Self(.getDiagnostics, keeping: .only(["upstream"])) { (reply) throws(VarlinkError) in
      try reply.structure("upstream", Diagnostics.Upstream.init)
    }
  }
}

extension ThemeRequest<DesktopDuty> {
  /// Returns what has to be written to the desktop's own setting.
  public static var desktopDuty: ThemeRequest<DesktopDuty> {
    Self(.getDesktopTarget) { (reply) throws(VarlinkError) in try DesktopDuty(reply) }
  }
}

extension ThemeRequest<Void> {
  /// Reports that the desktop's setting was written for the target of this number, or could not be, for this reason.
  public static func reportDesktopTarget(number: Int64, problem: String? = nil) -> ThemeRequest<Void> {
    Self(.reportDesktopTarget, ["number": .integer(number), "problem": problem.map(JSON.word)]) { _ in }
  }
}

extension ThemeRequest<ServiceInfo> {
  /// Returns the daemon's name, version and interfaces, in the form that is common to all Varlink services.
  public static var serviceInfo: ThemeRequest<ServiceInfo> {
    Self("org.varlink.service.GetInfo", [:], keeping: .all, Value.init(reading:))
  }
}

// MARK: Parameters

/// The parameters that name the app and ask for details.
private func named(_ app: String?, details: Bool = false) -> JSON.Object {
  var object = JSON.Object()
  object.append("app", app.map(JSON.word))
  object.append("details", details ? .bool(true) : nil)
  return object
}

private func names(_ fields: [Field]) -> JSON { .array(fields.map { .word($0.rawValue) }) }

extension Parameters {
  /// Reads the reply of a daemon that may be newer than this client; unknown members are ignored.
  init(reading reply: Reply) { self.init(reply.parameters, isTolerant: true) }
}
