internal import ThemedSystem

/// Decides whether a graphical session is up, and when to start the portal: a pure rule that ``SessionWatch`` carries
/// out.
///
/// A portal that starts without a display has no backends as long as it runs. So it is started only if the user manager
/// knows a display, and graphical-session.target is active or not used, because many desktops only import their
/// display. If that target has stopped, a display that is still set is left over. It counts again when it changes or
/// the target is active. While the target has a job, the session is starting or stopping, and this waits for the job to
/// end. Without systemd on the bus, the daemon's own environment decides.
///
/// If a user restarts the portal, or it stops with the session, its unit has a job until that is done, and we do not
/// start it before. A portal that keeps exiting soon after its start is given up.
///
/// systemd sends no signal when a display is imported (its `Environment` changes silently). So the manager is asked
/// again when it has finished a job or when a client subscribes, but only while there is no portal.
struct GraphicalSession {
  enum Event {
    /// The bus reported whether systemd's user manager is on it, or that it is another one.
    case manager(isThere: Bool)
    case portal(isThere: Bool)
    /// The manager reported a possible change.
    case changed
    /// Something happened that may belong to a new session.
    case signOfLife
    case reload
    /// The manager answered; nil: it could not.
    case told(Question, Manager?)
    case busLost
  }

  enum Action: Equatable {
    /// Ask the manager, and return the answer as an event.
    case ask(Question)
    case startPortal
    case warn(String)
  }

  typealias Question = Int

  struct Manager: Equatable {
    /// The assignments of DISPLAY and WAYLAND_DISPLAY in the environment that it gives to services.
    var displays: Set<Text> = []
    /// The state of graphical-session.target, such as `active` or `inactive`.
    var target: Text = "inactive"
    /// Whether the state is about to change.
    var hasJob = false
    /// When the target last stopped, on any clock; 0: never.
    var wentDown: UInt64 = 0
    /// Whether the portal's unit is about to be started or stopped.
    var hasPortalJob = false
    var isActive: Bool { target == "active" }
  }

  /// The memory of a manager's answers, to tell a display that is left over from one in use.
  ///
  /// At the first question the memory is empty: then a display is left over if the target has ever stopped.
  struct Memory {
    private var wasActive = false
    private var wentDown: UInt64 = 0
    private var leftBehind: Set<Text> = []

    /// Whether a graphical session is up, by the manager's current answer, which is remembered; without a manager on
    /// the bus, by the caller's own display.
    mutating func isSessionUp(_ manager: Manager?, hasOwnDisplay: Bool) -> Bool {
      guard let manager else { return hasOwnDisplay }
      // The manager may unload a target that has stopped, and then says that it never ran.
      if !manager.isActive, wasActive || manager.wentDown != wentDown {
        leftBehind = manager.displays
      } else if manager.isActive || manager.displays != leftBehind {
        leftBehind = []
      }
      (wasActive, wentDown) = (manager.isActive, manager.wentDown)
      return !manager.displays.isEmpty && !manager.hasJob && (manager.isActive || manager.displays != leftBehind)
    }
  }

  private enum Source {
    case unknown, ownEnvironment, manager
  }

  /// Whether a graphical session is up, as far as is known; nil if nothing has answered yet.
  private(set) var isUp: Bool?

  /// Whether each finished job of the manager is an ``Event/changed``.
  var followsJobs: Bool {
    if case .manager = source { portalIsThere == false } else { false }
  }

  private let hasOwnDisplay: Bool
  private var source = Source.unknown
  private var portalIsThere: Bool?
  /// Whether the portal is missing and has not been started for that yet.
  private var isDue = false
  private var asked = 0
  private var isAsking = false
  private var asksAgain = false
  private var manager = Manager()
  private var memory = Memory()
  /// When the portal appeared, in milliseconds; nil if it is not there.
  private var cameAt: Int?
  /// When the portal was started in this session, since it last ran for long enough, in milliseconds.
  private var starts: [Int] = []

  init(hasOwnDisplay: Bool) { self.hasOwnDisplay = hasOwnDisplay }

  /// Takes an event at `now`, in milliseconds of a clock that does not jump; returns what to do.
  mutating func handle(_ event: Event, now: Int) -> [Action] {
    switch event {
    case .manager(let isThere): return manager(isThere: isThere, now)
    case .portal(let isThere): return portal(isThere: isThere, now)
    case .changed: return ask()
    case .signOfLife: return portalIsThere == false && isUp != true ? ask() : []
    case .reload: return reload(now)
    case .told(let question, let answer): return told(question, answer, now)
    case .busLost:
      (source, portalIsThere, isUp) = (.unknown, nil, nil)
      (isDue, isAsking, asksAgain, cameAt) = (false, false, false, nil)
      return []
    }
  }

  private mutating func manager(isThere: Bool, _ now: Int) -> [Action] {
    // A new manager does not know what the previous one did.
    (isAsking, asksAgain, isUp) = (false, false, nil)
    (manager, memory) = (Manager(), Memory())
    guard isThere else {
      source = .ownEnvironment
      return decide(now)
    }
    source = .manager
    return ask()
  }

  private mutating func portal(isThere: Bool, _ now: Int) -> [Action] {
    guard isThere != portalIsThere else { return [] }
    portalIsThere = isThere
    isDue = !isThere
    if let cameAt, now - cameAt >= Limits.portalStays { starts = [] }
    cameAt = isThere ? now : nil
    guard case .manager = source else { return decide(now) }
    // The portal stops with a session, a moment before its target does: what was known is outdated.
    return isThere ? [] : ask()
  }

  private mutating func reload(_ now: Int) -> [Action] {
    // Even if it was started in vain before.
    isDue = portalIsThere == false
    starts = []
    guard case .manager = source else { return decide(now) }
    return isDue ? ask() : []
  }

  private mutating func ask() -> [Action] {
    guard case .manager = source else { return [] }
    guard !isAsking else {
      asksAgain = true
      return []
    }
    isAsking = true
    asked += 1
    return [.ask(asked)]
  }

  private mutating func told(_ question: Question, _ answer: Manager?, _ now: Int) -> [Action] {
    guard isAsking, question == asked else { return [] }
    isAsking = false
    if asksAgain {
      // The answer may be older than what has happened since.
      asksAgain = false
      return ask()
    }
    guard let answer else { return [] }
    learn(answer)
    return decide(now)
  }

  private mutating func learn(_ next: Manager) {
    let isUp = memory.isSessionUp(next, hasOwnDisplay: hasOwnDisplay)
    // Changes that may have kept the portal from starting: for example, xdg-desktop-portal 1.21 needs the active
    // target.
    let isNews = self.isUp != true || next.displays != manager.displays || next.isActive && !manager.isActive
    if isUp, isNews, portalIsThere == false { isDue = true }
    if isUp, self.isUp != true { starts = [] }
    self.isUp = isUp
    manager = next
  }

  private mutating func decide(_ now: Int) -> [Action] {
    if case .ownEnvironment = source { isUp = memory.isSessionUp(nil, hasOwnDisplay: hasOwnDisplay) }
    guard isDue, isUp == true, portalIsThere == false, !manager.hasPortalJob else { return [] }
    isDue = false
    starts.removeAll { now - $0 > Limits.portalStartsWithin }
    guard starts.count < Limits.portalStarts else {
      let advice =
        "see 'journalctl --user -u xdg-desktop-portal'; 'systemctl --user reload themed' starts it again"
      return [.warn("the portal keeps exiting, so themed no longer starts it: \(advice)")]
    }
    starts.append(now)
    return [.startPortal]
  }
}
