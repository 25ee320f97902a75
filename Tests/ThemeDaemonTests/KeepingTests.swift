import Foundation
import Testing
import ThemedInterface
import ThemedModel
import ThemedSystem

@testable import ThemeDaemon

/// A directory that goes with the test.
private func withDirectory<Result>(_ body: (String) throws -> Result) throws -> Result {
  let url = FileManager.default.temporaryDirectory.appending(path: "themed-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: url) }
  return try body(url.path)
}

@Suite("What is read and saved when, and who is told")
struct SaveQueueTests {
  /// What happens to a queue.
  private enum Event {
    case request(Int?)
    case finished(SaveQueue<Int>.Outcome)
    case retry
    case retryFromStart
    case end
  }

  /// What a queue says to each event: what is next, and who is told.
  private func fold(_ queue: SaveQueue<Int>, _ events: [Event]) -> [String] {
    var queue = queue
    return events.map { event in
      switch event {
      case .request(let waiter): "\(queue.request(for: waiter))"
      case .retry: "\(queue.retry())"
      case .retryFromStart: "\(queue.retryFromStart())"
      case .end: "\(queue.end())"
      case .finished(let outcome):
        { "\($0.next), told \($0.told)" }(queue.finished(outcome))
      }
    }
  }

  private var written: SaveQueue<Int> { SaveQueue(readsFirst: false, delays: [1, 5, 60]) }
  private var read: SaveQueue<Int> { SaveQueue(readsFirst: true, delays: [1, 5, 60]) }

  @Test(
    "What comes while nothing is saved is saved at once, and what comes during a save by the next one, all together")
  func together() {
    #expect(
      fold(written, [.request(1), .request(2), .request(3), .finished(.done), .request(4), .finished(.done)])
        == ["save", "nothing", "nothing", "save, told [1]", "nothing", "save, told [2, 3]"])
  }

  @Test("What could not be saved is tried again later and later, until it is, and each time a change asks")
  func again() {
    let failed = Event.finished(.failed)
    #expect(
      fold(
        written, [.request(1), failed, .retry, failed, .retry, failed, .retry, failed, .request(2), .finished(.done)])
        == [
          "save", "wait(1), told [1]", "save", "wait(5), told []", "save", "wait(60), told []", "save",
          "wait(60), told []", "save", "nothing, told [2]",
        ])
  }

  @Test("Who comes while a save fails is not told of that one, but of the next")
  func during() {
    #expect(
      fold(written, [.request(1), .request(2), .finished(.failed), .finished(.done), .retry])
        == ["save", "nothing", "save, told [1]", "nothing, told [2]", "nothing"])
  }

  @Test("Somebody who asks for it has it tried at once, and then again as for the first time")
  func anew() {
    let failed = Event.finished(.failed)
    #expect(
      fold(written, [.request(nil), failed, .retry, failed, .retryFromStart, failed])
        == ["save", "wait(1), told []", "save", "wait(5), told []", "save", "wait(1), told []"])
    #expect(fold(written, [.retryFromStart]) == ["nothing"])
    #expect(
      fold(SaveQueue(readsFirst: false, delays: []), [.request(1), failed, .request(2)])
        == ["save", "nothing, told [1]", "save"])
  }

  @Test("At the end what is not saved is tried once more, and then no more")
  func end() {
    #expect(
      fold(written, [.request(1), .finished(.failed), .end, .finished(.failed), .end])
        == ["save", "wait(1), told [1]", "save", "nothing, told []", "save"])
    #expect(fold(written, [.end]) == ["nothing"])
    #expect(
      fold(written, [.request(1), .end, .request(2), .finished(.done), .finished(.done)])
        == ["save", "nothing", "nothing", "save, told [1]", "nothing, told [2]"])
  }

  @Test("Nothing is saved before the file was read; who waits is told when it could not be")
  func reading() {
    #expect(
      fold(
        read, [.retry, .request(1), .finished(.failed), .request(2), .request(3), .finished(.done), .finished(.done)])
        == ["load", "nothing", "wait(1), told [1]", "load", "nothing", "save, told []", "nothing, told [2, 3]"])
  }

  @Test("What another daemon keeps is not saved, and is read anew each time, until it is ours")
  func another() {
    #expect(
      fold(
        read,
        [.retry, .finished(.anothers), .request(1), .finished(.anothers), .retry, .finished(.done), .finished(.done)])
        == ["load", "wait(1), told []", "load", "wait(5), told [1]", "load", "save, told []", "nothing, told []"])
    #expect(
      fold(written, [.request(1), .request(2), .finished(.anothers), .retry, .finished(.done), .finished(.done)])
        == ["save", "nothing", "wait(1), told [1, 2]", "load", "save, told []", "nothing, told []"])
  }

  @Test("It is settled when all that holds was saved to a file that is ours")
  func settled() {
    var queue = read
    #expect(!queue.isSettled)
    _ = queue.retry()
    _ = queue.finished(.done)
    #expect(queue.isSettled)
    _ = queue.request(for: 1)
    #expect(!queue.isSettled)
    _ = queue.finished(.failed)
    #expect(queue.isIdle && !queue.isSettled)
    _ = queue.retry()
    _ = queue.finished(.done)
    #expect(queue.isSettled)
  }
}

