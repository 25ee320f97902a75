internal import ThemedInterface
internal import ThemedModel
internal import ThemedSystem
internal import ThemedVarlink

/// The rest of the daemon, as far as calls need it: the ``Daemon``.
protocol CallHost: AnyObject {
  /// Takes in what has expired or switched by now.
  func catchUpWithClock()
  func clientSubscribed()
  func currentDiagnostics() -> Diagnostics
  var configurationParameters: JSON.Object { get }
  var forecast: Forecast { get }
}

/// The calls of our interfaces and of `org.varlink.service`: decodes and checks them, and answers them or makes an
/// ``Event``.
final class Calls: CallReceiver {
  weak var host: (any CallHost)?
  /// For how many apps overrides are kept.
  var maximumOverrides = Limits.overrides

  private let engine: Engine
  private let themes: ThemeLibrary
  private let lists: Lists
  private let publisher: Publisher
  private let server: SocketServer
  /// The themes that are being asked for: by clients with all rights, and by read-only clients.
  private var asked = [Rights: AskedThemes]()
  private let introspection = Introspection(
    vendor: "themed", product: "themed", version: themedVersion, url: "",
    interfaces: ThemeInterface.interfaces)

  init(engine: Engine, themes: ThemeLibrary, lists: Lists, publisher: Publisher, server: SocketServer) {
    self.engine = engine
    self.themes = themes
    self.lists = lists
    self.publisher = publisher
    self.server = server
    server.calls = self
  }

  func subscribersChanged() { lists.changed(.clients) }

  func followerLeft(_ list: FollowedList) { lists.release(list) }

  // MARK: Calls

  func answer(_ call: Call, _ connection: ClientConnection) {
    do throws(VarlinkError) {
      if let method = ThemeInterface.Method(fullName: call.method) {
        // Before anything else in the call is examined.
        guard connection.options.rights.allows(method) else { throw .permissionDenied }
        return try answer(method, call, connection)
      }
      guard let reply = try introspection.answer(call) else { throw .methodNotFound(call.method) }
      server.reply(reply.frame, to: connection)
    } catch {
      server.reply(Reply(error).frame, to: connection)
    }
  }

  private func answer(
    _ method: ThemeInterface.Method, _ call: Call, _ connection: ClientConnection
  ) throws(VarlinkError) {
    var parameters = Parameters(call.parameters)
    let rights = connection.options.rights
    func caller() -> Caller {
      Caller(connection: connection.token, method: method, process: connection.peer.pid)
    }
    switch method {
    case .getState:
      let app = try parameters.app()
      let details = try parameters.bool("details") ?? false
      try parameters.finish()
      let options = ClientOptions(rights: rights, app: app, wantsDetails: details, list: nil)
      server.reply(publisher.frame(for: options, monitors: false), to: connection)
    case .monitor:
      let app = try parameters.app()
      let details = try parameters.bool("details") ?? false
      try parameters.finish()
      guard call.flag == .more else { throw .expectedMore }
      connection.options = ClientOptions(rights: rights, app: app, wantsDetails: details, list: nil)
      server.stream(publisher.frame(for: connection.options, monitors: true), to: connection)
      host?.clientSubscribed()
    case .setOverride:
      let (override, clear) = try parameters.override()
      try requireRoom(for: override)
      try set(override, clear, by: caller(), connection)
    case .clearOverride:
      let app = try parameters.app()
      let fields = try parameters.fields("fields") ?? Field.allCases
      let everyApp = try parameters.bool("everyApp") ?? false
      try parameters.finish()
      guard !everyApp || app == nil else { throw parameters.invalid("everyApp") }
      send(.clear(fields, app: app, everyApp: everyApp, by: caller()))
    case .toggle:
      let app = try parameters.app()
      let ending = try parameters.ending()
      try requireRoom(for: app)
      send(.toggle(app: app, until: ending, by: caller()))
    case .listOverrides:
      try parameters.finish()
      lists.answer(.overrides, isFollowing: call.flag == .more, to: connection)
    case .listClients:
      try parameters.finish()
      lists.answer(.clients, isFollowing: call.flag == .more, to: connection)
    case .listThemes:
      try parameters.finish()
      lists.answer(.themes, isFollowing: call.flag == .more, to: connection)
    case .getTheme:
      let name = try parameters.require(parameters.string("name"), "name")
      try parameters.finish()
      try withThemes([name], connection) { [unowned self, weak connection] () throws(VarlinkError) in
        let theme = try theme(name, for: rights)
        let reply = Reply(["theme": .object((rights.seesPaths ? theme : theme.withoutPaths).parameters)])
        if let connection, !connection.isGone { server.reply(reply.frame, to: connection) }
      }
    case .getConfiguration:
      try parameters.finish()
      server.reply(Reply(host?.configurationParameters ?? [:]).frame, to: connection)
    case .getSchedule:
      try parameters.finish()
      guard let schedule = host?.forecast else { throw .methodNotImplemented(call.method) }
      server.reply(Reply(schedule.parameters).frame, to: connection)
    case .getDiagnostics:
      try parameters.finish()
      guard let diagnostics = host?.currentDiagnostics() else { throw .methodNotImplemented(call.method) }
      server.reply(Reply(diagnostics.parameters).frame, to: connection)
    case .getDesktopTarget:
      try parameters.finish()
      lists.answer(.desktop, isFollowing: call.flag == .more, to: connection)
    case .reportDesktopTarget:
      let number = try parameters.require(parameters.integer("number"), "number")
      let problem = try parameters.string("problem")
      try parameters.finish()
      engine.send(.desktopWritten(number, problem: problem.map { Text($0.shown(atMost: Limits.portalText)) }))
      server.reply(Reply([:]).frame, to: connection)
    }
  }

