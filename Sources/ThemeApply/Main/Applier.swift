internal import CThemedLinux
internal import Glibc
internal import ThemedClientCore
internal import ThemedInterface
internal import ThemedModel
public import ThemedSystem

/// The program themed-apply: everything on the main loop, which never waits for anything else.
///
/// Everything that happens becomes an ``Apply/Event``; ``perform(_:)`` carries out the effects. Threads do what may wait:
/// each run has one, and so have reading files and writing `status.json`.
public final class Applier: StateReceiver {
  /// The options of the command line.
  public struct Options: Sendable {
    /// Whether the log gets more than changes and problems.
    public var isVerbose = false
    /// Whether the program exits when everything was done once.
    public var isOnce = false

    /// The default options.
    public init() {}
  }

  /// The signals that the loop handles.
  private static let handled = [SIGTERM, SIGINT, SIGHUP, SIGCHLD]

  private let options: Options
  private let log: Log
  private let surroundings: Surroundings
  private let mailbox: Mailbox<Run.Report>
  private var signals: SignalWatch?
  private var sources: [Source] = []
  private var terminals: TerminalWatch?
  private var unopened = UnopenedTerminals()
  private let files: FilesInput
  private let reporter: Reporter
  private let lock: InstanceLock

  private var core: Apply
  private var runs: [LaneName: Run] = [:]
  private let followers: Followers
  private let duty: DutyFollower
  private let desktopWatch: DesktopWatch
  /// When the loop goes on by itself, and why.
  private var coreDeadline: Int?
  private var endDeadline: Int?
  /// When `--once` gives up, because the daemon has not told every state.
  private var stateDeadline: Int?
  private var isQuit = false
  /// Whether the program exits because it cannot follow any state.
  private var hasLostAll = false

  /// Prepares everything; throws if the program cannot work, for example because another one is running.
  public init(_ options: Options, _ log: Log) throws(StartFault) {
    self.options = options
    self.log = log
    if options.isVerbose { log.logger.level = .debug }
    surroundings = Surroundings(logger: log.logger, outputs: OutputKeeper())
    let places = surroundings.places
    do throws(SystemError) {
      // Before any thread.
      SignalWatch.hold(Self.handled)
      mailbox = try Mailbox()
      lock = try InstanceLock(places)
      files = try FilesInput(places, log)
      reporter = try Reporter(places, log)
      let finished = reporter.hooksFinishedBefore()
      core = Apply(
        isOnce: options.isOnce, finished: options.isOnce ? [:] : finished,
        keepsDesktop: surroundings.desktops.isThere)
      followers = Followers(log)
      duty = DutyFollower(log)
      desktopWatch = DesktopWatch(places, log)
      duty.onDuty = { [unowned self] in handle(.duty($0)) }
      desktopWatch.onChange = { [unowned self] in handle(.desktopChanged) }
      signals = try SignalWatch(Self.handled) { [unowned self] in take($0) }
      sources = [
        try EventLoop.main.watch(mailbox.descriptor, for: .readable) { [unowned self] _ in takeReports() },
        try EventLoop.main.watch(files.changes, for: .readable) { [unowned self] _ in files.changed() },
        try EventLoop.main.watch(files.readings, for: .readable) { [unowned self] _ in files.finish() },
      ]
      if let programs = surroundings.programs {
        sources.append(
          try EventLoop.main.watch(programs.descriptor, for: .readable) { [unowned self] _ in
            if programs.haveStarted() { handle(.desktopChanged) }
          })
      }
      for raw in reporter.descriptors {
        sources.append(try EventLoop.main.watch(raw, for: .readable) { [unowned self] _ in reporter.finish() })
      }
    } catch {
      throw StartFault(
        error.code == EWOULDBLOCK ? "another themed-apply is already running" : error.description)
    }
    followers.receiver = self
    // Orphans become children of this process, so that it can collect their exit statuses.
    _ = themed_adopt_orphans()
  }

  /// Runs until it is stopped or nothing is left to do, and returns the exit status.
  public func run() -> Int32 {
    files.read()
    // Once is too short to know what the user does by hand meanwhile.
    if !options.isOnce { duty.start() }
    while !isQuit {
      let deadlines = [coreDeadline, endDeadline, stateDeadline, files.deadline, followers.deadline, duty.deadline]
      EventLoop.main.turn(until: deadlines.compactMap(\.self).min())
      timePassed()
      takeReading()
    }
    reporter.end()
    return hasLostAll || options.isOnce && core.hasFailed ? 1 : 0
  }

