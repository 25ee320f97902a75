import Testing

@testable import ThemeDaemon

/// Which complaints of clients go to the log.
@Suite struct ComplaintsTests {
  @Test("Each is told up to a number within a time, the last one with a word about that; after the time, again")
  func bounded() {
    var complaints = Complaints()
    for round in 0..<3 {
      let start = 5_000 + round * Limits.complaintsWithin
      let lines = (0..<10_000).map { complaints.line("x", now: start + min($0, Limits.complaintsWithin - 1)) }
      #expect(lines.prefix(Limits.complaints - 1).allSatisfy { $0 == "x" })
      #expect(lines[Limits.complaints - 1] == "x; further ones are not logged for a while")
      #expect(lines.dropFirst(Limits.complaints).allSatisfy { $0 == nil })
    }
  }
}