  private func set(
    _ override: Override, _ clear: [Field], by caller: Caller, _ connection: ClientConnection
  ) throws(VarlinkError) {
    guard override.lightTheme != nil || override.darkTheme != nil else {
      return send(.set(override, clear: clear, themes.table, by: caller))
    }
    let names = Set([override.lightTheme, override.darkTheme].compactMap(\.self))
    // The client may go while they are being read.
    var caller = caller
    caller.program = connection.program
    try withThemes(names, connection) { [unowned self, caller] () throws(VarlinkError) in
      // The room may have been taken while they were read.
      try requireRoom(for: override)
      try requireThemes(of: override)
      send(.set(override, clear: clear, themes.table, by: caller))
    }
  }

  private func send(_ change: Event) {
    host?.catchUpWithClock()
    engine.send(change)
  }

  /// Whether the maximum number of overrides is reached, after everything that has happened by now was taken in.
  ///
  /// Expired overrides make room. Each change that is still waiting may add an override.
  private var isFull: Bool {
    host?.catchUpWithClock()
    return engine.core.overrides.count + engine.waitingCount >= maximumOverrides
  }

  private func requireRoom(for override: Override) throws(VarlinkError) {
    // The usual case: there is room, and the override need not be examined.
    guard isFull else { return }
    // A call that only removes needs no room; for all apps, `auto` removes.
    let isRemoval = override.app == nil && override.given.isEmpty
    if !isRemoval, !override.fields.isEmpty { try requireRoom(for: override.app) }
  }

  private func requireRoom(for app: Text?) throws(VarlinkError) {
    guard isFull, engine.core.overrides[app: app].isEmpty else { return }
    throw ThemeInterface.tooManyOverrides(maximum: maximumOverrides)
  }

  // MARK: Themes

  /// Reads the themes of these names, and then answers the call; also if they do not respond in time.
  ///
  /// If the client has gone by then, nothing is sent.
  private func withThemes(
    _ names: Set<Text>, _ connection: ClientConnection, _ body: @escaping () throws(VarlinkError) -> Void
  ) throws(VarlinkError) {
    let rights = connection.options.rights
    let isReader = rights == .reading
    let most = isReader ? Limits.themesAskedByReaders : Limits.askedThemes
    guard asked[rights, default: AskedThemes()].count(with: names) <= most else {
      throw ThemeInterface.themesUnavailable("too many themes are being read at once; try again")
    }
    // Read-only clients must not make a second thread hang in a file.
    guard !isReader || !themes.isHanging || themes.areKnown(names) else {
      throw ThemeInterface.themesUnavailable("a file or a directory of themes does not respond")
    }
    asked[rights, default: AskedThemes()].add(names)
    themes.read(names) { [unowned self, weak connection] in
      asked[rights]?.remove(names)
      do throws(VarlinkError) {
        try body()
      } catch {
        if let connection, !connection.isGone { server.reply(Reply(error).frame, to: connection) }
      }
    }
  }

