import Testing
import ThemedInterface
import ThemedModel
import ThemedSystem

@testable import ThemeSetup

private func report(
  _ shown: ColorScheme = .dark, reported: Preference = .dark, asked: Preference = .light, isOn: Bool = true,
  target: ColorScheme? = nil, since: Int64? = nil, writers: Int64 = 1, problem: String? = nil,
  switchedBackAt: Int64? = nil, isApplied: Bool = true, trouble: String? = nil
) -> DesktopReport {
  let step = Diagnostics.DesktopStep(
    isInStep: isOn, asked: asked, reported: reported, target: target, since: since, writers: writers, problem: problem,
    switchedBackAt: switchedBackAt)
  return DesktopReport(
    step: step, shown: shown, noPreference: .light, isApplied: isApplied, trouble: trouble, now: 100)
}

/// What `themectl desktop` says, and what `status` and `doctor` say about the desktop.
@Suite struct DesktopReportTests {
  @Test func `the desktop is in step only if it shows what themed shows, and somebody turns it next time`() {
    #expect(report().state == .inStep)
    #expect(report().sentence == "The desktop is in step: it shows dark, as themed does.")
    let alone = report(writers: 0, isApplied: false)
    #expect(alone.state == .stuck("themed-apply is not running") && alone.note == nil)
    #expect(
      alone.sentence
        == "The desktop shows dark, as themed does, but will not turn at the next change: themed-apply is not "
        + "running. Run 'systemctl --user enable --now themed-apply.service'."
    )
  }

  @Test func `a desktop that is left alone is said to be, with what it shows and how to change that`() {
    #expect(
      report(reported: .light, isOn: false).sentence
        == "The desktop's own light/dark setting is left alone: it shows light, and themed dark. Run 'themectl desktop "
        + "enable' to keep it in step.")
    #expect(report(isOn: false).sentence.contains("it shows dark, as themed does."))
    #expect(report(reported: .unavailable, isOn: false).sentence.contains("is left alone. Run"))
    #expect(report(isOn: false, target: .light).state == .leaving)
  }

  @Test func `a desktop that still shows the other side is named with the reason`() {
    #expect(report(reported: .light, target: .dark, since: 96).state == .turning)
    let late = report(reported: .light, target: .dark, since: 10)
    #expect(
      late.note
        == "the desktop still shows light: the setting was written at \(clockText(10, now: 100)), but the desktop's "
        + "portal did not follow")
    #expect(late.sentence.hasSuffix(". Run 'themectl doctor' to find out why."))
    let refused = report(reported: .light, target: .dark, since: 99, problem: "gsettings is missing")
    #expect(refused.sentence.hasPrefix("The desktop still shows light: gsettings is missing."))
    let unwritten = report(reported: .none, target: .dark, since: 99, writers: 0)
    #expect(
      unwritten.sentence == "The desktop still shows light: themed-apply is not connected to themed. Run 'systemctl "
        + "--user restart themed-apply.service'.")
    #expect(report(reported: .unavailable).state == .unknown)
  }

  @Test func `rows name what the desktop asked for by itself, and who writes`() {
    #expect(
      report(switchedBackAt: 50, trouble: "xfconf-query is missing").rows == [
        ["reports", "dark"], ["asked", "light (by itself)"], ["writer", "themed-apply"],
        ["problem", "xfconf-query is missing"],
        ["switched", "back at \(clockText(50, now: 100)), just after a change"],
      ])
    #expect(report(reported: .none, isOn: false).rows == [["reports", "no preference, which shows light"]])
  }

  @Test func `JSON has every member that the manual names`() {
    let settings = [KeptSetting(app: "gtk", name: "gtk-theme", light: "A", dark: "B", value: "B", original: nil)]
    #expect(
      report(reported: .light, target: .dark, since: 10, problem: "why", switchedBackAt: 5).json(settings)
        == #"{"state":"stuck","reason":"why","shown":"dark","reported":"light","asked":"light","target":"dark","since":10,"#
        + #""writers":1,"switchedBackAt":5,"settings":[{"app":"gtk","name":"gtk-theme","value":"B","light":"A","dark":"B"}]}"#
    )
  }
}

/// What `themectl doctor` says about the desktop's own setting.
@Suite struct DesktopFindingsTests {
  private func names(
    _ report: DesktopReport, _ rule: Rule? = nil, isRefused: Bool = false, others: [OtherWriter] = []
  ) -> [Text] {
    DesktopFindings(report: report, origin: rule.map { Origin($0) }, isRefused: isRefused, others: others).findings
      .map { $0.isProblem ? $0.name : "(\($0.name))" }
  }

  @Test func `a desktop that stays behind an override or a schedule is a problem, unless the user wants that`() {
    let behind = report(reported: .light, isOn: false)
    #expect(names(behind, .override) == ["desktop_behind"] && names(behind, .schedule) == ["desktop_behind"])
    #expect(names(behind, .override, isRefused: true) == ["(desktop_left_alone)"])
    #expect(names(behind, .default) == [] && names(behind) == [])
    #expect(names(report(isOn: false), .override) == [])
    #expect(names(report(reported: .unavailable, isOn: false), .override) == [])
    let finding = DesktopFindings(report: behind, origin: Origin(.schedule)).findings[0]
    #expect(finding.what == "the schedule asks for dark, but the desktop itself stays light")
    #expect(finding.commands == ["themectl desktop enable"])
  }

  @Test func `each reason why a desktop does not turn has advice that fits`() {
    #expect(names(report()) == ["(desktop)"])
    #expect(names(report(trouble: "a; b")) == ["(desktop)", "desktop_incomplete"])
    #expect(names(report(reported: .unavailable)) == ["desktop_unknown"])
    #expect(names(report(reported: .light, target: .dark, since: 99)) == [])
    func commands(_ report: DesktopReport) -> [String] { DesktopFindings(report: report).findings[0].commands }
    let late = report(reported: .light, target: .dark, since: 10)
    #expect(names(late) == ["desktop_stuck"] && commands(late) == ["themectl portal status"])
    #expect(
      commands(report(writers: 0, isApplied: false)) == ["systemctl --user enable --now themed-apply.service"])
    #expect(commands(report(writers: 0)) == ["systemctl --user restart themed-apply.service"])
  }

  @Test func `another program that writes the setting is named, and a switch back alone is no problem`() {
    let darkman = OtherWriter(title: "darkman", fix: "stop it", command: "x")
    #expect(names(report(), others: [darkman]) == ["(desktop)", "desktop_rival"])
    #expect(names(report(switchedBackAt: 50)) == ["(desktop)", "(desktop_switched_back)"])
    #expect(
      names(report(switchedBackAt: 50), others: [darkman]) == ["(desktop)", "desktop_rival", "desktop_switched_back"])
    #expect(names(report(switchedBackAt: -90_000)) == ["(desktop)"])
    #expect(report(switchedBackAt: -90_000).rows == report().rows)
  }
}
