public import ThemedText
internal import ThemedVarlink

/// What a Varlink service says of itself.
public struct ServiceInfo: Sendable, Hashable {
  /// Who makes it.
  public let vendor: Text
  /// What it is.
  public let product: Text
  /// Its version.
  public let version: Text
  /// Where to read more.
  public let url: Text
  /// The names of its interfaces.
  public let interfaces: [Text]

  init(_ reply: inout Parameters) throws(VarlinkError) {
    vendor = try reply.require(reply.string("vendor"), "vendor")
    product = try reply.require(reply.string("product"), "product")
    version = try reply.require(reply.string("version"), "version")
    url = try reply.require(reply.string("url"), "url")
    interfaces = try reply.require(reply.strings("interfaces"), "interfaces")
  }
}

/// The daemon's configuration, as it is in force.
public struct ThemeConfiguration: Sendable, Hashable {
  /// Its file; nil where no place for one is known.
  public let path: String?
  /// What is wrong with the file; what held before it went wrong stays in force.
  public let problem: String?
  /// Every setting.
  public let settings: [ConfigurationSetting]
  /// The keys of the file that mean nothing to the daemon, and are passed over.
  public let unknown: [Text]

  init(_ reply: inout Parameters) throws(VarlinkError) {
    path = try reply.string("path")?.string
    problem = try reply.string("problem")?.string
    settings = try reply.require(reply.structures("settings", ConfigurationSetting.init), "settings")
    unknown = try reply.strings("unknown") ?? []
  }

  /// The reply of `GetConfiguration` as one line of JSON.
  public var json: String {
    let settings = JSON.array(settings.map { .object($0.parameters) })
    return JSON.object([
      "path": path.map(JSON.word), "problem": problem.map(JSON.word), "settings": settings,
      "unknown": unknown.isEmpty ? nil : .array(unknown.map(JSON.string)),
    ]).text
  }
}

extension ThemeConnection.Change {
  init(_ reply: inout Parameters) throws(VarlinkError) {
    state = try reply.state()
    saved = try reply.require(reply.bool("saved"), "saved")
  }
}

extension Parameters {
  /// What a daemon has answered, which may be newer than this client: what is unknown is passed over.
  init(reading reply: Reply) { self.init(reply.parameters, isTolerant: true) }

  mutating func state() throws(VarlinkError) -> State { try State(require(structure("state"), "state")) }
}

extension State {
  /// The interface's `State` as one line of JSON.
  public var json: String { JSON.object(parameters).text }
}

extension Override {
  /// The interface's `Override` as one line of JSON.
  public var json: String { JSON.object(parameters).text }
}

extension Forecast {
  /// The reply of `GetSchedule` as one line of JSON.
  public var json: String { JSON.object(parameters).text }
}

extension Diagnostics {
  /// The reply of `GetDiagnostics` as one line of JSON.
  public var json: String { JSON.object(parameters).text }
}

extension Client {
  /// The interface's `Client` as one line of JSON.
  public var json: String { JSON.object(parameters).text }
}
