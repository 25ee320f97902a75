import Testing
import ThemedModel
import ThemedDBus
import ThemedSystem

@testable import ThemeDaemon

/// A portal's answers, as a follower gets them.
private let portal: Text = ":1.7"

private let dark = Value.variant(.uint32(1))
private let light = Value.variant(.uint32(2))
private let none = Value.variant(.uint32(0))

/// Drives a follower and keeps what it asks for.
private struct Desktop {
  var follower = PortalFollower(settleTime: 100)
  var read: PortalFollower.Read?
  var lastID = 0
  var delay: Int?
  var published: [Preference] = []
  var settled: [Preference] = []
  var warnings: [String] = []

  mutating func send(_ event: PortalFollower.Event) {
    for action in follower.handle(event) {
      switch action {
      case .read(let asked): (read, lastID) = (asked, asked.id)
      case .wake(let milliseconds): delay = milliseconds
      case .sleep: delay = nil
      case .publish(let reading, _): published.append(reading.scheme)
      case .settle: settled.append(follower.reading.scheme)
      case .warn(let text): warnings.append(text)
      }
    }
  }

  mutating func wake() {
    delay = nil
    send(.woken)
  }

  mutating func signal(_ value: Value, _ setting: Setting = .colorScheme, from sender: Text? = portal) {
    send(.signal(sender: sender, setting, value))
  }

  /// Answers a read: the color scheme with `value`, the other settings as a portal that does not have them.
  mutating func answer(_ value: Value, to asked: PortalFollower.Read? = nil) {
    guard let asked = asked ?? read else {
      Issue.record("nothing was asked")
      return
    }
    for setting in Setting.allCases {
      send(.answer(asked.id, setting, setting == .colorScheme ? .success(value) : .failure(notFound)))
    }
  }

  mutating func fail(_ name: Text = "org.freedesktop.DBus.Error.NoReply") {
    guard let read else { return }
    for setting in Setting.allCases { send(.answer(read.id, setting, .failure(Failure(name: name, message: "")))) }
  }

  /// A desktop whose portal runs and was read and confirmed.
  static func settled(_ value: Value) -> Desktop {
    var desktop = Desktop()
    desktop.send(.owner(portal))
    desktop.answer(value)
    desktop.wake()
    desktop.answer(value)
    desktop.published = []
    return desktop
  }
}

private let notFound = Failure(name: "org.freedesktop.portal.Error.NotFound", message: "")

@Suite("Following the portal")
struct PortalFollowerTests {
  @Test("What an earlier session has left is remembered until the portal says its color scheme, the same or another")
  func remembered() {
    for said in [dark, light, none] {
      var desktop = Desktop()
      desktop.follower = PortalFollower(settleTime: 100, reading: Reading(scheme: .dark, isRemembered: true))
      desktop.send(.owner(portal))
      desktop.fail()
      #expect(desktop.follower.reading.isRemembered && desktop.published.isEmpty)
      desktop.wake()
      desktop.answer(said)
      #expect(!desktop.follower.reading.isRemembered && desktop.published.count == 1)
    }
  }

  @Test("Nothing is asked of a portal that does not run")
  func noOwner() {
    var desktop = Desktop()
    desktop.send(.owner(nil))
    #expect(desktop.read == nil)
    #expect(desktop.follower.reading.scheme == .unavailable)
  }

  @Test("A portal that runs is asked at once, and what it says is published")
  func firstRead() {
    var desktop = Desktop()
    desktop.send(.owner(portal))
    #expect(desktop.read?.method == .readOne)
    desktop.answer(dark)
    #expect(desktop.published == [.dark])
  }

  @Test("What has changed while a backend was away is read a moment after it is back, however often it comes")
  func backendStarted() {
    var desktop = Desktop.settled(light)
    let last = desktop.lastID
    for _ in 0..<3 { desktop.send(.backendStarted) }
    #expect(desktop.lastID == last && desktop.delay != nil)
    desktop.wake()
    desktop.answer(dark)
    #expect(desktop.published == [.dark])
    // One that comes while it is confirmed may come after the answer of another.
    desktop = Desktop()
    desktop.send(.owner(portal))
    desktop.answer(light)
    desktop.wake()
    desktop.send(.backendStarted)
    desktop.answer(light)
    desktop.wake()
    desktop.answer(dark)
    #expect(desktop.published == [.light, .dark])
  }

