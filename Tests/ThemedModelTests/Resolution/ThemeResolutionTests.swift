import Testing
import ThemedModel
import ThemedSystem

/// First the scheme, then the theme of its side.
@Suite struct ThemeResolutionTests {
  /// Every theme has both sides, but for those named after the one that they have, and `gone`, which is not installed.
  private static func themes(_ name: Text, _ scheme: ColorScheme) -> ShownTheme? {
    guard name != "gone", name != "light-only" || scheme == .light, name != "dark-only" || scheme == .dark else {
      return nil
    }
    return ShownTheme(name: name, title: "\(name)!", details: ThemeDetails(values: ["side": Text(scheme.rawValue)]))
  }

  private static let names: [Text?] = [nil, "gone", "light-only", "dark-only", "mint"]

  /// Everything that the theme depends on, each once: the table of the rules, in another form than the code's.
  @Test("The first rule decides that names a theme which is there, on the side that is shown")
  func table() {
    for scheme in ColorScheme.allCases {
      for app in Self.names {
        for all in Self.names {
          for configured in Self.names {
            let resolution = Self.resolution(scheme, app, all, configured)
            let words = [(app, Rule.appOverride), (all, .override), (configured, .default)]
            let first = words.first { name, _ in name.flatMap { Self.themes($0, scheme) } != nil }
            #expect(resolution.scheme == scheme)
            #expect(resolution.theme == first?.0.flatMap { Self.themes($0, scheme) })
            #expect(resolution.origins["theme"]?.rule == first?.1)
            #expect(resolution.transition == (first == nil ? nil : 200))
          }
        }
      }
    }
  }

  private static func resolution(
    _ scheme: ColorScheme, _ app: Text?, _ all: Text?, _ configured: Text?
  ) -> Resolution {
    var overrides = Overrides()
    overrides[app: "editor"].set(override(scheme, app), until: End())
    overrides[app: nil].set(override(scheme, all), until: End())
    // What is chosen for the other side never shows.
    overrides[app: nil].set(override(scheme.opposite, "wrong"), until: End())
    var defaults = Defaults()
    if scheme == .light { defaults.lightTheme = configured } else { defaults.darkTheme = configured }
    return overrides.resolve(
      app: "editor", reading: Reading(scheme: scheme == .light ? .light : .dark), defaults: defaults, themes: themes)
  }

  private static func override(_ scheme: ColorScheme, _ name: Text?) -> Override {
    scheme == .light ? Override(lightTheme: name) : Override(darkTheme: name)
  }

  @Test("Where motion is reduced, nothing is faded")
  func motion() {
    let defaults = Defaults(lightTheme: "mint", transition: 350)
    func resolve(_ reading: Reading) -> Resolution {
      Overrides().resolve(app: nil, reading: reading, defaults: defaults, themes: Self.themes)
    }
    #expect(resolve(Reading(scheme: .light)).transition == 350)
    #expect(resolve(Reading(scheme: .light, reducedMotion: true)).transition == 0)
    #expect(resolve(Reading(scheme: .dark, reducedMotion: true)).transition == nil)
  }

  @Test("A theme is overridden for a time, cleared and listed as every field is")
  func rules() {
    var overrides = Overrides()
    overrides[app: nil].set(Override(scheme: .dark, darkTheme: "outrun"), until: End(expiresAt: 10))
    overrides[app: "nvim"].set(Override(lightTheme: "mint"), until: End(desktopWas: .light))
    #expect(overrides.themes == ["outrun", "mint"])
    #expect(
      overrides.list.map(\.override) == [
        Override(scheme: .dark, darkTheme: "outrun", expiresAt: 10),
        Override(app: "nvim", lightTheme: "mint", untilDesktopChanges: true),
      ])
    overrides[app: nil].clear(.scheme)
    #expect(overrides[app: nil].darkTheme?.value == "outrun")
    overrides.expire(now: 10)
    overrides.desktopSettled(.dark)
    #expect(overrides == Overrides())
  }

  @Test("A toggle changes no theme: the other side's is shown, and then this one's again")
  func toggle() {
    var overrides = Overrides()
    overrides[app: nil].set(Override(lightTheme: "mint", darkTheme: "outrun"), until: End())
    let reading = Reading(scheme: .light)
    func shown() -> Text? {
      overrides.resolve(app: nil, reading: reading, defaults: Defaults(), themes: Self.themes).theme?.name
    }
    #expect(shown() == "mint")
    overrides.toggle(app: nil, reading: reading, defaults: Defaults())
    #expect(shown() == "outrun")
    overrides.toggle(app: nil, reading: reading, defaults: Defaults())
    #expect(shown() == "mint")
  }
}
