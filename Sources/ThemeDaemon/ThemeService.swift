internal import Appearance
internal import ForeignText
internal import MainLoop
internal import ThemeInterface
internal import Themes
internal import Unix
internal import Varlink

/// Answers the calls of `org.themed.theme` and `org.varlink.service`, and tells subscribers of each new state.
final class ThemeService {
  /// Called when a client begins to monitor.
  var onSubscribe: () -> Void = {}
  /// What the daemon knows of itself and its surroundings; nil before that is wired.
  var diagnostics: () -> Diagnostics? = { nil }

  private let daemon: Daemon
  private let themes: ThemeLibrary
  private let kept: KeptOverrides
  private let server: SocketServer
  private let log: Log
  private let service = Service(
    vendor: "themed", product: "themed", version: themedVersion, url: "",
    interfaces: [.init(name: ThemeInterface.name, description: ThemeInterface.description)])
  /// Called when the overrides were changed by a client.
  var onOverride: () -> Void = {}
  /// For how many apps overrides are kept.
  var maximumOverrides = Limits.overrides
  /// What GetConfiguration returns.
  var configuration: () -> JSON.Object = { [:] }

  /// For whom a frame is: an app with overrides, or under nil the others; who monitors, or has asked once; who wants
  /// the details of the theme.
  private struct Audience: Hashable {
    let app: Text?
    let monitors: Bool
    let details: Bool
  }
  /// The frame that each of an audience gets, made once.
  private var frames: [Audience: (serial: Int64, frame: [UInt8])] = [:]
  /// The one that was asked for last, and mostly will be next.
  private var latest: (audience: Audience, serial: Int64, frame: [UInt8])?

  /// A service of `daemon`'s state, which answers what `server` receives.
  init(daemon: Daemon, themes: ThemeLibrary, kept: KeptOverrides, server: SocketServer, log: Log) {
    self.daemon = daemon
    self.themes = themes
    self.kept = kept
    self.server = server
    self.log = log
    server.onCall = { [unowned self] in answer($0, $1) }
  }

  /// Tells subscribers of the states that have changed.
  func publish(_ change: Daemon.Change) {
    frames = [:]
    latest = nil
    let common = change.common.map { _ in frame(for: nil, monitors: true, details: false) }
    server.broadcast {
      guard $0.app != nil || $0.wantsDetails else { return common }
      return change.state(for: $0.app) == nil ? nil : frame(for: $0.app, monitors: true, details: $0.wantsDetails)
    }
  }

  private func frame(for app: Text?, monitors: Bool, details: Bool) -> [UInt8] {
    let app = app.flatMap { daemon.overrides.apps[$0] == nil ? nil : $0 }
    let audience = Audience(app: app, monitors: monitors, details: details)
    let serial = daemon.serial(for: app)
    if let latest, latest.serial == serial, latest.audience == audience { return latest.frame }
    var known = frames[audience]
    if known?.serial != serial {
      var parameters = JSON.Object()
      parameters.append("state", .object(daemon.state(for: app).parameters(details: details)))
      known = (serial, Reply(parameters, continues: monitors).frame)
      frames[audience] = known
    }
    let frame = known!.frame
    latest = (audience, serial, frame)
    return frame
  }

  private func answer(_ call: Call, _ connection: ClientConnection) {
    do throws(VarlinkError) {
      if let method = ThemeInterface.Method(fullName: call.method) { return try answer(method, call, connection) }
      guard let reply = try service.answer(call) else { throw .methodNotFound(call.method) }
      server.reply(reply.frame, to: connection)
    } catch {
      server.reply(Reply(error).frame, to: connection)
    }
  }