  @Test("A portal of version 1 is asked by Read, whose answer has one variant more")
  func versionOne() {
    var desktop = Desktop()
    desktop.send(.owner(portal))
    desktop.fail("org.freedesktop.DBus.Error.UnknownMethod")
    #expect(desktop.read?.method == .read)
    desktop.answer(.variant(light))
    #expect(desktop.published == [.light])
  }

  @Test("A setting that a portal no longer has is forgotten, since another desktop may have had it")
  func missingSetting() {
    var desktop = Desktop.settled(dark)
    desktop.signal(.variant(.uint32(1)), .contrast)
    desktop.signal(.variant(.structure([.double(1), .double(0), .double(0)])), .accentColor)
    #expect(desktop.follower.reading.highContrast == true)
    desktop.send(.owner(nil))
    #expect(desktop.follower.reading.highContrast == true)
    desktop.send(.owner(":1.8"))
    desktop.answer(dark)
    #expect(desktop.follower.reading == Reading(scheme: .dark))
  }

  @Test("Where a portal has nothing at all, what it last said stands")
  func missingBackend() {
    var desktop = Desktop.settled(dark)
    desktop.signal(.variant(.uint32(1)), .contrast)
    desktop.wake()
    desktop.fail("org.freedesktop.portal.Error.NotFound")
    #expect(desktop.follower.reading.scheme == .dark)
    #expect(desktop.follower.reading.highContrast == true)
  }

  @Test("However many pretend to be the portal, and whatever they send, one short warning says so, and others follow")
  func manyWarnings() {
    var desktop = Desktop.settled(dark)
    for number in 0..<100 { desktop.signal(light, from: ":9.\(number)") }
    #expect(desktop.warnings.count == 1)
    desktop.signal(.string(Text(String(repeating: "x", count: 100_000))))
    #expect(desktop.warnings.count == 2)
    #expect(desktop.warnings.allSatisfy { $0.count < 200 })
  }

  @Test("A portal without the interface is said to have none, and is asked again only after long delays")
  func noInterface() {
    var desktop = Desktop()
    desktop.send(.owner(portal))
    desktop.fail("org.freedesktop.DBus.Error.UnknownMethod")
    desktop.fail("org.freedesktop.DBus.Error.UnknownMethod")
    #expect(desktop.delay == Limits.portalSlowRetries.lowerBound)
    #expect(desktop.warnings.count == 1)
    #expect(desktop.follower.reading.scheme == .unavailable)
    desktop.wake()
    #expect(desktop.read?.method == .readOne)
    desktop.answer(dark)
    #expect(desktop.published == [.dark])
  }

  @Test("What was read is confirmed once after a second")
  func confirmation() {
    var desktop = Desktop()
    desktop.send(.owner(portal))
    desktop.answer(dark)
    #expect(desktop.delay == 1_000)
    desktop.read = nil
    desktop.wake()
    desktop.answer(light)
    #expect(desktop.published == [.dark, .light])
    #expect(desktop.delay == nil)
  }

  @Test("The first change goes out at once, before any settle time")
  func leadingEdge() {
    var desktop = Desktop.settled(light)
    desktop.signal(dark)
    #expect(desktop.published == [.dark])
    #expect(desktop.delay == 100)
  }

  @Test("Further changes within the settle time wait, and the read at its end wins")
  func settling() {
    var desktop = Desktop.settled(light)
    desktop.signal(dark)
    desktop.signal(light)
    desktop.signal(none)
    desktop.wake()
    desktop.answer(light)
    #expect(desktop.published == [.dark, .light])
  }

  @Test("The desktop has settled at what a read says, never at what a signal says")
  func settledReadings() {
    var desktop = Desktop.settled(light)
    desktop.settled = []
    desktop.signal(dark)
    desktop.signal(light)
    #expect(desktop.settled.isEmpty)
    desktop.wake()
    desktop.answer(light)
    #expect(desktop.settled == [.light])
    desktop.fail()
    #expect(desktop.settled == [.light])
  }

  @Test("A signal that the portal's own answer denies is corrected")
  func lie() {
    var desktop = Desktop.settled(dark)
    desktop.signal(none)
    desktop.wake()
    desktop.answer(dark)
    #expect(desktop.published == [.none, .dark])
  }

  @Test("The settle time of one setting does not delay another one's first change")
  func settlesApart() {
    var desktop = Desktop.settled(light)
    desktop.signal(.variant(.uint32(1)), .contrast)
    desktop.signal(dark)
    #expect(desktop.published == [.light, .dark])
    #expect(desktop.follower.reading.highContrast == true)
  }

