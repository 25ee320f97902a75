import ThemeApps
import ThemeClientCore
import ThemeModel
import ThemedSystem

extension SetupFacts {
  static let units = ["themed.socket", "themed.service", "themed-apply.service"]

  /// Looks at the daemon, its units, and the installed programs; fails for users who cannot have a daemon.
  init(_ daemon: Daemon) throws {
    hasManager = UserManager.isThere
    let manager = FailedUnits.isForUnits(daemon.socket)
    let states = manager ? UserManager.run(["is-enabled"] + Self.units)?.lines ?? [] : []
    let areInstalled = states.count == Self.units.count && !states.contains("not-found")
    // themed-apply alone does not start the daemon.
    isEnabled = areInstalled ? states.prefix(2).contains { $0.hasPrefix("enabled") } : nil
    var listing = AppListing(AppPlaces())
    do throws(ThemeClientError) {
      var theme = try ThemeConnection(socket: daemon.socket, timeout: Patience.toRead.time)
      listing.clients = try theme.unlessReadOnly { (theme) throws(ThemeClientError) in try theme.listClients() }
      hearsDesktop = try theme.getState().resolution.desktop != .unavailable
      service = .runs
    } catch {
      if error.isAnothers { throw ended(by: error, at: daemon.socket) }
      service = Self.absence(error, daemon, manager: manager, areInstalled: areInstalled)
    }
    isApplied = listing.isApplied
    programs = listing.told.map { app in Program(app, isConnected: listing.isConnected(app.name)) }
  }

  private static func absence(
    _ error: ThemeClientError, _ daemon: Daemon, manager: Bool, areInstalled: Bool
  ) -> Service {
    if let failed = FailedUnits(explaining: error, at: daemon.socket) { return .absent(Text(failed.text)) }
    guard error.code == .noDaemon else { return .absent(Text(error.advice(at: daemon.socket))) }
    if areInstalled { return .canStart }
    return .absent(
      manager
        ? "themed.service is not installed: run 'make install', or have your session start 'themed'"
        : "nothing starts it: have your session start 'themed'")
  }
}

extension SetupFacts.Program {
  init(_ standing: AppStanding, isConnected: Bool) {
    let app = standing.examination?.app
    self.init(
      name: standing.name, title: app?.title ?? standing.name, kind: standing.kind,
      words: Text(standing.words(isConnected: isConnected, now: wallClock())), isConnected: isConnected,
      isProposed: app?.isProposed ?? true)
    missing = standing.missing.map { Text($0) }
    lines = standing.needs.lines
    obstacle = standing.needs.obstacle
    hidden = standing.needs.hidden.map { Text($0.words) }
    needsApplying = app?.needsApplying ?? true
    if standing.needs.lacksVersion, obstacle == nil {
      obstacle = kind == .available ? words : "\(Text(standing.doubt))\(words)"
    }
  }
}
