import Glibc
import ThemeApps
import ThemedClientCore
import ThemedInterface
import ThemedModel
import ThemeSetup
import ThemedSystem
import ThemedVarlink

/// Switches for a few seconds to show that programs follow.
struct SetupTest {
  /// How long the new scheme is shown, so that the user can look at it, in seconds.
  private static let leastSeconds = 5
  /// How long programs and the desktop may take to follow, in seconds: Plasma takes four.
  private static let mostSeconds = 10
  /// When the daemon ends the override by itself, even if this program is killed, in seconds.
  private static let lifetime: Int64 = 15

  let daemon: Daemon
  /// Whether the desktop has just been set to be kept in step, which the daemon may not have read yet.
  var expectsDesktop = false
  private let start = monotonicMilliseconds()

  func show() throws {
    let before = try daemon.call { (theme) throws(CallError) in try theme.call(.state()) }
    if let origin = before.resolution.origins["scheme"], origin.rule == Rule.override,
      origin.expiresAt != nil || origin.untilDesktopChanges
    {
      // A toggle would remove the override and its end.
      let said = before.scheme.rawValue
      return try say("You set \(said) for a limited time, so this skips the test; 'themectl toggle' switches by hand.")
    }
    let end = wallClock() + Self.lifetime
    let turned = try toggle(until: end).scheme
    try say("Switched to \(turned.rawValue) for a few seconds; these programs follow:")
    let rows = try desktop(after: turned) + followers(of: turned)
    for line in lines(of: rows, Style(ofOutput: .auto), margin: "  ") { try say(line) }
    while isWithin(Self.leastSeconds) {}
    let state = try daemon.call { (theme) throws(CallError) in try theme.call(.state()) }
    // The user may have set another override meanwhile, or this one has ended by itself.
    let isOurs = state.resolution.origins["scheme"]?.expiresAt == end
    let scheme = isOurs ? try toggle(until: end).scheme : state.scheme
    guard scheme != turned else { return try say("It stays \(turned.rawValue), because you set that meanwhile.") }
    try say(lastWords(scheme))
  }

  /// Toggles until then; a second time, this restores what was before.
  private func toggle(until end: Int64) throws -> State {
    try daemon.call(.toChange) { (theme) throws(CallError) in try theme.call(.toggle(expiresAt: end)) }.state
  }

  /// Whether the test has lasted for less than so many seconds; waits for a moment then.
  private func isWithin(_ seconds: Int) -> Bool {
    guard monotonicMilliseconds() - start < 1_000 * Int64(seconds) else { return false }
    usleep(100_000)
    return true
  }

  /// A row for the desktop itself, if it is kept in step.
  private func desktop(after scheme: ColorScheme) throws -> [[String]] {
    guard let report = try awaitDesktop(scheme, atMost: Self.mostSeconds) else { return [] }
    if report.isAt(scheme) { return [["the desktop", "turned"]] }
    return [["the desktop", report.note ?? "has not turned yet; 'themectl desktop' says why"]]
  }

  /// The last words of the test, after the desktop has turned back, too.
  private func lastWords(_ scheme: ColorScheme) throws -> String {
    let report = try awaitDesktop(scheme, atMost: 2 * Self.mostSeconds)
    let isLate = report.map { !$0.isAt(scheme) } ?? false
    return "Switched back to \(scheme.rawValue)."
      + (isLate ? " The desktop itself has not turned back yet; 'themectl desktop' says why." : "")
  }

  /// Waits until the desktop shows this, at most until the test has lasted that many seconds; nil if it is left alone.
  private func awaitDesktop(_ scheme: ColorScheme, atMost seconds: Int) throws -> DesktopReport? {
    while true {
      let report = try DesktopReport(socket: daemon.socket)
      let isInStep = report.step.isInStep
      guard isInStep || expectsDesktop else { return nil }
      if report.isAt(scheme) || !isWithin(seconds) { return isInStep ? report : nil }
    }
  }

  private func followers(of scheme: ColorScheme) throws -> [[String]] {
    let (clients, overrides) = try daemon.call { (theme) throws(CallError) in
      (try theme.call(.clients), try theme.call(.overrides))
    }
    let own = Set(overrides.filter { $0.scheme != nil }.compactMap(\.app))
    // Apps without files to apply are plugins, which are among the clients while the program runs.
    let places = AppPlaces()
    let (enabled, plugins) = EnabledList.names.reduce(into: ([Text](), [Text]())) { lists, name in
      if places.examination(of: name)?.app?.needsApplying ?? true { lists.0.append(name) } else { lists.1.append(name) }
    }
    let names = Set(clients.compactMap(\.app)).subtracting(enabled).sorted()
    let asleep = plugins.filter { !names.contains($0) }.map { [printable($0), "follows when it runs, by its plugin"] }
    let told = names.map { [printable($0), own.contains($0) ? "has an override of its own" : "notified"] }
    var waiting = enabled.filter { !own.contains($0) }
    while let status = ApplyStatus() {
      waiting.removeAll { status.apps[$0]?.isOver(scheme) == true }
      guard !waiting.isEmpty, isWithin(Self.mostSeconds) else { break }
    }
    let status = ApplyStatus()
    return told + asleep
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

extension DesktopReport {
  /// Whether the desktop is in step, and shows this.
  fileprivate func isAt(_ scheme: ColorScheme) -> Bool { state == .inStep && shown == scheme }
}

extension ApplyStatus.Entry {
  fileprivate func isOver(_ scheme: ColorScheme) -> Bool {
    guard case .object(let object) = json, object["scheme"] == .word(scheme.rawValue) else { return false }
    return state == "done" || state == "failed" || state == "idle"
  }
}
