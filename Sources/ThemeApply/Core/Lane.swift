/// What one who is kept up to date is behind, and what runs next: pure.
///
/// One run at a time, and then the newest of what was asked for meanwhile. What failed and may mend itself is tried again
/// ever later; what is asked for anew begins anew.
struct Lane: Sendable, Hashable {
  /// What is to be done.
  enum Step: Sendable, Hashable {
    /// Start this run.
    case start(Job)
    /// What runs is no longer the newest: what waits within it has no reason to.
    case supersede
  }

  /// What goes on.
  enum Phase: Sendable, Hashable {
    case idle
    /// This runs.
    case running(Job)
    /// It failed, or somebody is to be told still: it goes on at this time.
    case waiting(until: Int)
  }

  private(set) var phase = Phase.idle
  /// What has to be done still; while something runs, what comes after it.
  private(set) var wanted: Job?
  /// What was done last, and went well.
  private(set) var done: Job?
  /// What came of the last run, and when, in seconds since the epoch.
  private(set) var outcome: Outcome?
  private(set) var when: Int64?
  private(set) var lastShown: Shown?
  private var attempts = 0
  /// Whether what runs was told that it is wanted no longer: it is not what was done then, whatever it did.
  private var isStale = false

  /// Whether nothing runs and nothing is to be.
  var isSettled: Bool { phase == .idle }

  /// Whether terminals are getting their own colours back.
  var takesBack: Bool { if case .running(.takeBack) = phase { true } else { false } }

  /// Whether all went well, and somebody is to be told still.
  var comesAgain: Bool { deadline != nil && outcome?.problem == nil }

  /// Takes this for done, by somebody before us.
  mutating func adopt(_ job: Job) { if phase == .idle { done = job } }

  /// When to go on by itself.
  var deadline: Int? { if case .waiting(let time) = phase { time } else { nil } }

  /// Takes what has to be done from now on, instead of whatever was asked for before.
  mutating func want(_ job: Job) -> Step? {
    switch phase {
    case .running(let current):
      if current == job, !isStale {
        wanted = nil
        return nil
      }
      (wanted, isStale) = (job, true)
      return .supersede
    case .idle where done == job: return nil
    // One that has failed, with all its tries, is tried no more for what it failed for.
    case .idle where wanted == job: return nil
    case .waiting where wanted == job || done == job: return nil
    case .idle, .waiting:
      attempts = 0
      return start(job)
    }
  }

  /// Does again what was done, for what is new by now.
  mutating func again(_ change: (Job) -> Job = { $0 }) -> Step? {
    switch phase {
    case .running(let current):
      if !isStale { wanted = wanted ?? change(current) }
      return nil
    case .idle, .waiting:
      guard let job = wanted ?? done else { return nil }
      attempts = 0
      return start(change(job))
    }
  }

  /// Takes what came of the run.
  mutating func ended(_ outcome: Outcome, now: Int, clock: Int64) -> Step? {
    guard case .running(let job) = phase else { return nil }
    phase = .idle
    defer { isStale = false }
    self.outcome = job.isPart ? outcome.completing(self.outcome) : outcome
    (when, lastShown) = (clock, job.shown)
    if let next = wanted {
      done = nil
      attempts = 0
      return start(next)
    }
    guard !isStale else { return nil }
    guard outcome.problem != nil else {
      (done, attempts) = (job.forAll, 0)
      if let time = outcome.comesAgain {
        wanted = job.rest(outcome)
        phase = .waiting(until: now + time)
      }
      return nil
    }
    (done, wanted) = (nil, job.forNew)
    if outcome.mendsItself, attempts < Limits.retries.count {
      phase = .waiting(until: now + Limits.retries[attempts])
      attempts += 1
    }
    return nil
  }

  /// Tries again what waits for that, if its time has come.
  mutating func timePassed(now: Int) -> Step? {
    guard case .waiting(let time) = phase, time <= now, let job = wanted else { return nil }
    return start(job)
  }

  /// Wants nothing more, and forgets what was done.
  mutating func forget() {
    (wanted, done) = (nil, nil)
    if case .running = phase { isStale = true }
    if case .waiting = phase { phase = .idle }
  }

  private mutating func start(_ job: Job) -> Step {
    phase = .running(job)
    wanted = nil
    return .start(job)
  }
}
