package import ThemeApps
package import ThemedSystem

/// The desktop of the session that the services belong to.
package enum SessionDesktop {
  /// The names in XDG_CURRENT_DESKTOP, as themed-apply has them.
  package static let names: [Text] = {
    let name: Text = "XDG_CURRENT_DESKTOP"
    let current = EnvironmentComparison.current
    let value = current.manager?[name] ?? current.service?[name] ?? environment(name.string).map { Text($0) }
    return value?.split(":", omittingEmpty: true) ?? []
  }()

  /// The app files that describe this desktop: those that name it and those that the user has enabled by name, or else
  /// those for every desktop.
  package static let apps: [App] = {
    let (enabled, all) = (EnabledList.names, AppPlaces().all.compactMap(\.app).filter { $0.desktop != nil })
    let named = all.filter { $0.desktop?.isFor(names) == true }
    let chosen = all.filter { app in enabled.contains(app.name) || named.contains { $0.name == app.name } }
    return named.isEmpty ? chosen + all.filter { $0.desktop?.isFallback == true && !chosen.contains($0) } : chosen
  }()

  /// Whether the session has an X server.
  static var hasDisplay: Bool {
    let current = EnvironmentComparison.current
    return [current.shell, current.manager, current.service].contains { $0?["DISPLAY"] != nil }
  }

  /// Whether a desktop runs, and not just a console or a login from elsewhere.
  package static var isRunning: Bool {
    let variables = EnvironmentComparison.current.manager ?? EnvironmentComparison.current.shell
    return !names.isEmpty || variables["WAYLAND_DISPLAY"] != nil || variables["DISPLAY"] != nil
  }
}

extension OwnSetting {
  /// The user's own settings that win over those of this desktop, and how they stop doing so.
  static var onDesktop: [(title: Text, words: Text)] {
    SessionDesktop.apps.filter(\.isInstalled).compactMap { app in
      OwnSetting(app, nil).map { (app.title, "\($0.words); to see light and dark, \($0.remedy)") }
    }
  }
}

extension App {
  /// The names of the settings that one of these desktops shows, each once if it exists for each side, and without those
  /// for certain programs and in files that do not exist.
  func namesOfSettings(on names: [Text]) -> [Text] {
    let settings = (desktop?.settings ?? []).filter { setting in
      let path = setting.file?.path.resolved(in: AppPlaces.directories)
      let isThere = path.map { FileIdentity(of: $0.string) != nil } ?? true
      return setting.processes.isEmpty && setting.isFor(names) && isThere
    }
    return unique(settings.map { $0.side == nil ? $0.name : $0.name.splitAtLast("-")?.before ?? $0.name })
  }
}
