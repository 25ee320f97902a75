public import ThemeResolution
public import ThemedText
public import ThemedVarlink

/// What the daemon knows of itself and its surroundings, for whoever asks why it shows what it shows.
public struct Diagnostics: Sendable, Hashable {
  /// The daemon's version.
  public var version: String
  /// What came to the interface after it was first released, and this daemon has.
  public var features: [Text]
  /// The session bus.
  public var bus: Bus
  /// Whether a graphical session is up: `up`, `down` or `unknown`; an open set.
  public var session: Text
  /// The desktop's settings portal.
  public var portal: Portal
  /// The user's configuration.
  public var configuration: File
  /// What the daemon keeps on the disk.
  public var state: File
  /// The last changes of the state, the newest last.
  public var changes: [Change]
  /// The files of the themes that are chosen; nil from a daemon that knows no themes.
  public var themes: [File]?
  /// The socket's file; nil from a daemon that does not watch it.
  public var socket: File?
  /// The socket for reading only; nil from a daemon that has none.
  public var readOnlySocket: ReadOnlySocket?
  /// The daemon that is followed in the desktop's place; nil where the desktop is.
  public var upstream: Upstream?

  /// Diagnostics of these parts.
  public init(
    version: String, features: [Text], bus: Bus, session: Text, portal: Portal, configuration: File, state: File,
    changes: [Change], themes: [File]? = nil, socket: File? = nil, readOnlySocket: ReadOnlySocket? = nil,
    upstream: Upstream? = nil
  ) {
    self.version = version
    self.features = features
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
  }

  /// How the daemon stands with the session bus.
  public struct Bus: Sendable, Hashable {
    /// `connected`, `waiting`, `unusable` or `unused`; an open set.
    public var state: Text
    /// Where it is looked for.
    public var address: String?
    /// Why it is not connected to.
    public var problem: String?

    /// A bus in this state.
    public init(state: Text, address: String? = nil, problem: String? = nil) {
      self.state = state
      self.address = address
      self.problem = problem
    }
  }

  /// What the daemon knows of the settings portal.
  public struct Portal: Sendable, Hashable {
    /// The unique name of its connection; nil where it does not run.
    public var owner: String?
    /// The version of its Settings interface; nil where it has not told.
    public var version: Int64?
    /// What it last answered about the color scheme, as GVariant writes it.
    public var value: String?
    /// When, in seconds since the epoch.
    public var readAt: Int64?
    /// Whether what it, or one before it, last said stands in for a portal that is gone, or has not answered yet.
    public var standsIn: Bool
    /// The value of its last signal that the read after it denied.
    public var deniedSignal: String?
    /// What last went wrong with it.
    public var lastError: String?
    /// When, in seconds since the epoch.
    public var lastErrorAt: Int64?

    /// A portal that has not been heard of.
    public init() { standsIn = false }
  }

  /// A daemon that is followed in the desktop's place.
  public struct Upstream: Sendable, Hashable {
    /// Its socket, or `-` for what `themectl share` sends.
    public var source: Text
    /// Whether it can be heard; while not, what it last said holds.
    public var isConnected: Bool
    /// When it last said something, in seconds since the epoch.
    public var heardAt: Int64?
    /// What last went wrong with it.
    public var problem: String?

    /// A daemon that has not been heard yet.
    public init(source: Text) {
      self.source = source
      isConnected = false
    }
  }

  /// A file of the daemon.
  public struct File: Sendable, Hashable {
    /// Where it is, or would be.
    public var path: String?
    /// What is wrong with it.
    public var problem: String?

    /// A file at `path`.
    public init(path: String?, problem: String? = nil) {
      self.path = path
      self.problem = problem
    }
  }

  /// The socket that is for reading only.
  public struct ReadOnlySocket: Sendable, Hashable {
    /// Its file.
    public var file: File
    /// How many connections there are to it.
    public var connections: Int64

    /// One with this file, and so many connections.
    public init(_ file: File, connections: Int64) {
      self.file = file
      self.connections = connections
    }
  }

  /// A change of the state.
  public struct Change: Sendable, Hashable {
    /// When, in seconds since the epoch.
    public var time: Int64
    /// The app whose state it is; nil for the state of all.
    public var app: Text?
    /// What was shown from then on.
    public var scheme: ColorScheme
    /// What the desktop asked for.
    public var desktop: Preference
    /// What it came from, in words.
    public var cause: String
    /// The theme that was shown, by name.
    public var theme: Text?

    /// A change at `time`.
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
  /// The reply of `GetDiagnostics`, without the fields that are null.
  public var parameters: JSON.Object {
    [
      "version": .word(version), "features": .array(features.map(JSON.string)), "bus": .object(bus.parameters),
      "session": .string(session), "portal": .object(portal.parameters),
      "configuration": .object(configuration.parameters), "state": .object(state.parameters),
      "changes": .array(changes.map { .object($0.parameters) }),
      "themes": themes.map { .array($0.map { .object($0.parameters) }) },
      "socket": socket.map { .object($0.parameters) },
      "readOnlySocket": readOnlySocket.map { .object($0.parameters) },
      "upstream": upstream.map { .object($0.parameters) },
    ]
  }

  /// Reads the reply of `GetDiagnostics`; fields that are newer than this client are passed over.
  public init(_ parameters: Parameters) throws(VarlinkError) {
    var parameters = parameters
    version = try parameters.require(parameters.string("version"), "version").string
    features = try parameters.require(parameters.strings("features"), "features")
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
  }
}

extension Diagnostics.Upstream {
  fileprivate var parameters: JSON.Object {
    [
      "source": .string(source), "connected": .bool(isConnected), "heardAt": heardAt.map(JSON.integer),
      "problem": problem.map(JSON.word),
    ]
  }

  /// Reads it where it stands in the reply of `GetDiagnostics`.
  public init(_ parameters: Parameters) throws(VarlinkError) {
    var parameters = parameters
    source = try parameters.require(parameters.string("source"), "source")
    isConnected = try parameters.require(parameters.bool("connected"), "connected")
    heardAt = try parameters.integer("heardAt")
    problem = try parameters.string("problem")?.string
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