  private func answer(
    _ method: ThemeInterface.Method, _ call: Call, _ connection: ClientConnection
  ) throws(VarlinkError) {
    var parameters = Parameters(call.parameters)
    var cause: String { "\(method.rawValue) by \(connection.caller)" }
    switch method {
    case .getState:
      let app = try app(&parameters)
      let details = try parameters.bool("details") ?? false
      try parameters.finish()
      server.reply(frame(for: app, monitors: false, details: details), to: connection)
    case .monitor:
      let app = try app(&parameters)
      let details = try parameters.bool("details") ?? false
      try parameters.finish()
      guard call.flag == .more else { throw .expectedMore }
      connection.app = app
      connection.wantsDetails = details
      server.stream(frame(for: app, monitors: true, details: details), to: connection)
      onSubscribe()
    case .setOverride:
      let override = try override(&parameters)
      if override != Override(scheme: .auto) { try requireRoom(for: override.app) }
      let names = Set([override.lightTheme, override.darkTheme].compactMap(\.self))
      guard !names.isEmpty else { return set(override, cause, connection) }
      let cause = cause
      try withThemes(names, connection) { [unowned self, weak connection] () throws(VarlinkError) in
        // While they were read, the room may have gone.
        try requireRoom(for: override.app)
        try requireThemes(of: override)
        set(override, cause, connection)
      }
    case .clearOverride:
      let app = try app(&parameters)
      let fields = try fields(&parameters)
      let everyApp = try parameters.bool("everyApp") ?? false
      try parameters.finish()
      guard !everyApp || app == nil else { throw parameters.invalid("everyApp") }
      daemon.clear(app: app, everyApp: everyApp, fields, cause: cause)
      save(fields, of: app, everyApp: everyApp, for: connection)
    case .toggle:
      let app = try app(&parameters)
      var ending = Override()
      ending.expiresAt = try parameters.integer("expiresAt")
      ending.untilDesktopChanges = try parameters.bool("untilDesktopChanges")
      try parameters.finish()
      try requireEnd(of: ending, parameters)
      try requireRoom(for: app)
      daemon.toggle(app: app, until: ending, cause: cause)
      save([.scheme], of: app, for: connection)
    case .listOverrides:
      try parameters.finish()
      let overrides = daemon.overrides.list.map { JSON.object($0.override.parameters) }
      server.reply(Reply(["overrides": .array(overrides)]).frame, to: connection)
    case .listClients:
      try parameters.finish()
      let clients = server.subscribers.lazy.map { Client(app: $0.app, pid: Int64($0.peer.pid)) }
      server.reply(Reply(ClientList(clients, fitting: Limits.list).parameters).frame, to: connection)
    case .listThemes:
      try parameters.finish()
      listThemes(connection)
    case .getTheme:
      let name = try parameters.require(parameters.string("name"), "name")
      try parameters.finish()
      try withThemes([name], connection) { [unowned self, weak connection] () throws(VarlinkError) in
        let reply = Reply(["theme": .object(try theme(name).parameters)])
        if let connection, !connection.isGone { server.reply(reply.frame, to: connection) }
      }
    case .getConfiguration:
      try parameters.finish()
      server.reply(Reply(configuration()).frame, to: connection)
    case .getDiagnostics:
      try parameters.finish()
      guard let diagnostics = diagnostics() else { throw .methodNotImplemented(call.method) }
      server.reply(Reply(diagnostics.parameters).frame, to: connection)
    }
  }

  /// The change of these fields holds already.
  ///
  /// The reply, with the state that it led to, comes when a file that contains it is on the disk, or could not be
  /// written; to nobody where the client has gone by then, whose place is not kept for it.
  private func save(_ fields: [Field], of app: Text?, everyApp: Bool = false, for connection: ClientConnection?) {
    let state = daemon.state(for: app)
    onOverride()
    kept.save(fields, of: app, everyApp: everyApp) { [unowned self, weak connection] saved in
      guard let connection, !connection.isGone else { return }
      let reply = Reply(["state": .object(state.parameters(details: false)), "saved": .bool(saved)])
      server.reply(reply.frame, to: connection)
    }
  }

  // MARK: Themes

  private func listThemes(_ connection: ClientConnection) {
    themes.list { [unowned self, weak connection] listing in
      guard let connection, !connection.isGone else { return }
      guard let listing else {
        let problem = themes.listTrouble ?? "the directories of themes do not answer"
        return server.reply(Reply(ThemeInterface.unusableTheme("", problem: problem)).frame, to: connection)
      }
      if listing.isCut { log.warning("so many themes are installed that ListThemes leaves some out") }
      server.reply(listing.frame, to: connection)
    }
  }

