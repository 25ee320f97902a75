import Testing
import ThemedInterface
import ThemedModel
import ThemedSystem
import ThemedVarlink

@testable import ThemedClientCore
@testable import ThemeSetup
@testable import themectl

/// The first line of `themectl status`: what one would say aloud.
@Suite struct StatusSentenceTests {
  private func sentence(
    app: Text? = nil, _ scheme: ColorScheme, _ origin: Origin, desktop: Preference, all: ColorScheme? = nil,
    nextSwitch: Switch? = nil
  ) -> String {
    let resolution = Resolution(scheme: scheme, desktop: desktop, nextSwitch: nextSwitch, origins: ["scheme": origin])
    var settings = Parameters(["settings": .array([])])
    let rest = (try? ThemeConfiguration(reading: &settings)).map {
      StatusReport.Rest(overrides: all.map { [Override(scheme: $0)] } ?? [], configuration: $0)
    }
    return StatusReport(
      app: app, state: State(instance: "1", serial: 1, resolution: resolution), rest: rest, hidden: nil
    ).sentence(now: 0)
  }

  @Test func `the desktop's wish and the default are given as such`() {
    #expect(sentence(.dark, Origin(.portal), desktop: .dark) == "Dark, as the desktop asks.")
    #expect(
      sentence(.light, Origin(.default), desktop: .none) == "Light by default, because the desktop has no preference.")
    #expect(
      sentence(.light, Origin(.default), desktop: .unavailable)
        == "Light by default, because the desktop's setting is unavailable.")
  }

  @Test func `an override is what was said, until when, and what the desktop asks for beside it`() {
    #expect(
      sentence(.dark, Origin(.override, expiresAt: 86_400 * 2), desktop: .light)
        == "Dark, because you set it (until \(clockText(86_400 * 2, now: 0))); the desktop asks for light.")
    #expect(
      sentence(.dark, Origin(.override, untilDesktopChanges: true), desktop: .dark)
        == "Dark, because you set it (until the desktop's setting changes); the desktop asks for dark too.")
    #expect(
      sentence(app: "nvim", .dark, Origin(.override), desktop: .light, all: .dark)
        == "Dark for nvim, because you set it for all apps; the desktop asks for light.")
    #expect(
      sentence(app: "nvim", .light, Origin(.appOverride), desktop: .none, all: .dark)
        == "Light for nvim, because you set it; the desktop has no preference.")
  }

  @Test func `an app that is pinned to the desktop is said to be, where that makes a difference`() {
    let pinned = Origin(.portal, isPinned: true)
    #expect(
      sentence(app: "nvim", .light, pinned, desktop: .light, all: .dark)
        == "Light for nvim, as the desktop asks; you set dark for all apps, but made this one follow the desktop.")
    #expect(
      sentence(app: "nvim", .light, pinned, desktop: .light) == "Light for nvim, as the desktop asks.")
  }

  @Test func `the schedule is named, until when, and what the desktop asks for beside it`() {
    let next = Switch(time: 86_400 * 2, scheme: .light)
    #expect(
      sentence(.dark, Origin(.schedule), desktop: .light, nextSwitch: next)
        == "Dark, by the schedule until \(clockText(86_400 * 2, now: 0)); the desktop asks for light.")
    #expect(
      sentence(.dark, Origin(.schedule), desktop: .light) == "Dark, by the schedule; the desktop asks for light.")
    #expect(
      sentence(app: "nvim", .dark, Origin(.schedule, isPinned: true), desktop: .light, all: .light)
        .contains("you set light for all apps, but made this one follow the schedule"))
    #expect(
      sentence(
        .dark, Origin(.override, untilDesktopChanges: true), desktop: .light, all: .dark,
        nextSwitch: Switch(time: 86_400 * 2, scheme: .dark)
      ).contains("the schedule switches at \(clockText(86_400 * 2, now: 0))"))
    let far = Switch(time: 86_400 * 90, scheme: .light)
    var forecast = Forecast(mode: "sun")
    (forecast.scheme, forecast.switches) = (.dark, [.init(far, offset: 0)])
    #expect(forecast.text(now: 0).hasPrefix("The schedule asks for dark, by the sun, until 1970-04-01 00:00 ("))
    // An override is not what the schedule is asked of, and the doctor says what holds where it is not followed.
    forecast.problem = "it is damaged"
    #expect(forecast.finding?.why == "the previous schedule still applies")
    forecast.scheme = nil
    #expect(forecast.finding?.why == "it is as if there were no schedule")
  }

  @Test func `a forecast is told by the clocks of its zone, and the place to two digits`() {
    var forecast = Forecast(mode: "sun")
    forecast.scheme = .dark
    forecast.coordinates = .init(latitude: -33.8688, longitude: 151.2, origin: "configuration")
    forecast.switches = [
      .init(Switch(time: 7200, scheme: .light), offset: 3600),
      .init(Switch(time: 90_000, scheme: .dark), offset: -3600),
    ]
    #expect(
      forecast.text(now: 0) == """
        The schedule asks for dark, by the sun, until 03:00 (2 h left).
          place     -33.87, 151.20 (configuration)
          next      light 1970-01-01 03:00, dark 1970-01-02 00:00
          forecast  1970-01-01 light 03:00
                    1970-01-02 dark 00:00
        """)
    #expect(
      Forecast(mode: "off").text(now: 0)
        == "No schedule. 'themectl schedule sun' or 'themectl schedule 07:00-19:00' turns it on.")
  }

  @Test func `a rule of a newer daemon is named, and no name moves the cursor`() {
    #expect(
      sentence(app: "a\u{1B}b", .dark, Origin(Rule(rawValue: "moon\u{1B}")), desktop: .light)
        == "Dark for a?b, by the rule 'moon?'; the desktop asks for light.")
  }
}