  private func theme(_ name: Text, for rights: Rights) throws(VarlinkError) -> InstalledTheme {
    do throws(ThemeDirectories.Fault) {
      if let theme = try themes.theme(name) { return theme }
    } catch {
      guard !error.isTemporary else {
        throw ThemeInterface.themesUnavailable(
          rights.seesPaths ? "\(error)" : "a theme's file cannot be read at the moment; try again")
      }
      throw ThemeInterface.unusableTheme(name, problem: rights.seesPaths ? "\(error)" : ThemeListing.unsaidProblem)
    }
    throw ThemeInterface.unknownTheme(name)
  }

  /// Refuses an override with a theme that cannot be shown on that side.
  private func requireThemes(of override: Override) throws(VarlinkError) {
    for (name, scheme) in [(override.lightTheme, ColorScheme.light), (override.darkTheme, .dark)] {
      guard let name else { continue }
      guard try theme(name, for: .all).theme[scheme] != nil else {
        throw ThemeInterface.unusableTheme(name, problem: "it has no \(scheme.rawValue) side")
      }
    }
  }
}

/// How many calls are asking for each theme right now.
struct AskedThemes {
  private var times: [Text: Int] = [:]

  /// How many themes are asked for, including these.
  func count(with names: Set<Text>) -> Int { times.count + names.count { times[$0] == nil } }

  mutating func add(_ names: Set<Text>) {
    for name in names { times[name, default: 0] += 1 }
  }

  mutating func remove(_ names: Set<Text>) {
    for name in names { times[name] = times[name].flatMap { $0 > 1 ? $0 - 1 : nil } }
  }
}

// Decodes and checks the parameters of calls; strictly, because a caller would not notice a misunderstanding.

extension Parameters {
  mutating func app() throws(VarlinkError) -> Text? {
    guard let name = try string("app") else { return nil }
    guard isAppName(name) else { throw invalid("app") }
    return name
  }

  /// The override to set and the fields to clear, with all rules checked.
  mutating func override() throws(VarlinkError) -> (override: Override, clear: [Field]) {
    var fields = try require(structure("override"), "override")
    let clear = try self.fields("clear") ?? []
    try finish()
    let app = try fields.app()
    var override = try Override(reading: &fields)
    try fields.finish()
    override.app = app
    let said = override.fields
    guard !said.isEmpty || !clear.isEmpty else { throw invalid("override") }
    guard override.auto.isEmpty || !override.given.contains(where: override.auto.contains) else {
      throw fields.invalid("auto")
    }
    guard clear.isEmpty || !said.contains(where: clear.contains) else { throw invalid("clear") }
    // A removal has no end; otherwise a call with an end would remove a lasting override for good.
    let isRemoval = said.isEmpty || app == nil && !override.auto.isEmpty
    guard !isRemoval || override.expiresAt == nil else { throw fields.invalid("expiresAt") }
    guard !isRemoval || override.untilDesktopChanges != true else { throw fields.invalid("untilDesktopChanges") }
    try fields.requireEnd(of: override)
    return (override, clear)
  }

  /// The end of a toggle, as an override without fields.
  mutating func ending() throws(VarlinkError) -> Override {
    let ending = Override(
      expiresAt: try integer("expiresAt"), untilDesktopChanges: try bool("untilDesktopChanges"))
    try finish()
    try requireEnd(of: ending)
    return ending
  }

  /// Refuses an end in the past or too far in the future.
  private func requireEnd(of override: Override) throws(VarlinkError) {
    guard let expiresAt = override.expiresAt else { return }
    let now = WallClock.now
    guard expiresAt > now, expiresAt - now <= Limits.expiry else { throw invalid("expiresAt") }
  }
}
