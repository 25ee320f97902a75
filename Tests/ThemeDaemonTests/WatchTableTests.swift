import Testing
import ThemedSystem

@testable import ThemeDaemon

/// Which events are about what, also those that come while the watches are still being made.
@Suite struct WatchTableTests {
  private typealias Event = FileWatch.Event

  private func ways(_ watch: CInt, _ name: String) -> FileWatch.Ways {
    var ways = FileWatch.Ways()
    ways.names = [watch: [.init(name)]]
    return ways
  }

  @Test("An event is about those who watch for its name, one without a name about all in its directory")
  func concern() {
    var table = WatchTable<String>()
    #expect([table.watched(ways(1, "one"), for: "a"), table.watched(ways(1, "two"), for: "b")] == [false, false])
    func concerned(_ event: Event) -> [String] {
      var table = table
      return table.concerned(by: event, isMaking: false).sorted()
    }
    #expect(concerned(Event(watch: 1, name: "one")) == ["a"])
    #expect(concerned(Event(watch: 1, name: "three")) == [])
    #expect(concerned(Event(watch: 2, name: "one")) == [])
    #expect(concerned(Event(watch: 1)) == ["a", "b"])
    #expect(concerned(Event(watch: -1)) == ["a", "b"], "events were lost")
    #expect(concerned(Event(watch: 1, isEnd: true)) == [])
  }

  @Test("What is reported while its watch is being made leads to another look, and nothing else does")
  func meanwhile() {
    for (name, isMaking, isAgain) in [("one", true, true), ("other", true, false), ("one", false, false)] {
      var table = WatchTable<String>()
      _ = table.concerned(by: Event(watch: 1, name: .init(name)), isMaking: isMaking)
      let taken = table.watched(ways(1, "one"), for: "a")
      #expect(taken == isAgain)
      let again = table.watched(ways(1, "one"), for: "a")
      #expect(!again)
    }
    var table = WatchTable<String>()
    for watch in 10..<CInt(20 + Limits.recentEvents) {
      _ = table.concerned(by: Event(watch: watch, name: "x"), isMaking: true)
    }
    let taken = table.watched(ways(1, "one"), for: "a")
    #expect(taken, "too many to be kept")
  }

  @Test("A watch that nobody needs any more is named until somebody ends it")
  func unneeded() {
    var table = WatchTable<String>()
    for (watch, subject) in [(1, "a"), (1, "b"), (2, "b")] as [(CInt, String)] {
      table.made(ways(watch, "x"))
      _ = table.watched(ways(watch, "x"), for: subject)
    }
    #expect(table.needed(besides: "b") == [1])
    #expect(table.unneeded == [])
    table.forget("b")
    #expect(table.unneeded == [2])
    #expect(table.unneeded == [2], "the thread that was to end it may have failed")
    table.ended([2])
    #expect(table.unneeded == [])
    table.forget("a")
    _ = table.concerned(by: Event(watch: 1, isEnd: true), isMaking: false)
    #expect(table.unneeded == [], "the kernel has ended it")
  }
}
