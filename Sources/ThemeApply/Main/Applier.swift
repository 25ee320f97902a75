// Either module may own timespec: the one whose header the compiler meets first.
internal import CThemedLinux
internal import Glibc
internal import ThemeClientCore
public import ThemedLog
internal import ThemedText
internal import ThemedUnix

/// The program themed-apply: one loop, around one set of descriptors, which never waits for anything else.
///
/// What happens becomes an ``Apply/Event``; what follows is carried out by ``perform(_:)``. What may wait is done by
/// threads: each run has one, and so have the reading of files and `status.json`.
public final class Applier {
  /// What the command line asks for.
  public struct Options: Sendable {
    /// Whether more than changes and problems go to the log.
    public var isVerbose = false
    /// Whether it ends when all has been done once.
    public var isOnce = false

    /// To serve.
    public init() {}
  }

  /// What its descriptors are, by their numbers; those of who is followed are behind.
  private enum Part: UInt64 {
    case signals, alarm, mailbox, files, terminals, reader, reporter, followers
  }

  private let options: Options
  private let log: Log
  private let surroundings: Surroundings
  private let parts: WatchedParts
  private let alarm: Alarm
  private let mailbox: Mailbox
  private let signals: SignalDescriptor
  private var terminals: TerminalWatch?
  private var unopened = UnopenedTerminals()
  private let files: FilesInput
  private let reporter: Reporter
  private let lock: InstanceLock

  private var core: Apply
  private var runs: [LaneName: Run] = [:]
  private let followers: Followers
  /// When to go on by itself, and why.
  private var coreDeadline: Int?
  private var endDeadline: Int?
  private var isQuit = false
  /// Whether it ends as it cannot follow anybody.
  private var hasLostAll = false

  /// Prepares everything; throws where it cannot work, as where another one does.
  public init(_ options: Options, _ log: Log) throws(StartFault) {
    self.options = options
    self.log = log
    if options.isVerbose { log.logger.level = .debug }
    surroundings = Surroundings(logger: log.logger, outputs: OutputKeeper())
    let places = surroundings.places
    do throws(SystemError) {
      // Before any thread.
      signals = try SignalDescriptor([SIGTERM, SIGINT, SIGHUP, SIGCHLD])
      let parts = try WatchedParts()
      self.parts = parts
      alarm = try Alarm()
      mailbox = try Mailbox()
      lock = try InstanceLock(places)
      files = try FilesInput(places, log)
      reporter = try Reporter(places, log)
      let finished = reporter.hooksFinishedBefore()
      core = Apply(isOnce: options.isOnce, finished: options.isOnce ? [:] : finished)
      followers = Followers(numberedBehind: Part.followers.rawValue, parts, log)
      try parts.add(signals.descriptor.raw, as: Part.signals.rawValue)
      try parts.add(alarm.descriptor.raw, as: Part.alarm.rawValue)
      try parts.add(mailbox.descriptor, as: Part.mailbox.rawValue)
      try parts.add(files.changes, as: Part.files.rawValue)
      try parts.add(files.readings, as: Part.reader.rawValue)
      for raw in reporter.descriptors { try parts.add(raw, as: Part.reporter.rawValue) }
    } catch {
      throw StartFault(
        error.code == EWOULDBLOCK ? "another themed-apply runs; it does what there is to do" : error.description)
    }
    adoptOrphans()
  }

  /// Serves until it is told to end, or nothing is left to do; the exit status.
  public func run() -> Int32 {
    files.read()
    while !isQuit {
      setAlarm()
      for number in parts.wait() { attend(to: number) }
      takeReading()
    }
    reporter.end()
    return hasLostAll || options.isOnce && core.hasFailed ? 1 : 0
  }

  // MARK: What happens