  // MARK: What happens

  private func take(_ signal: CInt) {
    switch signal {
    case SIGCHLD: surroundings.children.reap()
    case SIGHUP:
      files.read()
      handle(.again)
    default:
      duty.stop()
      endDeadline = monotonicMilliseconds() + Limits.end
      handle(.end)
    }
  }

  func shown(_ state: State, to name: Text?) {
    handle(.shown(to: name, Shown(state)))
  }

  private func takeReports() {
    for report in mailbox.take() {
      let (lane, outcome) = (report.lane, report.outcome)
      runs[lane] = nil
      if let desktop = outcome.desktop { desktopWatch.follow(desktop.signals) }
      terminals?.watch(unopened.take(outcome.unopened, by: lane))
      let wasTold = outcome.problem.map { core.lanes[lane]?.hasTold($0) == true } ?? false
      reporter.tell(lane, outcome, wasTold: wasTold)
      handle(.ended(lane, outcome))
    }
    if runs.isEmpty { giveMemoryBack() }
  }

  private func takeReading() {
    guard let reading = files.take() else { return }
    let before = core.setup
    if before == nil, options.isOnce { stateDeadline = monotonicMilliseconds() + Limits.firstState }
    if before == nil, !options.isOnce { core.remember(reading.finished) }
    core.readAt = reading.begin
    handle(.setup(reading.setup))
    reporter.tell(core)
    reporter.tell(reading, core, before: before)
  }

  private func timePassed() {
    let now = monotonicMilliseconds()
    files.timePassed(now: now)
    if let endDeadline, endDeadline <= now { isQuit = true }
    if let deadline = stateDeadline, deadline <= now {
      stateDeadline = nil
      log.error("cannot follow themed: it has not answered for \(Limits.firstState / 1_000) s; run 'themectl doctor'")
      (isQuit, hasLostAll) = (true, true)
    }
    follow { () throws(CallError) in try followers.timePassed(now: now) }
    duty.timePassed(now: now)
    if let coreDeadline, coreDeadline <= now { handle(.timePassed) }
  }

  // MARK: What follows

  private func handle(_ event: Apply.Event) {
    let hasWaited = core.waitsForDesktop
    let effects = core.handle(event, now: monotonicMilliseconds(), clock: WallClock.now)
    if core.waitsForDesktop, !hasWaited { log.debug("waiting for the desktop's first answer") }
    if core.setup != nil, !core.awaitsState { stateDeadline = nil }
    for effect in effects { perform(effect) }
    if effects.contains(.report) { reporter.tell(core) }
  }

  private func perform(_ effect: Apply.Effect) {
    switch effect {
    case .follow(let names):
      follow { () throws(CallError) in try followers.follow(names) }
    case .watchTerminals(let isOn): watchTerminals(isOn)
    case .start(let lane, let job): start(lane, job)
    case .supersede(let lane): runs[lane]?.supersede()
    case .end(let lane): runs[lane]?.end()
    case .alarm(let time): coreDeadline = time
    case .report: break
    case .quit: isQuit = true
    }
  }

  private func start(_ lane: LaneName, _ job: Job) {
    do throws(SystemError) {
      let run = try Run(lane, surroundings, mailbox: mailbox)
      runs[lane] = run
      try startThread { run.finish(job.perform(run)) }
    } catch {
      runs[lane] = nil
      var outcome = Outcome()
      outcome.fail(
        "start", Problem(text: "cannot start the run: \(error)", advice: "quit some other programs"), mendsItself: true)
      mailbox.post(Run.Report(lane: lane, outcome: outcome))
    }
  }

  /// Follows a state; if no state can be followed, the program exits, and the service manager restarts it.
  private func follow(_ body: () throws(CallError) -> Void) {
    do throws(CallError) { try body() } catch {
      log.error("cannot follow themed: \(error)")
      (isQuit, hasLostAll) = (true, true)
    }
  }

  private func watchTerminals(_ isOn: Bool) {
    guard isOn != (terminals != nil) else { return }
    guard isOn else {
      terminals = nil
      return
    }
    do throws(SystemError) {
      terminals = try TerminalWatch { [unowned self] isNew in
        if isNew { unopened.forget() }
        handle(.terminalOpened)
      }
    } catch {
      log.warning("new terminal windows get their colours only at the next change: \(error)")
    }
  }
}

/// Why the program cannot start.
public struct StartFault: Error, CustomStringConvertible {
  /// In words, with what to do.
  public let description: String

  init(_ description: String) { self.description = description }
}