@Suite("When the socket is bound again")
struct BindRuleTests {
  @Test("At once three times, then later and later; after a quiet time at once again")
  func delays() {
    var rule = BindRule(delays: [10, 50], quiet: 100)
    let times = [0, 1, 2, 3, 14, 65, 200, 201]
    let delays = times.map { rule.delay(now: $0) }
    #expect(delays == [0, 0, 0, 10, 50, 50, 0, 0])
  }
}

@Suite("What was changed while the file could not be read")
struct ChangedFieldsTests {
  @Test("A changed field wins over the file, set or cleared; the others are the file's")
  func merge() {
    var kept = Overrides()
    kept[app: nil].set(Override(scheme: .light, highContrast: true, reducedMotion: true), until: End(expiresAt: 7))
    kept[app: "a"].set(Override(scheme: .dark), until: End())
    kept[app: "b"].set(Override(scheme: .dark), until: End())
    var now = Overrides()
    now[app: nil].set(Override(scheme: .dark), until: End())
    now[app: "c"].set(Override(scheme: .light), until: End())
    var changed = ChangedFields(maximum: 10)
    changed.add([.scheme, .reducedMotion], of: nil)
    changed.add([.scheme], of: "b")
    changed.add([.scheme], of: "c")

    var merged = Overrides()
    merged[app: nil].set(Override(highContrast: true), until: End(expiresAt: 7))
    merged[app: nil].set(Override(scheme: .dark), until: End())
    merged[app: "a"].set(Override(scheme: .dark), until: End())
    merged[app: "c"].set(Override(scheme: .light), until: End())
    #expect(changed.merge(now, over: kept, maximum: 10) == merged)
    #expect(ChangedFields(maximum: 10).merge(now, over: kept, maximum: 10) == kept)
  }

  @Test("What was removed of every app is removed of those, too, that only the file knows of")
  func everyApp() {
    var kept = Overrides()
    kept[app: nil].set(Override(scheme: .dark, lightTheme: "ant"), until: End())
    for app in ["a", "b", "c"] as [Text] {
      kept[app: app].set(Override(scheme: .dark, highContrast: true), until: End())
    }
    var now = Overrides()
    now[app: "b"].set(Override(scheme: .light), until: End())
    now[app: "c"].set(Override(reducedMotion: true), until: End())
    var changed = ChangedFields(maximum: 10)
    changed.addEverywhere([.scheme])
    changed.add([.scheme], of: "b")
    changed.add([.reducedMotion], of: "c")

    var merged = Overrides()
    merged[app: nil].set(Override(lightTheme: "ant"), until: End())
    merged[app: "a"].set(Override(highContrast: true), until: End())
    merged[app: "b"].set(Override(scheme: .light, highContrast: true), until: End())
    merged[app: "c"].set(Override(highContrast: true, reducedMotion: true), until: End())
    #expect(changed.merge(now, over: kept, maximum: 10) == merged)
  }

