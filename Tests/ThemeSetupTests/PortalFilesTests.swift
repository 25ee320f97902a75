import Foundation
import Testing
import ThemedSystem
import ThemedTestSupport

@testable import ThemeSetup

/// The portal's files on a disk.
@Suite struct PortalFilesTests {
  private let directory: ScratchDirectory

  init() throws { directory = try ScratchDirectory() }

  private func path(_ name: String) -> Text { Text(directory.path(name)) }

  private func plan(_ name: String, _ before: String?, _ after: String?) -> PortalPlan {
    let change = PortalPlan.Change(
      path: path(name), before: before.map { Array($0.utf8) }, after: after.map { Array($0.utf8) })
    return PortalPlan(changes: [change])
  }

  @Test func `one that is a link, lies behind one, or belongs to another user is read, and not written`() throws {
    try directory.write("a", to: "dotfiles/portals.conf")
    try directory.write("a", to: "xdg-desktop-portal/own.conf")
    try FileManager.default.createSymbolicLink(
      atPath: directory.path("xdg-desktop-portal/portals.conf"),
      withDestinationPath: directory.path("dotfiles/portals.conf"))
    try FileManager.default.createSymbolicLink(
      atPath: directory.path("linked"), withDestinationPath: directory.path("dotfiles"))
    try FileManager.default.createSymbolicLink(
      atPath: directory.path("nowhere.conf"), withDestinationPath: directory.path("nothing"))
    let bytes = Array("a".utf8)
    #expect(PortalPlan.find(path("xdg-desktop-portal/own.conf")) == .text(bytes))
    #expect(PortalPlan.find(path("xdg-desktop-portal/no.conf")) == .missing)
    #expect(PortalPlan.find(path("no/directory.conf")) == .missing)
    #expect(PortalPlan.find(path("xdg-desktop-portal/portals.conf")) == .guarded(bytes, "it is a symbolic link"))
    #expect(PortalPlan.find(path("linked/portals.conf")) == .guarded(bytes, "its directory is a symbolic link"))
    #expect(PortalPlan.find(path("linked/no.conf")) == .barred("its directory is a symbolic link"))
    #expect(PortalPlan.find(path("nowhere.conf")) == .untouchable("it is a symbolic link"))
    // Somebody's: of root's, where this is not root, else of one that this gives away.
    var other: Text = "/etc/passwd"
    if geteuid() == 0 {
      other = path("xdg-desktop-portal/own.conf")
      try #require(unsafe chown(other.string, 1, 1) == 0)
    }
    #expect(PortalPlan.find(other).obstacle == "it belongs to another user")
  }

  @Test func `what somebody has changed since it was looked at is not written over, and nothing else is done`() throws {
    try directory.write("theirs", to: "b")
    let both = PortalPlan(changes: plan("new/a", nil, "ours").changes + plan("b", "before", "ours").changes)
    #expect(throws: Refusal.self) { try both.perform() }
    #expect(try String(contentsOfFile: directory.path("b"), encoding: .utf8) == "theirs")
    #expect(!FileManager.default.fileExists(atPath: directory.path("new")))
  }

  @Test func `the directory of a file that went goes too, if nothing else is in it`() throws {
    for name in ["alone/portals.conf", "beside/portals.conf"] { try directory.write("ours", to: name) }
    try directory.write("theirs", to: "beside/other.conf")
    let both = PortalPlan(
      changes: plan("alone/portals.conf", "ours", nil).changes + plan("beside/portals.conf", "ours", nil).changes)
    try both.perform()
    both.removeEmptyDirectories()
    #expect(!FileManager.default.fileExists(atPath: directory.path("alone")))
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path("beside")) == ["other.conf"])
  }

  @Test func `what somebody has changed meanwhile is not taken back, and that is said`() throws {
    let change = plan("a", nil, "ours")
    try change.perform()
    try directory.write("theirs", to: "a")
    #expect(change.takeBack([]).count == 1)
    #expect(try String(contentsOfFile: directory.path("a"), encoding: .utf8) == "theirs")
  }

  @Test func `where the directory is a link, disabling names no file that is not there`() throws {
    try directory.write("", to: "dotfiles/other")
    try FileManager.default.createSymbolicLink(
      atPath: directory.path("portals"), withDestinationPath: directory.path("dotfiles"))
    #expect(PortalPlan.disabling([path("portals/aaa-themed.portal")], read: PortalPlan.find) == PortalPlan())
  }

  @Test func `a program in its own group is not reached by what the terminal sends to ours`() throws {
    // Its number, and that of its group.
    let words = ["cut", "-d ", "-f1,5", "/proc/self/stat"]
    func numbers(_ program: Program?) throws -> [Text] { try #require(program?.lines.first).split(" ") }
    let apart = try numbers(Program.run(words, inItsOwnGroup: true))
    #expect(apart.count == 2)
    #expect(apart.first == apart.last)
    #expect(try numbers(Program.run(words)).last == "\(getpgrp())")
  }

  @Test func `what is taken back is as it was, with the directories that were there`() throws {
    try directory.write("before", to: "old/b")
    let both = PortalPlan(changes: plan("old/new/newer/a", nil, "x").changes + plan("old/b", "before", "x").changes)
    let made = both.missingDirectories
    #expect(made == [path("old/new/newer"), path("old/new")])
    try both.perform()
    #expect(both.missingDirectories == [])
    #expect(both.takeBack(made).isEmpty)
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path("old")) == ["b"])
    #expect(try String(contentsOfFile: directory.path("old/b"), encoding: .utf8) == "before")
  }
}
