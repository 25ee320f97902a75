import CThemedLinux
import Glibc
import Synchronization
import Testing
import ThemedSystem

@testable import ThemeApply

/// What a run tells the log, what it leaves behind, and what it does at once.
@Suite struct RunTests {
  /// Keeps what is logged.
  private final class Kept: Sendable {
    let events = Mutex<[(text: String, fields: [String: String])]>([])

    var logger: Logger { Logger { _, text, fields in self.events.withLock { $0.append((text, fields)) } } }
  }

  @Test func `what a hook writes is kept apart in the journal by the hook's name, and an app's by the app's`() throws {
    let kept = Kept()
    let surroundings = Surroundings(logger: kept.logger)
    for lane in [LaneName.hook("10-say\n"), .app("kitty"), .terminal("kitty")] {
      let run = try Run(lane, surroundings, mailbox: Mailbox())
      let end = try Command(words: ["echo", "said"], time: 60_000).perform(run).end
      #expect(end == .exited(0))
    }
    let events = kept.events.withLock { $0 }
    #expect(events.map(\.text) == ["hook 10-say?: said", "kitty: said", "terminals of kitty: said"])
    #expect(events.map(\.fields) == [["THEMED_HOOK": "10-say?"], ["THEMED_APP": "kitty"], ["THEMED_APP": "kitty"]])
  }

  @Test func `what an app's command writes is told where it fails, and not at each change where it does well`() throws {
    let kept = Kept()
    let surroundings = Surroundings(logger: kept.logger)
    let run = try Run(.app("bat"), surroundings, mailbox: Mailbox())
    for status in [0, 3] {
      let script: Text = "echo '\(status)'; echo; echo last >&2; exit \(status)"
      let command = Command(words: ["sh", "-c", script], time: 60_000, isToldOnFailure: true)
      #expect(try command.perform(run).end == .exited(CInt(status)))
    }
    #expect(kept.events.withLock { $0 }.map(\.text) == ["bat: 3", "bat: last"])
  }

  @Test func `what is left in the background and cannot be watched for a moment is read later, and not closed`() throws
  {
    var (isFull, watched) = (true, [UInt64: CInt]())
    let leftovers = Leftovers(numberedBehind: 100) { raw, number in
      if !isFull { watched[number] = raw }
      return !isFull
    } unwatch: { raw in
      watched = watched.filter { $0.value != raw }
    }
    var ends: [CInt] = [-1, -1]
    #expect(unsafe pipe2(&ends, O_CLOEXEC | O_NONBLOCK) == 0)
    let writing = FileDescriptor(owning: ends[1])
    leftovers.add(Leftover(FileDescriptor(owning: ends[0])), now: 0)
    #expect(leftovers.deadline == Limits.leftoverRest && watched.isEmpty)
    isFull = false
    leftovers.timePassed(now: Limits.leftoverRest)
    #expect(leftovers.deadline == nil && watched.keys.map { $0 } == [101])
    // One that floods rests, and cannot be watched at once then.
    let page = [UInt8](repeating: 0, count: 4096)
    for _ in 0...(Limits.leftoverBytes / page.count) {
      #expect(unsafe write(writing.raw, page, page.count) == page.count)
      leftovers.read(101, now: 2_000)
    }
    #expect(watched.isEmpty && leftovers.deadline == 2_000 + Limits.leftoverRest)
    isFull = true
    leftovers.timePassed(now: 3_000)
    #expect(leftovers.deadline == 3_000 + Limits.leftoverRest, "it is not forgotten")
    isFull = false
    leftovers.timePassed(now: 4_000)
    #expect(watched.keys.map { $0 } == [101])
    #expect(unsafe write(writing.raw, page, 1) == 1, "somebody reads it still")
  }

  @Test func `of many at once each gives its own, though they wait for one another`() throws {
    let first = try Bell()
    let last = try Bell()
    let raw = [first.descriptor.raw, last.descriptor.raw]
    // Each waits until the other one has begun.
    let results = concurrently([0, 1]) { number in
      _ = eventfd_write(raw[1 - number], 1)
      var entry = pollfd(fd: raw[number], events: Int16(POLLIN), revents: 0)
      return unsafe poll(&entry, 1, 60_000) == 1 ? number : -1
    }
    #expect(results == [0, 1])
    #expect(concurrently([Int]()) { $0 } == [] && concurrently([7]) { $0 } == [7])
    first.ring()
    last.ring()
  }
}
