import Testing
import ThemedSystem

@testable import ThemeDaemon

/// What holds of a file that is read again and again, and what is told of it.
@Suite struct LastGoodTests {
  private typealias File = LastGood<Int>

  /// What is told when a file that was as `file` is read again.
  private func news(_ outcome: File.Outcome, _ file: inout File) -> File.News {
    let before = file
    file.wasRead(outcome)
    return file.news(since: before)
  }

  @Test func `what was right last holds while the file is wrong, and the mistake is told once`() {
    var file = File(0)
    #expect(!file.isRead && file.content == 0)
    #expect(news(.wrong("x"), &file) == .init(problem: "x"))
    #expect(file.isRead && file.isWrong && file.content == 0)
    #expect(news(.right(1), &file) == .init())
    #expect(file.content == 1 && file.problem == nil && !file.isWrong)
    #expect(news(.wrong("x"), &file) == .init(problem: "x"))
    #expect(news(.wrong("x"), &file) == .init())
    #expect(news(.wrong("y"), &file) == .init(problem: "y"))
    #expect(file.content == 1 && file.problem == "y")
    #expect(news(.right(2), &file) == .init())
    #expect(file.content == 2 && file.problem == nil)
  }

  @Test func `of a file that is gone nothing holds, and one that comes back is as new`() {
    var file = File()
    #expect(news(.gone("none"), &file) == .init(problem: "none"))
    #expect(file.content == nil && file.isWrong)
    #expect(news(.right(1, unknown: ["a"]), &file) == .init(unknown: ["a"]))
    #expect(news(.gone("none"), &file) == .init(problem: "none"))
    #expect(file.content == nil)
    #expect(news(.right(1, unknown: ["a"]), &file) == .init(unknown: ["a"]))
  }

  @Test func `what a right file wants and is missing is told, and keeps it from nothing`() {
    var file = File()
    #expect(news(.right(1, missing: "an image"), &file) == .init(problem: "an image"))
    #expect(file.content == 1 && file.problem == "an image" && !file.isWrong)
    #expect(news(.right(2, missing: "an image"), &file) == .init())
    #expect(news(.right(2), &file) == .init())
    #expect(file.problem == nil)
  }

  @Test func `what means nothing is told once, the first of it by name, also where the file was wrong between`() {
    var file = File()
    #expect(news(.right(1, unknown: ["a", "b"]), &file) == .init(unknown: ["a", "b"]))
    #expect(news(.wrong("x"), &file) == .init(problem: "x"))
    #expect(news(.right(1, unknown: ["b", "c", "a"]), &file) == .init(unknown: ["c"]))
    let many = (0..<Limits.themeWarnings + 3).map { "\($0)" as Text }
    #expect(
      news(.right(1, unknown: ["a"] + many), &file)
        == .init(unknown: Array(many.prefix(Limits.themeWarnings)), unnamed: 3))
    #expect(news(.right(1), &file) == .init())
  }

  @Test func `whoever hears of a file late hears all that is so`() {
    var file = File()
    file.wasRead(.right(1, unknown: ["a"]))
    file.wasRead(.wrong("x"))
    #expect(file.news(since: File()) == .init(problem: "x", unknown: ["a"]))
    #expect(file.news(since: file) == .init())
  }
}
