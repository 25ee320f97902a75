import Glibc
import Testing
import ThemedClientCore
import ThemedInterface
import ThemedModel
import ThemedSystem

@testable import ThemeClient

/// The library's own types: what a program keeps, makes for its tests, and hands over.
@Suite struct TypesTests {
  @Test func `a time is added to in whole seconds, rounded up, and stays within the possible times`() {
    let zero = ThemeTime(secondsSinceEpoch: 0)
    let (first, last) = (ThemeTime(secondsSinceEpoch: .min), ThemeTime(secondsSinceEpoch: .max))
    #expect(zero + .milliseconds(1) == ThemeTime(secondsSinceEpoch: 1))
    #expect(zero + .milliseconds(-1500) == ThemeTime(secondsSinceEpoch: -1))
    #expect(last + .seconds(1) == last && first + .seconds(-1) == first)
    #expect(last + .seconds(Int64.max) + .milliseconds(1) == last && zero < last)
    #expect(ThemeTime.now > zero)
  }

  @Test func `an override goes to the daemon and comes back with all its fields, and nothing else`() throws {
    let color = try #require(ThemeColor("#e66100"))
    let whole = ThemeOverride(
      app: "a", scheme: .dark, highContrast: true, reducedMotion: false, accentColor: color, lightTheme: "l",
      darkTheme: "d", expiresAt: ThemeTime(secondsSinceEpoch: 7), untilDesktopChanges: true)
    #expect(
      whole.inner.json
        == ##"{"app":"a","scheme":"dark","highContrast":true,"reducedMotion":false,"accentColor":"#e66100","##
        + #""lightTheme":"l","darkTheme":"d","expiresAt":7,"untilDesktopChanges":true}"#)
    let pinned = ThemeOverride(app: "a", pinned: [.scheme, .accentColor])
    for override in [whole, pinned, ThemeOverride()] { #expect(ThemeOverride(override.inner) == override) }
    #expect(pinned.inner == Override(app: "a", auto: [.scheme, .accentColor]))
    #expect(ThemeOverride().inner.json == "{}")
    #expect(ThemeState.Field.all.map(\.description) == Field.allCases.map(\.rawValue))
  }

  @Test func `a state that a test makes is one that a daemon could send, and its JSON can be read`() throws {
    let color = try #require(ThemeColor("#e66100"))
    let state = ThemeState(
      scheme: .dark, desktop: .light, highContrast: true, reducedMotion: false, accentColor: color, theme: "mint",
      title: "Mint", palette: ThemePalette([.primary: color], for: .dark), assets: ["wallpaper": "/w.png"],
      values: ["bat": "Nord"], transition: .milliseconds(250),
      nextSwitch: ThemeState.Switch(time: ThemeTime(secondsSinceEpoch: 9), scheme: .light),
      origins: [
        .scheme: ThemeState.Origin(.override, expiresAt: ThemeTime(secondsSinceEpoch: 7)),
        .darkTheme: ThemeState.Origin(.default),
      ])
    let again = try #require(ThemeState(json: state.json))
    #expect(again == state)
    #expect(
      again.origin(of: .scheme)?.expiresAt?.secondsSinceEpoch == 7 && again.origin(of: .darkTheme)?.rule == .default)
    #expect(again.origin(of: .accentColor) == nil)
    #expect(again.palette?[.primary] == color && again.assets["wallpaper"] == "/w.png" && again.values["bat"] == "Nord")
    #expect((again.theme, again.title, again.desktop, again.transition) == ("mint", "Mint", .light, .milliseconds(250)))
    #expect(again.nextSwitch == ThemeState.Switch(time: ThemeTime(secondsSinceEpoch: 9), scheme: .light))
    let plain = ThemeState(scheme: .light, transition: .seconds(1))
    #expect(plain.palette == nil && plain.assets.isEmpty && plain.transition == .zero && plain.desktop == .unavailable)
    for text in ["", "[]", "{}", #"{"scheme":"sepia"}"#] {
      #expect(ThemeState(json: text) == nil, "\(text)")
    }
  }

