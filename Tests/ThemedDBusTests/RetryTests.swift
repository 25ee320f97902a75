import Testing

@testable import ThemedDBus

@Suite("Trying a bus again")
struct RetryTests {
  @Test("Each wait is twice as long as the one before, and after ten there is none")
  func backoff() {
    var retry = Retry()
    let delays = (0..<12).map { _ in retry.next(willShow: true) }
    #expect(delays == [20, 40, 80, 160, 320, 640, 1280, 2560, 5120, 10240, nil, nil])
  }

  @Test("What would not show in the file system is tried for ever, ever less often, up to once in eleven minutes")
  func unseen() {
    var retry = Retry()
    let delays = (0..<40).compactMap { _ in retry.next(willShow: false) }
    #expect(delays.count == 40)
    #expect(delays.prefix(12).last == 20 << 11)
    #expect(delays.last == 20 << 15)
  }

  @Test("A new start waits as little as the first one")
  func reset() {
    var retry = Retry()
    _ = (0..<12).map { _ in retry.next(willShow: true) }
    retry.reset()
    #expect(retry.next(willShow: true) == 20)
  }
}
