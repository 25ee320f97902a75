import Testing
import ThemedSystem

@testable import ThemeDaemon

@Suite struct MessageDeadlinesTests {
  private let limit = Limits.unfinishedMessage

  @Test func `a message is late once its time is over, however often bytes of it came`() {
    var deadlines = MessageDeadlines()
    var news: [Bool] = []
    for now in stride(from: 0, to: limit, by: limit / 4) { news.append(deadlines.isWithin(0, of: 7, now: now)) }
    #expect(news == [true, false, false, false])
    #expect(deadlines.late(now: limit - 1).isEmpty)
    #expect(deadlines.late(now: limit) == [7])
  }

  @Test func `whoever is always within a message, but within another each time, is never late`() {
    var deadlines = MessageDeadlines()
    for number in 0..<100 {
      let isNews = deadlines.isWithin(number, of: 7, now: number * limit / 2)
      #expect(isNews)
      #expect(deadlines.late(now: number * limit / 2).isEmpty)
    }
  }

  @Test func `a message that was finished is not waited for`() {
    var deadlines = MessageDeadlines()
    _ = deadlines.isWithin(0, of: 7, now: 0)
    _ = deadlines.isWithin(3, of: 8, now: 5)
    #expect(deadlines.next == limit)
    deadlines.isNotWithin(of: 7)
    #expect(deadlines.next == limit + 5)
    #expect(deadlines.late(now: limit * 2) == [8])
    deadlines.isNotWithin(of: 8)
    #expect(deadlines.isEmpty && deadlines.next == nil)
  }
}
