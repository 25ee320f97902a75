import Testing
import ThemedModel
import ThemedSystem

/// What is kept of what the user sets.
@Suite struct OverridesTests {
  @Test("An override takes the place of what was overridden for the same app, and of nothing else")
  func set() {
    var overrides = Overrides()
    overrides.set(Override(scheme: .dark))
    overrides.set(Override(app: "editor", scheme: .light))
    overrides.set(Override(app: "browser", auto: [.scheme]))
    overrides.set(Override(app: "editor", scheme: .dark))
    #expect(overrides.count == 3)
    #expect(
      overrides.told == [
        Override(scheme: .dark), Override(app: "browser", auto: [.scheme]), Override(app: "editor", scheme: .dark),
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
    overrides.set(Override(auto: [.scheme]))
    #expect(overrides == Overrides())
    overrides.set(Override(highContrast: true, auto: [.scheme], expiresAt: 1))
    #expect(overrides.told == [Override(highContrast: true, expiresAt: 1)])
  }

  @Test("An app's 'auto' is kept: it pins the app to the desktop, until it is removed")
  func autoForAnApp() {
    var overrides = Overrides()
    overrides.set(Override(scheme: .dark))
    overrides.set(Override(app: "editor", auto: [.scheme]))
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
}
