import Foundation
import Testing
import ThemedSystem
import ThemedTestSupport

/// What the kernel tells of files, and of the ways to them.
@Suite struct FileWatchTests {
  private let scratch: ScratchDirectory
  private let watch: FileWatch

  init() throws {
    scratch = try ScratchDirectory()
    watch = try FileWatch()
  }

  /// Whether something was reported that is about what these ways lead to.
  private func isTold(_ ways: FileWatch.Ways) -> Bool { watch.events().contains(where: ways.concerns) }

  private func ways(_ path: String) -> FileWatch.Ways { watch.watch([Text(scratch.path(path))]) }

  @Test("Somebody who makes events without an end keeps whoever takes them from nothing else")
  func flood() throws {
    var path = try PathWatch(path: scratch.path("file"))
    _ = try path.arm()
    // More than are taken at a time, and no more than the kernel keeps; each is another one, or it would count them as one.
    for number in 0..<6000 {
      try scratch.write("", to: "\(number % 2)")
      try FileManager.default.removeItem(atPath: scratch.path("\(number % 2)"))
      unsafe chmod(scratch.path("."), number % 2 == 0 ? 0o700 : 0o750)
    }
    path.drain()
    let hasMore = wait(forReadable: [path.descriptor], atMostMilliseconds: 0)
    #expect(hasMore, "the rest is for the next turn")
    for _ in 0..<10 { path.drain() }
    let hasStillMore = wait(forReadable: [path.descriptor], atMostMilliseconds: 0)
    #expect(!hasStillMore)
  }

  @Test("Other rights of a file, of its directory, and of a link's target are told; other files' are not")
  func rights() throws {
    try scratch.write("", to: "a/file")
    try scratch.write("", to: "a/other")
    try FileManager.default.createSymbolicLink(atPath: scratch.path("link"), withDestinationPath: "a/file")
    for path in ["a/file", "link"] {
      let ways = ways(path)
      #expect(ways.isSettled && ways.problem == nil)
      #expect(!isTold(ways))
      unsafe chmod(scratch.path("a/other"), 0o600)
      #expect(!isTold(ways))
      unsafe chmod(scratch.path("a/file"), 0o600)
      #expect(isTold(ways))
      unsafe chmod(scratch.path("a"), 0o700)
      #expect(isTold(ways))
    }
  }

  @Test("What happens near one file is told of another one in the same directory too, and each apart")
  func shared() throws {
    let one = ways("a/one")
    #expect(one.names.count > 1)
    try scratch.write("", to: "a/two")
    #expect(isTold(one), "the directory has come")
    let again = ways("a/one")
    let two = watch.watch([Text(scratch.path("a/two"))], besides: Set(again.names.keys))
    try scratch.write("x", to: "a/two")
    let events = watch.events()
    #expect(events.contains(where: two.concerns))
    #expect(!events.contains(where: again.concerns))
    try scratch.write("x", to: "a/one")
    #expect(isTold(again))
  }

  @Test("Whatever happens to files in a directory is told, and that it comes or goes, also behind a link")
  func contents() throws {
    try FileManager.default.createSymbolicLink(atPath: scratch.path("link"), withDestinationPath: "a")
    func ways() -> FileWatch.Ways { watch.watch([], contentsOf: [Text(scratch.path("link/themes"))]) }
    let none = ways()
    #expect(none.whole.isEmpty && none.isSettled)
    try scratch.directory("a/themes/deep")
    #expect(isTold(none), "a directory on the way has come")
    let all = ways()
    #expect(all.whole.count == 1)
    #expect(!isTold(all))
    try scratch.write("x", to: "a/themes/one")
    #expect(isTold(all))
    try scratch.write("y", to: "a/themes/one")
    #expect(isTold(all))
    try scratch.write("x", to: "a/other")
    try scratch.write("x", to: "a/themes/deep/one")
    #expect(!isTold(all), "neither beside it nor further down")
    unsafe unlink(scratch.path("a/themes/one"))
    #expect(isTold(all))
    unsafe rename(scratch.path("a/themes"), scratch.path("a/gone"))
    #expect(isTold(all))
  }

  @Test("What was watched when the way was another one wakes nobody")
  func narrowed() throws {
    _ = ways("a/b/file")
    try scratch.directory("a/b")
    let ways = ways("a/b/file")
    _ = watch.events()
    try scratch.write("", to: "elsewhere")
    #expect(watch.events().isEmpty)
    try scratch.write("", to: "a/b/file")
    #expect(isTold(ways))
  }

  @Test("A directory that goes while the way is looked at leads to another look")
  func vanishing() throws {
    try scratch.directory("a/b")
    var isThere = true
    let ways = watch.watch([Text(scratch.path("a/b/file"))]) { path in
      // There at each look at the way, and gone when it is to be watched.
      guard path == Text(scratch.path("a/b")) else { return }
      isThere.toggle()
      _ = unsafe isThere ? rmdir(path.string) : mkdir(path.string, 0o700)
    }
    #expect(!ways.isSettled)
    let last = self.ways("a/b/file")
    #expect(last.isSettled)
  }

  @Test("Events that were lost are about everything")
  func lost() {
    #expect(FileWatch.Ways().concerns(.init(watch: -1)))
    #expect(!FileWatch.Ways().concerns(.init(watch: 1)))
  }
}
