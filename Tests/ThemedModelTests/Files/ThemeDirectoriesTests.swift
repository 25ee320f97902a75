import Foundation
import Testing
import ThemedModel
import ThemedSystem
import ThemedTestSupport

/// Which files are themes, and which of them holds.
@Suite struct ThemeDirectoriesTests {
  private let scratch: ScratchDirectory
  private let themes: ThemeDirectories

  init() throws {
    scratch = try ScratchDirectory()
    themes = ThemeDirectories(data: [scratch.path("user"), scratch.path("nowhere"), scratch.path("system")])
  }

  private func write(_ name: String, of owner: String) throws -> String {
    try scratch.write("", to: "\(owner)/themed/themes/\(name)")
  }

  @Test("Of themes with the same name the first directory's holds, and the others' where that has gone")
  func shadows() throws {
    let own = try write("mint.theme", of: "user")
    let systems = try write("mint.theme", of: "system")
    let teal = try write("teal.theme", of: "system")
    #expect(themes.installed() == ["mint": own, "teal": teal])
    #expect(themes.path(of: "mint") == own)
    #expect(themes.path(of: "teal") == teal)
    try FileManager.default.removeItem(atPath: own)
    #expect(themes.installed() == ["mint": systems, "teal": teal])
    #expect(themes.path(of: "mint") == systems)
    #expect(themes.path(of: "rose") == nil)
  }

  @Test("What no theme may be called is none, wherever a file of that name is")
  func names() throws {
    _ = try write("secret.theme", of: "user/themed")
    let own = [try write(".theme", of: "user"), try write("a b.theme", of: "user")]
    let systems = try write("é.theme", of: "system")
    _ = try write("notes.txt", of: "user")
    #expect(themes.installed().isEmpty)
    #expect(themes.misnamed == own + [systems])
    for name in ["../themed/themes/secret", "", "a b", "a/b", ".."] as [Text] {
      #expect(themes.path(of: name) == nil && themes.paths(of: name) == [], "\(name)")
    }
    #expect(ThemeDirectories.name(ofFile: "mint.theme") == "mint")
    #expect(ThemeDirectories.name(ofFile: "mint.theme.new") == nil)
    #expect(ThemeDirectories.name(ofFile: "-mint.theme") == nil)
  }

  @Test("A link that leads nowhere is no theme's file, and no more are looked for than are wanted")
  func few() throws {
    let link = scratch.path("user/themed/themes/mint.theme")
    _ = try write("a.theme", of: "user")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "/nowhere")
    let systems = try write("mint.theme", of: "system")
    #expect(themes.path(of: "mint") == systems)
    for index in 0..<10 { _ = try write("b\(index).theme", of: "system") }
    #expect(themes.installed(atMost: 5).count == 5)
  }

  @Test("A directory that is there and cannot be read is named, and one that is not there is no fault")
  func unreadable() throws {
    // Root may read whatever is a directory.
    let file = try scratch.write("", to: "user/themed/themes")
    let loop = scratch.path("system/themed/themes")
    try FileManager.default.createDirectory(atPath: scratch.path("system/themed"), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(atPath: loop, withDestinationPath: loop)
    #expect(themes.unreadable.map(\.directory) == [file, loop])
    #expect(themes.unreadable.map(\.problem) == ["Not a directory", "Too many levels of symbolic links"])
  }
}
