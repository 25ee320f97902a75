import Testing
import ThemedSystem
import ThemedTestSupport

@testable import ThemedModel

/// Everything that can happen between the user, the daemon, the writer, the portal and the desktop, in every order.
@Suite(.ownThreads) struct DesktopSyncExplorationTests {
  @Test(arguments: [Preference.none, .dark])
  func `in whatever order things happen, the desktop ends in step and the last wish holds`(asked: Preference) {
    let all = explore(
      from: Room(asked: asked), alphabet: Room.Event.allCases, states: 30_000,
      step: { (room, event) throws(Broken) in try room.take(event) },
      invariant: { (room) throws(Broken) in try room.requireCalm() })
    print("desktop in step, from \(asked): \(all)")
    #expect(all.fault == nil, "\(all)")
    #expect(all.isComplete || all.states >= 30_000)
  }
}

/// A user, a daemon that keeps a desktop in step, its disk, a writer, and the desktop with its portal.
private struct Room: Hashable {
  enum Event: CaseIterable {
    case setDark, setLight, setDarkUntilChanged, unset
    case userSwitches
    case scheduleBegins, scheduleTurns, scheduleEnds
    case turnedOn, turnedOff
    case diskWrites
    case writerReceives, writerWrites, writerReports, writerFails, writerCrashes, writerStarts
    case portalHears, portalSkips, portalLies, readAtOnce, readLate
    case daemonCrashes
  }

  private var sync: DesktopSync
  private var overrides = Overrides()
  private var schedule = Scheduled.off
  private let defaults = Defaults()
  /// What is on the disk: the writer gets only that.
  private var disk: DesktopSync.Record?
  /// The desktop's own setting.
  private var desktop: Preference
  /// The values of the setting that the portal has not heard of yet.
  private var unheard: [Preference] = []
  /// How many of them are certain to be heard before the next read: the writer reported after them.
  private var certain = 0
  private var portal: Preference
  private var isReading = false
  private var hasWriter = true
  /// The target that the writer has received and not reported yet, whether it was written, and the one before.
  private var held: DesktopTarget?
  private var isWritten = false
  private var done: DesktopTarget?

  init(asked: Preference) {
    (desktop, portal) = (asked, asked)
    sync = DesktopSync(reported: asked)
    _ = sync.writers(1)
    sync.turn(on: true, defaults)
    disk = sync.record
  }

  private var shown: ColorScheme {
    overrides.resolve(app: nil, schedule: schedule, reading: Reading(scheme: sync.wish), defaults: defaults).scheme
  }

  /// Whether the desktop was written, and its portal was read after that and never had the target.
  ///
  /// A desktop that does not follow looks like one that the user has switched before the portal heard of our write. It
  /// stays pending, which `status` shows, and the next switch of the user counts.
  private var isIgnored: Bool {
    sync.pending.map { $0.isWritten && !$0.wasReached && $0.target == done } == true
  }

  /// Whether nothing is under way.
  private var isQuiet: Bool {
    (sync.pending == nil || isIgnored) && unheard.isEmpty && !isReading && held == nil && disk == sync.record
      && hasWriter
  }

  mutating func take(_ event: Event) throws(Broken) -> Bool {
    let before = self
    guard happens(event) else { return false }
    sync.show(shown, isWish: [.setDark, .setLight, .setDarkUntilChanged].contains(event), defaults)
    forgetNumbers()
    if self == before { return false }
    try requireWish(event, before)
    return true
  }

  private mutating func happens(_ event: Event) -> Bool {
    switch event {
    case .setDark: set(.dark, End())
    case .setLight: set(.light, End())
    case .setDarkUntilChanged: set(.dark, End(desktopWas: sync.wish, turn: schedule.next))
    case .unset: overrides[app: nil].clear(.scheme)
    case .userSwitches:
      guard unheard.count < 2 else { return false }
      change(defaults.scheme(of: desktop) == .light ? .dark : .light)
    case .scheduleBegins:
      guard schedule == .off else { return false }
      turn(.light)
    case .scheduleTurns:
      guard let scheme = schedule.scheme else { return false }
      turn(scheme.opposite)
    case .scheduleEnds:
      schedule = .off
      overrides.scheduleTurned(.off, now: 0)
    case .turnedOn: sync.turn(on: true, defaults)
    case .turnedOff: sync.turn(on: false, defaults)
    case .diskWrites: disk = sync.record
    case .writerReceives:
      guard hasWriter, held == nil, let target = disk?.target, target == sync.pending?.target, target != done
      else { return false }
      (held, isWritten) = (target, false)
    case .writerWrites:
      guard let target = held, !isWritten, unheard.count < 2 else { return false }
      // It looks at the newest target before it writes.
      guard target == disk?.target, target == sync.pending?.target else {
        held = nil
        return true
      }
      if !target.preferences.contains(desktop) { change(target.preferences[0]) }
      isWritten = true
    case .writerReports, .writerFails:
      guard let target = held, isWritten || event == .writerFails else { return false }
      // After a failure, the writer tries again.
      (held, isWritten, done, certain) = (nil, false, event == .writerFails ? nil : target, unheard.count)
      if sync.written(target.number, problem: event == .writerFails ? "a test" : nil) { isReading = true }
    case .writerCrashes:
      guard hasWriter else { return false }
      (hasWriter, held, isWritten, done, certain) = (false, nil, false, nil, unheard.count)
      if sync.writers(0) { isReading = true }
    case .writerStarts:
      guard !hasWriter else { return false }
      hasWriter = true
      _ = sync.writers(1)
    case .portalHears:
      guard !unheard.isEmpty else { return false }
      hear()
    case .portalSkips:
      guard unheard.count > 1 else { return false }
      unheard.removeFirst()
      certain = max(0, certain - 1)
    case .portalLies:
      isReading = true
      sync.report(
        defaults.scheme(of: portal) == .light ? .dark : .light, isNewSession: false, defaults)
    case .readAtOnce, .readLate:
      for _ in 0..<(event == .readLate ? unheard.count : certain) { hear() }
      isReading = false
      report()
      settle()
    case .daemonCrashes:
      sync = disk.map(DesktopSync.init) ?? DesktopSync(reported: portal)
      isReading = true
      // The writer connects again, and gets the target again.
      done = nil
      if hasWriter { _ = sync.writers(1) }
      report()
    }
    return true
  }

