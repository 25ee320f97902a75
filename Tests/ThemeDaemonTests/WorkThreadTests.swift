import Glibc
import Synchronization
import Testing
import ThemedSystem
import ThemedTestSupport

/// A thread for what may wait, of which its owner asks how it is.
@Suite struct WorkThreadTests {
  @Test("A job that takes its time is not lost to an owner who asks before it is done, and is done once")
  func patience() throws {
    let begun = Counter()
    let gate = Gate()
    let thread = try WorkThread()
    var outcomes: [Int] = []
    try thread.perform({
      begun.count.add(1, ordering: .relaxed)
      gate.wait()
      return 7
    }) { outcomes.append($0) }
    thread.wait(atMostMilliseconds: 1)
    #expect(thread.finish(), "it lives")
    #expect(outcomes.isEmpty)
    gate.open()
    thread.wait(atMostMilliseconds: 20_000)
    #expect(thread.finish())
    #expect(outcomes == [7])
    #expect(begun.count.load(ordering: .relaxed) == 1)
  }
}

/// Where a job waits until it is let through.
private final class Gate: Sendable {
  private let ends: (reading: CInt, writing: CInt)

  init() {
    var ends: [CInt] = [-1, -1]
    _ = unsafe pipe(&ends)
    self.ends = (ends[0], ends[1])
  }

  deinit {
    close(ends.reading)
    close(ends.writing)
  }

  func wait() {
    var byte: UInt8 = 0
    _ = unsafe read(ends.reading, &byte, 1)
  }

  func open() {
    var byte: UInt8 = 1
    _ = unsafe write(ends.writing, &byte, 1)
  }
}

private final class Counter: Sendable {
  let count = Atomic(0)
}

/// Reading what others may share.
@Suite struct SharedReaderTests {
  @Test func `what is written comes in order, and then its end`() throws {
    var ends: [CInt] = [-1, -1]
    #expect(unsafe pipe(&ends) == 0)
    let reading = FileDescriptor(owning: ends[0])
    let writing = ends[1]
    let reader = try SharedReader(of: reading.raw, atMost: 4)
    #expect(reader.next() == nil)
    #expect(unsafe write(writing, "onetwo", 6) == 6)
    func next() throws -> SharedInput { try eventually("the next") { reader.next() } }
    #expect(try next() == .bytes(Array("onet".utf8)))
    #expect(try next() == .bytes(Array("wo".utf8)))
    close(writing)
    #expect(try next() == .end)
    #expect(reader.next() != .end, "it comes once")
  }

  @Test func `a descriptor that others have made non-blocking is read all the same`() throws {
    var ends: [CInt] = [-1, -1]
    #expect(unsafe pipe(&ends) == 0)
    let reading = FileDescriptor(owning: ends[0])
    let writing = FileDescriptor(owning: ends[1])
    try makeNonblocking(reading.raw)
    let reader = try SharedReader(of: reading.raw, atMost: 100)
    for word in ["one", "two"] {
      #expect(unsafe write(writing.raw, word, 3) == 3)
      #expect(try eventually("the next") { reader.next() } == .bytes(Array(word.utf8)))
    }
  }
}
