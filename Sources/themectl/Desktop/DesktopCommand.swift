import ArgumentParser
import Glibc
import ThemeClientCore
import ThemeInterface
import ThemeModel
import ThemedSystem

struct DesktopCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "desktop",
    abstract: "Make the desktop itself turn light and dark with themed.",
    discussion: """
      Without this, your overrides and your schedule change only the programs that follow themed. With it, the desktop's \
      own light/dark setting turns too, and with that setting the panel, windows, browsers and other programs that \
      follow the desktop. You can still use the desktop's own switch: themed then shows what you chose there.
      """,
    subcommands: [DesktopStatus.self, DesktopEnable.self, DesktopDisable.self], defaultSubcommand: DesktopStatus.self)
}

struct DesktopStatus: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Say whether the desktop is in step with themed, and exit with 1 if it is not.")

  @OptionGroup var daemon: Daemon
  @OptionGroup var format: Format

  /// How long themed-apply may take to read the desktop's settings, in milliseconds.
  private static let patience = 2_000

  func run() throws {
    let report = try DesktopReport(daemon)
    // Right after the desktop was enabled, themed-apply is still reading its settings.
    let isWritten = report.step.isInStep && report.step.writers > 0
    let status = isWritten ? ApplyStatus.ofDesktop(waiting: Self.patience) : ApplyStatus()
    let settings = status?.settings ?? []
    if format.json {
      try say(report.json(settings))
    } else {
      try say(printable(report.sentence))
      let style = Style(ofOutput: .auto)
      let facts = report.rows.map { $0.map { printable($0) } }
      for line in lines(of: facts, style, margin: "  ") { try say(line) }
      let rows = KeptSetting.rows(settings, columns: terminalColumns ?? 80, style)
      for line in lines(of: rows, style, margin: "  ") { try say(line) }
      if isWritten, status?.desktopFiles.isEmpty != false, status?.troubleWithDesktop == nil {
        complain("note: themed-apply has not read the desktop's settings yet; run this again in a moment")
      }
    }
    guard report.state == .inStep || report.state == .turning else { throw ExitCode.failure }
  }
}

struct DesktopEnable: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "enable",
    abstract: "Make the desktop turn with themed from now on.",
    discussion: """
      Shows what it would change, and asks. Then it writes in-step=yes into themed.conf, starts themed's services if \
      they are not running, and waits until the desktop shows what themed shows. The exit status is 1 if you did not \
      agree, or if something keeps the desktop from turning; the command then says what.

      If it has no terminal to ask on, it changes nothing unless you give --yes. 'themectl desktop disable' gives the \
      desktop its own settings back.
      """)

  @OptionGroup var consent: Consent

  @OptionGroup var daemon: Daemon

  func validate() throws { try consent.check(example: "themectl desktop enable --yes") }

  func run() throws {
    let enabling = try DesktopEnabling(daemon)
    for line in enabling.plan { try say(printable(line)) }
    for note in OtherWriters.running.map(\.note) { complain("note: \(note)") }
    if consent.isPrintedOnly { return }
    guard try enabling.isDone || consent.yes || confirms(orSkipWith: "themectl desktop enable --yes") else {
      throw ExitCode.failure
    }
    let code = try enabling.carryOut()
    if code != .success { throw code }
  }
}

