import Testing

@testable import ThemeDaemon

/// What may wait for those who may only read, all together.
@Suite struct ReadersRepliesTests {
  @Test func `it is too much from one byte above the limit on, whoever they are, and no more once some have gone`() {
    var replies = ReadersReplies()
    var shares = [ReadersReplies.Share](repeating: .init(), count: 4)
    let quarter = Limits.readersReplies / 4
    for index in 0..<4 { #expect(!replies.note(quarter, for: &shares[index])) }
    #expect(replies.isAboveHalf)
    #expect(replies.note(quarter + 1, for: &shares[3]))
    replies.forget(&shares[0])
    replies.forget(&shares[0])
    #expect(replies.isAboveHalf, "one that has gone is no two")
    replies.forget(&shares[1])
    replies.forget(&shares[2])
    #expect(!replies.isAboveHalf)
    #expect(!replies.note(0, for: &shares[3]) && !replies.note(Limits.readersReplies, for: &shares[0]))
  }

  @Test func `who has taken a reply has waited for less time than who has taken none`() {
    var replies = ReadersReplies()
    var (one, other) = (ReadersReplies.Share(), ReadersReplies.Share())
    _ = (replies.note(10, for: &one), replies.note(10, for: &other))
    #expect(one.since < other.since)
    // More is no sign that something was taken.
    _ = replies.note(20, for: &one)
    #expect(one.since < other.since)
    _ = replies.note(5, for: &one)
    #expect(one.since > other.since)
    _ = (replies.note(0, for: &other), replies.note(7, for: &other))
    #expect(one.since < other.since && other.bytes == 7)
  }
}
