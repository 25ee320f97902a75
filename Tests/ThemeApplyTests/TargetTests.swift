import Foundation
import Testing
import ThemeApps
import ThemedSystem
import ThemedTestSupport

@testable import ThemeApply

/// Files that are written, and those that are not.
@Suite struct TargetTests {
  private let directory: ScratchDirectory
  private let mark = TargetMark(app: "kitty", comment: .hash)

  init() throws { directory = try ScratchDirectory() }

  private func target(_ name: String, marked: Bool = true) -> Target {
    var places = Places()
    places.directories.state = Text(directory.path("state"))
    return Target(path: directory.path(name), mark: marked ? mark : nil, places: places)
  }

  private func problem(_ target: Target, _ content: String = "new\n") -> Problem? {
    do {
      _ = try target.write(Array(content.utf8))
      return nil
    } catch { return error.problem }
  }

  private func text(_ name: String) throws -> String {
    try String(contentsOfFile: directory.path(name), encoding: .utf8)
  }

  @Test func `a file is written with the line that says whose it is, only where it differs, and again`() throws {
    let file = target("a/b/file")
    #expect(try file.write(Array("one\n".utf8)))
    #expect(try text("a/b/file") == "\(mark.line)\none\n")
    #expect(try !file.write(Array("one\n".utf8)))
    #expect(try file.write(Array("two\n".utf8)))
    #expect(try text("a/b/file") == "\(mark.line)\ntwo\n")
  }

  @Test func `a file that is not ours is never overwritten`() throws {
    try directory.write("mine\n", to: "file")
    #expect(try #require(problem(target("file"))).text.contains("themed did not write it"))
    try directory.write("", to: "empty")
    #expect(problem(target("empty")) != nil)
    #expect(try text("file") == "mine\n")
  }

  @Test func `the advice is a command that can be typed, also for a path with blanks`() throws {
    try directory.write("mine\n", to: "my file")
    let path = directory.path("my file")
    #expect(try #require(problem(target("my file"))).advice.hasSuffix("'mv '\(path)' '\(path).old''"))
  }

  @Test func `a symbolic link stays, and what it points to is written`() throws {
    try directory.write("\(mark.line)\nold\n", to: "real/file")
    try FileManager.default.createSymbolicLink(atPath: directory.path("link"), withDestinationPath: "real/file")
    #expect(try target("link").write(Array("new\n".utf8)))
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: directory.path("link")) == "real/file")
    #expect(try text("real/file") == "\(mark.line)\nnew\n")
  }

  @Test(arguments: [true, false])
  func `a link that leads nowhere yet is made good, and what it leads to is ours again and again`(marked: Bool) throws {
    _ = try directory.directory("a/b")
    _ = try directory.directory("real")
    let link = directory.path("a/b/link")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "../../real/../middle")
    try FileManager.default.createSymbolicLink(atPath: directory.path("middle"), withDestinationPath: "real/file")
    for content in ["one\n", "two\n"] {
      #expect(try target("a/b/link", marked: marked).write(Array(content.utf8)))
      #expect(try text("real/file") == (marked ? "\(mark.line)\n" : "") + content)
    }
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "../../real/../middle")
  }

  @Test func `what cannot be written is told with what to do`() throws {
    for (name, other) in [("dangling", "nowhere/file"), ("loop", "loop")] {
      try FileManager.default.createSymbolicLink(atPath: directory.path(name), withDestinationPath: other)
      #expect(try #require(problem(target(name))).text.contains("symbolic link to \(other)"))
    }
    _ = try directory.directory("directory")
    #expect(try #require(problem(target("directory"))).text.contains("is a directory"))
    #expect(unsafe mkfifo(directory.path("fifo"), 0o600) == 0)
    #expect(try #require(problem(target("fifo"))).text.contains("not a regular file"))
    try directory.write("x", to: "plain")
    #expect(problem(target("plain/file")) != nil)
    if geteuid() == 0 {
      try directory.write("\(mark.line)\n", to: "others")
      #expect(unsafe chown(directory.path("others"), 65534, 65534) == 0)
      #expect(try #require(problem(target("others"))).text.contains("belongs to"))
    }
  }

  @Test func `a format without comments is ours as long as nobody else has changed the file`() throws {
    let file = target("file.json", marked: false)
    #expect(try file.write(Array("{}".utf8)))
    #expect(try file.write(Array("{1}".utf8)))
    #expect(try text("file.json") == "{1}")
    try directory.write("{2}", to: "file.json")
    #expect(problem(file) != nil)
    #expect(try text("file.json") == "{2}")
  }

  @Test func `a format without comments stays ours where a write fails, however its content comes and goes`() throws {
    let file = target("file.json", marked: false)
    for content in ["a", "b", "a"] { _ = try file.write(Array(content.utf8)) }
    // Killed behind the line, and before the file.
    let content = Array("c".utf8)
    try Ownership(file.places).remember(content, file.path, instead: Array("a".utf8))
    #expect(try file.write(content), "what it holds is still known to be ours")
    #expect(try text("file.json") == "c")
    let lines = try text("state/themed/apply.files").split(separator: "\n")
    #expect(lines.count == 2, "what it holds, and what it held: \(lines)")
  }

  @Test func `many writers of the list of our files lose no line`() throws {
    let places = target("x").places
    let names = (0..<40).map { directory.path("file-\($0)") }
    DispatchQueue.concurrentPerform(iterations: names.count) { index in
      _ = try? Target(path: names[index], mark: nil, places: places).write(Array("one".utf8))
      _ = try? Target(path: names[index], mark: nil, places: places).write(Array("two".utf8))
    }
    for name in names { #expect(try Ownership(places).remembers(Array("two".utf8), name)) }
  }

  @Test func `a list of our files that cannot be read is not written anew, and makes nobody's file ours`() throws {
    let file = target("file.json", marked: false)
    _ = try file.write(Array("a".utf8))
    try FileManager.default.removeItem(atPath: directory.path("state/themed/apply.files"))
    try FileManager.default.createDirectory(
      atPath: directory.path("state/themed/apply.files"), withIntermediateDirectories: false)
    let told = try #require(problem(file, "b"))
    #expect(told.text.contains("whether") && told.text.contains("apply.files"), "\(told)")
    #expect(try text("file.json") == "a")
  }

  @Test func `what was left of a write that was killed is gone after the next one`() throws {
    try directory.write("half", to: "file.new-0123456789abcdef")
    try directory.write("not ours", to: "file.new-other")
    _ = try target("file").write([])
    let left = try FileManager.default.contentsOfDirectory(atPath: directory.path(".")).sorted()
    #expect(left == ["file", "file.new-other"])
  }
}
