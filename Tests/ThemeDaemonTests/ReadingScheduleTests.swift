import Testing

@testable import ThemeDaemon

/// When users' files are read, and what happens where they do not answer: the rule alone, with times of its own.
@Suite struct ReadingScheduleTests {
  private let schedule = HeldSchedule()
  private typealias Action = ReadingSchedule<String>.Action

  @Test("One job is under way at a time, and what is wanted first is read first")
  func order() {
    schedule.want("a", now: 0)
    schedule.want("b", now: 1)
    #expect(schedule.advance(now: 1) == [.begin(1, "a")])
    #expect(schedule.advance(now: 2) == [])
    #expect(schedule.finished(1, isSound: true, now: 3))
    #expect(schedule.advance(now: 3) == [.begin(2, "b")])
    #expect(!schedule.isSettled(now: 3))
    #expect(schedule.finished(2, isSound: true, now: 4))
    #expect(schedule.advance(now: 4) == [])
    #expect(schedule.isSettled(now: 4) && schedule.next == nil, "asleep")
  }

  @Test("What is written all the time is read at the latest after a second, and others do not wait for it")
  func quiet() {
    read("a", "b")
    var begun: [Int] = []
    for now in stride(from: 0, through: 3_000, by: 40) {
      schedule.changed("a", now: now)
      if now == 200 { schedule.changed("b", now: now) }
      for case .begin(let job, let subject) in schedule.advance(now: now) {
        if subject == "a" { begun.append(now) } else { #expect(now == 320, "100 after its only change") }
        #expect(schedule.finished(job, isSound: true, now: now))
      }
    }
    #expect(begun.count == 2, "\(begun)")
    #expect(schedule.next ?? 0 <= 3_000 + Limits.configurationQuiet)
  }

  @Test("A change while it is being read is read afterwards")
  func meanwhile() {
    schedule.want("a", now: 0)
    #expect(schedule.advance(now: 0) == [.begin(1, "a")])
    schedule.changed("a", now: 1)
    #expect(schedule.finished(1, isSound: true, now: 2))
    #expect(schedule.advance(now: 2) == [])
    #expect(schedule.advance(now: 1 + Limits.configurationQuiet) == [.begin(2, "a")])
  }

  @Test("A job that does not come back is set aside, and tried again after growing delays while others are read")
  func stuck() {
    read("b")
    schedule.want("a", now: 0)
    let first = begin("a", 0)
    #expect(schedule.advance(now: Limits.fileAnswer) == [.setAside(first, "a")])
    #expect(schedule.stuckCount == 1 && schedule.isSettled(now: Limits.fileAnswer))
    schedule.want("b", now: Limits.fileAnswer)
    read("b", now: Limits.fileAnswer)
    // Asleep until the retry.
    let retry = Limits.fileAnswer + Limits.fileRetry.lowerBound
    #expect(schedule.next == retry)
    let second = begin("a", retry)
    #expect(schedule.advance(now: retry + Limits.fileAnswer) == [.setAside(second, "a")])
    #expect(schedule.next == retry + Limits.fileAnswer + 2 * Limits.fileRetry.lowerBound)
    // Two threads hang in it: no third is given up for it, not by a reload either.
    schedule.again(now: 100_000)
    read("b", now: 100_000)
    #expect(schedule.advance(now: 1_000_000) == [])
    // It answers: what is read then holds, and what was read before does not.
    #expect(!schedule.finished(first, isSound: true, now: 1_000_000))
    #expect(!schedule.finished(second, isSound: true, now: 1_000_000))
    let third = begin("a", 1_000_000)
    #expect(schedule.finished(third, isSound: true, now: 1_000_000))
    #expect(schedule.stuckCount == 0 && schedule.next == nil)
  }

  @Test("Of threads that hang there are only so many; then the others wait, and go on when one comes back")
  func exhausted() {
    read("last", "other")
    var jobs: [Int] = []
    for index in 0..<Limits.stuckThreads {
      schedule.want("\(index)", now: 0)
      jobs.append(begin("\(index)", 0))
      #expect(schedule.advance(now: Limits.fileAnswer).first == .setAside(jobs[index], "\(index)"))
    }
    schedule.want("new", now: 0)
    #expect(schedule.advance(now: 100) == [], "the last thread is for what has answered")
    schedule.want("last", now: 0)
    let last = begin("last", 0)
    #expect(schedule.advance(now: Limits.fileAnswer) == [.reportHanging(last, "last")])
    #expect(schedule.stuckCount == Limits.stuckThreads + 1)
    schedule.want("other", now: 9_000)
    #expect(schedule.advance(now: 9_000_000) == [])
    #expect(schedule.isSettled(now: 9_000_000), "whoever waits for what can be read waits for nothing")
    #expect(schedule.finished(last, isSound: true, now: 9_000_000))
    #expect(schedule.finished(begin("other", 9_000_000), isSound: true, now: 9_000_000))
    #expect(!schedule.finished(jobs[0], isSound: true, now: 9_000_001))
    _ = begin("new", 9_000_001)
  }

  @Test("What could not be watched is read again after growing delays, and after a reload at once")
  func unsound() {
    schedule.want("a", now: 0)
    var now = 0
    for delay in [5_000, 10_000, 20_000, 40_000, 80_000, 160_000, 300_000, 300_000] {
      #expect(schedule.finished(begin("a", now), isSound: false, now: now))
      #expect(schedule.next == now + delay)
      now += delay
    }
    schedule.again(now: 1)
    #expect(schedule.finished(begin("a", 1), isSound: true, now: 1))
    #expect(schedule.next == nil)
  }

  @Test("What is to be read no more is not, and its job's outcome counts for nothing")
  func forgetting() {
    schedule.want("a", now: 0)
    let job = begin("a", 0)
    schedule.forget("a")
    schedule.want("a", now: 1)
    #expect(!schedule.finished(job, isSound: true, now: 2))
    #expect(schedule.finished(begin("a", 2), isSound: true, now: 3))
    schedule.changed("b", now: 4)
    #expect(schedule.advance(now: 10_000) == [])
  }

  /// The job that begins now with this subject.
  private func begin(_ subject: String, _ now: Int) -> Int {
    for case .begin(let job, subject) in schedule.advance(now: now) { return job }
    Issue.record("\(subject) is not begun at \(now)")
    return 0
  }

  /// Has these read, soundly.
  private func read(_ subjects: String..., now: Int = 0) {
    for subject in subjects {
      schedule.want(subject, now: now)
      #expect(schedule.finished(begin(subject, now), isSound: true, now: now))
    }
  }
}

/// A schedule that an expectation may ask to act.
private final class HeldSchedule {
  private var rule = ReadingSchedule<String>()

  var next: Int? { rule.next }
  var stuckCount: Int { rule.stuckCount }

  func isSettled(now: Int) -> Bool { rule.isSettled(now: now) }
  func want(_ subject: String, now: Int) { rule.want(subject, now: now) }
  func changed(_ subject: String, now: Int) { rule.changed(subject, now: now) }
  func again(now: Int) { rule.again(now: now) }
  func forget(_ subject: String) { rule.forget(subject) }
  func finished(_ job: Int, isSound: Bool, now: Int) -> Bool { rule.finished(job, isSound: isSound, now: now) }
  func advance(now: Int) -> [ReadingSchedule<String>.Action] { rule.advance(now: now) }
}
