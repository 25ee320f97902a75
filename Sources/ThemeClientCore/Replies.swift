package import ThemeInterface
package import ThemeModel
package import ThemedSystem
internal import ThemedVarlink

/// A Varlink service's description of itself.
package struct ServiceDescription: Sendable, Hashable {
  /// The organisation that makes the service.
  package let vendor: Text
  /// Its name.
  package let product: Text
  /// Its version.
  package let version: Text
  /// The address for further information.
  package let url: Text
  /// The names of its interfaces.
  package let interfaces: [Text]

  init(_ reply: inout Parameters) throws(VarlinkError) {
    vendor = try reply.require(reply.string("vendor"), "vendor")
    product = try reply.require(reply.string("product"), "product")
    version = try reply.require(reply.string("version"), "version")
    url = try reply.require(reply.string("url"), "url")
    interfaces = try reply.require(reply.strings("interfaces"), "interfaces")
  }
}

/// The configuration that the daemon uses.
package struct ConfigurationInForce: Sendable, Hashable {
  /// The path of the file; nil if the daemon does not know it.
  package let path: String?
  /// The problem with the file, in words; nil if there is no problem.
  ///
  /// Until the user corrects the file, the daemon uses the settings from before the mistake.
  package let problem: String?
  /// All settings.
  package let settings: [ConfigurationSetting]
  /// The keys in the file that the daemon does not know and ignores.
  package let unknown: [Text]

  init(_ reply: inout Parameters) throws(VarlinkError) {
    path = try reply.string("path")?.string
    problem = try reply.string("problem")?.string
    settings = try reply.require(reply.structures("settings", ConfigurationSetting.init), "settings")
    unknown = try reply.strings("unknown") ?? []
  }

  /// Reads only the settings with these names, and nothing about the file.
  init(_ reply: inout Parameters, of names: [Text]) throws(VarlinkError) {
    (path, problem, unknown) = (nil, nil, [])
    guard case .array(let elements)? = reply.value("settings") else { throw reply.invalid("settings") }
    var settings: [ConfigurationSetting] = []
    for case .object(let object) in elements {
      guard case .string(let name)? = object["name"], names.contains(name) else { continue }
      if let setting = try? ConfigurationSetting(Parameters(object, isTolerant: true)) { settings.append(setting) }
    }
    self.settings = settings
  }

  /// The reply of `GetConfiguration` as one line of JSON.
  package var json: String {
    let settings = JSON.array(settings.map { .object($0.parameters) })
    return JSON.object([
      "path": path.map(JSON.word), "problem": problem.map(JSON.word), "settings": settings,
      "unknown": unknown.isEmpty ? nil : .array(unknown.map(JSON.string)),
    ]).text
  }
}

/// The current overrides.
package struct OverrideList: Sendable {
  /// The first overrides, as many as fit into one reply.
  package let overrides: [Override]
  /// How many overrides did not fit.
  package let omitted: Int64

  init(_ reply: inout Parameters) throws(VarlinkError) {
    let list = try reply.structures("overrides") { (override) throws(VarlinkError) in
      var override = override
      return try Override(reading: &override)
    }
    overrides = try reply.require(list, "overrides")
    omitted = try reply.integer("omitted") ?? 0
  }
}

/// The result of setting or removing an override.
package struct Changed: Sendable, Hashable {
  /// The new state; the daemon shows it already.
  package let state: State
  /// Whether the daemon has saved the override to disk.
  package let saved: Bool

  init(_ reply: inout Parameters) throws(VarlinkError) {
    state = try reply.state()
    saved = try reply.require(reply.bool("saved"), "saved")
  }
}

extension Parameters {
  /// Reads the reply of a daemon that may be newer than this client; unknown members are ignored.
  init(reading reply: Reply) { self.init(reply.parameters, isTolerant: true) }

  mutating func state() throws(VarlinkError) -> State { try State(require(structure("state"), "state")) }
}

extension State {
  /// The interface's `State` as one line of JSON.
  package var json: String { JSON.object(parameters).text }
}

extension Override {
  /// The interface's `Override` as one line of JSON.
  package var json: String { JSON.object(parameters).text }
}

extension Forecast {
  /// The reply of `GetSchedule` as one line of JSON.
  package var json: String { JSON.object(parameters).text }
}

extension Diagnostics {
  /// The reply of `GetDiagnostics` as one line of JSON.
  package var json: String { JSON.object(parameters).text }
}

extension Client {
  /// The interface's `Client` as one line of JSON.
  package var json: String { JSON.object(parameters).text }
}
