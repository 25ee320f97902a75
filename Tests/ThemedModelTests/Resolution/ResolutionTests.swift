import Testing
import ThemedModel
import ThemedSystem

/// The rules of resolution, on every input that they distinguish.
@Suite struct ResolutionTests {
  @Test(
    "The scheme, row by row",
    arguments: [
      // override of the app, override of all, desktop, what is shown, by which rule
      Row(nil, nil, .light, .light, .portal), Row(nil, nil, .dark, .dark, .portal),
      Row(nil, nil, .none, .light, .default), Row(nil, nil, .unavailable, .light, .default),
      Row(nil, .light, .light, .light, .override), Row(nil, .light, .dark, .light, .override),
      Row(nil, .light, .none, .light, .override), Row(nil, .light, .unavailable, .light, .override),
      Row(nil, .dark, .light, .dark, .override), Row(nil, .dark, .dark, .dark, .override),
      Row(nil, .dark, .none, .dark, .override), Row(nil, .dark, .unavailable, .dark, .override),
      Row(nil, .auto, .light, .light, .portal), Row(nil, .auto, .dark, .dark, .portal),
      Row(nil, .auto, .none, .light, .default), Row(nil, .auto, .unavailable, .light, .default),
      Row(.light, nil, .dark, .light, .appOverride), Row(.light, .dark, .dark, .light, .appOverride),
      Row(.dark, nil, .light, .dark, .appOverride), Row(.dark, .light, .light, .dark, .appOverride),
      Row(.dark, .dark, .none, .dark, .appOverride), Row(.light, .auto, .unavailable, .light, .appOverride),
      Row(.auto, nil, .dark, .dark, .portal), Row(.auto, .light, .dark, .dark, .portal),
      Row(.auto, .dark, .light, .light, .portal), Row(.auto, .dark, .none, .light, .default),
      Row(.auto, .dark, .unavailable, .light, .default),
    ])
  func scheme(row: Row) {
    let resolution = row.resolve()
    #expect(resolution.scheme == row.shown)
    #expect(resolution.origins["scheme"]?.rule == row.origin)
  }

  @Test("The scheme, on every combination, is what the first rule that has a word says")
  func everyCombination() {
    for situation in Situation.all {
      let resolution = situation.resolve()
      #expect(resolution.scheme == situation.expected.0, "\(situation)")
      #expect(resolution.origins["scheme"]?.rule == situation.expected.1, "\(situation)")
      #expect(resolution.origins["scheme"]?.isPinned == (situation.app == .auto), "\(situation)")
      #expect(resolution.desktop == situation.desktop, "what the desktop asks for is told whatever is shown")
    }
  }

  @Test("An override without a scheme does not decide it, and another field has its own origin")
  func overrideOfAnotherField() {
    let contrast = OverriddenFields(Override(highContrast: true))
    let all = OverriddenFields(Override(scheme: .dark))
    let app = OverriddenFields(Override(reducedMotion: false))
    let reading = Reading(scheme: .light)

    let withContrast = resolve(app: nil, all: contrast, reading: reading, defaults: Defaults())
    #expect(withContrast.scheme == .light)
    #expect(withContrast.origins == ["scheme": Origin(.portal), "highContrast": Origin(.override)])
    #expect(withContrast.highContrast == true)

    let withApp = resolve(app: app, all: all, reading: reading, defaults: Defaults())
    #expect(withApp.scheme == .dark)
    #expect(withApp.origins == ["scheme": Origin(.override), "reducedMotion": Origin(.appOverride)])
  }

