import Testing

@testable import ThemedTestSupport

/// How long tests wait.
@Suite struct AllowanceTests {
  private func moment(_ time: Double, runnable: Double = 1, stolen: Double = 0) -> Allowance.Moment {
    Allowance.Moment(time: time, runnable: runnable, processors: 2, total: 200 * time, stolen: stolen)
  }

  /// After how many slices of half a second a wait of 30 seconds ends.
  private func slices(_ next: (Double) -> Allowance.Moment) -> Int {
    var allowance = Allowance(seconds: 30, from: moment(0))
    var count = 0
    while allowance.next(next(Double(count) / 2)) != nil { count += 1 }
    return count
  }

  @Test func `time that goes by on a machine that does what it can ends the wait`() {
    #expect(slices { moment($0) } == 60)
    #expect(slices { moment($0, runnable: 2) } == 60)
  }

  @Test func `where others want the processors, or the host keeps them, as much less counts`() {
    #expect(slices { moment($0, runnable: 8) } == 240)
    #expect(slices { moment($0, stolen: 100 * $0) } == 120)
    #expect(slices { moment($0, runnable: 4, stolen: 100 * $0) } == 240)
  }

  @Test func `what never comes ends on any machine`() {
    #expect(slices { moment($0, runnable: 1000, stolen: 199 * $0) } == 600)
  }

  @Test func `of a standstill a second counts`() {
    var allowance = Allowance(seconds: 1.5, from: moment(0))
    #expect(allowance.next(moment(3600)) == 0.5)
    #expect(allowance.next(moment(3600.5)) == nil)
  }

  @Test func `this machine says how it fares`() {
    let now = Allowance.Moment()
    #expect(now.runnable >= 1)
    #expect(now.total > 0)
    #expect(now.share(since: now) > 0)
  }
}
