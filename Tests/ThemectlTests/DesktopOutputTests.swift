import Testing
import ThemedInterface
import ThemedModel
import ThemedSystem

@testable import ThemeSetup
@testable import themectl

/// How `status` and `themectl desktop` print what is known about the desktop.
@Suite struct DesktopOutputTests {
  private func report(
    reported: Preference = .dark, target: ColorScheme? = nil, since: Int64? = nil, writers: Int64 = 1,
    isApplied: Bool = true
  ) -> DesktopReport {
    let step = Diagnostics.DesktopStep(
      isInStep: true, asked: .light, reported: reported, target: target, since: since, writers: writers)
    return DesktopReport(step: step, shown: .dark, noPreference: .light, isApplied: isApplied, now: 100)
  }

  @Test func `status says the same in its sentence`() {
    func sentence(_ report: DesktopReport) -> String {
      let resolution = Resolution(
        scheme: report.shown, desktop: report.step.asked, origins: ["scheme": Origin(.override)])
      let state = State(instance: "1", serial: 1, resolution: resolution)
      return StatusReport(app: nil, state: state, rest: nil, hidden: nil, desktopReport: report).sentence(now: 0)
    }
    #expect(sentence(report()) == "Dark, because you set it; the desktop shows dark too.")
    #expect(
      sentence(report(reported: .light, target: .dark, since: 99, writers: 0, isApplied: false))
        == "Dark, because you set it; the desktop still shows light: themed-apply is not running.")
    #expect(
      sentence(report(reported: .light, target: .dark, since: 99))
        == "Dark, because you set it; the desktop is turning.")
    #expect(sentence(report(reported: .unavailable)) == "Dark, because you set it; the desktop asks for light.")
  }

  @Test(arguments: [60, 80])
  func `settings fit the terminal, and a path keeps its end`(columns: Int) {
    let settings = [
      KeptSetting(
        app: "gtk", name: "wallpaper", light: "file:///usr/share/backgrounds/gnome/adwaita-l.jxl",
        dark: "/usr/share/backgrounds/some-very-long-directory/of-pictures/d.jxl"),
      KeptSetting(app: "gtk", name: "gtk-theme", light: Text(String(repeating: "x", count: 90)), dark: nil),
    ]
    let style = Style(depth: .none)
    let rows = KeptSetting.rows(settings, columns: columns, style)
    #expect(lines(of: rows, style).allSatisfy { $0.columns + 2 <= columns })
    #expect(rows[1][2] == "…/d.jxl" && rows[2][1].hasSuffix("…") && rows[2][2] == "-")
  }

  @Test func `a setting without a value is not listed, and one of two app files is named with its file`() {
    let settings = [
      KeptSetting(app: "xfce", name: "gtk-theme", light: "A", dark: nil),
      KeptSetting(app: "gtk", name: "gtk-theme", light: "B", dark: nil), KeptSetting(app: "gtk", name: "kvantum"),
    ]
    let rows = KeptSetting.rows(settings, columns: 80, Style(depth: .none))
    #expect(rows.map(\.first) == ["setting", "gtk-theme (xfce)", "gtk-theme (gtk)"])
  }
}
