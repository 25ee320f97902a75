import Foundation
import Testing
import ThemedInterface
import ThemedModel
import ThemedSystem
import ThemedTestSupport

@testable import ThemeDaemon

/// Theme files of a user and of a system, read by the daemon's own code.
@Suite struct ThemeLibraryTests {
  private let scratch: ScratchDirectory
  private let directories: ThemeDirectories
  private let files: FileReader
  private let library: ThemeLibrary

  init() throws {
    scratch = try ScratchDirectory()
    directories = ThemeDirectories(
      data: [scratch.path("user"), scratch.path("system")], home: scratch.path("home"))
    let log = Log()
    log.logger.level = .error
    files = FileReader(log: log)
    library = ThemeLibrary(directories, files: files, log: log)
  }

  /// Chooses these, and waits until they are read.
  private func choose(_ names: Set<Text>) {
    library.choose(names)
    files.wait(atMostMilliseconds: 20_000)
  }

  private func reload() {
    files.readAgain {}
    files.wait(atMostMilliseconds: 20_000)
  }

  private func write(_ text: String, _ name: String, of owner: String = "user") throws {
    try scratch.write(text, to: "\(owner)/themed/themes/\(name).theme")
  }

  private func background(_ name: String) -> String? {
    library.table.side(Text(name), .dark)?.details?.palette["background"]?.hexadecimal
  }

  @Test("The user's theme shadows the system's, and comes back when it goes")
  func shadows() throws {
    try write("[dark.palette]\nbackground=#111111\n", "mint")
    try write("[dark.palette]\nbackground=#222222\n", "mint", of: "system")
    try write("[dark.palette]\n", "teal", of: "system")
    let listed = try directories.listing(ThemeShelf()).list.read("themes", ThemeListing.init)
    #expect(listed.map(\.name) == ["mint", "teal"])
    #expect(listed.first?.path.string == scratch.path("user/themed/themes/mint.theme"))
    choose(["mint"])
    #expect(background("mint") == "#111111")
    try FileManager.default.removeItem(atPath: scratch.path("user/themed/themes/mint.theme"))
    reload()
    #expect(background("mint") == "#222222")
  }

