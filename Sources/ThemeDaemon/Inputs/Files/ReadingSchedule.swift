/// Decides what to read when, and what to do about a thread that hangs: a pure rule.
///
/// One job is under way at a time. A job that takes too long is set aside together with its thread, and the other jobs
/// continue on a new thread; the number of hanging threads is limited. Failed jobs are repeated after growing delays.
/// Times are in milliseconds, by a clock that does not jump.
struct ReadingSchedule<Subject: Hashable> {
  enum Action: Equatable {
    case begin(Int, Subject)
    /// Continue without this job and its thread.
    case setAside(Int, Subject)
    /// Report that this job hangs, although there is no other thread to continue with.
    case reportHanging(Int, Subject)
  }

  private struct Entry {
    /// When to read it; nil: it has been read.
    var due: Int?
    /// Since when there have been unread changes.
    var changedSince: Int?
    var retry: Int?
    /// How many times in a row it has failed.
    var failures = 0
    /// Whether it responded at the last read.
    var answers = false
    /// The current or last job that reads it.
    var job: Int?

    mutating func begin(_ job: Int) { (due, changedSince, self.job) = (nil, nil, job) }
    mutating func succeed() { (retry, failures) = (nil, 0) }
  }

  private struct Serving {
    let job: Int
    let subject: Subject
    let since: Int
    var isNoticed = false
  }

  private var entries: [Subject: Entry] = [:]
  private var serving: Serving?
  private var stuck: [(job: Int, subject: Subject)] = []
  private(set) var nextJob = 1

  /// Whether everything that can be read has been read, except for what hangs.
  func isSettled(now: Int) -> Bool {
    guard serving?.isNoticed ?? true else { return false }
    return serving != nil || !entries.contains { $0.value.due != nil && mayBegin($0.key) }
  }

  var isReading: Bool { serving != nil }

  var stuckCount: Int { stuck.count + (serving?.isNoticed == true ? 1 : 0) }

  // MARK: Events

  mutating func want(_ subject: Subject, now: Int) {
    entries[subject, default: Entry()].due = now
    entries[subject]?.changedSince = nil
  }

  /// Files of this subject have changed: it is read when they have been unchanged for a while, or after a maximum time.
  mutating func changed(_ subject: Subject, now: Int) {
    guard var entry = entries[subject], entry.due == nil || entry.changedSince != nil else { return }
    let since = entry.changedSince ?? now
    entry.changedSince = since
    entry.due = min(now + Limits.configurationQuiet, since + Limits.longestQuiet)
    entries[subject] = entry
  }

  mutating func again(now: Int) {
    for subject in entries.keys {
      want(subject, now: now)
      entries[subject]?.succeed()
    }
  }

  mutating func forget(_ subject: Subject) { entries[subject] = nil }

  /// A job is done; its result is sound, or the job has to be repeated.
  ///
  /// Returns whether the result counts: not if it comes too late, or if the subject was forgotten.
  mutating func finished(_ job: Int, isSound: Bool, now: Int) -> Bool {
    if serving?.job == job {
      let subject = serving?.subject
      serving = nil
      guard let subject, entries[subject]?.job == job else { return false }
      entries[subject]?.answers = true
      if isSound { entries[subject]?.succeed() } else { failed(subject, now) }
      return true
    }
    // What it was waiting for responds again.
    if let index = stuck.firstIndex(where: { $0.job == job }) {
      let subject = stuck.remove(at: index).subject
      if entries[subject] != nil { want(subject, now: now) }
    }
    return false
  }

  private mutating func failed(_ subject: Subject, _ now: Int) {
    guard let failures = entries[subject]?.failures else { return }
    let delay = Limits.fileRetry.lowerBound << min(failures, 16)
    entries[subject]?.retry = now + min(delay, Limits.fileRetry.upperBound)
    entries[subject]?.failures = failures + 1
  }

  // MARK: Next actions

  mutating func advance(now: Int) -> [Action] {
    var actions: [Action] = []
    if let late = serving, !late.isNoticed, now - late.since >= Limits.fileAnswer {
      failed(late.subject, now)
      entries[late.subject]?.answers = false
      if stuck.count < Limits.stuckThreads {
        stuck.append((late.job, late.subject))
        serving = nil
        actions.append(.setAside(late.job, late.subject))
      } else {
        serving?.isNoticed = true
        actions.append(.reportHanging(late.job, late.subject))
      }
    }
    for (subject, entry) in entries {
      if let retry = entry.retry, retry <= now {
        entries[subject]?.retry = nil
        if entry.due == nil { want(subject, now: now) }
      }
    }
    guard serving == nil else { return actions }
    let due = entries.filter { mayBegin($0.key) }.compactMap { subject, entry in entry.due.map { (subject, $0) } }
    guard let (subject, time) = due.min(by: { $0.1 < $1.1 }), time <= now else { return actions }
    let job = nextJob
    nextJob += 1
    serving = Serving(job: job, subject: subject, since: now)
    entries[subject]?.begin(job)
    return actions + [.begin(job, subject)]
  }

  /// When ``advance(now:)`` has to be called next, if nothing else happens before.
  var next: Int? {
    var times = entries.values.compactMap(\.retry)
    if let serving {
      if !serving.isNoticed { times.append(serving.since + Limits.fileAnswer) }
    } else {
      times += entries.filter { mayBegin($0.key) }.compactMap(\.value.due)
    }
    return times.min()
  }

  /// Whether a subject may be read now: a hanging subject is tried again only if enough threads are left for others,
  /// and the last thread is reserved for subjects that have responded.
  private func mayBegin(_ subject: Subject) -> Bool {
    let own = stuck.count { $0.subject == subject }
    guard own > 0 else { return stuck.count < Limits.stuckThreads || entries[subject]?.answers == true }
    return own == 1 && stuck.count <= Limits.stuckThreads / 2
  }
}
