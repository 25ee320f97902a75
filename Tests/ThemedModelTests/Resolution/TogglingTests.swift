import Testing
import ThemedModel
import ThemedSystem

/// What a toggle does, and what it goes back to.
@Suite struct TogglingTests {
  /// Each end that a rule may have.
  private static let ends = [(nil, nil), (100, nil), (nil, true), (100, true)] as [(Int64?, Bool?)]

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
      let rules = overrides[app: "editor"]
      // A pin is remembered: the next toggle would set a scheme in its place.
      let isRemoved = situation.app == .auto ? rules.scheme == nil : rules.isEmpty
      #expect(isRemoved == (situation.shown(by: without, to: "editor") == appsAim), "\(situation)")
    }
  }

  @Test("A toggle sets the scheme without an end, and keeps the other fields with theirs")
  func toggleKeeps() {
    var overrides = Overrides()
    overrides.set(Override(scheme: .light, highContrast: true, expiresAt: 12))
    overrides.toggle(app: nil, reading: Reading(scheme: .light), defaults: Defaults())
    #expect(overrides.told == [Override(scheme: .dark), Override(highContrast: true, expiresAt: 12)])
    overrides.toggle(app: nil, reading: Reading(scheme: .light), defaults: Defaults())
    #expect(overrides.told == [Override(scheme: .light, highContrast: true, expiresAt: 12)])
  }

  @Test("Toggled twice, what holds is what it was and ends when it would have", arguments: [nil, "editor"])
  func toggledTwice(app: Text?) {
    for situation in Situation.all {
      for (expiresAt, untilDesktopChanges) in Self.ends {
        let before = situation.overrides(expiresAt, untilDesktopChanges)
        for end in [End(), End(expiresAt: 50), End(desktopWas: situation.desktop)] {
          var overrides = before
          overrides.toggle(app: app, until: end, reading: situation.reading, defaults: situation.defaults)
          #expect(situation.shown(by: overrides, to: app) == situation.shown(by: before, to: app).opposite)
          overrides.toggle(app: app, until: end, reading: situation.reading, defaults: situation.defaults)
          #expect(situation.shown(by: overrides, to: app) == situation.shown(by: before, to: app))
          #expect(overrides == before, "\(situation) \(end)")
        }
      }
    }
  }

  @Test("What is toggled for a time is over then, and what was before holds again", arguments: [nil, "editor"])
  func toggledForATime(app: Text?) {
    for situation in Situation.all {
      for (expiresAt, untilDesktopChanges) in Self.ends {
        let before = situation.overrides(expiresAt, untilDesktopChanges)
        var overrides = before
        overrides.toggle(app: app, until: End(expiresAt: 50), reading: situation.reading, defaults: situation.defaults)
        #expect(situation.shown(by: overrides, to: app) == situation.shown(by: before, to: app).opposite)
        #expect(overrides[app: app].scheme?.end == End(expiresAt: 50))
        #expect(overrides.nextExpiry == 50)
        overrides.expire(now: 49)
        #expect(situation.shown(by: overrides, to: app) == situation.shown(by: before, to: app).opposite)
        overrides.expire(now: 50)
        #expect(overrides == before, "\(situation)")
      }
    }
  }

  @Test("What has ended meanwhile does not come back, whether the clock or the desktop ended it")
  func toggledTooLong() {
    let light = Reading(scheme: .light)
    for end in [Override(scheme: .dark, expiresAt: 100), Override(scheme: .dark, untilDesktopChanges: true)] {
      var overrides = Overrides()
      overrides.set(end, desktop: .light)
      overrides.toggle(app: nil, reading: light, defaults: Defaults())
      #expect(overrides.told == [])
      #expect(overrides != Overrides())
      overrides.expire(now: 100)
      overrides.desktopSettled(.dark)
      #expect(overrides == Overrides(), "nothing is remembered for ever")
      overrides.toggle(app: nil, reading: light, defaults: Defaults())
      #expect(overrides.told == [Override(scheme: .dark)])

      overrides = Overrides()
      overrides.set(end, desktop: .light)
      overrides.toggle(app: nil, until: End(expiresAt: 200), reading: light, defaults: Defaults())
      overrides.expire(now: 100)
      overrides.desktopSettled(.dark)
      overrides.expire(now: 200)
      #expect(overrides == Overrides())
    }
  }

  @Test("What is set or removed meanwhile is what holds: nothing that was put away comes back")
  func toggledAndSet() {
    let light = Reading(scheme: .light)
    for change: (inout OverriddenFields) -> Void in [
      { $0.clear(.scheme) }, { $0.set(Override(scheme: .light), until: End()) },
    ] {
      var overrides = Overrides()
      overrides.set(Override(scheme: .dark))
      overrides.toggle(app: nil, until: End(expiresAt: 50), reading: light, defaults: Defaults())
      change(&overrides[app: nil])
      let after = overrides
      overrides.expire(now: 50)
      #expect(overrides == after)
      #expect(overrides[app: nil].toggled == nil)
    }
  }

  @Test("A time is meant where one is given: what was put away long ago does not take its place")
  func toggleAgainForATime() {
    let light = Reading(scheme: .light)
    var overrides = Overrides()
    overrides.set(Override(scheme: .dark, expiresAt: 100))
    overrides.toggle(app: nil, reading: light, defaults: Defaults())
    overrides.toggle(app: nil, until: End(expiresAt: 10), reading: light, defaults: Defaults())
    #expect(overrides.told == [Override(scheme: .dark, expiresAt: 10)])
    overrides.expire(now: 10)
    #expect(overrides == Overrides())
  }

  @Test("A pin that is toggled away comes back as a pin, and is forgotten when it is removed")
  func toggledPin() {
    let dark = Reading(scheme: .dark)
    var overrides = Overrides()
    overrides.set(Override(scheme: .light))
    overrides.set(Override(app: "editor", auto: [.scheme]))
    let before = overrides
    overrides.toggle(app: "editor", reading: dark, defaults: Defaults())
    #expect(overrides.told == [Override(scheme: .light)])
    #expect(overrides.count == before.count, "it takes the room that the pin had")
    var removed = overrides
    removed[app: "editor"].clear(.scheme)
    #expect(removed.apps.isEmpty)
    overrides.toggle(app: "editor", reading: dark, defaults: Defaults())
    #expect(overrides == before)
  }

  @Test("An app whose rule is toggled away without an end is kept no longer")
  func toggledAppGoes() {
    var overrides = Overrides()
    overrides.set(Override(app: "editor", scheme: .dark))
    overrides.toggle(app: "editor", reading: Reading(scheme: .light), defaults: Defaults())
    #expect(overrides == Overrides())
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
