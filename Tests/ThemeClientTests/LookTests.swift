import Testing
import ThemeClient
import ThemeInterface
import ThemeModel
import ThemedSystem

/// How a program is to look, by the state, and on the way from one to another.
@Suite struct LookTests {
  private typealias Time = ContinuousClock.Instant
  private let start = ContinuousClock.now

  private func state(_ scheme: ThemeScheme, _ colors: [ThemeRole: ThemeColor]? = nil, transition: Int? = nil)
    -> ThemeState
  {
    var state = sample(scheme)
    if let colors {
      let details = ThemeDetails(
        Side(
          colors: colors, assets: ["wallpaper": "/w.png"], values: ["bat": "Nord"]), for: scheme
      ) { $0 }
      state.inner.resolution.theme = ShownTheme(name: "mint", title: "Mint", details: details)
    }
    state.inner.resolution.transition = transition
    return state
  }

  @Test("A state with a theme looks as the theme says")
  func theme() {
    let look = ThemeLook(state(.dark, [.primary: .white]))
    #expect((look.theme, look.title) == ("mint", "Mint"))
    #expect(look[.primary] == .white)
    #expect(look[.background] == .black)
    #expect(look.assets == ["wallpaper": "/w.png"])
    #expect(look.values == ["bat": "Nord"])
    #expect(look.darkness == 1)
  }

  @Test("A state says the theme, and the rest of what is shown, by itself")
  func words() {
    var state = state(.dark, [:])
    #expect((state.theme, state.scheme, state.highContrast) == ("mint", .dark, nil))
    state.inner.resolution.reducedMotion = true
    state.inner.resolution.accentColor = .white
    #expect((state.reducedMotion, state.accentColor) == (true, .white))
    #expect(sample(.light).theme == nil)
  }

  @Test("Without a theme every role has a colour still, and the desktop's accent is the primary one")
  func noTheme() throws {
    var plain = state(.light)
    #expect(ThemeLook(plain).palette == ThemePalette([:], for: .light))
    let accent = try #require(ThemeColor("#e66100"))
    plain.inner.resolution.accentColor = accent
    #expect(ThemeLook(plain)[.primary] == accent)
    #expect(ThemeLook(plain).theme == nil)
  }

  @Test("A dynamic colour is that of the side, or of the role, or within a fade the one in between")
  func colors() throws {
    let color = ThemeDynamicColor(light: .white, dark: .black)
    let (light, dark) = (ThemeLook(state(.light)), ThemeLook(state(.dark)))
    #expect(color.color(in: light) == .white)
    #expect(color.color(in: dark) == .black)
    #expect(ThemeDynamicColor.role(.text).color(in: dark) == dark[.text])
    let half = color.color(in: light.interpolated(to: dark, fraction: 0.5))
    #expect(half == ThemeColor.white.interpolated(to: .black, fraction: 0.5))
    // Half the way is what looks half as light, which gives less than half the light.
    #expect((0.3...0.45).contains(half.red))
  }

  @Test("A dynamic asset is the side's, unless the theme has one of its role")
  func assets() {
    let asset = ThemeDynamicAsset(light: "/day.jpg", dark: "/night.jpg", role: "wallpaper")
    #expect(asset.path(in: ThemeLook(.light)) == "/day.jpg")
    #expect(asset.path(in: ThemeLook(.dark)) == "/night.jpg")
    #expect(asset.path(in: ThemeLook(state(.dark, [:]))) == "/w.png")
    #expect(
      ThemeDynamicAsset(light: "/day.jpg", dark: "/night.jpg").path(in: ThemeLook(state(.dark, [:]))) == "/night.jpg")
  }

  @Test("A fade leads from one look to the other, and ends exactly there")
  func fade() {
    let (light, dark) = (ThemeLook(.light), ThemeLook(.dark))
    var fade = ThemeFade<Time>(light)
    #expect(!fade.isUnderWay(at: start))
    fade.show(dark, over: .milliseconds(200), at: start)
    #expect(fade.look(at: start) == light)
    var last = 1.0
    for millisecond in stride(from: 20, to: 200, by: 20) {
      let look = fade.look(at: start + .milliseconds(millisecond))
      #expect(look.scheme == .dark)
      #expect(look[.background].red < last)
      last = look[.background].red
      #expect(fade.isUnderWay(at: start + .milliseconds(millisecond)))
    }
    #expect(fade.look(at: start + .milliseconds(200)) == dark)
    #expect(fade.look(at: start + .seconds(9)) == dark)
    #expect(!fade.isUnderWay(at: start + .milliseconds(200)))
  }

  @Test("A change within a fade starts from what is shown then")
  func interrupted() {
    var fade = ThemeFade<Time>(ThemeLook(.light))
    fade.show(ThemeLook(.dark), over: .milliseconds(200), at: start)
    let half = fade.look(at: start + .milliseconds(100))
    fade.show(ThemeLook(.light), over: .milliseconds(200), at: start + .milliseconds(100))
    let again = fade.look(at: start + .milliseconds(100))
    #expect(again[.background] == half[.background])
    #expect(again.darkness == half.darkness)
    #expect(fade.look(at: start + .milliseconds(300)) == ThemeLook(.light))
  }

  @Test("The look that a fade leads to already does not begin it anew, and without time ends it")
  func again() {
    var fade = ThemeFade<Time>(ThemeLook(.light))
    fade.show(ThemeLook(.dark), over: .milliseconds(200), at: start)
    let half = fade.look(at: start + .milliseconds(100))
    fade.show(ThemeLook(.dark), over: .milliseconds(200), at: start + .milliseconds(100))
    #expect(fade.look(at: start + .milliseconds(100)) == half)
    #expect(!fade.isUnderWay(at: start + .milliseconds(200)))
    #expect(fade.look(at: start + .milliseconds(200)) == ThemeLook(.dark))
    // At rest it stays so.
    fade.show(ThemeLook(.dark), over: .milliseconds(200), at: start + .seconds(1))
    #expect(!fade.isUnderWay(at: start + .seconds(1)))
    fade.show(ThemeLook(.light), over: .milliseconds(200), at: start + .seconds(2))
    fade.show(ThemeLook(.light), over: .zero, at: start + .seconds(2))
    #expect(fade.look(at: start + .seconds(2)) == ThemeLook(.light))
  }

  @Test("With reduced motion, or no time, nothing fades")
  func reduced() {
    var reduced = state(.dark, transition: 200)
    reduced.inner.resolution.reducedMotion = true
    for (look, duration) in [(ThemeLook(reduced), Duration.milliseconds(200)), (ThemeLook(.dark), .zero)] {
      var fade = ThemeFade<Time>(ThemeLook(.light))
      fade.show(look, over: duration, at: start)
      #expect(fade.look(at: start) == look)
      #expect(!fade.isUnderWay(at: start))
    }
  }

  @Test("A state says how long to fade, and without a theme not at all")
  func hint() {
    #expect(state(.dark, transition: 350).fadeDuration == .milliseconds(350))
    #expect(state(.dark).fadeDuration == .zero)
    #expect(state(.dark, transition: -1).fadeDuration == .zero)
  }
}
