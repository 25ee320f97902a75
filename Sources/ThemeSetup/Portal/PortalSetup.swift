import Glibc
package import ThemedInterface
import ThemedSystem

/// Makes the portal ask our backend, or no longer.
package enum PortalSetup {
  /// How long the portal may take after its start to give the expected answer, in milliseconds.
  private static let patience = 5_000
  /// How long it may take to start besides, in milliseconds.
  ///
  /// Together with the ten seconds for which its restart is waited for, this is how long D-Bus waits, and so a portal
  /// with a backend that does not answer.
  private static let startPatience = 15_000

  /// The facts about the portal from `themed --check`, since this program does not use D-Bus.
  package static func chain() throws(Refusal) -> PortalChainFacts {
    if let chain = look() { return chain }
    throw Refusal("cannot look at the portal; run 'themectl doctor' to find out why")
  }

  /// Looks at the portal until it is as expected or the time is over, since it may not answer just after its start.
  private static func look(until isRight: (PortalChainFacts) -> Bool) -> PortalChainFacts? {
    // A check may take seconds on a busy machine, so there are at least three, whatever the time.
    var end = monotonicMilliseconds() + patience
    let latest = end + startPatience
    var last: PortalChainFacts?
    var looks = 0
    repeat {
      if looks > 0 {
        usleep(250_000)
        if PortalUnit.isPortalStarting { end = min(monotonicMilliseconds() + patience, latest) }
      }
      last = look() ?? last
      if let last, isRight(last) { return last }
      looks += 1
    } while !StopSignals.isPending && (looks < 3 || monotonicMilliseconds() < end)
    return last
  }

  private static func look() -> PortalChainFacts? {
    let lines = themedProgram().flatMap(checkByDaemonsProgram)?.lines ?? []
    for finding in lines.compactMap({ Finding(json: $0.string) }) where finding.name == PortalChainFacts.finding {
      if let chain = PortalChainFacts(json: finding.what) { return chain }
    }
    return nil
  }

  /// Whether the portal runs, and no backend but ours could answer for settings.
  package static var isNeeded: Bool {
    guard UserManager.isRunning, let chain = look() else { return false }
    return chain.process != nil && chain.others.isEmpty && !chain.isSetUp
  }

  /// Whether there is anything to undo.
  static var isUndoNeeded: Bool {
    // Without a user manager, the step fails, and says so.
    if SetupRecord.units.contains(PortalChainFacts.unit) { return true }
    guard UserManager.isRunning else { return false }
    return look().map { !PortalPlan.disabling($0.ownFiles, read: PortalPlan.find).changes.isEmpty } ?? false
  }

  /// Carries out the plan, starts our backend, and returns the sentence about that; throws if all or most was undone.
  package static func enable(_ plan: PortalPlan, from unit: PortalUnit) throws -> String {
    // From here on, this does everything or nothing.
    StopSignals.hold()
    let directories = plan.missingDirectories
    SetupRecord.note(plan.changes.map(\.path))
    try perform(plan)
    var trouble = "the portal does not ask themed-portal first, although it was restarted"
    PortalUnit.resetStartCount()
    if PortalUnit.systemctl("enable", "--now", PortalUnit.name) {
      PortalUnit.restartPortal()
      if let chain = look(until: \.isSetUp), chain.isSetUp { return chain.sentence }
    } else {
      trouble = "'systemctl --user enable --now \(PortalUnit.name)' failed"
    }
    var reasons: [String] = []
    do { reasons = try EnabledList.locked { _ in plan.takeBack(directories) } } catch { reasons = ["\(error)"] }
    let isUnitBack = unit.restore()
    let end =
      reasons.isEmpty && isUnitBack
      ? "everything was undone" : "not everything could be undone; 'themectl portal disable' removes the rest"
    reasons.append(
      StopSignals.isPending ? "interrupted: \(end)" : "\(trouble): \(end); run 'themectl doctor' to find out why")
    throw Refusal(reasons: reasons + [PortalUnit.portalFailure].compactMap(\.self))
  }

  /// Carries out the plan, stops our backend, and returns the sentence about that.
  package static func disable(_ plan: PortalPlan) throws -> String {
    // From here on, this does everything.
    StopSignals.hold()
    try perform(plan)
    plan.removeEmptyDirectories()
    let isStopped = PortalUnit.disable() && PortalUnit.systemctl("stop", PortalUnit.name)
    PortalUnit.restartPortal()
    func refusal(_ reason: String) -> Refusal { Refusal(reasons: plan.left.map(\.string) + [reason]) }
    guard isStopped else { throw refusal("'systemctl --user disable --now \(PortalUnit.name)' failed") }
    // A themed-portal that the user started by hand keeps running.
    let isUntold = { (chain: PortalChainFacts) in chain.isAsked == nil && chain.isRunning && chain.process != nil }
    var failure: String?
    let now = look { chain in
      // While it starts, or the daemon has it started again, neither is known.
      failure = PortalUnit.portalFailure
      return !isUntold(chain) && (chain.process != nil || failure != nil)
    }
    guard let chain = now else {
      throw refusal("cannot check whether the portal still asks themed-portal; run 'themectl doctor' to find out why")
    }
    if chain.isAsked == true || isUntold(chain) {
      let asks = chain.isAsked == true ? "asks it" : "does not say whether it asks it"
      throw refusal(
        "themed-portal is still running, since its unit did not start it, and the portal \(asks); stop it, too")
    }
    if let failure { throw refusal(failure) }
    guard chain.process != nil || PortalUnit.isPortalStarting else {
      throw refusal(
        "themed-portal is stopped, but no portal is running, so programs cannot ask for light or dark; run 'themectl doctor'"
      )
    }
    return chain.process != nil
      ? "Programs that ask the portal get what the desktop asks for."
      : "themed-portal is stopped. The portal is still starting: see 'systemctl --user status xdg-desktop-portal'."
  }

  private static func perform(_ plan: PortalPlan) throws {
    try EnabledList.locked { _ in
      do { try plan.perform() } catch { throw Refusal("\(error)") }
    }
  }
}