struct DesktopDisable: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "disable",
    abstract: "Leave the desktop alone again, and give it its own settings back.",
    discussion: """
      Writes in-step=no into themed.conf, and waits until the desktop has the settings that it had before 'themectl \
      desktop enable'. A setting that you have chosen by hand for the side that is shown stays. Programs that follow \
      themed keep following it.

      The command never asks. It has --yes because 'themectl desktop enable' has it.
      """)

  @OptionGroup var consent: Consent

  @OptionGroup var daemon: Daemon

  func validate() throws { try consent.check(example: "themectl desktop disable --yes") }

  func run() throws {
    let path = try daemon.configurationPath() ?? ConfigChange.usualPath()
    let isOn = ConfigChange.value(.desktopInStep, in: path) == "yes"
    let change = try ConfigChange([(key: .desktopInStep, value: "no")], in: path)
    if consent.isPrintedOnly {
      guard isOn || change.isNeeded else { return try say("The desktop is left alone already.") }
      try say("The desktop:")
      if change.isNeeded { try say("  \(printable(Text(change.plan)))") }
      return try say(isOn ? "  gets its own settings back" : "  stays as it is")
    }
    try change.perform()
    let report: DesktopReport
    do { report = try awaited() } catch let code as ExitCode where code == .noDaemon {
      if ApplyStatus.remembersDesktop {
        complain("the desktop keeps its present settings until themed and themed-apply run again")
      }
      throw code
    }
    if report.state != .off {
      throw failed("themed still keeps the desktop in step; run 'themectl doctor' to find out why")
    }
    guard !ApplyStatus.remembersDesktop else { throw failed(Self.leftover(report)) }
    let shows = report.desktop.map { " It shows \($0.rawValue)." } ?? ""
    try say(
      isOn ? "The desktop has its own settings again.\(shows)" : "The desktop is left alone, as before.\(shows)")
  }

  /// Why the desktop does not have its own settings back yet.
  private static func leftover(_ report: DesktopReport) -> String {
    guard report.isApplied else {
      return "the desktop keeps its present settings until themed-apply runs again and restores them"
    }
    if let trouble = report.trouble { return "the desktop does not have all of its own settings back: \(trouble)" }
    guard ["done", "idle"].contains(ApplyStatus()?.desktop?.state) else {
      return
        "themed-apply has not given the desktop all of its own settings back yet; 'themectl desktop' says how far it is"
    }
    return
      "some settings belong to a desktop that is not running now; they come back when you log in there again"
  }

  /// Waits until the desktop has its own settings again, or the time is over.
  private func awaited() throws -> DesktopReport {
    let end = monotonicMilliseconds() + 1_000 * DesktopEnabling.patience
    while true {
      let report = try DesktopReport(daemon)
      let isOver = report.state == .off && (!ApplyStatus.remembersDesktop || !report.isApplied)
      // What is asked next has to know it, too.
      if try isOver && daemon.hasRefusedDesktop || monotonicMilliseconds() > end { return report }
      usleep(100_000)
    }
  }
}

extension DesktopReport {
  /// The settings of the daemon that a report needs.
  static let settings = ["[appearance] no-preference", ConfigKey.desktopInStep.wireName]

  /// Asks the daemon; if it cannot tell, the command says why and fails.
  init(_ daemon: Daemon) throws {
    let (known, state, configuration) = try daemon.call(isReport: true) { (theme) throws(ThemeClientError) in
      (try theme.getDiagnostics(), try theme.getState(), try theme.call(.configuration(of: Self.settings)))
    }
    self.init(step: try known.stepOfDesktop, shown: state.scheme, configuration)
  }

  init(step: Diagnostics.DesktopStep, shown: ColorScheme, _ configuration: ThemeConfiguration) {
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
  /// How the desktop is kept in step; if the daemon does not do that, the command says why and fails.
  var stepOfDesktop: DesktopStep {
    get throws {
      if let desktop { return desktop }
      if upstream != nil {
        throw failed(
          "this themed follows another one, and not this desktop; run the command on the machine whose desktop it follows"
        )
      }
      throw failed(
        "the running themed is version \(version), which does not do this yet; run 'systemctl --user restart "
          + "themed.service', or restart it by hand")
    }
  }
}

extension Daemon {
  /// The path of the file that the daemon reads; nil if no daemon runs or the path is unknown.
  func configurationPath() throws -> String? {
    do throws(ThemeClientError) {
      var theme = try ThemeConnection(socket: socket, timeout: .toRead)
      return try theme.getDiagnostics().configuration.path
    } catch {
      guard error.code == .noDaemon else { throw ended(by: error, at: socket) }
      return nil
    }
  }
}

extension Daemon {
  /// Whether the daemon has read that the user wants the desktop to be left alone.
  fileprivate var hasRefusedDesktop: Bool {
    get throws {
      try call(isReport: true) { (theme) throws(ThemeClientError) in
        try theme.call(.configuration(of: DesktopReport.settings))
      }.hasRefusedDesktop
    }
  }
}

extension ConfigKey {
  static let desktopInStep = ConfigKey(group: "desktop", name: "in-step")
  /// Its name in the daemon's configuration.
  var wireName: Text { "[\(group)] \(name)" }
}
