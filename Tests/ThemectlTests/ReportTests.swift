import Testing
import ThemedInterface
import ThemedModel
import ThemedSystem
import ThemedVarlink

@testable import ThemedClientCore
@testable import ThemeSetup
@testable import themectl

/// What `themectl status` says of a state.
@Suite struct ReportTests {
  private func report(_ origin: Origin) throws -> String {
    var settings = Parameters(["settings": .array([])])
    let resolution = Resolution(scheme: .dark, desktop: .none, origins: ["scheme": origin])
    return StatusReport(
      app: nil, state: State(instance: "1", serial: 1, resolution: resolution),
      rest: .init(overrides: [], configuration: try ThemeConfiguration(reading: &settings)), hidden: nil
    ).text(Style(.never, isTerminal: false) { _ in nil }, now: 0)
  }

  @Test func `what an app is pinned to is said with the end of that, and the scheme of all apps is passed`() throws {
    var settings = Parameters(["settings": .array([])])
    var resolution = Resolution(
      scheme: .light, desktop: .light, highContrast: true, theme: ShownTheme(name: "m", title: "M"))
    resolution.origins = [
      "scheme": Origin(.portal, isPinned: true), "theme": Origin(.default, isPinned: true),
      "highContrast": Origin(.portal, isPinned: true, untilDesktopChanges: true),
    ]
    let lines = StatusReport(
      app: "nvim", state: State(instance: "1", serial: 1, resolution: resolution),
      rest: .init(
        overrides: [Override(scheme: .dark), Override(app: "nvim", auto: [.scheme, .lightTheme])],
        configuration: try ThemeConfiguration(reading: &settings)), hidden: nil
    ).text(Style(.never, isTerminal: false) { _ in nil }, now: 0).split(separator: "\n")
    #expect(
      lines == [
        "Light for nvim, as the desktop asks; you set dark for all apps, but made this one follow the desktop.",
        "  nvim      auto", "  all apps  dark (not for this app)", "> desktop   light", "  default   not reported",
        "  contrast  high (desktop, auto for nvim, until the desktop's setting changes)",
        "  theme     m (configured, auto for nvim)",
      ])
  }

  @Test func `an override is told with what it pins`() {
    let override = Override(app: "nvim", highContrast: true, auto: [.accentColor, .darkTheme])
    #expect(override.words(now: 0) == "high contrast, accent auto, dark theme auto")
  }

  @Test func `a rule that a newer daemon has is shown under its own name as the one that decided`() throws {
    let lines = try report(Origin(.init(rawValue: "moon\u{1B}"))).split(separator: "\n")
    #expect(lines.filter { $0.hasPrefix(">") } == ["> moon?     dark"])
    let byDefault = try report(Origin(.default)).split(separator: "\n")
    #expect(byDefault.filter { $0.hasPrefix(">") } == ["> default   dark (no-preference= in themed.conf)"])
  }
}
