import Appearance
import ForeignText
import Testing

/// What is kept of what the user sets, and what a toggle does.
@Suite struct OverridesTests {
  @Test("An override takes the place of what was overridden for the same app, and of nothing else")
  func set() {
    var overrides = Overrides()
    overrides.set(Override(scheme: .dark))
    overrides.set(Override(app: "editor", scheme: .light))
    overrides.set(Override(app: "browser", scheme: .auto))
    overrides.set(Override(app: "editor", scheme: .dark))
    #expect(overrides.count == 3)
    #expect(
      overrides.told == [
        Override(scheme: .dark), Override(app: "browser", scheme: .auto), Override(app: "editor", scheme: .dark),
      ])
    #expect(overrides[app: "other"].isEmpty)
  }

  @Test("A field that an override does not give stays as it was, with its own end")
  func fieldsApart() {
    var overrides = Overrides()
    overrides.set(Override(highContrast: true))
    overrides.set(Override(scheme: .dark, reducedMotion: true, expiresAt: 100))
    #expect(
      overrides.told == [Override(scheme: .dark, reducedMotion: true, expiresAt: 100), Override(highContrast: true)])
    overrides.expire(now: 100)
    #expect(overrides.told == [Override(highContrast: true)])
  }

  @Test("Clearing removes what is overridden for one app, and clearing what is not there does nothing")
  func clear() {
    var overrides = Overrides()
    overrides.set(Override(scheme: .dark))
    overrides.set(Override(app: "editor", scheme: .light, highContrast: true))
    overrides.clear(app: "other")
    #expect(overrides.count == 2)
    overrides.clear(app: nil)
    overrides[app: "editor"].clear(.scheme)
    #expect(overrides.told == [Override(app: "editor", highContrast: true)])
    overrides[app: "editor"].clear(.highContrast)
    #expect(overrides == Overrides())
  }

  @Test("For all apps 'auto' is the desktop, as without an override")
  func autoForAll() {
    var overrides = Overrides()
    overrides.set(Override(scheme: .dark))
    overrides.set(Override(scheme: .auto))
    #expect(overrides == Overrides())
    overrides.set(Override(scheme: .auto, highContrast: true, expiresAt: 1))
    #expect(overrides.told == [Override(highContrast: true, expiresAt: 1)])
  }

  @Test("An app's 'auto' is kept: it pins the app to the desktop, until it is removed")
  func autoForAnApp() {
    var overrides = Overrides()
    overrides.set(Override(scheme: .dark))
    overrides.set(Override(app: "editor", scheme: .auto))
    let reading = Reading(scheme: .light)
    #expect(overrides.resolve(app: "editor", reading: reading, defaults: Defaults()).scheme == .light)
    #expect(overrides.resolve(app: "other", reading: reading, defaults: Defaults()).scheme == .dark)
    overrides.clear(app: "editor")
    #expect(overrides.resolve(app: "editor", reading: reading, defaults: Defaults()).scheme == .dark)
  }

  // MARK: Ends

  @Test("A rule ends at its time, not before, and the next time is known")
  func expiry() {
    var overrides = Overrides()
    overrides.set(Override(scheme: .dark, expiresAt: 100))
    overrides.set(Override(app: "editor", scheme: .dark, expiresAt: 50))
    overrides.set(Override(app: "browser", scheme: .dark))
    #expect(overrides.nextExpiry == 50)
    overrides.expire(now: 49)
    #expect(overrides.count == 3)
    overrides.expire(now: 50)
    #expect(overrides.nextExpiry == 100)
    overrides.expire(now: 1_000)
    #expect(overrides.told == [Override(app: "browser", scheme: .dark)])
    #expect(overrides.nextExpiry == nil)
  }

  @Test(
    "A rule that ends by the desktop ends when its settled preference is another",
    arguments: Preference.allCases, Preference.allCases)
  func untilDesktopChanges(was: Preference, is now: Preference) {
    var overrides = Overrides()
    overrides.set(Override(scheme: .dark, untilDesktopChanges: true), desktop: was)
    overrides.desktopSettled(now)
    // A desktop that cannot be heard has not changed, and what is first heard is no change.
    let ends = was != now && was != .unavailable && now != .unavailable
    #expect(overrides.told.isEmpty == ends)
  }

  @Test("What is first heard of a desktop is what it changes from")
  func firstHeard() {
    var overrides = Overrides()
    overrides.set(Override(scheme: .dark, untilDesktopChanges: true), desktop: .unavailable)
    overrides.desktopSettled(.light)
    overrides.desktopSettled(.light)
    overrides.desktopSettled(.unavailable)
    #expect(overrides.count == 1)
    overrides.desktopSettled(.none)
    #expect(overrides.count == 0)
  }

  @Test("Of two ends the first one counts")
  func twoEnds() {
    var overrides = Overrides()
    overrides.set(Override(scheme: .dark, expiresAt: 100, untilDesktopChanges: true), desktop: .light)
    var other = overrides
    overrides.expire(now: 100)
    other.desktopSettled(.dark)
    #expect(overrides == Overrides())
    #expect(other == Overrides())
  }

  // MARK: Toggles

  /// Each end that a rule may have.
  private static let ends = [(nil, nil), (100, nil), (nil, true), (100, true)] as [(Int64?, Bool?)]

  @Test("Apps whose names differ in bytes have rules of their own, though Unicode holds them to be one")
  func equivalentNames() {
    var overrides = Overrides()
    overrides[app: "caf\u{E9}"].set(Override(scheme: .dark), until: End())
    overrides[app: "cafe\u{301}"].set(Override(scheme: .light), until: End())
    #expect(overrides.count == 2)
    #expect(overrides.list.map(\.override.app) == ["cafe\u{301}", "caf\u{E9}"])
    #expect(overrides.resolve(app: "caf\u{E9}", reading: Reading(), defaults: Defaults()).scheme == .dark)
    #expect(overrides.resolve(app: "cafe\u{301}", reading: Reading(), defaults: Defaults()).scheme == .light)
  }

  @Test("A toggle always has an effect, and twice shows what was shown before", arguments: [nil, "editor"])
  func toggles(app: Text?) {
    for situation in Situation.all {
      for (expiresAt, untilDesktopChanges) in Self.ends {
        let before = situation.overrides(expiresAt, untilDesktopChanges)
        var overrides = before
        overrides.toggle(app: app, reading: situation.reading, defaults: situation.defaults)
        #expect(situation.shown(by: overrides, to: app) == situation.shown(by: before, to: app).opposite)
        overrides.toggle(app: app, reading: situation.reading, defaults: situation.defaults)
        #expect(situation.shown(by: overrides, to: app) == situation.shown(by: before, to: app))
      }
    }
  }

  @Test("A toggle removes the override of its level where that does it, and touches no other level")
  func toggleRemoves() {
    for situation in Situation.all {
      var overrides = situation.overrides()
      overrides.toggle(app: nil, reading: situation.reading, defaults: situation.defaults)
      #expect(overrides[app: "editor"] == situation.overrides()[app: "editor"])
      var without = Overrides()
      let aim = situation.shown(by: overrides, to: nil)
      #expect(overrides[app: nil].isEmpty == (situation.shown(by: without, to: nil) == aim), "\(situation)")

      overrides = situation.overrides()
      overrides.toggle(app: "editor", reading: situation.reading, defaults: situation.defaults)
      if let all = situation.allOverride { without.set(all) }
      #expect(overrides[app: nil] == without[app: nil])
      let appsAim = situation.shown(by: overrides, to: "editor")
      #expect(overrides[app: "editor"].isEmpty == (situation.shown(by: without, to: "editor") == appsAim))
    }
  }

  @Test("A toggle sets the scheme without an end, and keeps the other fields with theirs")
  func toggleKeeps() {
    var overrides = Overrides()
    overrides.set(Override(scheme: .light, highContrast: true, expiresAt: 12))
    overrides.toggle(app: nil, reading: Reading(scheme: .light), defaults: Defaults())
    #expect(overrides.told == [Override(scheme: .dark), Override(highContrast: true, expiresAt: 12)])
    overrides.toggle(app: nil, reading: Reading(scheme: .light), defaults: Defaults())
    #expect(overrides.told == [Override(highContrast: true, expiresAt: 12)])
  }
}

extension Situation {
  fileprivate func overrides(_ expiresAt: Int64? = nil, _ untilDesktopChanges: Bool? = nil) -> Overrides {
    var overrides = Overrides()
    for var override in [allOverride, appOverride].compactMap(\.self) {
      override.expiresAt = expiresAt
      override.untilDesktopChanges = untilDesktopChanges
      overrides.set(override, desktop: desktop)
    }
    return overrides
  }

  fileprivate func shown(by overrides: Overrides, to app: Text?) -> ColorScheme {
    overrides.resolve(app: app, reading: reading, defaults: defaults).scheme
  }
}
