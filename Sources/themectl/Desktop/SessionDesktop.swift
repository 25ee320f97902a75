import ThemeApps
import ThemedSystem

/// The desktop of the session that the services belong to.
enum SessionDesktop {
  /// The names in XDG_CURRENT_DESKTOP, as themed-apply has them.
  static let names: [Text] = {
    let name: Text = "XDG_CURRENT_DESKTOP"
    let current = EnvironmentComparison.current
    let value = current.manager?[name] ?? current.service?[name] ?? environment(name.string).map { Text($0) }
    return value?.split(":", omittingEmpty: true) ?? []
  }()

  /// Whether a desktop runs, and not just a console or a login from elsewhere.
  static var isRunning: Bool {
    let variables = EnvironmentComparison.current.manager ?? EnvironmentComparison.current.shell
    return !names.isEmpty || variables["WAYLAND_DISPLAY"] != nil || variables["DISPLAY"] != nil
  }
}
