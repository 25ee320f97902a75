internal import ThemeApps
internal import ThemedClientCore
internal import ThemedInterface
internal import ThemedModel
internal import ThemedSystem

/// Decides which apps and hooks have to run, from what happens: pure.
struct Apply: Sendable {
  /// Something that happened.
  enum Event: Sendable {
    /// The files have been read, with these apps and hooks.
    case setup(Setup)
    /// The daemon shows this state to an app, or to all if there is no name.
    case shown(to: Text?, Shown)
    /// A run has ended.
    case ended(LaneName, Outcome)
    /// A terminal was opened somewhere.
    case terminalOpened
    /// The daemon tells its wish for the desktop.
    case duty(DesktopDuty)
    /// A setting of the desktop has changed.
    case desktopChanged
    /// The user asks to do everything again.
    case again
    /// The alarm has rung.
    case timePassed
    /// The program has to exit.
    case end
  }

  /// A task for the caller.
  enum Effect: Sendable, Hashable {
    /// Follow the states of these names, and of no others.
    case follow(Set<Text?>)
    /// Start or stop watching for new terminals.
    case watchTerminals(Bool)
    /// Start a run.
    case start(LaneName, Job)
    /// Notify a run that a newer one waits.
    case supersede(LaneName)
    /// Stop a run and everything that it started.
    case end(LaneName)
    /// Set the alarm; nil for none.
    case alarm(Int?)
    /// Write `status.json`, whose content has changed.
    case report
    /// Nothing is left to do.
    case quit
  }

  /// Whether the program exits when everything was done once.
  let isOnce: Bool
  private(set) var lanes: [LaneName: Lane] = [:]
  private(set) var setup: Setup?
  /// When the reading of the files began from which ``setup`` comes, on the monotonic clock.
  var readAt: Int?
  private var shown: [Text?: Shown] = [:]
  /// States that are shown before the desktop has answered, for which nothing runs until ``patience`` is over.
  private var guesses: [Text?: Shown] = [:]
  /// When guesses count as final; nil until a state is shown.
  private var patience: Int?
  private(set) var isEnding = false
  /// The daemon's wish for the desktop; nil if it has not told it.
  private var duty: DesktopDuty?
  /// Whether anything is remembered of the desktop's settings.
  private var keepsDesktop: Bool
  /// When the desktop's settings are read again.
  private var desktopDue: Int?
  /// When they are read again at the latest, since something may change all the time.
  private var desktopLatest = 0
  /// The hooks that had finished before this program started, by the state that was shown.
  private var finished: [Text: UInt64]
  private var queue: RunQueue
  /// Whether a state is shown for which nothing runs before the desktop has answered.
  var waitsForDesktop: Bool { !guesses.isEmpty }
  /// Whether a run failed.
  var hasFailed: Bool { lanes.values.contains { $0.outcome?.problem != nil } || setup?.unusable.isEmpty == false }

  init(
    isOnce: Bool = false, finished: [Text: UInt64] = [:], keepsDesktop: Bool = false, queue: RunQueue = RunQueue()
  ) {
    self.isOnce = isOnce
    self.keepsDesktop = keepsDesktop
    self.finished = finished
    self.queue = queue
  }

  /// The hooks that have finished, by the state that was shown; a running hook has not finished.
  var finishedHooks: [Text: UInt64] {
    var all = finished
    for (name, lane) in lanes where name.kind == .hook && !running.contains(name) {
      if case .hook(let hook, let shown)? = lane.done { all[hook.name] = shown.fingerprint }
    }
    return all
  }

  /// Takes the hooks that had finished in an earlier session; what an earlier process has finished since counts more.
  mutating func remember(_ earlier: [Text: UInt64]) { finished.merge(earlier) { own, _ in own } }

  /// Handles an event at a time, in milliseconds and by the clock, and returns what to do, in order.
  mutating func handle(_ event: Event, now: Int, clock: Int64) -> [Effect] {
    let alarm = nextAlarm
    var effects = take(event, now: now, clock: clock)
    for name in lanes.keys.sorted() where isLeft(name) { lanes[name] = nil }
    effects += startQueued(now: now)
    if nextAlarm != alarm { effects.append(.alarm(nextAlarm)) }
    if isOver { effects.append(.quit) }
    return effects
  }