  @Test("Neither what is remembered nor what is merged grows without bounds")
  func bounds() {
    var kept = Overrides()
    var now = Overrides()
    var changed = ChangedFields(maximum: 3)
    for number in 0..<10 {
      kept[app: "kept\(number)"].set(Override(scheme: .dark), until: End())
      now[app: "now\(number)"].set(Override(scheme: .dark), until: End())
      changed.add([.scheme], of: "now\(number)")
    }
    let merged = changed.merge(now, over: kept, maximum: 5)
    #expect(merged.apps.keys.sorted() == ["kept0", "kept1", "now0", "now1", "now2"])
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
      Override(accentColor: Color(hexadecimal: "#1a334d"), auto: [.scheme, .darkTheme]), until: End())
    overrides[app: "nvim"].set(Override(auto: [.highContrast, .lightTheme]), until: End(expiresAt: 9))
    #expect(try OverrideFile.parse(OverrideFile.content(overrides)) == overrides)
    #expect(try OverrideFile.parse(OverrideFile.content(Overrides())) == Overrides())
  }

  @Test("A colour that an earlier daemon wrote as three numbers is read")
  func earlierColors() throws {
    let text = #"{"version":1,"overrides":[{"accentColor":{"red":1,"green":0.1,"blue":0.5}}]}"#
    let overrides = try OverrideFile.parse(Array(text.utf8))
    #expect(overrides.list.map(\.override.accentColor) == [Color(hexadecimal: "#ff1a80")])
    for wrong in [#"{"red":1,"green":0.1}"#, #"{"red":1,"green":0.1,"blue":2}"#, ##""#f00""##] {
      let text = #"{"version":1,"overrides":[{"accentColor":\#(wrong)}]}"#
      #expect(throws: OverrideFile.Damage.self) { try OverrideFile.parse(Array(text.utf8)) }
    }
  }

  @Test("A pinned scheme that an earlier daemon wrote as 'auto' is read")
  func earlierPins() throws {
    let text =
      #"{"version":1,"overrides":[{"app":"a","scheme":"auto","auto":["darkTheme"]},{"app":"b","scheme":"auto"}]}"#
    let overrides = try OverrideFile.parse(Array(text.utf8))
    #expect(overrides.list.map(\.override.auto) == [[.scheme, .darkTheme], [.scheme]])
  }

  @Test("What a toggle put away is read back, of all apps and of one, whatever it was")
  func toggled() throws {
    for before in [
      nil, OverriddenField(ColorScheme.dark), OverriddenField(nil, until: End(expiresAt: 7, desktopWas: .light)),
    ] {
      var overrides = Overrides()
      for app in [nil, "nvim"] as [Text?] {
        overrides[app: app].scheme = OverriddenField(.light, until: End(expiresAt: 5))
        overrides[app: app].toggled = Toggled(before: before)
      }
      #expect(overrides[app: "nvim"].toggled == Toggled(before: before))
      #expect(try OverrideFile.parse(OverrideFile.content(overrides)) == overrides)
    }
    for before in [OverriddenField(ColorScheme.dark, until: End(expiresAt: 7)), OverriddenField(nil)] {
      var removed = Overrides()
      removed[app: "nvim"].toggled = Toggled(before: before)
      #expect(removed[app: "nvim"].toggled == Toggled(before: before))
      #expect(try OverrideFile.parse(OverrideFile.content(removed)) == removed)
      #expect(removed.list.isEmpty)
    }
  }

  @Test(
    "A file of another version or shape is damaged",
    arguments: [
      "", "{}", "[]", "not JSON", #"{"version":2,"overrides":[]}"#, #"{"version":1}"#,
      #"{"version":1,"overrides":[1]}"#, #"{"version":1,"overrides":[{"scheme":"blue"}]}"#,
      #"{"version":1,"overrides":[{"shade":"dark"}]}"#, #"{"version":1,"overrides":[],"more":1}"#,
      #"{"version":1,"overrides":[],"toggled":1}"#, #"{"version":1,"overrides":[],"toggled":[{"scheme":"blue"}]}"#,
    ])
  func damage(_ text: String) {
    #expect(throws: OverrideFile.Damage.self) { try OverrideFile.parse(Array(text.utf8)) }
  }

  @Test(
    "An end that no clock can reach or tell is damage, and the last second of the year 9999 is none",
    arguments: [Int64.min, -1, 0, 253_402_300_800, 67_768_000_000_000_000, .max])
  func ends(_ time: Int64) throws {
    func file(_ time: Int64) -> [UInt8] {
      Array(#"{"version":1,"overrides":[{"scheme":"dark","expiresAt":\#(time)}]}"#.utf8)
    }
    #expect(throws: OverrideFile.Damage.self) { try OverrideFile.parse(file(time)) }
    #expect(try OverrideFile.parse(file(253_402_300_799)).nextExpiry == 253_402_300_799)
  }

  @Test("An app that no client could name is damage", arguments: ["", "a\\u0007b", String(repeating: "a", count: 256)])
  func impossibleNames(_ name: String) {
    let file = #"{"version":1,"overrides":[{"app":"\#(name)","scheme":"dark"}]}"#
    #expect(throws: OverrideFile.Damage.self) { try OverrideFile.parse(Array(file.utf8)) }
  }

  @Test("Apps whose names are composed and decomposed are two")
  func names() throws {
    let names = ["caf\u{E9}", "cafe\u{301}"]
    let entries = names.map { #"{"app":"\#($0)","scheme":"dark"}"# }.joined(separator: ",")
    let read = try OverrideFile.parse(Array(#"{"version":1,"overrides":[\#(entries)]}"#.utf8))
    let text = String(decoding: OverrideFile.content(read), as: UTF8.self)
    for name in names { #expect(text.utf8.split(separator: 0x22).contains { $0.elementsEqual(name.utf8) }) }
  }
}

@Suite("The overrides' file on the disk")
struct OverrideStoreTests {
  /// What a store at this path reads, whether that is its own, and what it warns of; nil where nothing could be read.
  private func load(_ path: String) -> (overrides: Overrides, isOurs: Bool, warning: String?)? {
    guard case .loaded(let overrides, let isOurs, let warning) = OverrideStore(path).load() else { return nil }
    return (overrides, isOurs, warning)
  }

  @Test("What is damaged is moved aside, each time under a name of its own")
  func setAside() throws {
    try withDirectory { directory in
      let path = directory + "/overrides.json"
      for number in 0..<5 {
        try "damaged \(number)".write(toFile: path, atomically: false, encoding: .utf8)
        let read = try #require(load(path))
        #expect(read.overrides == Overrides() && read.isOurs)
        #expect(try #require(read.warning).contains("is damaged"))
      }
      let aside = try FileManager.default.contentsOfDirectory(atPath: directory).filter {
        $0.hasPrefix("overrides.json.damaged-")
      }
      let contents = try aside.map { try String(contentsOfFile: "\(directory)/\($0)", encoding: .utf8) }
      #expect(contents.sorted() == (0..<5).map { "damaged \($0)" })
    }
  }

  @Test("A file that is not there holds no override")
  func missing() throws {
    try withDirectory { directory in
      let read = try #require(load(directory + "/overrides.json"))
      #expect(read.overrides == Overrides() && read.isOurs && read.warning == nil)
    }
  }

  @Test("A link that leads to itself is left where it is")
  func unreadable() throws {
    try withDirectory { directory in
      let path = directory + "/overrides.json"
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path)
      #expect(load(path) == nil)
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == path)
    }
  }

  @Test("Of two, one has the file; it goes to the other when the first one goes, or its lock is removed")
  func lock() throws {
    try withDirectory { directory in
      let path = directory + "/overrides.json"
      var first: OverrideStore? = OverrideStore(path)
      let second = OverrideStore(path)
      guard case .loaded(_, isOurs: true, _)? = first?.load() else { throw Unexpected() }
      guard case .saved? = first?.save(OverrideFile.content(Overrides())) else { throw Unexpected() }
      guard case .loaded(_, isOurs: false, _) = second.load() else { throw Unexpected() }
      guard case .anothers = second.save([]) else { throw Unexpected() }
      try FileManager.default.removeItem(atPath: path + ".lock")
      guard case .loaded(_, isOurs: true, _) = second.load() else { throw Unexpected() }
      guard case .anothers? = first?.save([]) else { throw Unexpected() }
      first = nil
      guard case .saved = second.save(OverrideFile.content(Overrides())) else { throw Unexpected() }
    }
  }

  private struct Unexpected: Error {}

  @Test("It may lie in a directory whose name begins with a combining mark")
  func combining() throws {
    try withDirectory { directory in
      let path = directory + "/new/\u{301}state/overrides.json"
      let store = OverrideStore(path)
      guard case .saved = store.save(OverrideFile.content(Overrides())) else { throw Unexpected() }
      #expect(load(path)?.overrides == Overrides())
    }
  }

  @Test("What earlier saves have left is removed, and nothing else")
  func leftovers() throws {
    try withDirectory { directory in
      let path = directory + "/overrides.json"
      let others = [
        "overrides.json.new", "overrides.json.new-", "overrides.json.new-0123456789ABCDEF", "other.new-0123",
      ]
      for name in others + ["overrides.json.new-0123456789abcdef"] {
        try "x".write(toFile: "\(directory)/\(name)", atomically: false, encoding: .utf8)
      }
      _ = load(path)
      let left = try FileManager.default.contentsOfDirectory(atPath: directory)
      #expect(Set(left) == Set(others + ["overrides.json.lock"]))
    }
  }
}

@Suite("What the desktop last asked for")
struct LastReadingTests {
  @Test("What was kept is read back")
  func roundTrip() {
    let color = Color(hexadecimal: "#1a334d")
    for reading in [
      Reading(), Reading(scheme: .dark), Reading(scheme: .none, highContrast: true, reducedMotion: false),
      Reading(scheme: .light, accentColor: color), Reading(scheme: .dark, isRemembered: true),
    ] {
      #expect(LastReading.parse(LastReading.content(reading))?.reading == reading)
    }
  }

  @Test("A colour that an earlier daemon kept as three numbers is read")
  func earlierColor() {
    let text = #"{"scheme":"dark","accentColor":{"red":0.25,"green":0,"blue":1.0}}"#
    let reading = Reading(scheme: .dark, accentColor: Color(hexadecimal: "#4000ff"))
    #expect(LastReading.parse(Array(text.utf8))?.reading == reading)
  }

  @Test("What is damaged says nothing", arguments: ["", "{}", "[]", #"{"scheme":"blue"}"#, #"{"scheme":1}"#])
  func damaged(_ text: String) {
    #expect(LastReading.parse(Array(text.utf8)) == nil)
  }

  @Test func `a record of the desktop's step with a number that no daemon reaches is dropped`() {
    let record = #""on":true,"asked":"light","reported":"light","number":9223372036854775807"#
    let text = "{\"scheme\":\"light\",\"inStep\":{\(record)}}"
    #expect(LastReading.parse(Array(text.utf8))?.reading.scheme == .light)
    #expect(LastReading.parse(Array(text.utf8))?.desktop == nil)
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

  @Test("The installed example is right, complete, and says the defaults")
  func example() throws {
    let example = try String(
      contentsOfFile: #filePath.components(separatedBy: "/Tests/")[0] + "/docs/examples/themed.conf", encoding: .utf8)
    var configuration = try load(example)
    #expect(configuration.settings.allSatisfy { $0.origin != "default" })
    (configuration.settings, configuration.choices) = ([], [:])
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

  @Test("A wrong value is named with its file, its line, its key and what was expected")
  func wrongValue() throws {
    let word = try problem("[appearance]\nno-preference=blue\n")
    #expect(word.contains("themed.conf:2: [appearance] no-preference is 'blue', but should be light or dark"))
    for time in ["-1", "60001", "soon", "1.5", ""] {
      #expect(try problem("[portal]\nsettle-time=\(time)\n").contains("settle-time is '\(time)'"))
    }
  }

  @Test("A mistake is named with the line of the key that counts, or of the key that needs another")
  func lineOfMistake() throws {
    let twice = try problem("[log]\nlevel=info\n\n[log]\nlevel=loud\n")
    #expect(twice.contains("themed.conf:5: [log] level is 'loud', but should be error, warning, notice, info or debug"))
    let half = try problem("[schedule]\n# a comment\nlatitude=52.5\n")
    #expect(half.contains("themed.conf:3: [schedule] longitude should be set, because latitude is set"))
  }

  @Test("What is no key file is refused with its first wrong line, and how many more there are")
  func noKeyFile() throws {
    let line = "themed.conf:1: a group in brackets should come before the first key"
    #expect(try problem("no-preference=dark\n").hasSuffix(line))
    #expect(try problem("no-preference=dark\n[log]\nlevel\n").hasSuffix("\(line); 1 more line is wrong"))
  }

  @Test("A value is taken as it is written: an escape is none")
  func escapes() throws {
    #expect(try problem("[log]\nlevel=\\sinfo\n").contains("[log] level is '\\sinfo', but should be error, warning"))
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

  @Test("A value that is a word to the eye alone is none, and what is quoted of a long one is short")
  func foreignText() throws {
    let long = String(repeating: "-e\u{301}\u{302}", count: 100_000)
    let problem = try problem("[appearance]\nno-desktop=\(long)\n")
    #expect(problem.utf8.count < 600)
    #expect(problem.contains("[appearance] no-desktop is '"), "\(problem)")
    #expect(
      try load("[x]\n" + (0..<1_000).map { "k\($0)=\n" }.joined()).unknown.count == Configuration.Limits.unknownSettings
    )
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
    (values.settings, values.choices) = ([], [:])
    return values == Configuration() && origins == ["default"]
  }
}
