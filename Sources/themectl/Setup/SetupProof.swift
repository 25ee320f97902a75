import ArgumentParser
import Glibc
import ThemeApps
import ThemeClientCore
import ThemeInterface
import ThemeModel
import ThemedSystem
import ThemedVarlink

/// Switches for a few seconds to show that programs follow.
///
/// The daemon ends the override by itself, even if this program is killed.
struct SetupProof {
  /// How long the test lasts, in seconds; slow programs may take two.
  private static let seconds: Int64 = 5
  /// How much later the override may end, in tenths of a second.
  private static let patience = 50

  let daemon: Daemon

  /// Switches, lists the programs that have followed, and waits for the switch back.
  func show() throws {
    let before = try daemon.call { (theme) throws(ThemeClientError) in try theme.getState() }
    if let origin = before.resolution.origins["scheme"], origin.rule == Origin.Rule.override,
      origin.expiresAt != nil || origin.untilDesktopChanges
    {
      // A toggle would remove the override and its end.
      let said = before.scheme.rawValue
      return try say("You set \(said) for a limited time, so this skips the test; 'themectl toggle' switches by hand.")
    }
    let turned = try turn()
    try say("Switched to \(turned.rawValue) for a few seconds; these programs follow:")
    for row in lines(of: try followers(of: turned), Style(ofOutput: .auto)) { try say("  \(row)") }
    for _ in 0..<(Self.patience + 10 * Int(Self.seconds)) {
      let now = try daemon.call { (theme) throws(ThemeClientError) in try theme.getState() }
      if now.scheme == before.scheme { return try say("Switched back to \(now.scheme.rawValue).") }
      usleep(100_000)
    }
    complain("it is still \(turned.rawValue); run 'themectl toggle' to switch back")
    throw ExitCode.failed
  }

  private func turn() throws -> ColorScheme {
    let end = wallClock() + Self.seconds
    return try daemon.call(.toChange) { (theme) throws(ThemeClientError) in try theme.toggle(expiresAt: end) }.state
      .scheme
  }

  /// A row for each program that should follow, with its result.
  private func followers(of scheme: ColorScheme) throws -> [[String]] {
    let (clients, overrides) = try daemon.call { (theme) throws(ThemeClientError) in
      (try theme.listClients(), try theme.listOverrides())
    }
    let own = Set(overrides.filter { $0.scheme != nil }.compactMap(\.app))
    // Plugins are among the clients.
    let enabled = EnabledList.names.filter { AppPlaces().examination(of: $0)?.app?.needsApplying ?? true }
    let names = Set(clients.clients.compactMap(\.app)).subtracting(enabled).sorted()
    let told = names.map { [printable($0), own.contains($0) ? "has an override of its own" : "notified"] }
    var waiting = enabled.filter { !own.contains($0) }
    for _ in 0..<(10 * Int(Self.seconds - 1)) where !waiting.isEmpty {
      guard let status = ApplyStatus() else { break }
      waiting.removeAll { status.apps[$0]?.isOver(scheme) == true }
      if !waiting.isEmpty { usleep(100_000) }
    }
    let status = ApplyStatus()
    return told
      + enabled.map { name in
        if own.contains(name) { return [printable(name), "has an override of its own"] }
        let entry = status?.apps[name]
        if let entry, entry.isOver(scheme) { return [printable(name), entry.words(wallClock())] }
        return [
          printable(name), status == nil ? "themed-apply is not running" : "not yet; 'themectl app' shows its progress",
        ]
      }
  }
}

extension ApplyStatus.Entry {
  /// Whether the last run was for this scheme and is over.
  fileprivate func isOver(_ scheme: ColorScheme) -> Bool {
    guard case .object(let object) = json, object["scheme"] == .word(scheme.rawValue) else { return false }
    return state == "done" || state == "failed" || state == "idle"
  }
}