  private func attend(to number: UInt64) {
    switch Part(rawValue: number) {
    case .signals?: while let signal = signals.next() { take(signal) }
    case .alarm?:
      alarm.set(afterMilliseconds: nil)
      timePassed()
    case .mailbox?:
      for letter in mailbox.take() { take(letter) }
      if runs.isEmpty { giveMemoryBack() }
    case .files?: files.changed()
    case .reader?: files.finish()
    case .reporter?: reporter.finish()
    case .terminals?:
      if terminals?.drain() == true { unopened.forget() }
      handle(.terminalOpened)
    case .followers?, nil:
      followers.receive(number) { handle(.shown(to: $0, Shown($1))) }
    }
  }

  private func take(_ signal: CInt) {
    switch signal {
    case SIGCHLD: surroundings.children.reap()
    case SIGHUP:
      files.read()
      handle(.again)
    default:
      endDeadline = monotonicMilliseconds() + Limits.end
      handle(.end)
    }
  }

  private func take(_ letter: Mailbox.Letter) {
    switch letter {
    case .ended(let lane, let outcome):
      runs[lane] = nil
      terminals?.watch(unopened.take(outcome.unopened, by: lane))
      let wasTold = outcome.problem.map { core.lanes[lane]?.hasTold($0) == true } ?? false
      reporter.tell(lane, outcome, wasTold: wasTold)
      handle(.ended(lane, outcome))
    }
  }

  private func takeReading() {
    guard let reading = files.take() else { return }
    let before = core.setup
    handle(.setup(reading.setup))
    reporter.tell(reading, core, before: before)
  }

  private func timePassed() {
    let now = monotonicMilliseconds()
    files.timePassed(now: now)
    if let endDeadline, endDeadline <= now { isQuit = true }
    follow { () throws(ThemeClientError) in try followers.timePassed(now: now) }
    if let coreDeadline, coreDeadline <= now { handle(.timePassed) }
  }

  private func setAlarm() {
    let times = [coreDeadline, endDeadline, files.deadline, followers.deadline]
    let next = times.compactMap(\.self).min()
    alarm.set(afterMilliseconds: next.map { max(0, $0 - monotonicMilliseconds()) })
  }

  // MARK: What follows

  private func handle(_ event: Apply.Event) {
    var clock = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &clock)
    let hasWaited = core.waitsForDesktop
    let effects = core.handle(event, now: monotonicMilliseconds(), clock: Int64(clock.tv_sec))
    if core.waitsForDesktop, !hasWaited { log.debug("waits for the desktop, which has not been heard yet") }
    for effect in effects { perform(effect) }
    if effects.contains(.report) { reporter.tell(core) }
  }

  private func perform(_ effect: Apply.Effect) {
    switch effect {
    case .follow(let names):
      follow { () throws(ThemeClientError) in try followers.follow(names) }
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
        "start", Problem(text: "there is no room for it: \(error)", advice: "end other programs"), mendsItself: true)
      mailbox.post(.ended(lane, outcome))
    }
  }

  /// Follows somebody; where nobody can be followed it ends, and the service manager starts it again.
  private func follow(_ body: () throws(ThemeClientError) -> Void) {
    do throws(ThemeClientError) { try body() } catch {
      log.error("what is shown cannot be followed: \(error)")
      (isQuit, hasLostAll) = (true, true)
    }
  }

  private func watchTerminals(_ isOn: Bool) {
    guard isOn != (terminals != nil) else { return }
    guard isOn else {
      if let raw = terminals?.descriptor.raw { parts.remove(raw) }
      terminals = nil
      return
    }
    do throws(SystemError) {
      let watch = try TerminalWatch()
      try parts.add(watch.descriptor.raw, as: Part.terminals.rawValue)
      terminals = consume watch
    } catch {
      log.warning("new windows of terminals get their colours with the next change only: \(error)")
    }
  }
}

/// Why it cannot start.
public struct StartFault: Error, CustomStringConvertible {
  /// In words, with what to do.
  public let description: String

  init(_ description: String) { self.description = description }
}
