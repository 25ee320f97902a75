internal import ThemedInterface
internal import ThemedModel
internal import ThemedDBus
internal import ThemedSystem

/// The facts that a check has found out about the session, the portal and the configuration.
struct Facts {
  enum Bus: Equatable {
    case connected
    case failed(String)
  }

  enum Answer {
    case value(Value)
    /// It has no Settings interface.
    case noInterface
    /// It has the interface, but no color scheme.
    case noKey
    case failed(Failure)
  }

  // One property for each thing that is checked.
  var bus = Bus.connected
  var busAddress = ""
  /// The answer of the user manager; nil if there is none on the bus.
  var manager: GraphicalSession.Manager?
  /// Whether this program itself has a display.
  var hasDisplay = false
  var isPortalInstalled = false
  /// The user manager's state of the portal's unit file.
  var portalUnit: Text = ""
  var portalProcess: UInt32?
  var isPortalRunning = false
  var interfaceVersion: UInt32?
  var answer: Answer?
  var backends = PortalBackends()
  /// The answers of the running backends themselves, by the names of their files.
  var backendAnswers: [Text: Value] = [:]
  var chain = PortalChainFacts()
  /// Whether the user manager is configured to start our backend.
  var isBackendEnabled = false
  var configurationProblem: Configuration.Problem?
  var unknownSettings: [Text] = []
}

extension Facts {
  /// The findings: each problem with its remedy, and the facts.
  var findings: [Finding] { busFindings + configurationFindings }

  private var busFindings: [Finding] {
    guard case .connected = bus else {
      if case .failed(let reason) = bus {
        return [
          Finding(
            "no_bus", "no session bus: \(reason)",
            why: "themed gets the desktop's setting over this bus",
            fix: "run this check in a terminal on your desktop; if your session has no bus, start the whole session "
              + "with a bus; try: dbus-run-session -- sway")
        ]
      }
      return []
    }
    return [Finding(fact: Finding.busAddress, busAddress), Finding(fact: PortalChainFacts.finding, chain.json)]
      + displayFindings + portalFindings + chainFindings
  }

  // MARK: The session

  /// Whether these variables of a program name a display of the session; over ssh they name one of the other machine.
  static func hasDisplay(_ variables: [Text: Text]) -> Bool {
    func isSet(_ name: Text) -> Bool { variables[name].map { !$0.isEmpty } ?? false }
    return !isSet("SSH_CONNECTION") && (isSet("DISPLAY") || isSet("WAYLAND_DISPLAY"))
  }

  /// As a daemon that was started just now would decide it.
  private var isSession: Bool {
    var memory = GraphicalSession.Memory()
    return memory.isSessionUp(manager, hasOwnDisplay: hasDisplay)
  }

  private var displayFindings: [Finding] {
    guard let manager, manager.displays.isEmpty else { return [] }
    guard hasDisplay || manager.target == "active" else {
      return [Finding(fact: "no_session", "no graphical session is running, so themed does not start the portal")]
    }
    return [
      Finding(
        "no_display", "the user manager's environment has neither DISPLAY nor WAYLAND_DISPLAY",
        why: "the portal's backends fail without a display, so themed does not start the portal",
        fix: "in a terminal on the desktop:",
        type: "systemctl --user import-environment DISPLAY WAYLAND_DISPLAY XAUTHORITY XDG_CURRENT_DESKTOP")
    ]
  }

  // MARK: The portal

  /// A problem with the portal that a restart fixes, after these words and commands.
  private func portalProblem(
    _ name: Text, _ what: String, why: String, fix: String? = nil, type commands: [String] = []
  ) -> Finding {
    let restart: String? =
      manager == nil ? portalProcess.map { "kill \($0)" } : "systemctl --user restart \(Self.unit)"
    guard let restart else {
      let fix = (fix.map { "\($0); then " } ?? "") + "log out and in again"
      return Finding(name, what, why: why, fix: fix, type: commands)
    }
    return Finding(name, what, why: why, fix: fix, type: commands + [restart])
  }

