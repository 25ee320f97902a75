internal import Appearance
internal import DBus
internal import ForeignText
internal import ThemeInterface

/// What a check has seen of the session, the portal and the configuration.
struct Facts {
  /// How the session bus was met.
  enum Bus: Equatable {
    case connected
    case failed(String)
  }

  /// What the portal answered when its color scheme was read.
  enum Answer {
    case value(Value)
    /// It has no Settings interface.
    case noInterface
    /// It has the interface, and no color scheme.
    case noKey
    case failed(Failure)
  }

  var bus = Bus.connected
  /// What the user manager says; nil where none is on the bus.
  var manager: GraphicalSession.Manager?
  /// Whether this program itself has a display.
  var hasDisplay = false
  var isPortalInstalled = false
  /// The portal's process; nil where it does not run.
  var portalProcess: UInt32?
  var isPortalRunning = false
  var interfaceVersion: UInt32?
  var answer: Answer?
  var backends = PortalBackends()
  /// What the running backends say themselves, by the names of their files.
  var backendAnswers: [Text: Value] = [:]
  var configurationProblem: String?
  var unknownSettings: [Text] = []
}

extension Facts {
  /// What follows: what is wrong with its remedy, and what is not.
  var findings: [Finding] { busFindings + configurationFindings }

  private var busFindings: [Finding] {
    guard case .connected = bus else {
      if case .failed(let reason) = bus {
        return [
          Finding(
            "no_bus", "there is no session bus here: \(reason)", why: "the desktop can only be heard over it",
            fix: "run this within the desktop's session, or start one: dbus-run-session -- COMMAND")
        ]
      }
      return []
    }
    return displayFindings + portalFindings
  }

  // MARK: The session

  private var isSession: Bool {
    guard let manager else { return hasDisplay }
    return !manager.displays.isEmpty && !manager.hasJob
  }

  private var displayFindings: [Finding] {
    guard let manager, manager.displays.isEmpty else { return [] }
    guard hasDisplay || manager.target == "active" else {
      return [Finding(fact: "no_session", "no graphical session is up, and without one no portal is started")]
    }
    return [
      Finding(
        "no_display", "the user manager's environment has neither DISPLAY nor WAYLAND_DISPLAY",
        why: "the portal's backends fail without, and themed does not start the portal",
        fix: "systemctl --user import-environment DISPLAY WAYLAND_DISPLAY XAUTHORITY XDG_CURRENT_DESKTOP")
    ]
  }

  // MARK: The portal

  private var restart: String {
    if manager != nil { return "systemctl --user restart xdg-desktop-portal.service" }
    return portalProcess.map { "kill \($0)" } ?? "log out and in again"
  }

  private var portalFindings: [Finding] {
    guard isPortalRunning, let answer else { return missingPortalFindings }
    switch answer {
    case .value(let value):
      let version = interfaceVersion.map { " (Settings interface version \($0))" } ?? ""
      return [
        Finding(fact: "portal", "the portal answers \(value.text(atMost: Limits.portalText))\(version)"),
        Finding(fact: Finding.portalValue, value.text(atMost: Limits.portalText)),
      ] + disagreements(with: value)
    case .noInterface: return [missingInterface]
    case .noKey:
      return [
        Finding(
          "no_color_scheme", "the portal's backends (\(names(backends.chosen))) know of no color scheme",
          why: "the desktop does not say whether it is dark", fix: installBackend)
      ]
    case .failed(let failure):
      return [
        Finding(
          "portal_fails", "the portal does not answer: \(failure)",
          why: "what it last told stands, if it told anything",
          fix: restart)
      ]
    }
  }

  private var missingPortalFindings: [Finding] {
    guard isPortalInstalled else {
      return [
        Finding(
          "no_portal", "no settings portal is installed", why: "nothing tells whether the desktop is dark",
          fix: "apt install xdg-desktop-portal xdg-desktop-portal-gtk")
      ]
    }
    guard isSession else {
      return [Finding(fact: "portal_waits", "the portal is installed, and starts with a graphical session")]
    }
    let start =
      manager == nil
      ? "gdbus call --session --dest org.freedesktop.DBus --object-path / "
        + "--method org.freedesktop.DBus.StartServiceByName org.freedesktop.portal.Desktop 0"
      : "systemctl --user start xdg-desktop-portal.service"
    return [
      Finding(
        "no_portal", "the portal is installed, and does not run", why: "nothing tells whether the desktop is dark",
        fix: start)
    ]
  }

  private var missingInterface: Finding {
    let what = "the portal has no Settings interface"
    let why = "no backend tells it whether the desktop is dark"
    if backends.capable.isEmpty {
      let installed = backends.installed.isEmpty ? "none is installed" : "installed: \(names(backends.installed))"
      return Finding(
        "no_settings", "\(what), and no backend that could provide it (\(installed))", why: why, fix: installBackend)
    }
    guard let backend = backends.chosen.first else {
      let file = backends.preference?.path ?? "portals.conf"
      return Finding(
        "no_settings", "\(what): \(file) names none of the backends that provide it (\(names(backends.capable)))",
        why: why,
        fix: "under [preferred] in \(file), write \(PortalBackends.settings)=\(backends.capable[0].name); \(restart)")
    }
    return Finding(
      "no_settings",
      "\(what): the backend \(backend.name) should provide it (\(reason)), and failed when the portal started",
      why: why + "; a backend that starts without a display is given up until the portal restarts", fix: restart)
  }

  /// Why the portal asks the backends that it asks.
  private var reason: String {
    if backends.readsPreference, let preference = backends.preference { return "by \(preference.path)" }
    let desktop = backends.desktops.isEmpty ? "not set" : backends.desktops.map(\.string).joined(separator: ":")
    return "by UseIn, XDG_CURRENT_DESKTOP is \(desktop)"
  }

  private var installBackend: String { "apt install xdg-desktop-portal-gtk, or your desktop's own backend; \(restart)" }

  private func disagreements(with value: Value) -> [Finding] {
    backends.chosen.compactMap { backend in
      guard let other = backendAnswers[backend.name], other.colorScheme != value.colorScheme else { return nil }
      return Finding(
        "backends_disagree",
        "the backend \(backend.name) says \(other.colorScheme.rawValue), the portal \(value.colorScheme.rawValue)",
        why: "its signals can tell programs the wrong color scheme; themed reads again, and others may not",
        fix: "under [preferred] in ~/.config/xdg-desktop-portal/portals.conf, write "
          + "\(PortalBackends.settings)=\(backends.chosen[0].name); \(restart)")
    }
  }

  private func names(_ backends: [PortalBackends.Backend]) -> String {
    backends.isEmpty ? "none" : backends.map(\.name.string).joined(separator: ", ")
  }

  // MARK: The configuration

  private var configurationFindings: [Finding] {
    if let configurationProblem {
      return [
        Finding(
          "configuration", configurationProblem, why: "what held before it went wrong stays in force",
          fix: "correct that line; themed reads the file when it changes")
      ]
    }
    return unknownSettings.map { setting in
      Finding(
        "configuration", "\(setting) in the configuration means nothing", why: "it changes nothing",
        fix: "correct its name, or remove it; themectl config lists the settings")
    }
  }
}