  private mutating func take(_ event: Event, now: Int, clock: Int64) -> [Effect] {
    switch event {
    case .setup(let setup): return isEnding ? [] : take(setup)
    case .shown(let name, let state):
      guard !isEnding else { return [] }
      let end = patience ?? now + Limits.firstWord
      (patience, guesses[name]) = (end, nil)
      if state.isGuess, now < end, state != shown[name] {
        guesses[name] = state
        return []
      }
      return show(state, to: name)
    case .ended(let name, let outcome):
      let effects = step(name) { $0.ended(outcome, now: now, clock: clock) }
      if name.kind == .desktop { return effects + endedDesktop(outcome) + [.report] }
      // darkman's scripts for the other scheme have waited for this one.
      return effects + (name.kind == .hook && !isEnding ? askAll { $0.kind == .hook } : []) + [.report]
    case .terminalOpened:
      return lanes.keys.sorted().filter { $0.kind == .terminal && wanted(by: $0) != nil }
        .flatMap { step($0) { $0.again(\.forNew) } }
    case .duty(let new):
      guard !isEnding, new != duty else { return [] }
      duty = new
      return lookAfterDesktop()
    case .desktopChanged:
      // A switch of the desktop's own changes several settings, one after the other.
      guard !isEnding, lanes[.desktop] != nil else { return [] }
      if desktopDue == nil { desktopLatest = now + Limits.desktopBusy }
      desktopDue = min(now + Limits.desktopQuiet, desktopLatest)
      return []
    case .again:
      return lanes.keys.sorted().flatMap { step($0) { $0.again(\.forAll) } }
    case .timePassed:
      let guesses = patience.map { $0 <= now } == true ? guesses : [:]
      for name in guesses.keys { self.guesses[name] = nil }
      let isDue = desktopDue.map { $0 <= now } == true
      if isDue { desktopDue = nil }
      let again = isDue ? step(.desktop) { $0.again() } : []
      return again + guesses.sorted { ($0.key ?? "") < ($1.key ?? "") }.flatMap { show($0.value, to: $0.key) }
        + lanes.keys.sorted().flatMap { step($0) { $0.timePassed(now: now) } }
    case .end:
      (isEnding, guesses) = (true, [:])
      for name in lanes.keys where lanes[name]?.queued == nil || lanes[name]?.takesBack != true {
        lanes[name]?.forget()
      }
      // Giving terminals their own colours back takes a second at most, and no later run would do it.
      return [.follow([])] + running.filter { lanes[$0]?.takesBack != true }.map { .end($0) }
    }
  }

  /// Handles a state of an app, or with nil of the hooks.
  private mutating func show(_ state: Shown, to name: Text?) -> [Effect] {
    shown[name] = state
    defer {
      // What an earlier process finished counts for the first state only.
      if name == nil { finished = [:] }
    }
    return askAll { $0.followed == name }
  }

  // MARK: What is enabled

  private mutating func take(_ new: Setup) -> [Effect] {
    let old = setup
    let new = new.keeping(old)
    guard new != old else { return [] }
    setup = new
    let names = laneNames
    let followed = Set(names.map(\.followed))
    var effects: [Effect] = []
    for name in lanes.keys.sorted() where !names.contains(name) { effects += remove(name, old) }
    for name in names where lanes[name] == nil { lanes[name] = Lane() }
    if !names.contains(.desktop) { desktopDue = nil }
    shown = shown.filter { followed.contains($0.key) }
    guesses = guesses.filter { followed.contains($0.key) }
    effects.append(.follow(followed))
    effects.append(.watchTerminals(names.contains { $0.kind == .terminal }))
    effects += askAll { _ in true }
    return effects + [.report]
  }

  /// Stops what is no longer enabled, after terminals have got their own colours back.
  private mutating func remove(_ name: LaneName, _ old: Setup?) -> [Effect] {
    if lanes[name]?.takesBack == true { return [] }
    if name.kind == .terminal, let recipe = old?.recipes.first(where: { $0.app.name == name.name }) {
      return step(name) { $0.want(.takeBack(recipe)) }
    }
    lanes[name]?.forget()
    return running.contains(name) ? [.end(name)] : []
  }

  /// The lanes of everything that is enabled.
  private var laneNames: Set<LaneName> {
    guard let setup else { return [] }
    let apps = setup.recipes.map { LaneName(kind: .app, name: $0.app.name) }
    let terminals = setup.recipes.filter { $0.app.terminal != nil }.map { LaneName(kind: .terminal, name: $0.app.name) }
    let hooks = setup.hooks.map { LaneName(kind: .hook, name: $0.name) }
    return Set(apps + terminals + hooks + (hasDesktop ? [.desktop] : []))
  }

  /// Whether the desktop's settings are kept in step, or something of them is still to be given back.
  private var hasDesktop: Bool {
    guard let duty else { return false }
    return duty.isInStep || duty.target != nil || keepsDesktop
  }

  /// Adds or removes the lane of the desktop, or asks it for what has to be done now.
  private mutating func lookAfterDesktop() -> [Effect] {
    guard setup != nil else { return [] }
    guard (lanes[.desktop] != nil) != hasDesktop else { return askAll { $0.kind == .desktop } }
    var effects: [Effect] = []
    if hasDesktop { lanes[.desktop] = Lane() } else { effects = remove(.desktop, nil) }
    effects.append(.follow(Set(laneNames.map(\.followed))))
    return effects + askAll { $0.kind == .desktop } + [.report]
  }