  private var portalFindings: [Finding] {
    guard isPortalRunning, let answer else { return missingPortalFindings }
    switch answer {
    case .value(let value):
      let text = value.text(atMost: Limits.portalText)
      let version = interfaceVersion.map { ", Settings interface version \($0)" } ?? ""
      return [
        Finding(fact: "portal", "the portal answers \(value.colorScheme.rawValue) (\(text)\(version))"),
        Finding(fact: Finding.portalValue, text),
      ] + disagreements(with: value)
    case .noInterface: return [missingInterface]
    case .noKey:
      return [
        portalProblem(
          "no_color_scheme", "the portal's backends (\(names(backends.chosen))) do not provide a color scheme",
          why: "themed cannot find out whether the desktop is dark", fix: Self.otherBackend, type: [Self.installBackend]
        )
      ]
    case .failed(let failure):
      return [
        portalProblem(
          "portal_fails", "the portal does not answer: \(failure)",
          why: "its last answer stays in force, if there was one")
      ]
    }
  }

  private static let unit = GraphicalSession.Manager.portal
  private static let unheard = "without it, themed cannot find out whether the desktop is dark"

  private var missingPortalFindings: [Finding] {
    guard isPortalInstalled else {
      return [
        Finding(
          Finding.missingPortal, "no settings portal is installed", why: Self.unheard,
          type: "sudo apt install xdg-desktop-portal xdg-desktop-portal-gtk")
      ]
    }
    guard isSession else {
      return [Finding(fact: Finding.portalWaits, "the portal is installed and starts with a graphical session")]
    }
    if portalUnit.hasPrefix("masked") {
      let isForNow = portalUnit == "masked-runtime"
      return [
        Finding(
          Finding.missingPortal, "the portal is masked, so it cannot start", why: Self.unheard,
          type: "systemctl --user unmask \(isForNow ? "--runtime " : "")\(Self.unit)",
          "systemctl --user start \(Self.unit)")
      ]
    }
    let start =
      manager == nil
      ? "gdbus call --session --dest org.freedesktop.DBus --object-path / "
        + "--method org.freedesktop.DBus.StartServiceByName \(SettingsPortal.desktop.name) 0"
      : "systemctl --user start \(Self.unit)"
    return [
      Finding(
        Finding.missingPortal, "the portal is installed but is not running", why: Self.unheard, type: start)
    ]
  }

  private var missingInterface: Finding {
    let what = "the portal has no Settings interface"
    let why = "no backend tells the portal whether the desktop is dark"
    // Our backend has no setting of its own: the desktop's preference has to come from another backend.
    let others = backends.withoutOurs
    if others.capable.isEmpty {
      let installed = others.installed.isEmpty ? "no backend is installed" : "installed: \(names(others.installed))"
      let refused = backends.refused.map { "; the portal rejects \($0.path): \($0.reason)" }.joined()
      return portalProblem(
        "no_settings", "\(what), and no installed backend provides it (\(installed)\(refused))", why: why,
        fix: Self.otherBackend, type: [Self.installBackend])
    }
    guard let backend = others.chosen.first else {
      let reason = backends.preferences.first.map { "\($0.path) names none" } ?? "no portals.conf names one"
      return portalProblem(
        "no_settings", "\(what): \(reason) of the backends that provide it (\(names(others.capable)))",
        why: why, fix: preferring(others.capable[0]))
    }
    return portalProblem(
      "no_settings",
      "\(what): the backend \(backend.name) should provide it (\(reason)), but failed when the portal started",
      why: why + "; if a backend starts without a display, the portal does not use it until the portal restarts")
  }

  private var reason: String {
    if backends.rule != .all, let preference = backends.preferences.first { return "chosen by \(preference.path)" }
    let desktop = backends.desktops.isEmpty ? "not set" : backends.desktops.map(\.string).joined(separator: ":")
    return "chosen by UseIn; XDG_CURRENT_DESKTOP is \(desktop)"
  }

  private static let otherBackend = "install your desktop's own backend, or this one"
  private static let installBackend = "sudo apt install xdg-desktop-portal-gtk"

  /// How to make the portal ask this backend alone, or after ours if it asks ours now.
  ///
  /// Most portals read only one file, so the user's file has to repeat what the system's file says.
  private func preferring(_ backend: PortalBackends.Backend) -> String {
    let own = "~/.config/xdg-desktop-portal/"
    let ours = backends.chosen.filter { $0.busName == PortalBackends.ours }
    let line =
      "write \(PortalBackends.settings)=\((ours + [backend]).map(\.name.string).joined(separator: ";"))"
    guard let file = backends.preferences.first?.path else {
      return "under [preferred] in \(own)portals.conf, \(line)"
    }
    return Text(file).hasPrefix("/etc/") || Text(file).hasPrefix("/usr/")
      ? "copy \(file) to \(own), and in the copy, under [preferred], \(line)" : "under [preferred] in \(file), \(line)"
  }

