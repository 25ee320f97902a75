internal import CThemedLinux
internal import Glibc
internal import Logging
internal import ThemeClient
public import ThemedLog
internal import ThemedText
internal import ThemedUnix
internal import ThemedVarlink

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

  /// What its descriptors are, by their numbers in the set; those of who is followed, and of leftovers, are behind.
  enum Part: UInt64 { case signals, alarm, mailbox, files, terminals, reader, keeper, hooks, count }

  let options: Options
  let log: Log
  let places = Places()
  let parts: DescriptorSet
  private let alarm: Alarm
  let mailbox: Mailbox
  private let signals: SignalDescriptor
  private let notice: ServiceNotice
  private let children = Children()
  private let terminalMemory = TerminalMemory()
  private let versions = Versions()
  private var terminals: TerminalWatch?
  private let files: FilesInput
  private let status: KeptFile
  private let finishedHooks: KeptFile
  private let lock: InstanceLock

  private var core: Apply
  private var runs: [LaneName: Run] = [:]
  private var followers: [Text?: Follower] = [:]
  private var followed: [UInt64: Text?] = [:]
  private var leftovers: [UInt64: Leftover] = [:]
  /// How much each has written since it was let be, and when those are read again that write too much.
  private var flows: [UInt64: Int] = [:]
  private var resting: [UInt64: Int] = [:]
  private var number: UInt64 = Part.count.rawValue
  /// When to go on by itself, and why.
  private var coreDeadline: Int?
  private var endDeadline: Int?
  private var isQuit = false
  /// Whether it ends as it cannot follow anybody.
  private var hasLostAll = false
  /// What was told of the files.
  private var warnings: Set<String> = []

  /// Prepares everything; throws where it cannot work, as where another one does.
  public init(_ options: Options, _ log: Log) throws(StartFault) {
    self.options = options
    self.log = log
    if options.isVerbose { log.logger.logLevel = .debug }
    do throws(SystemError) {
      // Before any thread.
      signals = try SignalDescriptor([SIGTERM, SIGINT, SIGHUP, SIGCHLD])
      parts = try DescriptorSet()
      alarm = try Alarm()
      mailbox = try Mailbox()
      lock = try InstanceLock(places)
      files = try FilesInput(places, log)
      status = try KeptFile(places, "status.json")
      finishedHooks = try KeptFile(places, "hooks.done")
      let finished = FinishedHooks.reading(finishedHooks.content(atMost: FinishedHooks.maximumSize))
      core = Apply(isOnce: options.isOnce, finished: options.isOnce ? [:] : finished)
      notice = ServiceNotice(places)
      try parts.add(signals.descriptor.raw, as: Part.signals.rawValue)
      try parts.add(alarm.descriptor.raw, as: Part.alarm.rawValue)
      try parts.add(mailbox.descriptor, as: Part.mailbox.rawValue)
      try parts.add(files.changes, as: Part.files.rawValue)
      try parts.add(files.readings, as: Part.reader.rawValue)
      try parts.add(status.descriptor, as: Part.keeper.rawValue)
      try parts.add(finishedHooks.descriptor, as: Part.hooks.rawValue)
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
      for number in parts.ready(.blocking) { attend(to: number) }
      takeReading()
    }
    notice.tell("STOPPING=1")
    status.remove()
    finishedHooks.remove()
    log.info("ends")
    log.finish()
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
      if runs.isEmpty { giveBackWhatRunsNeed() }
    case .files?: files.changed()
    case .reader?: files.finish()
    case .keeper?: status.finish()
    case .hooks?: finishedHooks.finish()
    case .terminals?:
      terminals?.drain()
      handle(.terminalOpened)
    case .count?, nil:
      if let name = followed[number] { receive(name) } else { drain(number) }
    }
  }

  private func take(_ signal: CInt) {
    switch signal {
    case SIGCHLD: children.reap()
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
      terminals?.watch(outcome.unopened)
      report(lane, outcome)
      handle(.ended(lane, outcome))
    case .left(let leftover):
      guard leftovers.count < Limits.leftovers else {
        return log.warning("more than \(Limits.leftovers) programs in the background write; the newest is not read")
      }
      number += 1
      guard (try? parts.add(leftover.descriptor.raw, as: number)) != nil else { return }
      leftovers[number] = leftover
    }
  }

  private func takeReading() {
    guard let reading = files.take() else { return }
    for warning in reading.warnings where !warnings.contains(warning) { log.warning(warning) }
    warnings = Set(reading.warnings)
    let before = core.setup
    handle(.setup(reading.setup))
    if let problem = reading.setup.unknown, before?.unknown != problem {
      log.warning("\(problem.text); \(problem.advice)")
    }
    for app in reading.setup.unusable where before?.unusable.contains(app) != true {
      log.warning("\(app.name.shown()): \(core.words(app)); \(app.problem.advice)")
    }
    let isFirst = before == nil
    // Ready is who knows what to do, also where that is nothing.
    if isFirst { notice.tell("READY=1") }
  }

  private func timePassed() {
    let now = monotonicMilliseconds()
    files.timePassed(now: now)
    if let endDeadline, endDeadline <= now { isQuit = true }
    for name in followers.keys where followers[name]?.deadline.map({ $0 <= now }) == true {
      unfollow(name)
      follow(name)
    }
    for (number, time) in resting where time <= now {
      resting[number] = nil
      if let leftover = leftovers[number] { try? parts.add(leftover.descriptor.raw, as: number) }
    }
    if let coreDeadline, coreDeadline <= now { handle(.timePassed) }
  }

  private func setAlarm() {
    let times = [coreDeadline, endDeadline, files.deadline, resting.values.min()] + followers.values.map(\.deadline)
    let next = times.compactMap(\.self).min()
    alarm.set(afterMilliseconds: next.map { max(0, $0 - monotonicMilliseconds()) })
  }

  /// Reads what programs in the background write, and drops it.
  private func drain(_ number: UInt64) {
    guard let leftover = leftovers[number] else { return }
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = unsafe read(leftover.descriptor.raw, &buffer, buffer.count)
    guard count == 0 || count < 0 && errno != EAGAIN && errno != EINTR else {
      // One that floods is held up by its pipe, and holds up nobody.
      flows[number, default: 0] += max(0, count)
      guard flows[number, default: 0] > Limits.leftoverBytes else { return }
      parts.remove(leftover.descriptor.raw)
      (flows[number], resting[number]) = (nil, monotonicMilliseconds() + Limits.leftoverRest)
      return
    }
    parts.remove(leftover.descriptor.raw)
    (leftovers[number], flows[number]) = (nil, nil)
  }

  // MARK: What follows

  private func handle(_ event: Apply.Event) {
    var clock = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &clock)
    let effects = core.handle(event, now: monotonicMilliseconds(), clock: Int64(clock.tv_sec))
    for effect in effects { perform(effect) }
    if effects.contains(.report) {
      status.write(core.status.bytes + [0x0A])
      finishedHooks.write(FinishedHooks.bytes(core.finishedHooks))
      let failed = core.lanes.filter { $0.value.outcome?.problem != nil }.keys.sorted().map(\.words)
      notice.tell(
        "STATUS="
          + Text(failed.isEmpty ? "\(core.lanes.count) followed" : "failed: \(failed.joined(separator: ", "))")
          .shown(atMost: 400))
    }
  }

  private func perform(_ effect: Apply.Effect) {
    switch effect {
    case .follow(let names):
      for name in followers.keys where !names.contains(name) { unfollow(name) }
      for name in names where followers[name] == nil { follow(name) }
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
      let run = try Run(
        lane, places: places, children: children, terminals: terminalMemory, mailbox: mailbox, logger: log.logger)
      runs[lane] = run
      let versions = versions
      try startThread { run.finish(job.perform(run, versions)) }
    } catch {
      runs[lane] = nil
      var outcome = Outcome()
      outcome.fail(
        "start", Problem(text: "there is no room for it: \(error)", advice: "end other programs"), mendsItself: true)
      mailbox.post(.ended(lane, outcome))
    }
  }

  private func report(_ lane: LaneName, _ outcome: Outcome) {
    for action in outcome.actions where action.state == .left || action.state == .skipped {
      log.debug("\(lane.words): \(action.name.shown()): \(action.detail)")
    }
    if let problem = outcome.problem {
      log.warning("\(lane.words): \(problem.text); \(problem.advice)")
    } else {
      log.debug("\(lane.words): done")
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

  // MARK: Who is followed

  private func follow(_ name: Text?) {
    do throws(ThemeClientError) {
      let follower = Follower(try ThemeSource(app: name?.string, details: true))
      number += 1
      do throws(SystemError) { try parts.add(follower.descriptor, as: number) } catch {
        return log.warning("\(name?.shown() ?? "hooks") cannot be followed: \(error)")
      }
      follower.number = number
      followed[number] = name
      followers[name] = follower
    } catch {
      // The service manager starts it again.
      log.error("what is shown cannot be followed: \(error)")
      (isQuit, hasLostAll) = (true, true)
    }
  }

  private func unfollow(_ name: Text?) {
    guard let follower = followers.removeValue(forKey: name) else { return }
    parts.remove(follower.descriptor)
    followed[follower.number] = nil
  }

  private func receive(_ name: Text?) {
    guard let follower = followers[name] else { return }
    do throws(ThemeClientError) {
      while let state = try follower.next() { handle(.shown(to: name, Shown(state))) }
    } catch {
      log.warning("what is shown to \(name?.shown() ?? "hooks") cannot be followed: \(error)")
      parts.remove(follower.descriptor)
      followed[follower.number] = nil
      follower.deadline = monotonicMilliseconds() + Limits.followAgain
    }
  }
}

/// Why it cannot start.
public struct StartFault: Error, CustomStringConvertible {
  /// In words, with what to do.
  public let description: String

  init(_ description: String) { self.description = description }
}

/// One whose state is followed.
private final class Follower {
  private var source: ThemeSource
  var number: UInt64 = 0
  /// When it is followed anew, as that has failed.
  var deadline: Int?

  init(_ source: consuming ThemeSource) { self.source = source }

  var descriptor: CInt { source.descriptor }

  func next() throws(ThemeClientError) -> ThemeState? { try source.process() }
}
