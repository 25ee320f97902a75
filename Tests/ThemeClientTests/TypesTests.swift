import Foundation
import Testing
import ThemeClient
import ThemeInterface
import ThemeModel
import ThemedSystem

/// The library's own types: what a program keeps, makes for its tests, and hands over.
@Suite struct TypesTests {
  private func coded<Value: Codable>(_ value: Value) throws -> (text: String, again: Value) {
    let data = try JSONEncoder().encode([value])
    let values = try JSONDecoder().decode([Value].self, from: data)
    return (String(decoding: data, as: UTF8.self), try #require(values.first))
  }

  @Test("A text is its bytes: what looks the same may differ, and whatever came is kept")
  func text() throws {
    #expect(ThemeText("\u{E9}") != "e\u{301}")
    #expect(Set(["\u{E9}", "e\u{301}", "\u{E9}"] as [ThemeText]).count == 2)
    #expect(ThemeText("z") < "\u{E9}" && !(ThemeText("a") < "a"))
    #expect(String(ThemeText("mint")) == "mint" && ThemeText("a\u{1B}[1m").shown() == "a?[1m")
    #expect(ThemeText(decoding: [0x61, 0xFF]).string == "a\u{FFFD}")
    let (text, again) = try coded(ThemeText("e\u{301}"))
    #expect(ThemeText(text) == "[\"e\u{301}\"]" && again == "e\u{301}")
  }

  @Test("What a program may keep is written as the interface writes it, and read back")
  func codable() throws {
    let color = try #require(ThemeColor("#e66100"))
    #expect(try coded(color) == (##"["#e66100"]"##, color))
    #expect(try coded(ThemeRole.secondaryText) == (#"["secondary-text"]"#, .secondaryText))
    #expect(try coded(ThemeScheme.dark) == (#"["dark"]"#, .dark))
    #expect(try coded(ThemeTime(secondsSinceEpoch: -7)) == ("[-7]", ThemeTime(secondsSinceEpoch: -7)))
    #expect(throws: DecodingError.self) { try JSONDecoder().decode([ThemeColor].self, from: Data(#"["red"]"#.utf8)) }
  }

  @Test("A time is added to in whole seconds, rounded up, and stays within what can be said")
  func time() {
    let zero = ThemeTime(secondsSinceEpoch: 0)
    let (first, last) = (ThemeTime(secondsSinceEpoch: .min), ThemeTime(secondsSinceEpoch: .max))
    #expect(zero + .milliseconds(1) == ThemeTime(secondsSinceEpoch: 1))
    #expect(zero + .milliseconds(-1500) == ThemeTime(secondsSinceEpoch: -1))
    #expect(last + .seconds(1) == last && first + .seconds(-1) == first)
    #expect(last + .seconds(Int64.max) + .milliseconds(1) == last && zero < last)
    #expect(ThemeTime.now > zero)
  }

  @Test("A scheme is given or pinned, whichever was said last; the other fields do not mind")
  func pinned() {
    var override = ThemeOverride(app: "a", scheme: .dark, pinned: [.accentColor])
    #expect(override.scheme == .dark && override.pinned == [.accentColor])
    override.pinned.insert(.scheme)
    #expect(override.scheme == nil && override.pinned == [.scheme, .accentColor])
    #expect(override.inner == Override(app: "a", auto: [.scheme, .accentColor]))
    override.scheme = .light
    #expect(override.scheme == .light && override.pinned == [.accentColor])
    override.pinned = []
    #expect(override == ThemeOverride(app: "a", scheme: .light))
    override.pinned = [.scheme]
    override.pinned = []
    #expect(override == ThemeOverride(app: "a"))
  }

  @Test("An override says what it was given, and nothing else")
  func override() throws {
    let color = try #require(ThemeColor("#e66100"))
    let end = ThemeTime(secondsSinceEpoch: 7)
    var override = ThemeOverride(
      app: "a", scheme: .dark, highContrast: true, reducedMotion: false, accentColor: color, lightTheme: "l",
      darkTheme: "d", expiresAt: end, untilDesktopChanges: true)
    #expect(
      override.json
        == ##"{"app":"a","scheme":"dark","highContrast":true,"reducedMotion":false,"accentColor":"#e66100","##
        + #""lightTheme":"l","darkTheme":"d","expiresAt":7,"untilDesktopChanges":true}"#)
    (override.app, override.scheme, override.highContrast, override.reducedMotion) = (nil, nil, nil, nil)
    (override.accentColor, override.lightTheme, override.darkTheme, override.expiresAt) = (nil, nil, nil, nil)
    override.untilDesktopChanges = false
    #expect(override == ThemeOverride() && override.json == "{}")
    #expect(ThemeField.all.count == Field.allCases.count)
  }

  @Test("A state that a test makes is one that a daemon could tell, and its JSON is read back")
  func state() throws {
    let color = try #require(ThemeColor("#e66100"))
    let state = ThemeState(
      scheme: .dark, desktop: .light, highContrast: true, reducedMotion: false, accentColor: color, theme: "mint",
      title: "Mint",
      details: ThemeState.Details(
        palette: [.primary: color], assets: ["wallpaper": "/w.png"], values: ["bat": "Nord"], for: .dark),
      fadeDuration: .milliseconds(250),
      nextSwitch: ThemeSwitch(time: ThemeTime(secondsSinceEpoch: 9), scheme: .light),
      origins: [
        "scheme": ThemeOrigin(.override, expiresAt: ThemeTime(secondsSinceEpoch: 7)), "theme": ThemeOrigin(.default),
      ],
      instance: "i", serial: 3)
    let again = try ThemeState(json: state.json)
    #expect(again == state)
    #expect(
      again.origin(of: .scheme)?.expiresAt?.secondsSinceEpoch == 7 && again.origin(of: .darkTheme)?.rule == .default)
    #expect(again.origin(of: .accentColor) == nil && again.origins.count == 2)
    #expect(again.details?.palette[.primary] == color && again.details?.assets["wallpaper"] == "/w.png")
    #expect((again.instance, again.serial, again.desktop, again.fadeDuration) == ("i", 3, .light, .milliseconds(250)))
    #expect(again.nextSwitch == ThemeSwitch(time: ThemeTime(secondsSinceEpoch: 9), scheme: .light))
    #expect(ThemeLook(again)[.primary] == color && ThemeLook(again).values["bat"] == "Nord")
    let plain = ThemeState(scheme: .light, fadeDuration: .seconds(1))
    #expect(plain.details == nil && plain.fadeDuration == .zero && plain.desktop == .unavailable)
    for text in ["", "[]", "{}", #"{"scheme":"sepia"}"#] {
      let error = caught { () throws(ThemeClientError) in _ = try ThemeState(json: text) }
      #expect(error?.code == .violation, "\(text)")
    }
  }