  /// Has the themes of these names read, and then answers the call, at the latest when they do not answer; who has gone
  /// by then keeps no place for it.
  private func withThemes(
    _ names: Set<Text>, _ connection: ClientConnection, _ body: @escaping () throws(VarlinkError) -> Void
  ) throws(VarlinkError) {
    guard themes.askedCount + names.count <= Limits.askedThemes else {
      throw ThemeInterface.unusableTheme(names.min() ?? "", problem: "too many themes are asked for at once: try again")
    }
    themes.read(names) { [unowned self, weak connection] in
      do throws(VarlinkError) {
        try body()
      } catch {
        if let connection, !connection.isGone { server.reply(Reply(error).frame, to: connection) }
      }
    }
  }

  private func set(_ override: Override, _ cause: String, _ connection: ClientConnection?) {
    daemon.set(override, themes: themes.table, cause: cause)
    save(override.fields, of: override.app, for: connection)
  }

  private func theme(_ name: Text) throws(VarlinkError) -> InstalledTheme {
    do throws(ThemeDirectories.Fault) {
      if let theme = try themes.theme(name) { return theme }
    } catch {
      throw ThemeInterface.unusableTheme(name, problem: "\(error)")
    }
    throw ThemeInterface.unknownTheme(name)
  }

  /// Refuses an override with a theme that cannot be shown on that side.
  private func requireThemes(of override: Override) throws(VarlinkError) {
    for (name, scheme) in [(override.lightTheme, ColorScheme.light), (override.darkTheme, .dark)] {
      guard let name else { continue }
      guard try theme(name).theme[scheme] != nil else {
        throw ThemeInterface.unusableTheme(name, problem: "it has no \(scheme.rawValue) side")
      }
    }
  }

  // MARK: Parameters

  /// The caller's name.
  private func app(_ parameters: inout Parameters) throws(VarlinkError) -> Text? {
    guard let name = try parameters.string("app") else { return nil }
    guard isAppName(name) else { throw parameters.invalid("app") }
    return name
  }

  /// What to clear: the fields that are named, or all.
  private func fields(_ parameters: inout Parameters) throws(VarlinkError) -> [Field] {
    guard let value = parameters.value("fields") else { return Field.allCases }
    guard case .array(let names) = value else { throw parameters.invalid("fields") }
    var fields: [Field] = []
    for name in names {
      guard case .string(let name) = name, let field = Field(word: name) else { throw parameters.invalid("fields") }
      fields.append(field)
    }
    return fields
  }

  private func override(_ parameters: inout Parameters) throws(VarlinkError) -> Override {
    var fields = try parameters.require(parameters.structure("override"), "override")
    try parameters.finish()
    let app = try app(&fields)
    var override = try Override(reading: &fields)
    try fields.finish()
    override.app = app
    guard !override.saysNothing else { throw fields.invalid("scheme") }
    // What is no override has no end: else a lasting one would be lost to one that says to last for a time.
    let isRemoval = app == nil && override.scheme == .auto
    guard !isRemoval || override.expiresAt == nil else { throw fields.invalid("expiresAt") }
    guard !isRemoval || override.untilDesktopChanges != true else { throw fields.invalid("untilDesktopChanges") }
    try requireEnd(of: override, fields)
    return override
  }

  /// Refuses an end in the past, or too far ahead.
  private func requireEnd(of override: Override, _ parameters: Parameters) throws(VarlinkError) {
    guard let expiresAt = override.expiresAt else { return }
    let now = WallClock.now
    guard expiresAt > now, expiresAt - now <= Limits.expiry else { throw parameters.invalid("expiresAt") }
  }

  private func requireRoom(for app: Text?) throws(VarlinkError) {
    guard daemon.overrides[app: app].isEmpty, daemon.overrides.count >= maximumOverrides else { return }
    throw ThemeInterface.tooManyOverrides(maximum: maximumOverrides)
  }
}