  /// Takes the news about the memory of the desktop.
  private mutating func endedDesktop(_ outcome: Outcome) -> [Effect] {
    guard let report = outcome.desktop else { return [] }
    keepsDesktop = report.keepsMemory
    return hasDesktop ? [] : lookAfterDesktop()
  }

  // MARK: What is wanted

  /// The job of a lane for the current state; nil if the lane has no job, or no state is known yet.
  private func wanted(by name: LaneName) -> Job? {
    guard let setup, let shown = shown[name.followed] else { return nil }
    switch name.kind {
    case .app: return setup.recipes.first { $0.app.name == name.name }.map { .app($0, shown) }
    case .terminal:
      let recipe = setup.recipes.first { $0.app.name == name.name && $0.app.terminal != nil }
      return recipe.map { .terminals($0, shown, onlyNew: false) }
    case .hook:
      let hook = setup.hooks.first { $0.name == name.name }
      return hook.flatMap { $0.scheme == nil || $0.scheme == shown.state.scheme ? .hook($0, shown) : nil }
    case .desktop:
      // Once its settings are given back, nothing is left to do.
      guard let duty, hasDesktop else { return nil }
      if duty.isInStep {
        // The daemon sends both, and the one that comes later fits.
        if let target = duty.target, target.scheme != shown.state.scheme { return nil }
        // The desktop itself knows better.
        if shown.isGuess { return nil }
      }
      return .desktop(
        DesktopJob(
          recipes: setup.desktops, shown: shown, isInStep: duty.isInStep, target: duty.target, asked: duty.asked))
    }
  }

  /// Whether a hook for one scheme has to wait for a running hook of the other scheme, so that the later one runs last.
  private func isHeldUp(_ job: Job) -> Bool {
    guard case .hook(let hook, _) = job, let scheme = hook.scheme else { return false }
    return lanes.values.contains { lane in
      guard case .running(.hook(let other, _)) = lane.phase, let its = other.scheme else { return false }
      return its != scheme
    }
  }

  private mutating func askAll(_ isMeant: (LaneName) -> Bool) -> [Effect] {
    lanes.keys.sorted().filter(isMeant).flatMap { name -> [Effect] in
      guard let job = wanted(by: name) else {
        // It is for the other scheme: the next time it is called for, it has to run again.
        if shown[name.followed] != nil, lanes[name]?.takesBack != true { lanes[name]?.forget() }
        // What it is about to write is no longer right.
        return name.kind == .desktop && running.contains(name) ? [.supersede(name)] : []
      }
      guard !isHeldUp(job) else { return [] }
      if case .hook(let hook, let shown) = job, finished.removeValue(forKey: hook.name) == shown.fingerprint {
        lanes[name]?.adopt(job)
      }
      return step(name) { $0.want(job) }
    }
  }

  private mutating func step(_ name: LaneName, _ change: (inout Lane) -> Lane.Step?) -> [Effect] {
    guard var lane = lanes[name] else { return [] }
    let step = change(&lane)
    lanes[name] = lane
    switch step {
    case .queue?:
      queue.append(name)
      return []
    case .supersede?: return [.supersede(name)]
    case nil: return []
    }
  }

  /// Starts the lanes whose turn it is.
  private mutating func startQueued(now: Int) -> [Effect] {
    var effects: [Effect] = []
    for name in queue.waiting { lanes[name]?.rest(now: now) }
    for name in queue.next(lanes, now: now) {
      guard let job = lanes[name]?.begin(now: now) else { continue }
      effects.append(.start(name, job))
    }
    return effects.isEmpty ? [] : effects + [.report]
  }

  private var running: [LaneName] {
    lanes.filter(\.value.isRunning).keys.sorted()
  }

  /// Whether a lane has done its last job.
  private func isLeft(_ name: LaneName) -> Bool {
    lanes[name]?.isSettled == true && (isEnding || !laneNames.contains(name))
  }

  private var nextAlarm: Int? {
    [lanes.values.compactMap(\.deadline).min(), queue.roomAt, guesses.isEmpty ? nil : patience, desktopDue]
      .compactMap(\.self).min()
  }

  private var isOver: Bool {
    guard running.isEmpty else { return false }
    if isEnding { return true }
    guard isOnce, let setup else { return false }
    if setup.isEmpty { return lanes.isEmpty }
    return !awaitsState && !lanes.values.contains(where: \.comesAgain)
  }

  /// Whether a state that is followed has not been told yet.
  var awaitsState: Bool { laneNames.contains { shown[$0.followed] == nil } }
}

extension LaneName {
  /// The name whose state the lane follows.
  var followed: Text? { kind == .hook || kind == .desktop ? nil : name }
}
