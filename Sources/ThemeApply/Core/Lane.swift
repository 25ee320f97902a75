/// The pending work of an app, its terminals or a hook, which decides what runs next: pure.
///
/// A lane has one run at a time, and then the newest job that was requested meanwhile. Failures that may pass by
/// themselves are tried again after growing delays; a new request starts again at once.
struct Lane: Sendable, Hashable {
  /// A task for the caller.
  enum Step: Sendable, Hashable {
    /// Start the next job as soon as there is room.
    case queue
    /// The current run is no longer the newest, so it should not wait for anything.
    case supersede
  }

  /// The phase of the lane.
  enum Phase: Sendable, Hashable {
    case idle
    /// This job runs as soon as there is room.
    case queued(Job)
    /// This job is running.
    case running(Job)
    /// The job failed or is not complete; it goes on at this time.
    case waiting(until: Int)
  }

  private(set) var phase = Phase.idle
  /// The next job; while another runs, the one after it.
  private(set) var wanted: Job?
  /// The last job that succeeded.
  private(set) var done: Job?
  /// The outcome of the last run, and its time in seconds since the epoch.
  private(set) var outcome: Outcome?
  private(set) var when: Int64?
  private(set) var lastShown: Shown?
  /// When the current run started.
  private(set) var startedAt = 0
  private var attempts = 0
  /// The end of the pause in which the program reads the last change.
  private var restsUntil = 0
  /// Whether the running job was superseded or cancelled, so that its result does not count as done.
  private var isStale = false
  /// Whether the running job looks again at files that could not be opened before, and are watched since then.
  private var looksAgain = false

  var isRunning: Bool { if case .running = phase { true } else { false } }

  /// Whether nothing is running and nothing is to be done.
  var isSettled: Bool { phase == .idle }

  /// Whether the last job is to give terminals their own colours back.
  var takesBack: Bool {
    switch (wanted, phase) {
    case (.takeBack?, _), (nil, .queued(.takeBack)), (nil, .running(.takeBack)): true
    default: false
    }
  }

  /// Whether a process still has to be notified later.
  private(set) var comesAgain = false

  /// Marks a job as done by an earlier process.
  mutating func adopt(_ job: Job) { if phase == .idle { (done, lastShown) = (job, job.shown) } }

  /// When to go on by itself.
  var deadline: Int? { if case .waiting(let time) = phase { time } else { nil } }

  /// The job that waits for room.
  var queued: Job? { if case .queued(let job) = phase { job } else { nil } }

  /// Whether this problem was reported before for the same state, as when a job is tried again or for each new window.
  func hasTold(_ problem: Problem) -> Bool {
    guard case .running(let job) = phase else { return false }
    return outcome?.problem == problem && lastShown == job.shown
  }

  /// Makes the waiting job wait for the end of the program's pause.
  mutating func rest(now: Int) {
    guard let job = queued, now < restsUntil else { return }
    // Without `done`, a wish for the state that the program was told last is not dropped as done.
    (phase, wanted, done, comesAgain) = (.waiting(until: restsUntil), job, nil, true)
  }

  /// Starts the job that waits for room.
  mutating func begin(now: Int) -> Job? {
    guard let job = queued else { return nil }
    (phase, startedAt) = (.running(job), now)
    return job
  }

  /// Sets the next job, instead of any earlier one.
  mutating func want(_ job: Job) -> Step? {
    switch phase {
    case .running(let current):
      // A part of a job runs only after the whole job. What was to be repeated afterwards still is.
      if current.forAll == job, !isStale { return nil }
      (wanted, isStale) = (job, true)
      return .supersede
    case .idle where done == job: return nil
    // A job that failed at all its attempts is not started again for the same state; a waiting job may be a part of it.
    case .idle where wanted?.forAll == job: return nil
    case .waiting where wanted?.forAll == job || done == job: return nil
    case .queued(let current) where current.forAll == job: return nil
    case .idle, .queued, .waiting:
      attempts = 0
      return start(job)
    }
  }

  /// Repeats the last job for new processes or terminals.
  mutating func again(_ change: (Job) -> Job = { $0 }) -> Step? {
    switch phase {
    case .running(let current):
      if !isStale, wanted?.isPart != false { wanted = change(wanted ?? current) }
      return nil
    case .queued(let current):
      // The queued job may cover more than the new one.
      phase = .queued(current.isPart ? change(current) : current)
      return nil
    case .idle, .waiting:
      guard let job = wanted ?? done else { return nil }
      attempts = 0
      return start(change(job))
    }
  }

  /// Handles the outcome of the run.
  mutating func ended(_ outcome: Outcome, now: Int, clock: Int64) -> Step? {
    guard case .running(let job) = phase else { return nil }
    phase = .idle
    restsUntil = job.restTime > 0 ? now + job.restTime : 0
    defer { isStale = false }
    let all = job.isPart ? outcome.completing(self.outcome) : outcome
    self.outcome = all
    (when, lastShown) = (clock, job.shown)
    if let next = wanted {
      done = nil
      attempts = 0
      return start(next)
    }
    guard !isStale else { return nil }
    if outcome.problem != nil, outcome.mendsItself, attempts < Limits.retries.count {
      (done, wanted) = (nil, job.forNew)
      phase = .waiting(until: now + Limits.retries[attempts])
      attempts += 1
      return nil
    }
    (done, wanted) = all.problem == nil ? (job.forAll, nil) : (nil, job.forAll)
    if all.problem == nil { attempts = 0 }
    // A program that opened its terminal between the search and the watch was not reported, so search once more.
    if !outcome.unopened.isEmpty, !looksAgain {
      let step = start(job.forNew)
      looksAgain = true
      return step
    }
    if let time = outcome.comesAgain {
      wanted = job.rest(outcome)
      phase = .waiting(until: now + time)
      comesAgain = true
    }
    return nil
  }

  /// Tries a failed job again if its time has come.
  mutating func timePassed(now: Int) -> Step? {
    guard case .waiting(let time) = phase, time <= now, let job = wanted else { return nil }
    return start(job)
  }

  /// Drops the next job, and forgets what was done.
  mutating func forget() {
    (wanted, done) = (nil, nil)
    comesAgain = false
    if case .running = phase { isStale = true }
    switch phase {
    case .queued, .waiting: phase = .idle
    case .idle, .running: break
    }
  }

  private mutating func start(_ job: Job) -> Step {
    phase = .queued(job)
    wanted = nil
    (looksAgain, comesAgain) = (false, false)
    return .queue
  }
}