  @Test("A file that breaks keeps its last good version and says what is wrong; one that goes is gone")
  func faults() throws {
    try write("[dark.palette]\nbackground=#111111\n", "mint")
    choose(["mint"])
    let recorder = EventRecorder()
    library.events = recorder
    try write("[dark.palette]\nbackground=black\n", "mint")
    reload()
    #expect(background("mint") == "#111111")
    let path = scratch.path("user/themed/themes/mint.theme")
    let problem = "[dark.palette] background is 'black', but should be a colour such as #3584e4"
    #expect(library.diagnostics.map(\.problem) == ["\(path): \(problem)"])
    #expect(try library.theme("mint")?.problem == "\(path): \(problem)")
    try write("[dark.palette]\nbackground=#333333\n", "mint")
    reload()
    #expect(background("mint") == "#333333")
    #expect(library.diagnostics.map(\.problem) == [nil])
    try FileManager.default.removeItem(atPath: path)
    reload()
    #expect(background("mint") == nil)
    #expect(library.diagnostics.map(\.problem) == ["the chosen theme 'mint' is not installed"])
    reload()
    #expect(
      recorder.causes == Array(repeating: "theme file changed: mint", count: 3),
      "a reading that finds nothing new tells nobody")
  }

  @Test("A theme that is not chosen is not kept, and one that was never good is not shown")
  func choosing() throws {
    try write("[dark.palette]\n", "mint")
    try write("[theme\n", "broken")
    #expect(library.table == ThemeTable())
    choose(["mint", "broken", "../mint", ""])
    #expect(library.table.side("mint", .dark) != nil)
    #expect(library.table.side("mint", .light) == nil)
    #expect(library.table.side("broken", .dark) == nil)
    #expect(library.table.side("../mint", .dark) == nil)
    choose([])
    #expect(library.table == ThemeTable())
  }

  @Test(
    "What is no theme is refused with the file, the place and what was expected",
    arguments: [
      ("", "there should be a side"), ("[theme]\ntitle=x\n", "there should be a side"),
      ("x", "line 1: 'x' should be"),
      ("[dark.palette\n", "dark.palette"), ("[dark.palette]\ntext=#12\n", "[dark.palette] text is '#12'"),
      ("[dark.values]\na=\\q\n", "[dark.values] a is '\\q', but should be UTF-8 text"),
    ])
  func refuses(_ text: String, _ expected: String) throws {
    try write(text, "bad")
    let fault = try #require(throws: ThemeDirectories.Fault.self) { try directories.read("bad") }
    #expect(fault.path.string == scratch.path("user/themed/themes/bad.theme"))
    #expect(fault.problem.contains(expected), "\(fault.problem)")
  }

  @Test("What is longer than a theme may be is refused")
  func refusesLong() throws {
    try refuses(String(repeating: "#", count: 64 * 1024 + 1), "File too large")
  }

  @Test("Bytes that are no text are refused, and so is what is no regular file")
  func noText() throws {
    try write("", "bad")
    let path = scratch.path("user/themed/themes/bad.theme")
    try Data("[dark.values]\na=".utf8 + [0xFF, 0xFE]).write(to: URL(filePath: path))
    let fault = try #require(throws: ThemeDirectories.Fault.self) { try directories.read("bad") }
    #expect(fault.problem.contains("[dark.values] a"), "\(fault.problem)")
    try FileManager.default.removeItem(atPath: path)
    #expect(unsafe mkfifo(path, 0o600) == 0)
    #expect(throws: ThemeDirectories.Fault.self) { try directories.read("bad") }
  }

  @Test("Assets are found beside the theme, in the home directory, and by an absolute path")
  func assets() throws {
    let absolute = try scratch.write("x", to: "elsewhere/a.png")
    let home = try scratch.write("x", to: "home/b.png")
    let beside = try scratch.write("x", to: "user/themed/themes/c.png")
    try write("[dark.assets]\na=\(absolute)\nb=~/b.png\nc=c.png\n", "mint")
    choose(["mint"])
    #expect(
      library.table.side("mint", .dark)?.details?.assets == ["a": Text(absolute), "b": Text(home), "c": Text(beside)])
  }

  @Test("An image that is not there is left out, named, and back when it is there again; the rest is shown")
  func missingAssets() throws {
    let png = scratch.path("home/pictures/b.png")
    try write("[dark.palette]\nbackground=#111111\n[dark.assets]\na=none.png\nb=~/pictures/b.png\nc=/\n", "mint")
    choose(["mint"])
    #expect(background("mint") == "#111111")
    #expect(library.table.side("mint", .dark)?.details?.assets == [:])
    let problem = try #require(library.diagnostics.first?.problem)
    for text in ["a is 'none.png'", "b is '~/pictures/b.png'", "c is '/'", "should be the path of a readable file"] {
      #expect(problem.contains(text), "\(problem)")
    }
    #expect(try library.theme("mint")?.problem?.contains("a is 'none.png'") == true)
    let recorder = EventRecorder()
    library.events = recorder
    try scratch.write("x", to: "home/pictures/b.png")
    reload()
    #expect(library.table.side("mint", .dark)?.details?.assets == ["b": Text(png)])
    #expect(recorder.causes == ["theme file changed: mint"])
  }

  @Test("A blank at a line's end is no part of it; one that is written as an escape is")
  func blanks() throws {
    try write("[dark.palette] \nbackground=#111111 \ntext = #eee\t \r\n[dark.values]\na= b c \nd=e\\s \nf= \n", "mint")
    choose(["mint"])
    let details = try #require(library.table.side("mint", .dark)?.details)
    #expect(details.palette["background"]?.hexadecimal == "#111111")
    #expect(details.palette["text"]?.hexadecimal == "#eeeeee")
    #expect(details.values == ["a": "b c", "d": "e ", "f": ""])
  }

  @Test("Keys are told apart by their bytes")
  func bytes() throws {
    try write("[dark.palette]\n[dark.values]\ncafe\u{301}=1\ncaf\u{e9}=2\n", "mint")
    let fault = try #require(throws: ThemeDirectories.Fault.self) { try directories.read("mint") }
    #expect(fault.problem.components(separatedBy: "should be named").count == 3, "\(fault.problem)")
  }

  @Test("Every theme that is written is read back")
  func inverse() throws {
    let texts: [Text] = [" a", "a ", "\\", "\\s", "\n", "\t\r", "a;b=c#d", "[x]", "é\u{1F600}", "", "  ", "\u{1}"]
    var values: [Text: Text] = [:]
    for (index, text) in texts.enumerated() { values["v\(index)"] = text }
    var colors: [Role: Color] = [:]
    for role in Role.all { colors[role] = Color(hexadecimal: "#0a\(role.isSlot ? "ff" : "00")3c") }
    let theme = Theme(
      name: "full", title: "\\ [Full] = ;", author: " A ", light: Side(), dark: Side(colors: colors, values: values))
    try write(ThemeFile.text(of: theme), "full")
    #expect(try directories.read("full")?.theme == theme)
  }

  /// Whatever happens to the file, the last good theme stays, and the daemon's code does not stop.
  @Test("A file broken at random is read as a theme or keeps the last good one")
  func fuzzed() throws {
    var random = SeededGenerator(seed: 4)
    let good =
      "[theme]\ntitle=Good\n[light.palette]\nbase00=#ffffff\n[dark.palette]\ntext = eeeeee\n[dark.values]\na=\\s\n"
    try write(good, "mint")
    choose(["mint"])
    var refused = 0
    for _ in 0..<500 {
      var bytes = Array(good.utf8)
      for _ in 0...Int.random(in: 0..<4, using: &random) { Self.damage(&bytes, &random) }
      let before = library.table
      try Data(bytes).write(to: URL(filePath: scratch.path("user/themed/themes/mint.theme")))
      reload()
      if library.diagnostics.first?.problem != nil {
        refused += 1
        #expect(library.table == before)
      }
      #expect(library.table != ThemeTable())
    }
    #expect((50..<450).contains(refused), "of 500: else it is no test of both")
  }

  private static func damage(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
    guard let place = bytes.indices.randomElement(using: &random) else { return bytes.append(0x5B) }
    switch Int.random(in: 0..<5, using: &random) {
    case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
    case 1: bytes.remove(at: place)
    case 2: bytes.insert("[]=\n#.\\ \0".utf8.randomElement(using: &random) ?? 0, at: place)
    case 3: bytes.removeSubrange(place...)
    default: bytes.insert(contentsOf: bytes[place...].prefix(20), at: place)
    }
  }
}

/// Remembers the causes of changes of themes.
private final class EventRecorder: EventReceiver {
  private(set) var causes: [Text] = []

  func send(_ event: Event) {
    if case .themes(_, let cause) = event { causes.append(cause) }
  }
}
