public import ThemedModel
public import ThemedSystem
public import ThemedVarlink

/// The daemon's report about itself and its environment, which explains the state it sends.
public struct Diagnostics: Sendable, Hashable {
  public var version: String
  public var bus: Bus
  /// Whether a graphical session runs: `up`, `down` or `unknown`; later versions may add others.
  public var session: Text
  public var portal: Portal
  public var configuration: File
  public var state: File
  public var changes: [Change]
  /// The files of the chosen themes; nil from a daemon without themes.
  public var themes: [File]?
  /// The socket's file; nil from a daemon that does not watch it.
  public var socket: File?
  /// The read-only socket; nil from a daemon that has none.
  public var readOnlySocket: ReadOnlySocket?
  /// The daemon that is followed in place of the desktop; nil if the desktop is followed.
  public var upstream: Upstream?
  /// How the desktop's own setting is kept in step; nil from a daemon that cannot do that.
  public var desktop: DesktopStep?

  public init(
    version: String, bus: Bus, session: Text, portal: Portal, configuration: File, state: File,
    changes: [Change], themes: [File]? = nil, socket: File? = nil, readOnlySocket: ReadOnlySocket? = nil,
    upstream: Upstream? = nil, desktop: DesktopStep? = nil
  ) {
    self.version = version
    self.bus = bus
    self.session = session
    self.portal = portal
    self.configuration = configuration
    self.state = state
    self.changes = changes
    self.themes = themes
    self.socket = socket
    self.readOnlySocket = readOnlySocket
    self.upstream = upstream
    self.desktop = desktop
  }

  /// How the desktop's own setting is kept in step with what is shown.
  public struct DesktopStep: Sendable, Hashable {
    /// Whether the user wants that.
    public var isInStep: Bool
    /// The preference that the desktop asked for by itself.
    public var asked: Preference
    /// The preference that the desktop reports now.
    public var reported: Preference
    /// The scheme that the desktop has to report, but does not report yet; nil if it is in step.
    public var target: ColorScheme?
    /// Since when it has that target, in seconds since the epoch.
    public var since: Int64?
    /// How many clients are ready to write the setting.
    public var writers: Int64
    /// Why the setting could not be written.
    public var problem: String?
    /// When the desktop left its last target within a few seconds, in seconds since the epoch; nil if it did not.
    public var switchedBackAt: Int64?

    /// A report with these parts.
    public init(
      isInStep: Bool, asked: Preference, reported: Preference, target: ColorScheme? = nil, since: Int64? = nil,
      writers: Int64, problem: String? = nil, switchedBackAt: Int64? = nil
    ) {
      self.isInStep = isInStep
      self.asked = asked
      self.reported = reported
      self.target = target
      self.since = since
      self.writers = writers
      self.problem = problem
      self.switchedBackAt = switchedBackAt
    }
  }

  public struct Bus: Sendable, Hashable {
    /// `connected`, `waiting`, `unusable` or `unused`; later versions may add others.
    public var state: Text
    /// The address of the bus that the daemon connects to.
    public var address: String?
    public var problem: String?

    public init(state: Text, address: String? = nil, problem: String? = nil) {
      (self.state, self.address, self.problem) = (state, address, problem)
    }
  }

  /// The daemon's report about the settings portal.
  public struct Portal: Sendable, Hashable {
    /// The portal's unique name on the bus; nil if the portal does not run.
    public var owner: String?
    /// The version of the portal's Settings interface; nil if it is not known.
    public var version: Int64?
    /// The portal's last answer for the color scheme, in GVariant's text format.
    public var value: String?
    /// When the portal gave that answer, in seconds since the epoch.
    public var readAt: Int64?
    /// Whether the daemon uses an earlier answer because the portal is gone or has not answered yet.
    ///
    /// A previous run of the daemon may have read that answer.
    public var standsIn: Bool
    /// The value of the portal's last signal, if a read after the signal returned another value.
    public var deniedSignal: String?
    public var lastError: String?
    /// When the last error happened, in seconds since the epoch.
    public var lastErrorAt: Int64?

    /// A portal of which nothing is known.
    public init() { standsIn = false }
  }

