import CThemedLinux
import Foundation
import Glibc
import Testing
import ThemedTestSupport
@testable import ThemedSystem

@testable import ThemeSetup

/// Several files are changed together, or none is.
@Suite struct FileChangesTests {
  private let directory: ScratchDirectory

  init() throws { directory = try ScratchDirectory() }

  private func bytes(_ text: String?) -> [UInt8]? { text.map { Array($0.utf8) } }

  private func text(_ name: String) -> String? { try? String(contentsOfFile: directory.path(name), encoding: .utf8) }

  private var names: [String] {
    (try? FileManager.default.subpathsOfDirectory(atPath: directory.url.path).sorted()) ?? []
  }

  private func changes(_ all: [(String, String?, String?)]) -> FileChanges {
    var changes = FileChanges()
    for (name, old, new) in all { changes.set(directory.path(name), from: bytes(old), to: bytes(new)) }
    return changes
  }

  @Test func `Files are written, made and removed, and nothing else is left`() throws {
    try directory.write("a", to: "a")
    try directory.write("b", to: "b")
    try changes([("a", "a", "A"), ("b", "b", nil), ("d/e/c", nil, "c")]).carryOut()
    #expect(names == ["a", "d", "d/e", "d/e/c"])
    #expect(text("a") == "A" && text("d/e/c") == "c")
  }

  @Test(arguments: ["b", "d/c", "a"])
  func `If one of them says something else than was seen, all stay what they were`(other: String) throws {
    for name in ["a", "b"] { try directory.write(name, to: name) }
    let number = FileNumber(of: directory.path("a"))
    try directory.write("mine", to: other)
    let before = names
    let error = #expect(throws: SystemError.self) {
      try changes([("a", "a", "A"), ("d/c", nil, "c"), ("b", "b", nil)]).carryOut()
    }
    #expect(error?.code == StagedFile.changedMeanwhile)
    #expect(names == before && text(other) == "mine")
    #expect(text("a") == (other == "a" ? "mine" : "a") && text("b") == (other == "b" ? "mine" : "b"))
    if other != "a" { #expect(FileNumber(of: directory.path("a")) == number, "the same file as before") }
  }

  @Test func `A line that somebody appends while the new content is being written is not lost`() throws {
    let path = try directory.write("a\n", to: "a")
    let staged = try StagedFile(path, expecting: bytes("a\n"), writing: bytes("a\nours\n"))
    try directory.write("a\ntheirs\n", to: "a")
    #expect(throws: SystemError.self) { try staged.put() }
    #expect(text("a") == "a\ntheirs\n" && names == ["a"])
  }

  @Test func `What was put is taken back, unless somebody has saved the file since`() throws {
    for isSaved in [false, true] {
      let path = try directory.write("a", to: "a")
      let staged = try StagedFile(path, expecting: bytes("a"), writing: bytes("A"))
      try staged.put()
      #expect(text("a") == "A")
      if isSaved { try directory.write("theirs", to: "a") }
      staged.takeBack()
      #expect(text("a") == (isSaved ? "theirs" : "a") && names == ["a"])
    }
  }

  @Test func `What a killed command has left beside a file goes with the next change of it`() throws {
    try directory.write("a", to: "a")
    try directory.write("A", to: "a.new-0123456789abcdef")
    try directory.write("mine", to: "a.new-1")
    try changes([("a", "a", "A")]).carryOut()
    #expect(names == ["a", "a.new-1"])
  }

  @Test func `A file that looks like an abandoned one of another file stays, since users name files as they like`()
    throws
  {
    try directory.write("a", to: "a")
    for name in ["notes.new-2024010112000099", "b.new-ffffffff01234567", "a.new-ffffffff0123456g"] {
      try directory.write("mine", to: name)
    }
    let before = names
    try changes([("a", "a", "A")]).carryOut()
    try writeFile(directory.path("a"), Array("B".utf8))
    removeAbandonedFiles(beside: directory.path("a"))
    #expect(names == before && text("a") == "B")
  }

  @Test func `Of a file's own abandoned ones, only those go whose process has ended`() throws {
    let own = String(getpid(), radix: 16)
    let living = "a.new-" + String(repeating: "0", count: 8 - own.count) + own + "01234567"
    // No process has this number.
    for name in [living, "a.new-ffffffff01234567"] { try directory.write("half", to: name) }
    removeAbandonedFiles(beside: directory.path("a"))
    #expect(names == [living])
  }

  @Test func `A path that differs in its bytes alone is another file`() throws {
    let (composed, apart) = (directory.path("\u{E9}"), directory.path("e\u{301}"))
    try Data("1".utf8).write(to: URL(filePath: composed))
    try Data("2".utf8).write(to: URL(filePath: apart))
    try #require(names.count == 2, "the file system knows two names")
    var changes = FileChanges()
    changes.set(composed, from: bytes("1"), to: bytes("one"))
    #expect(changes.pending(apart) == nil)
    changes.set(apart, from: bytes("2"), to: bytes("two"))
    try changes.carryOut()
    #expect(FileManager.default.contents(atPath: composed) == Data("one".utf8))
    #expect(FileManager.default.contents(atPath: apart) == Data("two".utf8))
  }

  @Test func `A file that does not answer is told, and given up only where no change is being made`() throws {
    #expect(FileWaits.verdict(afterMilliseconds: 1_000, isEndless: false) == .wait)
    #expect(FileWaits.verdict(afterMilliseconds: 3_000, isEndless: false) == .tell)
    #expect(FileWaits.verdict(afterMilliseconds: 11_000, isEndless: false) == .end)
    #expect(FileWaits.verdict(afterMilliseconds: 11_000, isEndless: true) == .tell)
  }

  @Test func `A file keeps its mode, its group and its attributes, and a link stays one`() throws {
    let path = try directory.write("a", to: "a")
    try FileManager.default.createSymbolicLink(atPath: directory.path("link"), withDestinationPath: "a")
    let group: gid_t = geteuid() == 0 ? 12 : getegid()
    let isSet = unsafe chown(path, uid_t.max, group) == 0 && chmod(path, 0o2750) == 0
    let hasAttributes = unsafe setxattr(path, "user.note", "x", 1, 0) == 0
    try changes([("link", "a", "A")]).carryOut()
    var status = stat()
    let isRead = unsafe stat(path, &status) == 0
    #expect(isSet && isRead && status.st_mode & 0o7777 == 0o2750 && status.st_gid == group)
    var value: UInt8 = 0
    let count = unsafe getxattr(path, "user.note", &value, 1)
    #expect(!hasAttributes || count == 1 && value == UInt8(ascii: "x"))
    #expect(isSymbolicLink(directory.path("link")) && text("a") == "A")
  }
}
