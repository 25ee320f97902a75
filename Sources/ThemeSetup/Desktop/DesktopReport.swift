import ThemedClientCore
package import ThemedInterface
package import ThemedModel
package import ThemedSystem
import ThemedVarlink

/// The state of the desktop's own setting, and whether it is in step with what themed shows: pure.
package struct DesktopReport: Equatable {
  /// How long a desktop may take to turn, in seconds.
  package static let patience: Int64 = 5

  package let step: Diagnostics.DesktopStep
  /// The scheme that themed shows for all apps.
  package let shown: ColorScheme
  /// The scheme that the desktop shows with no preference.
  package let noPreference: ColorScheme
  /// Whether themed-apply is running.
  let isApplied: Bool
  /// Whether a systemd user manager is running.
  var hasManager = true
  /// The reason why themed-apply cannot write a setting, with the advice.
  var trouble: String?
  package let now: Int64

  package enum State: Equatable {
    /// The desktop is left alone.
    case off
    /// The desktop is left alone from now on, and gets back what it asked for.
    case leaving
    /// No portal says what the desktop's setting is.
    case unknown
    case inStep
    /// The desktop was asked to turn a moment ago.
    case turning
    /// The desktop does not turn, or will not at the next change, for this reason.
    case stuck(String)
  }

  package var state: State {
    guard step.isInStep else { return step.target == nil ? .off : .leaving }
    guard step.reported != .unavailable else { return .unknown }
    if step.writers == 0 {
      return .stuck(isApplied ? "themed-apply is not connected to themed" : "themed-apply is not running")
    }
    guard step.target != nil else { return .inStep }
    if let problem = step.problem { return .stuck(problem) }
    guard let since = step.since, now.subtractingSaturated(since) > Self.patience else { return .turning }
    return .stuck("the setting was written at \(clockText(since, now: now)), but the desktop's portal did not follow")
  }

  /// The scheme that the desktop shows by itself; nil if that is unknown.
  package var desktop: ColorScheme? {
    switch step.reported {
    case .light: .light
    case .dark: .dark
    case .none: noPreference
    case .unavailable: nil
    }
  }

  /// When something switched the desktop back soon after its last change; nil if that was more than a day ago.
  var switchedBackAt: Int64? { step.switchedBackAt.flatMap { now.subtractingSaturated($0) < 86_400 ? $0 : nil } }

  /// The note that the desktop differs from what is shown, and why; nil if it does not, or is left alone.
  package var note: String? {
    guard case .stuck(let reason) = state, let desktop, desktop != shown else { return nil }
    return "the desktop still shows \(desktop.rawValue): \(reason)"
  }

  /// The state in one sentence, with what to do.
  package var sentence: String {
    let own = desktop.map {
      "it shows \($0.rawValue)\($0 == shown ? ", as themed does" : ", and themed \(shown.rawValue)")"
    }
    switch state {
    case .off:
      let says = own.map { ": \($0)" } ?? ""
      return
        "The desktop's own light/dark setting is left alone\(says). Run 'themectl desktop enable' to keep it in step."
    case .leaving: return "The desktop gets its own settings back."
    case .unknown:
      return "The desktop is kept in step, but no portal says what it shows; run 'themectl doctor' to find out why."
    case .inStep: return "The desktop is in step: it shows \(shown.rawValue), as themed does."
    case .turning: return "The desktop is turning \(shown.rawValue)."
    case .stuck(let reason):
      if let note { return "\(note.prefix(1).uppercased())\(note.dropFirst()). \(advice)" }
      return
        "The desktop shows \(shown.rawValue), as themed does, but will not turn at the next change: \(reason). \(advice)"
    }
  }

  /// The end of a sentence about a desktop that does not turn although the user wants that.
  package var failure: String {
    guard case .stuck(let reason) = state, note == nil else {
      return "\(sentence.prefix(1).lowercased())\(sentence.dropFirst())"
    }
    return "the desktop will not turn: \(reason). \(advice)"
  }

  /// The advice about a desktop that does not turn.
  private var advice: String {
    if step.writers > 0 { return "Run 'themectl doctor' to find out why." }
    if isApplied {
      return hasManager ? "Run 'systemctl --user restart \(ApplyService.unit)'." : "Start 'themed-apply' again."
    }
    return hasManager
      ? "Run 'systemctl --user enable --now \(ApplyService.unit)'." : "Have your session start 'themed-apply'."
  }

  /// The lines below the sentence, each with a name.
  package var rows: [[String]] {
    var rows = [["reports", words(step.reported)]]
    guard step.isInStep else { return rows }
    if step.asked != step.reported { rows.append(["asked", "\(words(step.asked)) (by itself)"]) }
    rows.append(["writer", step.writers > 0 ? "themed-apply" : "none"])
    if let trouble { rows.append(["problem", trouble]) }
    if let time = switchedBackAt {
      rows.append(["switched", "back at \(clockText(time, now: now)), just after a change"])
    }
    return rows
  }

  private func words(_ preference: Preference) -> String {
    switch preference {
    case .light, .dark: preference.rawValue
    case .none: "no preference, which shows \(noPreference.rawValue)"
    case .unavailable: "nothing: no portal answers"
    }
  }

  /// The word for programs.
  package var word: Text {
    switch state {
    case .off: "off"
    case .leaving: "leaving"
    case .unknown: "unknown"
    case .inStep: "in-step"
    case .turning: "turning"
    case .stuck: "stuck"
    }
  }

  /// The report as JSON.
  package func json(_ settings: [KeptSetting]) -> String {
    var reason: String?
    if case .stuck(let words) = state { reason = words }
    return JSON.object([
      "state": .word(word.string), "reason": reason.map(JSON.word), "shown": .word(shown.rawValue),
      "reported": .word(step.reported.rawValue), "asked": .word(step.asked.rawValue),
      "target": step.target.map { .word($0.rawValue) }, "since": step.since.map(JSON.integer),
      "writers": .integer(step.writers), "switchedBackAt": step.switchedBackAt.map(JSON.integer),
      "settings": .array(settings.map(\.json)),
    ]).text
  }
}

