import ThemedInterface
package import ThemedSystem

/// The user manager's unit of our backend of the portal.
package struct PortalUnit: Equatable {
  package static let name = PortalChainFacts.unit.string

  package let isEnabled: Bool
  package let isActive: Bool

  package static var now: PortalUnit {
    PortalUnit(isEnabled: systemctl("is-enabled", "--quiet", name), isActive: systemctl("is-active", "--quiet", name))
  }

  /// Restores this state and makes the portal read its files again; false if the state could not be restored.
  package func restore() -> Bool {
    if !isEnabled { _ = Self.disable() }
    if !isActive { _ = Self.systemctl("stop", Self.name) }
    Self.restartPortal()
    return Self.now == self
  }

  /// Disables the unit and reloads the manager, which might otherwise still start the unit with the portal.
  package static func disable() -> Bool { systemctl("disable", name) && systemctl("daemon-reload") }

  /// How long the portal may take to start, in seconds; it needs less than one.
  private static let startPatience = 10

  private static let portal = "xdg-desktop-portal.service"

  /// Restarts the portal, and waits only a few seconds for a portal that hangs at its start.
  ///
  /// The manager refuses the sixth start within ten seconds, and counts starts by the user, too. So its count is reset, to
  /// see whether this start fails.
  static func restartPortal() {
    _ = systemctl("reset-failed", portal)
    _ = UserManager.run(["restart", portal], inItsOwnGroup: true, atMost: startPatience)
  }

  /// Why the portal stopped, and what to type; nil if it is running or the manager does not start it.
  static var portalFailure: String? {
    let lines = portalState
    guard lines.contains("LoadState=loaded"), lines.contains("ActiveState=failed") else { return nil }
    let result = lines.lazy.compactMap { $0.dropping(prefix: "Result=") }.first ?? "failed"
    return
      "\(portal) does not start (\(printable(result))), so programs cannot ask for light or dark: 'journalctl --user "
      + "-u \(portal)' shows why; then run 'systemctl --user reset-failed \(portal); systemctl --user start \(portal)'"
  }

  static var isPortalStarting: Bool { portalState.contains("ActiveState=activating") }

  private static var portalState: [Text] {
    let words = ["show", "--property=LoadState", "--property=ActiveState", "--property=Result", portal]
    return UserManager.run(words, inItsOwnGroup: true)?.lines ?? []
  }

  /// Resets the manager's count of our unit's starts, since it refuses the eleventh start within a minute.
  static func resetStartCount() { _ = systemctl("reset-failed", name) }

  /// Whether the user manager has done this; Ctrl-C does not reach `systemctl`.
  package static func systemctl(_ words: String...) -> Bool { UserManager.run(words, inItsOwnGroup: true)?.status == 0 }
}

extension PortalChainFacts {
  package var isSetUp: Bool { isAsked == true && isFirst }

  package var sentence: String {
    switch (isAsked, isRunning) {
    case (true?, _) where !isFirst:
      return "The portal asks other backends before themed-portal, and they decide: \(below)."
    case (true?, _):
      return "Programs that ask the portal get what themed shows; after themed-portal, the portal asks \(below)."
    case (nil, true):
      return process == nil
        ? "themed-portal is running, but no portal is."
        : "themed-portal is running, but the portal does not say whether it asks it. Run 'themectl doctor' to find out why."
    case (_, true):
      return "themed-portal is running, but the portal does not ask it: it asks \(below). Run 'themectl portal enable'."
    default: return "\(offer)."
    }
  }

  /// The user's files that may have lines of ours.
  package var ownFiles: [Text] {
    var files: [Text] = []
    if let directory {
      let names = names(inDirectory: directory.string).filter { $0.hasSuffix(PortalPlan.general) }
      files += names.map { "\(directory)/\($0)" }
    }
    if let dataDirectory { files.append("\(dataDirectory)/\(Self.backend).portal") }
    return files
  }
}
