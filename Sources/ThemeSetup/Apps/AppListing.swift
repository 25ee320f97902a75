import ThemeApps
import ThemedClientCore
package import ThemedInterface
package import ThemedSystem

/// The programs that follow or could follow, with the clients of the daemon.
package struct AppListing {
  package var clients = ThemeItems<Client>([])
  package let apps: [AppState]
  let isApplied: Bool
  package let hooks: [(name: Text, entry: ApplyStatus.Entry)]
  /// The problem with the list of enabled apps.
  package let problem: String?

  package init(_ places: AppPlaces) {
    let status = ApplyStatus()
    let enabled = Set(EnabledList.names)
    isApplied = status != nil
    hooks = Hooks(status).all
    problem = status?.problem
    let found = enabled.union(places.names).sorted().map { ($0, places.examination(of: $0)) }
    let versions = found.compactMap(\.1?.app).filter { $0.dependsOnVersion && $0.isInstalled }.installedVersions
    apps = found.map { name, examination in
      AppState(name, examination, version: versions[name], isEnabled: enabled.contains(name), status)
    }
  }

  package func isConnected(_ app: Text) -> Bool { clients.contains { $0.app == app } }

  /// The apps to list: of two apps for one program, not the one for other versions; no other desktop than this one.
  package var listed: [AppState] {
    let served = Set(apps.filter { $0.kind != .unable }.flatMap(\.programs))
    return apps.filter { app in
      if app.isDesktop, app.kind == .available { return SessionDesktop.apps.contains { $0.name == app.name } }
      return app.kind != .unable || served.isDisjoint(with: app.programs)
    }
  }
}
