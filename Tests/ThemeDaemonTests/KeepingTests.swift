import Appearance
import ForeignText
import Foundation
import Logging
import Testing
import ThemeInterface

@testable import ThemeDaemon

/// A directory that goes with the test.
private func withDirectory<Result>(_ body: (String) throws -> Result) throws -> Result {
  let url = FileManager.default.temporaryDirectory.appending(path: "themed-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: url) }
  return try body(url.path)
}

@Suite("Which save answers whom")
struct SaveQueueTests {
  @Test("What comes while nothing is saved is saved at once")
  func first() {
    var queue = SaveQueue<Int>()
    #expect(queue.isIdle)
    let begins = queue.request(for: 1)
    #expect(begins)
    #expect(!queue.isIdle)
  }

  @Test("What comes during a save waits for the next one, which answers all who wait")
  func next() {
    var queue = SaveQueue<Int>()
    let begins = [1, 2, 3].map { queue.request(for: $0) }
    #expect(begins == [true, false, false])
    let first = queue.finished()
    #expect(first == ([1], true))
    _ = queue.request(for: 4)
    let second = queue.finished()
    #expect(second == ([2, 3], true))
    let third = queue.finished()
    #expect(third == ([4], false))
    #expect(queue.isIdle)
  }
}

@Suite("The overrides' file")
struct OverrideFileTests {
  @Test("What was written is read back")
  func roundTrip() throws {
    var overrides = Overrides()
    overrides[app: nil].set(Override(scheme: .dark), until: End(expiresAt: 7, desktopWas: .light))
    overrides[app: nil].set(Override(reducedMotion: false), until: End(desktopWas: .unavailable))
    overrides[app: "nvim"].set(
      Override(scheme: .auto, accentColor: Color(red: 0.1, green: 0.2, blue: 0.3)), until: End())
    #expect(try OverrideFile.parse(OverrideFile.content(overrides)) == overrides)
    #expect(try OverrideFile.parse(OverrideFile.content(Overrides())) == Overrides())
  }

  @Test(
    "A file of another version or shape is damaged",
    arguments: [
      "", "{}", "[]", "not JSON", #"{"version":2,"overrides":[]}"#, #"{"version":1}"#,
      #"{"version":1,"overrides":[1]}"#, #"{"version":1,"overrides":[{"scheme":"blue"}]}"#,
      #"{"version":1,"overrides":[{"shade":"dark"}]}"#, #"{"version":1,"overrides":[],"more":1}"#,
    ])
  func damage(_ text: String) {
    #expect(throws: OverrideFile.Damage.self) { try OverrideFile.parse(Array(text.utf8)) }
  }

  @Test("A damaged file is moved aside, not overwritten")
  func setAside() throws {
    try withDirectory { directory in
      let path = directory + "/overrides.json"
      try "damaged".write(toFile: path, atomically: false, encoding: .utf8)
      #expect(OverrideFile.load(from: path, log: Log()) == Overrides())
      let files = try FileManager.default.contentsOfDirectory(atPath: directory)
      #expect(files.count == 1)
      let aside = try #require(files.first)
      #expect(aside.hasPrefix("overrides.json.damaged-"))
      #expect(try String(contentsOfFile: "\(directory)/\(aside)", encoding: .utf8) == "damaged")
    }
  }

  @Test("A file that is not there holds no override")
  func missing() throws {
    try withDirectory { #expect(OverrideFile.load(from: $0 + "/overrides.json", log: Log()) == Overrides()) }
  }
}

@Suite("What the desktop last asked for")
struct LastReadingTests {
  @Test("What was kept is read back")
  func roundTrip() {
    let color = Color(red: 0.1, green: 0.2, blue: 0.3)
    for reading in [
      Reading(), Reading(scheme: .dark), Reading(scheme: .none, highContrast: true, reducedMotion: false),
      Reading(scheme: .light, accentColor: color),
    ] {
      #expect(LastReading.parse(LastReading.content(reading)) == reading)
    }
  }

  @Test("What is damaged says nothing", arguments: ["", "{}", "[]", #"{"scheme":"blue"}"#, #"{"scheme":1}"#])
  func damaged(_ text: String) {
    #expect(LastReading.parse(Array(text.utf8)) == nil)
  }
}

@Suite("The configuration")
struct ConfigurationTests {
  private func load(_ text: String) throws -> Configuration {
    try withDirectory { directory in
      let path = directory + "/themed.conf"
      try text.write(toFile: path, atomically: false, encoding: .utf8)
      return try Configuration.load(from: path)
    }
  }

  private func problem(_ text: String) throws -> String {
    do {
      _ = try load(text)
      Issue.record("'\(text)' was accepted")
      return ""
    } catch let problem as Configuration.Problem {
      return problem.description
    }
  }

  @Test("A file that is not there, or is empty, is a configuration of defaults")
  func defaults() throws {
    #expect(try withDirectory { try Configuration.load(from: $0 + "/themed.conf").isDefault })
    #expect(try load("").isDefault)
  }

  @Test("Each setting is known with its value and where that comes from")
  func origins() throws {
    let settings = try load("[portal]\nsettle-time=5\n").settings
    #expect(settings.map(\.name).contains("[log] level"))
    for setting in settings {
      #expect((setting.origin == "default") == (setting.name != "[portal] settle-time"))
    }
    #expect(settings.first { $0.name == "[portal] settle-time" }?.value == "5")
  }

  @Test("The README's example is right, complete, and says the defaults")
  func readme() throws {
    let readme = try String(
      contentsOfFile: #filePath.components(separatedBy: "/Tests/")[0] + "/README.md", encoding: .utf8)
    let example = try #require(readme.components(separatedBy: "```ini\n").last?.components(separatedBy: "```").first)
    var configuration = try load(example)
    #expect(configuration.settings.allSatisfy { $0.origin != "default" })
    configuration.settings = []
    #expect(configuration == Configuration())
  }

  @Test("Every key acts")
  func keys() throws {
    let configuration = try load(
      """
      [appearance]
      no-preference = dark
      no-desktop=dark
      [portal]
      settle-time=250
      [limits]
      connections=10
      overrides=20
      [log]
      level=debug
      """)
    #expect(configuration.defaults == Defaults(noPreference: .dark, noDesktop: .dark))
    #expect(configuration.settleTime == 250)
    #expect(configuration.connections == 10)
    #expect(configuration.overrides == 20)
    #expect(configuration.logLevel == .debug)
    #expect(configuration.unknown.isEmpty)
  }

  @Test("A wrong value is named with its file, its key and what was expected")
  func wrongValue() throws {
    let word = try problem("[appearance]\nno-preference=blue\n")
    #expect(word.contains("themed.conf: [appearance] no-preference is 'blue', and should be one of: light, dark"))
    for time in ["-1", "60001", "soon", "1.5", ""] {
      #expect(try problem("[portal]\nsettle-time=\(time)\n").contains("settle-time is '\(time)'"))
    }
  }

  @Test("What is no key file is refused with GLib's reason")
  func noKeyFile() throws {
    #expect(try problem("no-preference=dark\n").contains("themed.conf: "))
  }

  @Test("A pipe or a directory in its place is refused, and keeps nobody waiting")
  func noRegularFile() throws {
    try withDirectory { directory in
      #expect(unsafe mkfifo(directory + "/themed.conf", 0o600) == 0)
      for path in [directory, directory + "/themed.conf"] {
        #expect(throws: Configuration.Problem.self) { try Configuration.load(from: path) }
      }
    }
  }

  @Test("Keys that mean nothing are named")
  func unknownKeys() throws {
    #expect(try load("[appearance]\nnopreference=dark\n[x]\ny=1\n").unknown == ["[appearance] nopreference", "[x] y"])
  }
}

extension Configuration {
  fileprivate var isDefault: Bool {
    var values = self
    let origins = Set(values.settings.map(\.origin))
    values.settings = []
    return values == Configuration() && origins == ["default"]
  }
}