  @Test func `another daemon takes the desktop's place, and its theme that of the configuration, whole`() {
    let installed = ShownTheme(name: "gruvbox", title: "ours", details: ThemeDetails(values: ["bat": "ours"]))
    let told = ShownTheme(name: "gruvbox", title: "theirs", details: ThemeDetails(values: ["bat": "theirs"]))
    let reading = Reading(
      scheme: .dark, highContrast: true, upstream: Reading.Upstream(theme: told, transition: 70))
    let defaults = Defaults(darkTheme: "gruvbox")
    func resolved(app: OverriddenFields? = nil, all: OverriddenFields = OverriddenFields()) -> Resolution {
      resolve(app: app, all: all, reading: reading, defaults: defaults) { name, _ in name == "gruvbox" ? installed : nil
      }
    }

    let shown = resolved()
    #expect((shown.scheme, shown.desktop, shown.theme, shown.transition) == (.dark, .dark, told, 70))
    let upstream = Origin(.upstream)
    #expect(shown.origins == ["desktop": upstream, "scheme": upstream, "highContrast": upstream, "theme": upstream])

    // An override here holds here; of the other side nothing was told.
    let light = resolved(all: OverriddenFields(Override(scheme: .light)))
    #expect((light.scheme, light.desktop, light.theme) == (.light, .dark, nil))
    #expect(light.origins["desktop"] == upstream, "a plugin in an ssh session has to know it during an override, too")
    let own = resolved(all: OverriddenFields(Override(darkTheme: "gruvbox")))
    #expect((own.theme, own.transition, own.origins["theme"]) == (installed, 200, Origin(.override)))
    let pinned = resolved(
      app: OverriddenFields(Override(auto: [.darkTheme])), all: OverriddenFields(Override(darkTheme: "gruvbox")))
    #expect((pinned.theme, pinned.origins["theme"]) == (told, Origin(.upstream, isPinned: true)))
  }

  @Test func `where another daemon shows no theme, the configured one is shown`() {
    let installed = ShownTheme(name: "gruvbox", title: "ours")
    let reading = Reading(scheme: .dark, upstream: Reading.Upstream())
    let shown = resolve(
      app: nil, all: OverriddenFields(), reading: reading, defaults: Defaults(darkTheme: "gruvbox"),
      themes: { _, _ in installed })
    #expect((shown.theme, shown.origins["theme"]) == (installed, Origin(.default)))
  }

  @Test("Contrast, motion and accent fall, each for itself, from rule to rule")
  func otherFields() throws {
    let red = try #require(Color(red: 1, green: 0, blue: 0))
    let blue = try #require(Color(red: 0, green: 0, blue: 1))
    for (app, all, desktop) in triples([nil, false, true]) {
      let resolution = resolve(
        app: OverriddenFields(
          Override(highContrast: app, reducedMotion: desktop, accentColor: app.map { $0 ? red : blue })),
        all: OverriddenFields(
          Override(highContrast: all, reducedMotion: app, accentColor: all.map { $0 ? red : blue })),
        reading: Reading(
          scheme: .dark, highContrast: desktop, reducedMotion: all, accentColor: desktop.map { $0 ? red : blue }),
        defaults: Defaults())
      #expect(resolution.highContrast == app ?? all ?? desktop)
      #expect(resolution.reducedMotion == desktop ?? app ?? all)
      #expect(resolution.accentColor == (app ?? all ?? desktop).map { $0 ? red : blue })
      let origin: Rule? = app != nil ? .appOverride : all != nil ? .override : desktop != nil ? .portal : nil
      #expect(resolution.origins["highContrast"]?.rule == origin)
      #expect(resolution.origins["accentColor"]?.rule == origin)
    }
  }

  @Test("A field that nobody decides has no origin")
  func undecided() {
    let resolution = resolve(app: nil, all: OverriddenFields(), reading: Reading(), defaults: Defaults())
    #expect(resolution.origins == ["scheme": Origin(.default)])
    #expect(resolution.highContrast == nil)
    #expect(resolution.reducedMotion == nil)
    #expect(resolution.accentColor == nil)
  }

  @Test(
    "A color outside of sRGB is no color",
    arguments: [(-0.001, 0, 0), (0, 1.001, 0), (0, 0, .nan), (.infinity, 0, 0), (-1, -1, -1)])
  func color(red: Double, green: Double, blue: Double) {
    #expect(Color(red: red, green: green, blue: blue) == nil)
  }

  @Test("The corners of sRGB are colors")
  func corners() {
    #expect(Color(red: 0, green: 0, blue: 0) != nil)
    #expect(Color(red: 1, green: 1, blue: 1) != nil)
  }
}

/// One row of the table, with the defaults that nobody configured.
struct Row: Sendable, CustomTestStringConvertible {
  let situation: Situation
  let shown: ColorScheme
  let origin: Rule

  init(_ app: Mode?, _ all: Mode?, _ desktop: Preference, _ shown: ColorScheme, _ origin: Rule) {
    situation = Situation(app: app, all: all, desktop: desktop, defaults: Defaults())
    self.shown = shown
    self.origin = origin
  }

  func resolve() -> Resolution { situation.resolve() }

  var testDescription: String { "\(situation) shows \(shown)" }
}
