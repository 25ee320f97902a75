import Testing
import ThemedModel
import ThemedSystem

/// What is told of each field: the rule that decided it, whether it is pinned, and when that ends.
@Suite struct OriginTests {
  private static let fields: [Text] = ["accentColor", "highContrast", "reducedMotion", "scheme", "theme"]
  private static let everything = Override(
    scheme: .dark, highContrast: true, reducedMotion: true, accentColor: Color(red: 1, green: 0, blue: 0),
    darkTheme: "outrun")
  private static let everyEnd = [
    End(), End(expiresAt: 7), End(desktopWas: .dark), End(expiresAt: 8, desktopWas: .unavailable),
  ]

  private static let everyPin: [@Sendable (inout OverriddenFields, End) -> Void] = [
    { $0.accentColor = OverriddenField(nil, until: $1) }, { $0.highContrast = OverriddenField(nil, until: $1) },
    { $0.reducedMotion = OverriddenField(nil, until: $1) }, { $0.scheme = OverriddenField(nil, until: $1) },
    { $0.darkTheme = OverriddenField(nil, until: $1) },
  ]

  private func resolve(_ overrides: Overrides, app: Text? = nil) -> Resolution {
    let reading = Reading(
      scheme: .dark, highContrast: false, reducedMotion: false, accentColor: Color(red: 0, green: 0, blue: 1))
    return overrides.resolve(app: app, reading: reading, defaults: Defaults(darkTheme: "mint")) { name, _ in
      ShownTheme(name: name, title: name)
    }
  }

  private func rules(until end: End) -> OverriddenFields {
    var rules = OverriddenFields()
    rules.set(Self.everything, until: end)
    return rules
  }

  @Test("What decided the fields is found by name, and lies in the order of the names, however it came")
  func order() {
    var (origins, model) = (Origins(), [Text: Origin]())
    for number in 0..<300 {
      let name = Self.fields.randomElement() ?? ""
      let origin = Bool.random() ? Origin(.portal, expiresAt: Int64(number)) : nil
      (origins[name], model[name]) = (origin, origin)
      #expect(origins.map(\.key) == model.keys.sorted())
      #expect(origins.allSatisfy { model[$0.key] == $0.value && origins[$0.key] == $0.value })
      #expect(origins == Origins(model.shuffled().map { ($0.key, $0.value) }))
    }
    #expect(origins["none"] == nil && origins.mapValues { _ in Origin(.override) }.map(\.key) == origins.map(\.key))
  }

  @Test("What the desktop said in an earlier session is marked, in each field that it decides, pinned or not")
  func remembered() {
    let reading = Reading(
      scheme: .dark, highContrast: true, accentColor: Color(red: 0, green: 0, blue: 1), isRemembered: true)
    var rules = OverriddenFields()
    rules.scheme = OverriddenField(nil, until: End())
    for app in [nil, rules] {
      let origins = ThemedModel.resolve(app: app, all: OverriddenFields(), reading: reading, defaults: Defaults())
        .origins
      #expect(origins.map(\.key) == ["accentColor", "highContrast", "scheme"])
      #expect(origins.allSatisfy { $0.value.isRemembered && $0.value.rule == .portal })
    }
    rules.set(Self.everything, until: End())
    let own = ThemedModel.resolve(app: rules, all: OverriddenFields(), reading: reading, defaults: Defaults()).origins
    #expect(!own.contains { $0.value.isRemembered })
    let none = Reading(scheme: .none, isRemembered: true)
    let origin = ThemedModel.resolve(app: nil, all: OverriddenFields(), reading: none, defaults: Defaults()).origins[
      "scheme"]
    #expect(origin == Origin(.default, isRemembered: true))
    let scheduled = ThemedModel.resolve(
      app: nil, all: OverriddenFields(), schedule: .by(.light, next: nil), reading: reading, defaults: Defaults())
    #expect(scheduled.origins["scheme"] == Origin(.schedule))
  }

