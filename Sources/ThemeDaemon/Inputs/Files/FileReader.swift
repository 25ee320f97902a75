internal import ThemedDBus
internal import ThemedSystem

/// Reads the user's files whenever they change, on a thread of its own, so that no file system can block the loop.
///
/// ``ReadingSchedule`` decides what to read when. Before ``attach()``, nothing uses the loop, and ``wait(_:_:)`` waits.
final class FileReader {
  enum Subject: Hashable {
    case configuration
    case theme(Text)
    case themeList
    /// The time zone and its place.
    case zone
    /// Nothing: this job only ends watches that are no longer needed.
    case watches
  }

  private typealias Begin = (Worker, Int) throws(SystemError) -> Void

  private struct Followed {
    let begin: Begin
    /// Called when a job does not finish in time.
    let isLate: () -> Void
    /// Why it cannot be read or watched.
    var trouble: String?
  }

  weak var receiver: (any InputReceiver)?

  private let log: Log
  private var schedule = ReadingSchedule<Subject>()
  private var followed: [Subject: Followed] = [:]
  private var waiters: [Waiter] = []
  private var lastWaiter = 0
  private var settling: (deadline: Source?, completion: () -> Void)?
  private let watch = DirectoryWatch()
  private var watches = WatchTable<Subject>()
  private let workers = Workers()
  private var timer: Source?

  init(log: Log) {
    self.log = log
    (watch.reader, workers.reader) = (self, self)
  }

  // MARK: Subjects

  /// Registers a subject, which is read when ``read(_:_:)`` asks for it and again whenever one of these files changes.
  ///
  /// `read` runs on the thread, `use` on the loop. For `directories`, any change in them counts. `alsoOf` returns
  /// further files that belong to the result, which are watched too. `isShort` says whether descriptors or memory had
  /// run out, so that the job is repeated. `isLate` is called if the job does not finish in time.
  func follow<Value: Sendable>(
    _ subject: Subject, _ paths: [String], directories: [String] = [], _ read: @escaping @Sendable (Progress) -> Value,
    alsoOf further: @escaping @Sendable (Value) -> [Text] = { _ in [] },
    isShort: @escaping (Value) -> Bool = { _ in false }, isLate: @escaping () -> Void = {},
    use: @escaping (Value) -> Void
  ) {
    let (paths, directories) = (paths.map { Text($0) }, directories.map { Text($0) })
    let isWatched = !(paths.isEmpty && directories.isEmpty)
    let begin: Begin = { [unowned self] (worker, job) throws(SystemError) in
      let progress = Progress()
      let (existing, watch) = (watch.existing, isWatched ? watch.begun() : nil)
      let others = watches.needed(besides: subject)
      let unneeded = watches.unneeded
      try worker.thread.perform({
        // The watch comes first, so that changes during the read are seen.
        existing?.unwatch(unneeded)
        let ways = watch?.watch(paths, contentsOf: directories, besides: others, progress.note)
        let value = read(progress)
        let files = further(value)
        guard let watch, !files.isEmpty else { return (ways, value) }
        // The same for these, which are only known now: read again after they are watched.
        let all = watch.watch(paths + files, contentsOf: directories, besides: others, progress.note)
        return (ways.map { all.added(to: $0) } ?? all, read(progress))
      }) { [unowned self, unowned worker] outcome in
        worker.job = nil
        let isWhole = !isShort(outcome.1)
        guard finished(job, subject, outcome.0, needsWatch: isWatched, isWhole: isWhole) else { return }
        use(outcome.1)
        answer(subject, upTo: job)
      }
      // Not before this point: without a thread nothing ends the watches, and the next job has to do it.
      watches.ended(unneeded)
      worker.job = (job, subject, progress)
    }
    followed[subject] = Followed(begin: begin, isLate: isLate)
  }

  var isHanging: Bool { schedule.stuckCount > 0 }

  func follows(_ subject: Subject) -> Bool { followed[subject] != nil }

  func forget(_ subject: Subject) {
    followed[subject] = nil
    watches.forget(subject)
    schedule.forget(subject)
    advance()
  }

  /// Ends the watches that are no longer needed, which the next job would do as well.
  func endWatches() {
    follow(.watches, []) { _ in
    } use: { [unowned self] in
      forget(.watches)
    }
    schedule.want(.watches, now: monotonicMilliseconds())
    advance()
  }

  /// Why a subject cannot be read or watched; nil if all is well.
  func trouble(of subject: Subject) -> String? { followed[subject]?.trouble }

  /// Reads a registered subject, and calls back when that is done or has taken too long.
  func read(_ subject: Subject, _ completion: @escaping () -> Void) {
    lastWaiter += 1
    let number = lastWaiter
    let deadline =
      workers.isAttached
      ? EventLoop.main.timer(afterMilliseconds: Limits.fileCall) { [unowned self] in answer { $0.number == number } }
      : nil
    waiters.append(
      Waiter(
        number: number, subject: subject, firstJob: schedule.nextJob, completion: completion, deadline: deadline))
    schedule.want(subject, now: monotonicMilliseconds())
    advance()
  }

