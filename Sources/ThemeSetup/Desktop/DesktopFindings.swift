import ThemedClientCore
package import ThemedInterface
package import ThemedModel
import ThemedSystem

/// The doctor's findings about the desktop's own setting: pure.
package struct DesktopFindings {
  package let report: DesktopReport
  /// Why the scheme is shown; nil if that is unknown.
  package var origin: Origin?
  /// Whether the user has written in-step=no.
  var isRefused = false
  /// The other programs that write the setting.
  package var others: [OtherWriter] = []

  package var findings: [Finding] {
    switch report.state {
    case .off: return [leftAlone].compactMap(\.self)
    case .leaving: return []
    case .unknown: return [unknown] + rivals
    case .stuck: return [stuck] + rivals
    case .turning: return rivals
    case .inStep:
      let fact = Finding(fact: "desktop", "the desktop is in step: it shows \(report.shown.rawValue)")
      return [fact, incomplete].compactMap(\.self) + rivals
    }
  }

  /// Some of the desktop's settings that do not turn.
  private var incomplete: Finding? {
    report.trouble.map {
      Finding(
        "desktop_incomplete", "not all settings of the desktop turn: \($0)",
        why: "a part of the desktop does not turn", type: "themectl desktop")
    }
  }

  /// A desktop that stays behind although the user or the schedule has decided something else.
  private var leftAlone: Finding? {
    guard let desktop = report.desktop, desktop != report.shown else { return nil }
    let wish: String
    switch origin?.rule {
    case Rule.override?: wish = "you set \(report.shown.rawValue)"
    case Rule.schedule?: wish = "the schedule asks for \(report.shown.rawValue)"
    default: return nil
    }
    let stays = "the desktop itself stays \(desktop.rawValue)"
    if isRefused {
      return Finding(fact: "desktop_left_alone", "\(wish), and \(stays), because of in-step=no in themed.conf")
    }
    return Finding(
      "desktop_behind", "\(wish), but \(stays)",
      why: "the panel, the wallpaper and the programs that follow the desktop's own setting stay \(desktop.rawValue)",
      fix: "let the desktop turn, too; 'themectl desktop disable' leaves it alone and ends this advice",
      type: "themectl desktop enable")
  }

  private var unknown: Finding {
    Finding(
      "desktop_unknown", "the desktop is to be kept in step, but no portal says what it shows",
      why: "themed cannot see whether the desktop turns",
      fix:
        "install the portal's backend for this desktop, such as xdg-desktop-portal-gtk, and log in again; until then, "
        + "programs that ask the portal follow with:",
      type: "themectl portal enable")
  }

  private var stuck: Finding {
    let why = "the panel and the programs that follow the desktop's own setting do not turn"
    let what = report.note ?? report.sentence
    guard report.step.writers == 0 else {
      let fix =
        report.step.problem == nil
        ? "see which backend of the portal answers for settings: it has to be the one of this desktop" : nil
      return Finding(
        "desktop_stuck", what, why: why, fix: fix,
        type: report.step.problem == nil ? "themectl portal status" : "themectl desktop")
    }
    guard report.hasManager else {
      return Finding(
        "desktop_stuck", what, why: why, fix: report.isApplied ? "start it again" : "have your session start it",
        type: "themed-apply")
    }
    let verb = report.isApplied ? "restart" : "enable --now"
    return Finding("desktop_stuck", what, why: why, type: "systemctl --user \(verb) \(ApplyService.unit)")
  }

  /// Other programs that write the setting, and the trace of one.
  private var rivals: [Finding] {
    var findings = others.map { other in
      Finding(
        "desktop_rival", "\(other.title) also switches this desktop between light and dark",
        why: "it and themed undo each other's changes",
        fix: other.command == nil
          ? other.fix : "\(other.fix), or leave the switching to it: 'themectl desktop disable'",
        type: other.command.map { [$0] } ?? [])
    }
    guard let time = report.switchedBackAt else { return findings }
    let what = "the desktop was switched back at \(clockText(time, now: report.now)), just after it had turned"
    findings.append(
      others.isEmpty
        ? Finding(fact: "desktop_switched_back", "\(what); if that was not you, another program writes its setting")
        : Finding(
          "desktop_switched_back", what, why: "a program listed above may have done that", type: "themectl desktop"))
    return findings
  }
}

extension ThemeConnection {
  /// The findings about the desktop's own setting; none from a daemon that follows no desktop.
  mutating func desktopFindings(_ known: Diagnostics) throws(CallError) -> [Finding] {
    guard let step = known.desktop else { return [] }
    let (state, configuration) = (try call(.state()), try call(.configuration(of: DesktopReport.settings)))
    return DesktopFindings(
      report: DesktopReport(step: step, shown: state.scheme, configuration),
      origin: state.resolution.origins["scheme"],
      isRefused: configuration.hasRefusedDesktop, others: step.isInStep ? OtherWriters.running : []
    ).findings
  }
}

// While the desktop is kept in step, our backend of the portal is needed only where no other backend answers.

extension PortalChainFacts {
  /// Whether the portal reports the desktop's own setting, which is kept in step.
  private var reportsDesktopInStep: Bool { !others.isEmpty && ConfigChange.keepsDesktopInStep }

  /// The note that our backend is hardly needed; nil if it is.
  package var noteAboutDesktop: String? {
    guard reportsDesktopInStep, !isSetUp else { return nil }
    return
      "programs that ask the portal follow light and dark already, because the desktop is kept in step ('themectl "
      + "desktop'); with themed-portal, they follow overrides of contrast, motion and accent, too"
  }

  /// The state of the portal, without the advice to use our backend if it is hardly needed.
  package var sentenceBesidesDesktop: String {
    guard !isRunning, let noteAboutDesktop else { return sentence }
    return "themed-portal is not running; the portal asks \(below). Note that \(noteAboutDesktop)."
  }
}

extension [Finding] {
  /// The findings without the offer to use our backend of the portal, if it is hardly needed.
  var besidesDesktop: [Finding] {
    let chain = lazy.filter { $0.name == PortalChainFacts.finding }.compactMap { PortalChainFacts(json: $0.what) }.first
    return chain?.noteAboutDesktop == nil ? self : filter { $0.name != "portal_chain_offer" }
  }
}