  @Test("A forecast shows what the daemon tells of its schedule, and its JSON is that reply")
  func forecast() {
    var inner = Forecast(mode: "sun")
    inner.scheme = .dark
    inner.switches = [Forecast.Turn(Switch(time: 9, scheme: .light), offset: 3600)]
    (inner.sunrise, inner.sunset) = (9, 5)
    inner.coordinates = Forecast.Coordinates(latitude: 52.5, longitude: -13.25, origin: "Europe/Berlin")
    (inner.zone, inner.problem, inner.warning) = ("Europe/Berlin", "p", "w")
    let forecast = ThemeForecast(inner)
    #expect((forecast.mode, forecast.scheme, forecast.zone) == ("sun", .dark, "Europe/Berlin"))
    #expect(
      forecast.switches == [
        ThemeSwitch(time: ThemeTime(secondsSinceEpoch: 9), scheme: .light, offset: .seconds(3600))
      ])
    #expect((forecast.sunrise?.secondsSinceEpoch, forecast.sunset?.secondsSinceEpoch) == (9, 5))
    let place = forecast.coordinates
    #expect((place?.latitude, place?.longitude, place?.origin) == (52.5, -13.25, "Europe/Berlin"))
    #expect((forecast.problem, forecast.warning) == ("p", "w"))
    #expect(forecast.json == inner.json)
  }

  @Test("A list is walked as any collection, and says how many it leaves out")
  func items() {
    let items = ThemeItems(["a", "b"] as [ThemeText], omitted: 3)
    #expect(Array(items) == ["a", "b"] && items.count == 2 && items.last == "b" && items.omitted == 3)
  }

  @Test("A theme on a list shows some colours of each side that it has")
  func summary() {
    let mint = ThemeSummary(name: "mint", path: "/m", title: "Mint", swatches: [.dark: [.primary: .white]])
    #expect(mint.schemes == [.dark] && mint.swatch(for: .dark) == [.primary: .white] && mint.swatch(for: .light) == nil)
    #expect((mint.name, mint.path, mint.title, mint.problem) == ("mint", "/m", "Mint", nil))
  }

  @Test("Each kind of action has what belongs to it, and no other")
  func actions() {
    var session = ThemeSession()
    let connect = session.handle(.started)
    #expect(connect?.kind == .connect && connect?.bytes == [] && connect?.pause == .zero && connect?.error == nil)
    let send = session.handle(.connected(stranger: 7))
    #expect(send?.kind == .send && send?.bytes.last == 0)
    let end = session.handle(.disconnected)
    #expect(end?.kind == .giveUp && end?.error?.code == .anotherUsers)
    session = ThemeSession()
    _ = session.handle(.started)
    let wait = session.handle(.disconnected)
    #expect(wait?.kind == .wait && wait?.pause == .milliseconds(100))
  }
}
