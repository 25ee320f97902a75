import Dispatch
import Glibc
import Testing

@testable import ThemedSystem

@Suite struct EventLoopTests {
  private let loop = EventLoop()

  /// Takes turns until `isDone`, for ten seconds at most.
  private func turn(until isDone: () -> Bool) {
    let deadline = monotonicMilliseconds() + 10_000
    while !isDone(), monotonicMilliseconds() < deadline { loop.turn(until: deadline) }
    #expect(isDone())
  }

  @Test func `timers fire in the order of their times, and never early`() {
    var fired: [(name: String, time: Int)] = []
    let start = monotonicNanoseconds()
    let sources = [("last", 30), ("first", 0), ("second", 5), ("third", 5)].map { name, delay in
      loop.timer(afterMilliseconds: delay) { fired.append((name, monotonicNanoseconds() - start)) }
    }
    turn { fired.count == sources.count }
    #expect(fired.map(\.name) == ["first", "second", "third", "last"])
    for (timer, delay) in zip(fired, [0, 5, 5, 30]) { #expect(timer.time >= delay * 1_000_000) }
    #expect(!loop.isDue)
  }

  @Test func `a repeated timer fires until its handler or its owner ends it`() {
    var (first, second) = (0, 0)
    let source = loop.timer(everyMilliseconds: 1) {
      first += 1
      return first < 3
    }
    var other: Source?
    other = loop.timer(everyMilliseconds: 1) {
      second += 1
      if second == 2 { other = nil }
      return true
    }
    turn { first == 3 && second == 2 }
    loop.turn(atMostMilliseconds: 20)
    #expect(first == 3 && second == 2)
    withExtendedLifetime((source, other)) {}
  }

  @Test func `a timer that another's handler cancels in the same turn does not fire`() {
    var sources: [Source] = []
    var fired = 0
    for _ in 0..<2 {
      sources.append(
        loop.timer(afterMilliseconds: 0) {
          fired += 1
          for source in sources { source.cancel() }
        })
    }
    turn { fired > 0 }
    loop.turn(atMostMilliseconds: 5)
    #expect(fired == 1)
  }

  @Test func `a dropped source is over, and a turn without anything to do ends in time`() throws {
    let bell = try Bell()
    var rung = 0
    var source: Source? = try loop.watch(bell.descriptor.raw, for: .readable) { _ in rung += 1 }
    bell.ring()
    #expect(loop.isDue)
    loop.turn()
    #expect(rung == 1)
    withExtendedLifetime(source) {}
    source = nil
    let start = monotonicMilliseconds()
    loop.turn(until: start + 20)
    #expect(rung == 1 && monotonicMilliseconds() >= start + 20)
  }

  @Test func `work for later waits for nothing, and what it adds comes in the next turn`() {
    var order: [String] = []
    var inner: Source?
    let outer = loop.later {
      order.append("outer")
      inner =
        inner
        ?? loop.later {
          order.append("inner")
          return false
        }
      return order.count < 3
    }
    loop.turn()
    #expect(order == ["outer"])
    loop.turn()
    #expect(order == ["outer", "outer", "inner"])
    loop.turn()
    #expect(order.count == 4 && !loop.isDue)
    withExtendedLifetime((outer, inner)) {}
  }

  @Test func `messages of other threads arrive once and in order`() throws {
    let mailbox = try Mailbox<Int>()
    var taken: [Int] = []
    let source = try loop.watch(mailbox.descriptor, for: .readable) { _ in taken += mailbox.take() }
    let poster = DispatchGroup()
    DispatchQueue.global().async(group: poster) { for number in 0..<100 { mailbox.post(number) } }
    turn { taken.count == 100 }
    // It rings only after its message may have been taken.
    poster.wait()
    loop.turn(atMostMilliseconds: 0)
    #expect(taken == Array(0..<100))
    #expect(!loop.isDue)
    withExtendedLifetime(source) {}
  }

  @Test func `a change beside a watched name is reported by its name`() throws {
    let directory = "/tmp/themed-inotify-\(getpid())"
    try makeDirectories(directory)
    defer { unsafe rmdir(directory) }
    let inotify = try Inotify()
    let watch = try inotify.add(Text(directory), 0x100)
    close(unsafe open("\(directory)/made", O_CREAT | O_RDWR, 0o600))
    defer { unsafe unlink("\(directory)/made") }
    var names: [Text] = []
    inotify.read { if $0.watch == watch { names.append($0.name) } }
    #expect(names == ["made"])
    inotify.remove(watch)
    #expect(throws: SystemError.self) { try inotify.add(Text("\(directory)/missing"), 0x100) }
  }

  @Test func `one of two open files gets the lock`() throws {
    let path = "/tmp/themed-lock-\(getpid())"
    defer { unsafe unlink(path) }
    let one = try openLockFile(path)
    let other = try openLockFile(path)
    #expect(try tryToLock(one))
    #expect(try !tryToLock(other))
  }
}