  private mutating func set(_ scheme: ColorScheme, _ end: End) {
    overrides[app: nil].clear(.scheme)
    overrides[app: nil].scheme = OverriddenField(scheme, until: end)
  }

  private mutating func turn(_ scheme: ColorScheme) {
    schedule = .by(scheme, next: Switch(time: 1, scheme: scheme.opposite))
    overrides.scheduleTurned(schedule, now: 0)
  }

  private mutating func change(_ value: Preference) {
    desktop = value
    unheard.append(value)
  }

  private mutating func hear() {
    portal = unheard.removeFirst()
    certain = max(0, certain - 1)
    // A read follows each signal.
    isReading = true
    report()
  }

  private mutating func report() { sync.report(portal, isNewSession: false, defaults) }

  private mutating func settle() {
    if let wish = sync.settled(shown: shown, defaults) { follow(wish) }
    overrides.desktopSettled(sync.wish)
    sync.show(shown, defaults)
  }

  private mutating func follow(_ wish: Preference) {
    let isAsked = overrides.desktopSwitched(
      to: defaults.scheme(of: wish), schedule: schedule, desktop: sync.asked, turn: schedule.next)
    if isAsked { sync.accept(wish) }
  }

  /// Targets differ only by whether they are the current one, so that the states are finite.
  private mutating func forgetNumbers() {
    let current = sync.number
    func renumber(_ target: inout DesktopTarget?) {
      guard let number = target?.number else { return }
      target?.number = number == current ? 2 : 1
    }
    renumber(&held)
    renumber(&done)
    if var record = disk {
      renumber(&record.target)
      record.number = 2
      disk = record
    }
    sync.pending?.target.number = 2
    sync.number = 2
  }

  // MARK: What has to be true

  /// Lets everything that is under way come to its end; returns how often the desktop was written.
  private mutating func calmDown() -> Int {
    var writes = 0
    for _ in 0..<12 {
      let before = self
      let desktop = desktop
      for event in [Event.writerStarts, .diskWrites, .portalHears, .portalHears, .writerReceives, .writerWrites] {
        _ = happens(event)
        sync.show(shown, defaults)
      }
      if self.desktop != desktop { writes += 1 }
      for event in [Event.portalHears, .portalHears, .writerReports, .readLate, .diskWrites] {
        _ = happens(event)
        sync.show(shown, defaults)
      }
      forgetNumbers()
      if self == before { break }
    }
    return writes
  }

  func requireCalm() throws(Broken) {
    var room = self
    let writes = room.calmDown()
    guard writes <= 3 else { throw Broken("the desktop was written \(writes) times: there is no end") }
    guard room.isQuiet else { throw Broken("something stays under way") }
    if room.sync.isOn, !room.isIgnored, room.defaults.scheme(of: room.desktop) != room.shown {
      throw Broken("the desktop shows \(room.desktop), and everything else \(room.shown)")
    }
  }

  /// A wish, and nothing after it, is what is shown in the end.
  private func requireWish(_ event: Event, _ before: Room) throws(Broken) {
    let isWish = [.setDark, .setLight, .userSwitches, .unset, .turnedOff, .portalLies].contains(event)
    guard isWish, before.unheard.isEmpty, before.sync.pending == nil else { return }
    var room = self
    _ = room.calmDown()
    guard !room.isIgnored else { return }
    switch event {
    case .setDark where room.shown != .dark: throw Broken("dark was set, and light is shown")
    case .setLight where room.shown != .light: throw Broken("light was set, and dark is shown")
    case .portalLies where before.isQuiet && before.sync.isOn && room.overrides != before.overrides:
      throw Broken("a wrong signal has ended an override")
    case .portalLies where before.isQuiet && before.sync.isOn && room.shown != before.shown:
      throw Broken("\(before.shown) was shown, and after a wrong signal it is \(room.shown)")
    case .userSwitches where before.isQuiet && room.desktop != desktop:
      throw Broken("the user switched the desktop to \(desktop), and it became \(room.desktop)")
    case .unset
    where before.isQuiet && before.sync.isOn && before.schedule == .off
      && defaults.scheme(of: room.desktop) != defaults.scheme(of: before.sync.asked):
      throw Broken("the desktop asked for \(before.sync.asked) before, and it has \(room.desktop)")
    case .turnedOff where before.isQuiet && before.sync.isOn && room.desktop != before.sync.asked:
      throw Broken("the desktop had \(before.sync.asked) before, and has \(room.desktop) after that")
    default: return
    }
  }
}