  /// A daemon that is followed in place of the desktop.
  public struct Upstream: Sendable, Hashable {
    /// The socket of that daemon, or `-` if `themectl share` sends its states.
    public var source: Text
    /// Whether there is a connection; while there is none, the last state stays in force.
    public var isConnected: Bool
    /// When that daemon last sent something, in seconds since the epoch.
    public var heardAt: Int64?
    public var problem: String?

    public init(source: Text) {
      (self.source, isConnected) = (source, false)
    }
  }

  public struct File: Sendable, Hashable {
    /// The path of the file, which may not exist; nil if its place is not known.
    public var path: String?
    public var problem: String?

    public init(path: String?, problem: String? = nil) {
      (self.path, self.problem) = (path, problem)
    }
  }

  public struct ReadOnlySocket: Sendable, Hashable {
    public var file: File
    /// How many connections there are to the socket.
    public var connections: Int64

    public init(_ file: File, connections: Int64) {
      (self.file, self.connections) = (file, connections)
    }
  }

  public struct Change: Sendable, Hashable {
    public var time: Int64
    /// The app whose state changed; nil for all apps without an override of their own.
    public var app: Text?
    public var scheme: ColorScheme
    public var desktop: Preference
    public var cause: String
    public var theme: Text?

    public init(
      time: Int64, app: Text? = nil, scheme: ColorScheme, desktop: Preference, cause: String, theme: Text? = nil
    ) {
      self.time = time
      self.app = app
      self.scheme = scheme
      self.desktop = desktop
      self.cause = cause
      self.theme = theme
    }
  }
}

// MARK: To and from parameters

extension Diagnostics {
  /// The reply of `GetDiagnostics` as one line of JSON.
  public var json: String { JSON.object(parameters).text }

  /// The reply of `GetDiagnostics`, without the fields that are null.
  public var parameters: JSON.Object {
    [
      "version": .word(version), "bus": .object(bus.parameters),
      "session": .string(session), "portal": .object(portal.parameters),
      "configuration": .object(configuration.parameters), "state": .object(state.parameters),
      "changes": .array(changes.map { .object($0.parameters) }),
      "themes": themes.map { .array($0.map { .object($0.parameters) }) },
      "socket": socket.map { .object($0.parameters) },
      "readOnlySocket": readOnlySocket.map { .object($0.parameters) },
      "upstream": upstream.map { .object($0.parameters) }, "desktop": desktop.map { .object($0.parameters) },
    ]
  }

  /// Reads the reply of `GetDiagnostics` and ignores fields that are newer than this client.
  public init(_ parameters: Parameters) throws(VarlinkError) {
    var parameters = parameters
    version = try parameters.require(parameters.string("version"), "version").string
    bus = try Bus(parameters.require(parameters.structure("bus"), "bus"))
    session = try parameters.require(parameters.string("session"), "session")
    portal = try Portal(parameters.require(parameters.structure("portal"), "portal"))
    configuration = try File(parameters.require(parameters.structure("configuration"), "configuration"))
    state = try File(parameters.require(parameters.structure("state"), "state"))
    changes = try parameters.require(parameters.structures("changes", Change.init), "changes")
    themes = try parameters.structures("themes", File.init)
    socket = try parameters.structure("socket", File.init)
    readOnlySocket = try parameters.structure("readOnlySocket", ReadOnlySocket.init)
    upstream = try parameters.structure("upstream", Upstream.init)
    desktop = try parameters.structure("desktop", DesktopStep.init)
  }
}

extension Diagnostics.Upstream {
  fileprivate var parameters: JSON.Object {
    [
      "source": .string(source), "connected": .bool(isConnected), "heardAt": heardAt.map(JSON.integer),
      "problem": problem.map(JSON.word),
    ]
  }

  public init(_ parameters: Parameters) throws(VarlinkError) {
    var parameters = parameters
    source = try parameters.require(parameters.string("source"), "source")
    isConnected = try parameters.require(parameters.bool("connected"), "connected")
    heardAt = try parameters.integer("heardAt")
    problem = try parameters.string("problem")?.string
  }
}