  // Names come from the files of others. A String takes some of them for equal whose bytes differ.
  @Test func `names that are one String do not end the program`() throws {
    let state = try #require(
      ThemeState(
        json: ##"""
          {"instance":"i","serial":1,"scheme":"dark","desktop":"none","theme":"a","themeTitle":"A\u001b[2J",
          "palette":{"\u00e9":"#ffffff","e\u0301":"#000000"},
          "assets":{"\u00e9":"/1","e\u0301":"/2"},"values":{}}
          """##.replacing("\n", with: "")))
    #expect(state.assets == ["\u{E9}": "/2"])
    #expect(state.palette?.all.filter { $0.role.rawValue == "\u{E9}" }.count == 1)
    #expect(state.title == "A?[2J", "a title can be printed in a terminal")
    let roles: [Role: Color] = [Role(rawValue: "\u{E9}"): .black, Role(rawValue: "e\u{301}"): .white]
    let twice = ThemePalette(Dictionary(roles), for: .dark)
    #expect(twice.all.filter { $0.role.rawValue == "\u{E9}" }.count == 1)
  }

  @Test func `two states are equal if they show the same for the same reasons`() {
    #expect(ThemeState(sample(.dark)) == ThemeState(sample(.dark, serial: 9, instance: "two")))
    #expect(ThemeState(sample(.dark)) != ThemeState(sample(.light)))
    var following = sample(.dark)
    #expect(!ThemeState(following).isUpstream)
    following.resolution.origins["desktop"] = Origin(.upstream)
    #expect(ThemeState(following).isUpstream)
  }

  @Test func `a theme that a test makes has its sides, with a colour for every role`() throws {
    let paper = try #require(ThemeColor("#fdf6e3"))
    let light = ThemeDescription.Side(
      [.background: paper], assets: ["wallpaper": "/w.png"], values: ["bat": "Nord"], for: .light)
    let theme = ThemeDescription(name: "sand", title: "Sand", author: "A", sides: [.light: light])
    #expect((theme.name, theme.title, theme.author, theme.path, theme.problem) == ("sand", "Sand", "A", nil, nil))
    #expect(theme.schemes == [.light] && theme.side(for: .dark) == nil)
    let side = try #require(theme.side(for: .light))
    #expect(side == light && side.givenColors == [.background: paper])
    #expect(side.palette[.background] == paper && side.palette[.text].contrast(with: paper) >= 4.5)
    #expect(side.assets == ["wallpaper": "/w.png"] && side.values == ["bat": "Nord"])
  }

  @Test func `a theme in a list has some colours of each side that it has`() {
    let mint = ThemeSummary(name: "mint", title: "Mint", path: "/m", swatches: [.dark: [.primary: .init(.white)]])
    #expect(mint.schemes == [.dark] && mint.swatch(for: .light) == nil)
    #expect(mint.swatch(for: .dark)?[.primary]?.description == "#ffffff")
    #expect((mint.name, mint.path, mint.title, mint.problem) == ("mint", "/m", "Mint", nil))
  }

  @Test func `the palette has a readable colour for every role`() throws {
    let paper = try #require(ThemeColor("#fdf6e3"))
    let palette = ThemePalette([.background: paper], for: .light)
    #expect(palette.all.map(\.role) == ThemeRole.all && palette[.background] == paper)
    #expect(palette[.text].contrast(with: paper) >= 4.5)
    #expect(palette[ThemeRole(rawValue: "of-next-year")] == palette[.text])
    #expect(ThemeRole.base24.count == 24 && ThemeRole.ansi.map(\.rawValue).last == "ansi15")
    #expect(paper.readable(on: paper).contrast(with: paper) >= 4.5 && paper.contrasting.description == "#000000")
    #expect(paper.rgb8 == (0xFD, 0xF6, 0xE3) && ThemeColor("red") == nil)
  }

  @Test func `a session says what to do, and gives the states`() {
    var session = ThemeSession(app: "a")
    #expect(session.handle(.started) == .connect)
    guard case .send(let bytes)? = session.handle(.connected()) else {
      Issue.record("it sends nothing")
      return
    }
    #expect(String(decoding: bytes, as: UTF8.self).contains(#""app":"a""#))
    #expect(session.handle(.received(frame(sample(.dark)))) == nil)
    #expect(session.nextState()?.scheme == .dark && session.nextState() == nil)
    #expect(session.handle(.disconnected) == .wait(.milliseconds(100)))
    #expect(session.handle(.socketAppeared) == .connect)
    var foreign = ThemeSession()
    _ = foreign.handle(.started)
    _ = foreign.handle(.connected(peerUserID: 7))
    guard case .giveUp(let error)? = foreign.handle(.disconnected) else {
      Issue.record("it does not give up")
      return
    }
    #expect(error.code == .otherUser && error.peerUserID == 7)
    #expect(foreign.handle(.timePassed) == nil)
    var own = ThemeSession()
    _ = own.handle(.started)
    _ = own.handle(.connected(peerUserID: getuid()))
    #expect(own.handle(.disconnected) == .wait(.milliseconds(100)), "the own daemon may have been restarted")
  }

  @Test func `an error has its kind, and what belongs to it`() {
    let missing = ThemeError(.unknownTheme("mint"))
    #expect(missing.code == .unknownTheme && missing.theme == "mint" && missing.code.description == "unknownTheme")
    let readOnly = ThemeError(.refused(error: "org.varlink.service.PermissionDenied", parameter: nil))
    #expect(readOnly.code == .readOnly && readOnly.description.contains("read-only"))
    let absent = ThemeError(.noDaemon(path: "/s", reason: "it\u{1B}[2J"))
    #expect(absent.code == .noDaemon && absent.path == "/s" && absent.reason == "it?[2J")
    #expect(absent.description.contains("it?[2J"), "it can be printed in a terminal")
    let refused = ThemeError(.refused(error: "a.B", parameter: "app"))
    #expect((refused.code, refused.errorName, refused.parameter) == (.refused, "a.B", "app"))
  }
}
