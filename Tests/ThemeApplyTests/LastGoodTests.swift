import Foundation
import Testing
import ThemeApps
import ThemedModel
import ThemedSystem
import ThemedTestSupport
import ThemedVarlink

@testable import ThemeApply

/// Files that cannot be used for a moment: what was good before them stands.
@Suite struct LastGoodTests {
  private let problem = Problem(text: "no", advice: "do")

  @Test func `an app whose file breaks keeps its last good recipe until it is disabled`() {
    var apply = Apply()
    let foot = recipe("foot", terminal: true)
    _ = apply.handle(.setup(Setup(recipes: [foot])), now: 0, clock: 0)
    _ = apply.handle(.shown(to: "foot", shown(.dark)), now: 0, clock: 0)
    for lane in [LaneName.app("foot"), .terminal("foot")] { _ = apply.handle(.ended(lane, .good), now: 0, clock: 0) }
    let broken = Setup(unusable: [Setup.Unusable(name: "foot", problem: problem)])
    for _ in 0..<2 {
      let effects = apply.handle(.setup(broken), now: 0, clock: 0)
      #expect(!effects.contains { if case .start = $0 { true } else { false } }, "nothing is taken back: \(effects)")
    }
    #expect(apply.words(broken.unusable[0]) == "no; using the last good version")
    #expect(apply.status.text.contains(#""state":"failed","problem":"no; using the last good version""#))
    let light = apply.handle(.shown(to: "foot", shown(.light)), now: 0, clock: 0)
    #expect(light.contains(.start(.app("foot"), .app(foot, shown(.light)))))
    for lane in [LaneName.app("foot"), .terminal("foot")] { _ = apply.handle(.ended(lane, .good), now: 0, clock: 0) }
    let effects = apply.handle(.setup(Setup(hooks: [hook("a")])), now: 0, clock: 0)
    #expect(effects.contains(.start(.terminal("foot"), .takeBack(foot))))
  }

  @Test func `a list of enabled apps that cannot be read changes nothing, and is told`() {
    var apply = Apply()
    let good = Setup(recipes: [recipe("kitty")], unusable: [Setup.Unusable(name: "foot", problem: problem)])
    _ = apply.handle(.setup(good), now: 0, clock: 0)
    let effects = apply.handle(.setup(Setup(unknown: problem)), now: 0, clock: 0)
    #expect(effects.contains(.follow(["kitty"])))
    #expect(apply.lanes[.app("kitty")] != nil && apply.setup?.unusable == good.unusable)
    #expect(apply.status.text.hasPrefix(#"{"problem":"no","advice":"do","apps":[{"name":"kitty""#))
  }

  @Test func `hooks that are not known for a moment stay as they were, and nobody is ended`() throws {
    var apply = Apply()
    let hooks = [hook("a"), hook("light-mode.d/x", scheme: .light)]
    _ = apply.handle(.setup(Setup(hooks: hooks)), now: 0, clock: 0)
    _ = apply.handle(.shown(to: nil, shown(.light)), now: 0, clock: 0)
    var unknown = Setup(hooks: [hook("a")])
    unknown.hasUnknownSettings = true
    let effects = apply.handle(.setup(unknown), now: 0, clock: 0)
    #expect(!effects.contains { if case .end = $0 { true } else { false } }, "\(effects)")
    #expect(apply.setup?.hooks == hooks && apply.lanes.count == 2)
    unknown.hooks = []
    _ = apply.handle(.setup(unknown), now: 0, clock: 0)
    #expect(apply.setup?.hooks == hooks && apply.lanes.count == 2)
    #expect(apply.handle(.setup(Setup(hooks: [hook("a")])), now: 0, clock: 0).contains(.end(.hook("light-mode.d/x"))))
  }

  @Test func `the user's own looks stay while the file that names them cannot be read`() {
    var own = recipe("kitty")
    own.names = [.light: "latte", .dark: "mocha"]
    var unknown = Setup(recipes: [recipe("kitty"), recipe("foot")])
    #expect(unknown.keeping(Setup(recipes: [own, recipe("foot")])) == unknown)
    unknown.hasUnknownSettings = true
    #expect(unknown.keeping(Setup(recipes: [own, recipe("foot")])).recipes == [own, recipe("foot")])
  }

  @Test func `what says which hooks there are and cannot be read makes them unknown, what is not there does not`()
    throws
  {
    let directory = try ScratchDirectory()
    var places = Places()
    places.directories.configuration = Text(directory.path("config"))
    let reader = SetupReader(places: places)
    #expect(!reader.read(nil, before: FileWatch.Ways()).setup.hasUnknownSettings)
    _ = try directory.directory("config/themed")
    let settings = directory.path("config/themed/themed.conf")
    #expect(unsafe mkfifo(settings, 0o600) == 0)
    let unread = reader.read(nil, before: FileWatch.Ways())
    #expect(unread.setup.hasUnknownSettings)
    #expect(
      unread.warnings.contains { $0.contains("themed.conf: Invalid argument; using the last good version") })
    #expect(unsafe unlink(settings) == 0)
    try directory.write("[hooks]\ntimeout=x\n", to: "config/themed/themed.conf")
    let wrong = reader.read(nil, before: FileWatch.Ways())
    #expect(wrong.setup.hasUnknownSettings)
    #expect(wrong.warnings.contains { $0.contains("themed.conf:2: [hooks] timeout is 'x', but should be") })
    #expect(unsafe unlink(settings) == 0)
    // A directory that is a link to itself.
    #expect(unsafe symlink("hooks.d", directory.path("config/themed/hooks.d")) == 0)
    let unlisted = reader.read(nil, before: FileWatch.Ways())
    #expect(unlisted.setup.hasUnknownSettings)
    #expect(unlisted.warnings.contains { $0.contains("hooks.d: Too many levels of symbolic links") })
  }

  @Test func `a file that becomes shorter in its place is believed once it has stayed so, another one at once`() throws
  {
    let directory = try ScratchDirectory()
    func saved(_ name: String, _ text: String) throws -> SavedFiles.Saved {
      let path = try directory.write(text, to: name)
      return SavedFiles.Saved(
        file: try #require(FileNumber(of: path)), born: birth(of: path), size: text.utf8.count)
    }
    var files = SavedFiles()
    func take(_ seen: [Text: SavedFiles.Saved], _ now: Int) -> Int? { files.take(seen, now: now)?.until }
    let whole = try saved("list", "kitty\nfoot\n")
    #expect(take(["list": whole], 0) == nil)
    let empty = SavedFiles.Saved(file: whole.file, born: whole.born, size: 0)
    #expect(take(["list": empty], 10) == 10 + Limits.halfSaved)
    let half = SavedFiles.Saved(file: whole.file, born: whole.born, size: 3)
    // The editor goes on: it has its time anew.
    #expect(take(["list": half], 500) == 500 + Limits.halfSaved)
    #expect(take(["list": whole], 600) == nil)
    #expect(take(["list": half], 700) == 700 + Limits.halfSaved)
    #expect(take(["list": half], 700 + Limits.halfSaved - 1) == 700 + Limits.halfSaved)
    #expect(take(["list": half], 700 + Limits.halfSaved) == nil)
    // One that was put in its place, or removed, is meant.
    let new = try saved("new", "")
    #expect(take(["list": new], 9_000) == nil)
    // So is a new file with the number of a removed one.
    #expect(take(["list": whole], 9_100) == nil)
    #expect(take(["list": SavedFiles.Saved(file: whole.file, born: whole.born + 1, size: 0)], 9_200) == nil)
    #expect(take([:], 9_001) == nil)
  }
}
