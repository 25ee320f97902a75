import Foundation
import Testing
import ThemedInterface
import ThemedModel
import ThemedSystem
import ThemedTestSupport
import ThemedVarlink

@testable import ThemeDaemon

/// The list of the themes that are installed, as the daemon makes it.
@Suite struct ThemeListTests {
  private let scratch: ScratchDirectory
  private let directories: ThemeDirectories
  private let shelf = ThemeShelf()

  init() throws {
    scratch = try ScratchDirectory()
    directories = ThemeDirectories(data: [scratch.path("user"), scratch.path("system")], home: nil)
  }

  private func path(_ name: String, of owner: String = "user") -> String {
    scratch.path("\(owner)/themed/themes/\(name).theme")
  }

  private func write(_ text: String, _ name: String, of owner: String = "user") throws {
    try scratch.write(text, to: "\(owner)/themed/themes/\(name).theme")
  }

  /// Has a file have been changed long ago, and be another one than it was.
  private func rest(_ name: String) throws {
    try eventually("a file that was changed long enough ago") {
      FileIdentity(of: path(name))?.isOlder(thanSeconds: Limits.fileRest) == true
    }
  }

  private func list() throws -> ThemeItems<ThemeListing> {
    try directories.listing(shelf).list.read("themes", ThemeListing.init)
  }

  @Test("A theme is listed with its title, its sides in colours, or what is wrong with its file")
  func content() throws {
    try write("[theme]\ntitle=Mint\n[light.palette]\nprimary=26c472\n", "mint")
    try write("[dark.palette]\ntext=black\n", "broken")
    try write("[dark.palette]\n[dark.assets]\nwallpaper=/no/such.png\n", "plain", of: "system")
    try write("[dark.palette]\n", "mint", of: "system")
    let themes = try list()
    #expect(themes.map(\.name) == ["broken", "mint", "plain"])
    #expect(themes[0].title == nil && themes[0].schemes == [])
    #expect(themes[0].problem == "[dark.palette] text is 'black', but should be a colour such as #3584e4")
    #expect(themes[1].title == "Mint" && themes[1].problem == nil && themes[1].schemes == [.light])
    #expect(themes[1].swatch(for: .light)?[.primary]?.hexadecimal == "#26c472")
    #expect(themes[1].path == Text(path("mint")))
    #expect(themes[2].title == "plain" && themes[2].problem == nil, "of images nothing is looked at")
    #expect(themes[2].swatch(for: .dark)?.count == ThemeListing.swatch.count)
  }

  @Test("A file that is no theme's, cannot be read or leads nowhere holds up none of the others")
  func oddFiles() throws {
    try write("[dark.palette]\n", "mint")
    let directory = scratch.path("user/themed/themes")
    try FileManager.default.createDirectory(atPath: "\(directory)/folder.theme", withIntermediateDirectories: false)
    try #require(unsafe mkfifo("\(directory)/pipe.theme", 0o600) == 0)
    try FileManager.default.createSymbolicLink(
      atPath: "\(directory)/nowhere.theme", withDestinationPath: "\(directory)/nobody")
    try FileManager.default.createSymbolicLink(
      atPath: "\(directory)/zz.theme", withDestinationPath: "\(directory)/mint.theme")
    try write(String(repeating: "#", count: Limits.themeFile + 1), "long")
    let list = try list()
    #expect(list.omitted == 0)
    #expect(list.map(\.name) == ["folder", "long", "mint", "pipe", "zz"])
    #expect(list.map { $0.problem == nil } == [false, false, true, false, true])
    #expect(directories.listing(shelf).links == [Text("\(directory)/zz.theme")])
  }