  @Test("Of every field it is told when and how the override ends that decided it", arguments: everyEnd)
  func ends(end: End) {
    for app in [nil, "editor"] as [Text?] {
      var overrides = Overrides()
      overrides[app: app] = rules(until: end)
      let expected = Origin(
        app == nil ? .override : .appOverride, expiresAt: end.expiresAt, untilDesktopChanges: end.desktopWas != nil)
      let origins = resolve(overrides, app: app).origins
      #expect(origins == Origins(Self.fields.map { ($0, expected) }))
    }
  }

  @Test("Fields that were overridden apart end apart")
  func apart() {
    var overrides = Overrides()
    overrides.set(Override(scheme: .light, expiresAt: 5))
    overrides.set(Override(highContrast: true, untilDesktopChanges: true))
    overrides.set(Override(app: "editor", reducedMotion: true, expiresAt: 6))
    let origins = resolve(overrides, app: "editor").origins
    #expect(origins["scheme"] == Origin(.override, expiresAt: 5))
    #expect(origins["highContrast"] == Origin(.override, untilDesktopChanges: true))
    #expect(origins["reducedMotion"] == Origin(.appOverride, expiresAt: 6))
    #expect(origins["accentColor"] == Origin(.portal))
    #expect(origins["theme"] == nil, "no theme is configured for the light side")
  }

  @Test(
    "Each field of an app can be pinned to what lies below the overrides, and the others are not", arguments: everyEnd)
  func pins(end: End) {
    let free = resolve(Overrides())
    for (field, pin) in zip(Self.fields, Self.everyPin) {
      var overrides = Overrides()
      overrides[app: nil] = rules(until: End())
      let others = resolve(overrides)
      pin(&overrides[app: "editor"], end)
      let pinned = resolve(overrides, app: "editor")
      let rule: Rule = field == "theme" ? .default : .portal
      let origin = Origin(
        rule, isPinned: true, expiresAt: end.expiresAt, untilDesktopChanges: end.desktopWas != nil)
      for name in Self.fields { #expect(pinned.origins[name] == (name == field ? origin : others.origins[name])) }
      #expect(pinned.highContrast == (field == "highContrast" ? free : others).highContrast)
      #expect(pinned.reducedMotion == (field == "reducedMotion" ? free : others).reducedMotion)
      #expect(pinned.accentColor == (field == "accentColor" ? free : others).accentColor)
      #expect(pinned.theme == (field == "theme" ? free : others).theme)
    }
  }

  @Test("What is pinned and nobody says has no value, and no origin")
  func pinnedToNothing() {
    var overrides = Overrides()
    overrides[app: nil] = rules(until: End())
    for pin in Self.everyPin { pin(&overrides[app: "editor"], End()) }
    let resolution = overrides.resolve(app: "editor", reading: Reading(), defaults: Defaults())
    #expect(resolution.origins == ["scheme": Origin(.default, isPinned: true)])
    #expect((resolution.highContrast, resolution.reducedMotion) == (nil, nil))
    #expect((resolution.accentColor, resolution.theme) == (nil, nil))
  }

  @Test("A pin ends as every rule does, by the clock or by the desktop")
  func pinsEnd() {
    for pin in Self.everyPin {
      var overrides = Overrides()
      pin(&overrides[app: "editor"], End(expiresAt: 5, desktopWas: .light))
      var other = overrides
      #expect(overrides.nextExpiry == 5)
      overrides.expire(now: 5)
      other.desktopSettled(.dark)
      #expect(overrides == Overrides() && other == Overrides())
    }
  }

  @Test("For all apps nothing is pinned: it is as without an override")
  func allApps() {
    for pin in Self.everyPin {
      var overrides = Overrides()
      overrides[app: nil] = rules(until: End())
      let count = overrides[app: nil].ends.count
      pin(&overrides[app: nil], End(expiresAt: 5))
      #expect(overrides[app: nil].ends.count == count - 1)
      #expect(overrides.nextExpiry == nil)
    }
  }
}