  /// The findings about our own backend, if it runs or should run.
  private var chainFindings: [Finding] {
    let below = names(backends.withoutOurs.chosen)
    let isChosen = backends.chosen.contains { $0.busName == PortalBackends.ours }
    let isMeant = backends.rule != .all && isChosen
    // By UseIn, without a portals.conf: the portal asks GTK's backend only if no other backend is chosen.
    if isMeant, backends.chosen.count == 1, !backends.withoutOurs.chosen.isEmpty {
      return [
        Finding(
          "portal_chain_alone", "the portal asks only themed-portal, and not \(below)",
          why: "programs that ask the portal do not get the desktop's own preference",
          fix: "name both in portals.conf", type: ["themectl portal enable"])
      ]
    }
    switch (chain.isRunning, chain.isAsked) {
    case (true, true?) where !chain.isFirst:
      return [
        portalProblem(
          "portal_chain_late", "the portal asks other backends before themed-portal: \(names(backends.chosen))",
          why: "their light or dark takes precedence over an override",
          fix: backends.rule == .all
            ? "add your desktop's name to UseIn in \(PortalChainFacts.backend).portal, and restart the "
              + "portal" : nil, type: backends.rule == .all ? [] : ["themectl portal enable"])
      ]
    case (true, true?):
      return [
        Finding(
          fact: "portal_chain_first",
          "programs that ask the portal get what themed shows; after themed-portal it asks \(below)")
      ]
    case (true, false?):
      return [
        portalProblem(
          "portal_chain_unasked", "themed-portal is running, but the portal does not ask it: it asks \(below)",
          why: "overrides do not reach programs that ask the portal",
          fix: isChosen ? "restart the portal so that it reads its files again" : nil,
          type: isChosen ? [] : ["themectl portal enable"])
      ]
    case (false, _) where isMeant && (isBackendEnabled || backends.isOursNamed):
      return [
        Finding(
          "portal_chain_missing", "the portal should ask themed-portal, but themed-portal is not running",
          why: "overrides do not reach programs that ask the portal; the desktop's own preference does",
          type: "systemctl --user enable --now \(PortalChainFacts.unit)")
      ]
    // Only the installed package would make the portal ask it; nobody has asked for that.
    case (false, _) where isMeant: return [Finding(fact: "portal_chain_offer", chain.offer)]
    default: return []
    }
  }

  /// The finding that the portal does not answer with the value of the backend that it should ask.
  ///
  /// The portal returns the first answer, so the backends after that one may differ, as on Plasma and Cinnamon.
  private func disagreements(with value: Value) -> [Finding] {
    // If the portal asks our backend, the other ones are expected to differ.
    guard chain.isAsked != true else { return [] }
    let answers = backends.chosen.lazy.compactMap { backend in backendAnswers[backend.name].map { (backend, $0) } }
    guard let (backend, other) = answers.first, other.colorScheme != value.colorScheme else { return [] }
    let (said, right) = (value.colorScheme.rawValue, other.colorScheme.rawValue)
    return [
      portalProblem(
        "backends_disagree", "the backend \(backend.name) says \(right), but the portal says \(said)",
        why: "the portal should ask this backend first (\(reason)); if the backend is newer than the portal, it is not "
          + "asked until the portal restarts")
    ]
  }

  private func names(_ backends: [PortalBackends.Backend]) -> String {
    backends.isEmpty ? "none" : backends.map(\.name.string).joined(separator: ", ")
  }

  // MARK: The configuration

  private var configurationFindings: [Finding] {
    if let configurationProblem {
      return [
        Finding(
          "configuration", configurationProblem.description, why: "the previous configuration stays in force",
          fix: "\(configurationProblem.advice); themed then reads the file again")
      ]
    }
    return unknownSettings.map { setting in
      Finding(
        "configuration", "unknown setting \(setting) in themed.conf", why: "themed ignores it",
        fix: "correct its name or remove it; 'themectl config' lists all settings")
    }
  }
}
