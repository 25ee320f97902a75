import ArgumentParser
import ThemedInterface
import ThemeSetup
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
    let report = try DesktopReport(socket: daemon.socket)
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
  @OptionGroup var format: Format

  func validate() throws { try consent.check(example: "themectl desktop enable --yes") }

  func run() throws {
    let enabling = try DesktopEnabling(socket: daemon.socket)
    for line in enabling.plan { try say(printable(line)) }
    for note in OtherWriters.running.map(\.note) { complain("note: \(note)") }
    if consent.isPrintedOnly { return }
    guard try enabling.isDone || consent.yes || confirms(orSkipWith: "themectl desktop enable --yes") else {
      throw ExitCode.failure
    }
    let code = try enabling.show()
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
  @OptionGroup var format: Format

  func validate() throws { try consent.check(example: "themectl desktop disable --yes") }

  func run() throws {
    let disabling = try DesktopDisabling(socket: daemon.socket)
    guard consent.isPrintedOnly else { return try say(disabling.perform()) }
    let (isOn, change) = (disabling.isOn, disabling.change)
    guard isOn || change.isNeeded else { return try say("The desktop is left alone already.") }
    try say("The desktop:")
    if change.isNeeded { try say("  \(printable(Text(change.plan)))") }
    try say(isOn ? "  gets its own settings back" : "  stays as it is")
  }
}

extension DesktopEnabling {
  /// Carries out the plan, and tells the user how it went.
  func show() throws -> ExitCode {
    let outcome = try carryOut()
    if let note = outcome.note { complain(note) }
    if outcome.isInStep { try say(outcome.words) } else { complain(outcome.words) }
    return outcome.isInStep ? .success : .failure
  }
}

extension KeptSetting {
  /// The name and the values of each setting that has a value, for a terminal of this width.
  static func rows(_ all: [KeptSetting], columns: Int, _ style: Style) -> [[String]] {
    let settings = all.filter { $0.value != nil || $0.light != nil || $0.dark != nil }
    guard !settings.isEmpty else { return [] }
    let names = settings.map { setting in
      let isShared = settings.contains { $0.name == setting.name && $0.app != setting.app }
      return printable(setting.name) + (isShared ? " (\(setting.app))" : "")
    }
    let room = columns - 6 - (names.map(\.columns).max() ?? 0)
    let width = style.isForPeople ? max(12, room / 2) : Int.max
    let rows = zip(names, settings).map { name, setting in
      [name] + [setting.light, setting.dark].map { $0.map { shown($0, width, style) } ?? "-" }
    }
    return [["setting", "light", "dark"]] + rows
  }

  /// A value in at most so many columns; a path keeps its end, which says more than its beginning.
  private static func shown(_ value: Text, _ width: Int, _ style: Style) -> String {
    let path = value.dropping(prefix: "file://") ?? value
    let text = path.hasPrefix("/") ? path.belowHome.shown() : printable(value)
    guard text.columns > width, path.hasPrefix("/"), let name = path.splitAtLast("/")?.behind else {
      return text.shortened(to: width, style)
    }
    return "\(style.isUTF8 ? "…" : "..")/\(name.shown())".shortened(to: width, style)
  }
}