  @Test("A stale answer to a read that a newer signal overtook is not taken")
  func staleAnswer() {
    var desktop = Desktop.settled(light)
    desktop.signal(light)
    desktop.wake()
    let stale = desktop.read
    desktop.signal(dark)
    desktop.answer(light, to: stale)
    #expect(desktop.published == [.dark])
    desktop.wake()
    desktop.answer(dark)
    #expect(desktop.published == [.dark])
  }

  @Test("A desktop that flaps for ever is still read")
  func endlessFlapping() {
    var desktop = Desktop.settled(light)
    var wakes = 0
    for round in 0..<100 {
      desktop.delay = nil
      desktop.signal(round.isMultiple(of: 2) ? dark : light)
      if desktop.delay != nil { wakes += 1 }
    }
    #expect(wakes == Limits.prolongingSignals)
    desktop.wake()
    desktop.answer(light)
    #expect(desktop.published == [.dark, .light])
  }

  @Test("A signal that is not the portal's is ignored, and said once")
  func spoof() {
    var desktop = Desktop.settled(light)
    desktop.signal(dark, from: ":1.666")
    desktop.signal(dark, from: ":1.666")
    desktop.signal(dark, from: nil)
    #expect(desktop.published.isEmpty)
    #expect(desktop.warnings.count == 1)
  }

  @Test("When the portal goes, what it last said stands; when it returns, it is asked again")
  func restart() {
    var desktop = Desktop.settled(dark)
    desktop.read = nil
    desktop.send(.owner(nil))
    #expect(desktop.published.isEmpty)
    #expect(desktop.follower.reading.scheme == .dark)
    desktop.send(.owner(":1.8"))
    #expect(desktop.read != nil)
    desktop.answer(light)
    #expect(desktop.published == [.light])
  }

  @Test("An answer of a portal that is gone is not taken")
  func answerOfTheDead() {
    var desktop = Desktop()
    desktop.send(.owner(portal))
    let stale = desktop.read
    desktop.send(.owner(":1.8"))
    desktop.answer(dark, to: stale)
    #expect(desktop.published.isEmpty)
  }

  @Test("When the bus goes, what it last told stands")
  func busLost() {
    var desktop = Desktop.settled(dark)
    desktop.send(.owner(nil))
    #expect(desktop.published.isEmpty)
    #expect(desktop.follower.reading.scheme == .dark)
    #expect(desktop.delay == nil)
  }

  @Test("A read that fails changes nothing, and is made again, soon at first and then ever less often")
  func failure() {
    var desktop = Desktop.settled(dark)
    desktop.signal(light)
    desktop.wake()
    var delays: [Int?] = []
    for _ in 0..<10 {
      desktop.fail()
      delays.append(desktop.delay)
      desktop.wake()
    }
    #expect(desktop.published == [.light])
    let slow = [120_000, 240_000, 480_000, 960_000, 1_920_000, 3_600_000, 3_600_000]
    #expect(delays == [1_000, 5_000, 25_000] + slow)
    desktop.answer(dark)
    #expect(desktop.published == [.light, .dark])
    desktop.signal(light)
    desktop.wake()
    desktop.fail()
    #expect(desktop.delay == 1_000, "what failed since then begins anew")
  }

  /// One whose quick retries were all in vain.
  private func given(_ desktop: inout Desktop) {
    desktop.send(.owner(portal))
    for _ in 0..<3 {
      desktop.fail()
      desktop.wake()
    }
    desktop.fail()
    desktop.read = nil
  }

  @Test("Somebody new has a portal whose read failed read again at once, and a crowd no more often than one")
  func signsOfLife() {
    var desktop = Desktop()
    given(&desktop)
    #expect(desktop.delay == 120_000)
    desktop.send(.signOfLife)
    #expect(desktop.read != nil)
    var reads = 0
    for _ in 0..<4 {
      for _ in 0..<100 {
        desktop.read = nil
        desktop.send(.signOfLife)
        if desktop.read != nil { reads += 1 }
      }
      desktop.read = PortalFollower.Read(id: desktop.lastID, owner: portal, method: .readOne)
      desktop.fail()
      if desktop.delay != 240_000 { desktop.wake() }
    }
    #expect(reads == 0)
    #expect(desktop.delay == 240_000, "where the slow retries were, they go on")
    desktop.send(.signOfLife)
    desktop.answer(dark)
    #expect(desktop.published == [.dark])
  }

  @Test("Somebody new is no reason to read a portal again that has answered")
  func signOfLifeInOrder() {
    var desktop = Desktop.settled(dark)
    desktop.read = nil
    desktop.send(.signOfLife)
    desktop.send(.reload)
    #expect(desktop.read == nil)
  }