extension Diagnostics.DesktopStep {
  fileprivate var parameters: JSON.Object {
    [
      "inStep": .bool(isInStep), "asked": .word(asked.rawValue), "reported": .word(reported.rawValue),
      "target": target.map { .word($0.rawValue) }, "since": since.map(JSON.integer), "writers": .integer(writers),
      "problem": problem.map(JSON.word), "switchedBackAt": switchedBackAt.map(JSON.integer),
    ]
  }

  fileprivate init(_ parameters: Parameters) throws(VarlinkError) {
    var parameters = parameters
    isInStep = try parameters.require(parameters.bool("inStep"), "inStep")
    asked = try parameters.require(parameters.word("asked", unknown: Preference.none), "asked")
    reported = try parameters.require(parameters.word("reported", unknown: Preference.none), "reported")
    target = try parameters.word("target")
    since = try parameters.integer("since")
    writers = try parameters.require(parameters.integer("writers"), "writers")
    problem = try parameters.string("problem")?.string
    switchedBackAt = try parameters.integer("switchedBackAt")
  }
}

extension Diagnostics.Bus {
  fileprivate var parameters: JSON.Object {
    ["state": .string(state), "address": address.map(JSON.word), "problem": problem.map(JSON.word)]
  }

  fileprivate init(_ parameters: Parameters) throws(VarlinkError) {
    var parameters = parameters
    state = try parameters.require(parameters.string("state"), "state")
    address = try parameters.string("address")?.string
    problem = try parameters.string("problem")?.string
  }
}

extension Diagnostics.Portal {
  fileprivate var parameters: JSON.Object {
    [
      "owner": owner.map(JSON.word), "version": version.map(JSON.integer), "value": value.map(JSON.word),
      "readAt": readAt.map(JSON.integer), "standsIn": .bool(standsIn), "deniedSignal": deniedSignal.map(JSON.word),
      "lastError": lastError.map(JSON.word), "lastErrorAt": lastErrorAt.map(JSON.integer),
    ]
  }

  fileprivate init(_ parameters: Parameters) throws(VarlinkError) {
    var parameters = parameters
    owner = try parameters.string("owner")?.string
    version = try parameters.integer("version")
    value = try parameters.string("value")?.string
    readAt = try parameters.integer("readAt")
    standsIn = try parameters.require(parameters.bool("standsIn"), "standsIn")
    deniedSignal = try parameters.string("deniedSignal")?.string
    lastError = try parameters.string("lastError")?.string
    lastErrorAt = try parameters.integer("lastErrorAt")
  }
}

extension Diagnostics.File {
  fileprivate var parameters: JSON.Object { ["path": path.map(JSON.word), "problem": problem.map(JSON.word)] }

  fileprivate init(_ parameters: Parameters) throws(VarlinkError) {
    var parameters = parameters
    path = try parameters.string("path")?.string
    problem = try parameters.string("problem")?.string
  }
}

extension Diagnostics.ReadOnlySocket {
  fileprivate var parameters: JSON.Object {
    var object = file.parameters
    object["connections"] = .integer(connections)
    return object
  }

  fileprivate init(_ parameters: Parameters) throws(VarlinkError) {
    file = try Diagnostics.File(parameters)
    var parameters = parameters
    connections = try parameters.require(parameters.integer("connections"), "connections")
  }
}

extension Diagnostics.Change {
  fileprivate var parameters: JSON.Object {
    [
      "time": .integer(time), "app": app.map(JSON.string), "scheme": .word(scheme.rawValue),
      "desktop": .word(desktop.rawValue), "cause": .word(cause), "theme": theme.map(JSON.string),
    ]
  }

  fileprivate init(_ parameters: Parameters) throws(VarlinkError) {
    var parameters = parameters
    time = try parameters.require(parameters.integer("time"), "time")
    app = try parameters.string("app")
    scheme = try parameters.require(parameters.word("scheme"), "scheme")
    desktop = try parameters.require(parameters.word("desktop", unknown: Preference.none), "desktop")
    cause = try parameters.require(parameters.string("cause"), "cause").string
    theme = try parameters.string("theme")
  }
}