  /// Reads everything again, and calls back when that is done, or has taken too long.
  func readAgain(_ completion: @escaping () -> Void) {
    schedule.again(now: monotonicMilliseconds())
    advance()
    guard !schedule.isSettled(now: monotonicMilliseconds()) else { return completion() }
    let deadline =
      workers.isAttached
      ? EventLoop.main.timer(afterMilliseconds: Limits.firstReading) { [unowned self] in settle() } : nil
    settling = (deadline, completion)
  }

  // MARK: The loop

  func attach() throws(SystemError) {
    try workers.attach()
    watch.attach()
    advance()
  }

  /// Waits without the loop until everything is read, for a limited time; only before ``attach()``.
  func wait(atMostMilliseconds time: Int) {
    let end = monotonicMilliseconds() + time
    while true {
      advance()
      let now = monotonicMilliseconds()
      guard !schedule.isSettled(now: now), now < end else { return }
      let wake = min(end, schedule.next ?? end)
      guard let serving = workers.serving else { continue }
      serving.thread.wait(atMostMilliseconds: max(1, wake - now))
      receive(serving)
    }
  }

  /// A thread has a result or has exited.
  func receive(_ worker: Worker) {
    let isAlive = worker.thread.finish()
    if !isAlive, let job = worker.job { fail(job.number, job.subject, "the thread that reads files has exited") }
    // A thread that hung is no longer needed.
    if !isAlive || worker.job == nil && worker !== workers.serving { workers.drop(worker) }
    advance()
  }

  private func advance() {
    while true {
      let actions = schedule.advance(now: monotonicMilliseconds())
      guard !actions.isEmpty else { break }
      for action in actions { perform(action) }
    }
    let now = monotonicMilliseconds()
    if workers.isAttached {
      timer = schedule.next.map { next in
        EventLoop.main.timer(afterMilliseconds: max(0, next - now)) { [unowned self] in advance() }
      }
    }
    if settling != nil, schedule.isSettled(now: now) { settle() }
  }

  private func settle() {
    let completion = settling?.completion
    settling = nil
    completion?()
  }

  private func perform(_ action: ReadingSchedule<Subject>.Action) {
    switch action {
    case .begin(let job, let subject):
      do throws(SystemError) {
        let worker = try workers.ready()
        guard let begin = followed[subject]?.begin else {
          _ = schedule.finished(job, isSound: true, now: monotonicMilliseconds())
          return
        }
        try begin(worker, job)
      } catch {
        workers.serving.map(workers.drop)
        fail(job, subject, "\(error)")
      }
    case .setAside(let job, let subject):
      isLate(workers.setAside(), job, subject)
    case .reportHanging(let job, let subject):
      isLate(workers.serving, job, subject)
    }
  }

  // MARK: Results

  private func isLate(_ worker: Worker?, _ job: Int, _ subject: Subject) {
    let path = worker?.job?.progress.current ?? ""
    tell(subject, "\(path.shown(atMost: Limits.problem)) does not answer; is it on a mount that hangs?")
    followed[subject]?.isLate()
    answer(subject, upTo: job)
  }

  /// A job failed through no fault of the file.
  private func fail(_ job: Int, _ subject: Subject, _ reason: String) {
    guard schedule.finished(job, isSound: false, now: monotonicMilliseconds()) else { return }
    tell(subject, "cannot read it: \(reason)")
    answer(subject, upTo: job)
  }

  /// Whether the result of a job counts.
  private func finished(
    _ job: Int, _ subject: Subject, _ ways: FileWatch.Ways?, needsWatch: Bool, isWhole: Bool
  ) -> Bool {
    if let ways { watches.made(ways) }
    let problem = ways?.problem ?? (needsWatch && ways == nil ? watch.problem : nil)
    let now = monotonicMilliseconds()
    guard schedule.finished(job, isSound: problem == nil && isWhole, now: now) else { return false }
    if watches.watched(ways, for: subject) { schedule.changed(subject, now: now) }
    tell(subject, problem.map { "cannot watch it for changes, will retry: \($0)\($0.adviceOnWatches)" })
    return true
  }

  private func answer(_ subject: Subject, upTo job: Int) {
    answer { $0.subject == subject && $0.firstJob <= job }
  }

  private func answer(_ isAnswered: (Waiter) -> Bool) {
    let answered = waiters.filter(isAnswered)
    waiters.removeAll(where: isAnswered)
    for waiter in answered { waiter.completion() }
  }

  // MARK: Changes

  /// Files in watched directories have changed.
  func changed(_ events: Set<FileWatch.Event>) {
    let now = monotonicMilliseconds()
    for event in events {
      for subject in watches.concerned(by: event, isMaking: schedule.isReading) { schedule.changed(subject, now: now) }
    }
    advance()
  }

  private func tell(_ subject: Subject, _ trouble: String?) {
    guard let before = followed[subject], before.trouble != trouble else { return }
    followed[subject]?.trouble = trouble
    if let trouble {
      log.warning("\(subject.words): \(trouble)")
    } else {
      log.notice("\(subject.words): read and watched again")
    }
    receiver?.statusChanged()
  }
}