extension ThemeConnection {
  /// How the desktop is kept in step, for `status`; nil if it is left alone, or the daemon does not say.
  package mutating func desktopReport(_ state: State, _ app: Text?, _ configuration: ThemeConfiguration?)
    -> DesktopReport?
  {
    guard let configuration, configuration.value(of: ConfigKey.desktopInStep.wireName) == "yes",
      let step = try? call(.diagnostics).desktop,
      let shown = app == nil ? state.scheme : try? call(.state()).scheme
    else { return nil }
    return DesktopReport(step: step, shown: shown, configuration)
  }
}

extension DesktopReport {
  /// The settings of the daemon that a report needs.
  package static let settings = ["[appearance] no-preference", ConfigKey.desktopInStep.wireName]

  /// Asks the daemon; throws why it cannot tell.
  package init(socket: String?) throws {
    let (known, state, configuration) = try withDaemon(at: socket) { (theme) throws(CallError) in
      (try theme.call(.diagnostics), try theme.call(.state()), try theme.call(.configuration(of: Self.settings)))
    }
    self.init(step: try known.stepOfDesktop, shown: state.scheme, configuration)
  }

  package init(step: Diagnostics.DesktopStep, shown: ColorScheme, _ configuration: ThemeConfiguration) {
    let status = ApplyStatus()
    self.init(
      step: step, shown: shown, noPreference: configuration.value(of: Self.settings[0]) == "dark" ? .dark : .light,
      isApplied: status != nil, hasManager: UserManager.isRunning,
      trouble: status?.troubleWithDesktop, now: wallClock())
  }
}

extension ThemeConfiguration {
  /// Whether the user wants the desktop to be left alone, and has said so.
  var hasRefusedDesktop: Bool {
    settings.contains { $0.name == ConfigKey.desktopInStep.wireName && $0.value == "no" && $0.origin != "default" }
  }
}

extension Diagnostics {
  /// How the desktop is kept in step; throws if the daemon does not do that.
  var stepOfDesktop: DesktopStep {
    get throws {
      if let desktop { return desktop }
      if upstream != nil {
        throw Refusal(
          "this themed follows another one, and not this desktop; run the command on the machine whose desktop it follows"
        )
      }
      throw Refusal(
        "the running themed is version \(version), which does not do this yet; run 'systemctl --user restart "
          + "themed.service', or restart it by hand")
    }
  }
}

extension ConfigKey {
  static let desktopInStep = ConfigKey(group: "desktop", name: "in-step")

  package static func schedule(_ name: Text) -> ConfigKey { ConfigKey(group: "schedule", name: name) }

  /// Its name in the daemon's configuration.
  package var wireName: Text { "[\(group)] \(name)" }
}