  @Test("A second list reads only what has changed, and says what is so now")
  func again() throws {
    for name in ["one", "two", "three"] { try write("[theme]\ntitle=Old\n[dark.palette]\n", name) }
    for name in ["one", "two", "three"] { try rest(name) }
    let before = try list()
    #expect(before.allSatisfy { $0.title == "Old" })
    for name: Text in ["one", "two", "three"] {
      let path = path(name.string)
      let identity = try #require(FileIdentity(of: path))
      let known = try #require(shelf.element(name, at: path, identity), "what was read is known")
      // It is taken as it is, and the file not looked into.
      shelf.keep(
        Array(String(decoding: known, as: UTF8.self).replacing("Old", with: "Known").utf8), of: name, at: path, identity
      )
    }
    try write("[theme]\ntitle=New\n[dark.palette]\n", "two")
    try FileManager.default.removeItem(atPath: path("three"))
    try write("[dark.palette]\n", "three", of: "system")
    #expect(try list().map(\.title) == ["Known", "three", "New"])
    #expect(try list().map(\.path.string) == [path("one"), path("three", of: "system"), path("two")])
  }

  @Test("A file that was changed a moment ago is read again, since it may have been changed again unseen")
  func recent() throws {
    try write("[dark.palette]\n", "mint")
    _ = try list()
    let identity = try #require(FileIdentity(of: path("mint")))
    #expect(shelf.element("mint", at: path("mint"), identity) == nil)
  }

  @Test("A list that takes longer than its time is made in parts, each of which goes on where the last one has stopped")
  func parts() throws {
    for index in 0..<20 { try write("[theme]\ntitle=\(index)\n[dark.palette]\n", "theme-\(index)") }
    var parts = 1
    // No time goes by, so one theme is read each time.
    var listing = directories.listing(shelf, atMostMilliseconds: 0, clock: { 0 })
    while !listing.isComplete {
      listing = directories.listing(shelf, atMostMilliseconds: 0, clock: { 0 })
      parts += 1
    }
    #expect(parts == 20)
    #expect(listing.list == directories.listing(ThemeShelf()).list)
    #expect(listing.listWithoutPaths == directories.listing(ThemeShelf()).listWithoutPaths)
  }

  /// Each part looks at all the files again, which alone may take longer than a part's time.
  @Test("On a machine of any speed, looking at the themes takes no longer than reading them")
  func speed() throws {
    for index in 0..<200 { try write("[dark.palette]\n", "theme-\(index)") }
    var (time, looks, parts) = (0, 0, 0)
    var isComplete = false
    while !isComplete {
      // Each look at a path takes a millisecond: a part of 5 has no time left after the first few.
      isComplete =
        directories.listing(
          shelf, atMostMilliseconds: 5, clock: { time },
          { _ in
            time += 1
            looks += 1
          }
        ).isComplete
      parts += 1
    }
    #expect(parts < 12, "each part reads about as many as are known")
    #expect(looks < 200 * 10, "\(looks) looks at 200 files")
  }

  @Test("So many themes that no reply holds them are listed as far as they fit, and the rest is counted")
  func many() throws {
    let title = String(repeating: "\"", count: 250)
    for index in 0..<2_500 { try write("[theme]\ntitle=\(title)\n[light.palette]\n[dark.palette]\n", "theme-\(index)") }
    let listing = directories.listing(shelf)
    let list = try listing.list.read("themes", ThemeListing.init)
    #expect(list.count + list.omitted == 2_500)
    let names = (0..<2_500).map { Text("theme-\($0)") }.sorted()
    #expect(list.map(\.name) == Array(names.prefix(list.count)))
    // Not needlessly few, and below what clients take.
    #expect(900_000...1 << 20 ~= listing.list.frame(continues: true).count)
  }

  @Test("No more themes are read than the limit, and the rest is counted")
  func limit() throws {
    for index in 0..<Limits.listedThemes + 7 { try write("", "t\(index)") }
    let list = try list()
    #expect(list.count + list.omitted == Limits.listedThemes + 7)
    #expect(list.count <= Limits.listedThemes && list.omitted >= 7)
  }
}

extension ReplyList {
  /// What a client reads of the reply.
  func read<Element>(
    _ name: Text, _ read: (Parameters) throws(VarlinkError) -> Element
  ) throws -> ThemeItems<Element> {
    let frame = frame(continues: false)
    let reply = try Reply(parsing: frame, in: 0..<frame.count - 1)
    #expect(reply.error == nil && !reply.continues)
    var parameters = Parameters(reply.parameters)
    return try ThemeItems(reading: &parameters, name, read)
  }
}