  @Test("A reload has a portal whose read failed read again at once, whatever delay was under way")
  func reload() {
    var desktop = Desktop()
    given(&desktop)
    desktop.send(.reload)
    #expect(desktop.read != nil)
    desktop.fail()
    #expect(desktop.delay == 1_000)
    desktop.read = nil
    desktop.send(.reload)
    #expect(desktop.read != nil)
    desktop.answer(light)
    #expect(desktop.published == [.light])
  }

  @Test("Where the read fails, the last of the held signals holds")
  func heldSignal() {
    var desktop = Desktop.settled(light)
    desktop.signal(dark)
    desktop.signal(light)
    desktop.wake()
    desktop.fail()
    #expect(desktop.published == [.dark, .light])
  }

  @Test("Equal readings publish nothing")
  func duplicates() {
    var desktop = Desktop.settled(dark)
    for _ in 0..<5 { desktop.signal(dark) }
    desktop.wake()
    desktop.answer(dark)
    desktop.wake()
    desktop.answer(dark)
    #expect(desktop.published.isEmpty)
    #expect(desktop.delay == nil)
  }
}

@Suite("What a portal's value means")
struct PortalReadingTests {
  private func preference(_ value: Value) -> Preference {
    var reading = Reading()
    _ = reading.learn(.colorScheme, value)
    return reading.scheme
  }

  @Test(
    "0, 1 and 2 are no preference, dark and light, and any other number is no preference",
    arguments: [(UInt32(0), Preference.none), (1, .dark), (2, .light), (3, .none), (7, .none), (.max, .none)])
  func numbers(_ number: UInt32, _ preference: Preference) {
    #expect(self.preference(.variant(.uint32(number))) == preference)
  }

  @Test(
    "Any integer type is understood",
    arguments: [
      Value.byte(1), .int16(1), .uint16(1), .int32(1), .uint32(1), .int64(1), .uint64(1), .variant(.int32(1)),
    ])
  func integers(_ value: Value) {
    #expect(preference(value) == .dark)
  }

  @Test(
    "Anything else is no preference",
    arguments: [
      Value.string("dark"), .boolean(true), .double(1), .array([.uint32(1)]), .structure([]), .other, .int32(-1),
      .uint64(.max), .int64(.min),
    ])
  func nonsense(_ value: Value) {
    #expect(preference(.variant(value)) == .none)
  }

  @Test("Four variants are unwrapped, and a fifth is too many")
  func nesting() {
    var value = Value.uint32(1)
    for _ in 0..<4 { value = .variant(value) }
    #expect(preference(value) == .dark)
    #expect(preference(.variant(value)) == .none)
  }

  @Test("Only the specified type passes without a word")
  func types() {
    func isExpected(_ setting: Setting, _ value: Value) -> Bool {
      var reading = Reading()
      return reading.learn(setting, .variant(value))
    }
    #expect(isExpected(.colorScheme, .uint32(1)))
    #expect(!isExpected(.colorScheme, .int32(1)))
    #expect(isExpected(.accentColor, .structure([.double(0), .double(0.5), .double(1)])))
    #expect(!isExpected(.accentColor, .structure([.double(0)])))
  }

  @Test(
    "Contrast and motion are asked for by 1 alone",
    arguments: [(Value.uint32(1), true), (.uint32(0), false), (.uint32(2), false), (.string(""), false)])
  func flags(_ value: Value, _ expected: Bool) {
    var reading = Reading()
    _ = reading.learn(.contrast, .variant(value))
    #expect(reading.highContrast == expected)
    #expect(reading.reducedMotion == nil)
    _ = reading.learn(.reducedMotion, .variant(value))
    #expect(reading.reducedMotion == expected)
  }

  @Test("A colour out of range is unset")
  func colour() {
    var reading = Reading()
    _ = reading.learn(.accentColor, .structure([.double(0.1), .double(0.2), .double(0.3)]))
    let first = reading.accentColor
    #expect(first?.hexadecimal == "#1a334d")
    _ = reading.learn(.accentColor, .structure([.double(0.1004), .double(0.2), .double(0.3)]))
    #expect(reading.accentColor == first, "what clients could not tell apart is no change")
    for wrong in [-1, 1.5, .nan, .infinity] {
      _ = reading.learn(.accentColor, .structure([.double(wrong), .double(0.2), .double(0.3)]))
      #expect(reading.accentColor == nil)
    }
  }
}
