import ArgumentParser
import ThemedClientCore
import ThemedInterface
import ThemedModel
import ThemeSetup
import ThemedSystem

struct Status: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Say whether light or dark is shown, why, and what is in the way.",
    discussion: """
      The first line says what is shown, and why. Below it are the rules that can decide, from the strongest to the \
      weakest; '>' marks the one that decided. In a terminal, a line with '!' names each program that is enabled but \
      does not follow; 'themectl doctor' says what to do about it.
      """)

  @Flag(
    help: "Also show the state of the session bus and the portal, the paths of themed's files, and the last changes.")
  var verbose = false

  @Flag(help: "With --json, also print the theme's colours, images and values (settings for individual programs).")
  var details = false

  @OptionGroup var daemon: Daemon
  @OptionGroup var audience: Audience
  @OptionGroup var colors: ColorOption
  @OptionGroup var format: Format

  func validate() throws {
    guard !details || format.json else {
      throw ValidationError(
        "--details needs --json here; try: themectl status --json --details; themectl get --details")
    }
  }

  func run() throws {
    if format.json {
      return try say(
        daemon.call(isReport: true) { (theme) throws(CallError) in
          let state = try theme.call(.state(app: audience.app, details: details)).json
          return verbose ? #"{"state":\#(state),"diagnostics":\#(try theme.call(.diagnostics).json)}"# : state
        })
    }
    try showStatus(of: audience.name, socket: daemon.socket, verbose: verbose, colors.style)
  }
}

func showStatus(of app: Text? = nil, socket: String? = nil, verbose: Bool = false, _ style: Style) throws {
  let (note, report, diagnostics) = try callDaemon(at: socket, isReport: true) { (theme) throws(CallError) in
    let (note, report) = (try theme.noteAboutUnknownApp(app), try StatusReport(&theme, app: app))
    // A script that reads this does not wait for more than it asked for.
    let diagnostics = verbose ? try theme.call(.diagnostics) : style.isForPeople ? try? theme.call(.diagnostics) : nil
    return (note, report, diagnostics)
  }
  if let note { complain(note) }
  let now = wallClock()
  try say(report.text(style, now: now))
  if style.isForPeople, app == nil, report.rest != nil {
    // Programs are asked for their versions, which may take a while.
    let configuration = diagnostics?.configuration.problem.map { "\($0); themed keeps the earlier configuration" }
    let obstacles = [configuration].compactMap(\.self) + AppFindings().findings.filter(\.isProblem).map(\.what)
    for line in StatusReport.lines(of: obstacles, terminalColumns) { try say(line) }
  }
  if verbose, let diagnostics { try say(diagnostics.report(now: now)) }
}

extension Diagnostics {
  func report(now: Int64) -> String {
    var lines = ["version: \(version)", "session bus: \(bus.report)", "graphical session: \(session)"]
    lines += upstream.map { [$0.report(now)] } ?? portal.report(now)
    lines.append("configuration: \(configuration.report)")
    lines.append("state file: \(state.report)")
    if let socket { lines.append("socket: \(socket.report)") }
    if let readOnlySocket {
      lines.append("read-only socket: \(readOnlySocket.file.report), connections: \(readOnlySocket.connections)")
    }
    lines += (themes ?? []).map { "theme: \($0.report)" }
    lines.append(changes.isEmpty ? "changes: none since themed started" : "changes:")
    lines += changes.map { "  \($0.report(now))" }
    return lines.map(printable).joined(separator: "\n")
  }
}

extension Diagnostics.Bus {
  fileprivate var report: String {
    let state = state == "waiting" ? "not connected, themed tries again" : state.string
    return [state, address.map { "address: \($0)" }, problem.map { "problem: \($0)" }]
      .compactMap(\.self).joined(separator: "; ")
  }
}

extension Diagnostics.Upstream {
  fileprivate func report(_ now: Int64) -> String {
    let source = source == "-" ? "another machine, by 'themectl share'" : source.string
    let heard = heardAt.map { ", last message \(clockText($0, now: now))" } ?? ""
    return "upstream: \(source), \(isConnected ? "connected" : "not connected")\(heard)"
      + (problem.map { " (\($0))" } ?? "")
  }
}

extension Diagnostics.Portal {
  fileprivate func report(_ now: Int64) -> [String] {
    var lines: [String] = []
    let version = version.map { ", Settings interface version \($0)" } ?? ""
    lines.append("portal: " + (owner.map { "\($0)\(version)" } ?? "not running"))
    if let value {
      let time = readAt.map { ", read \(clockText($0, now: now))" } ?? ""
      lines.append("portal's answer: \(value)\(time)\(standsIn ? "; kept until the portal answers again" : "")")
    }
    if let deniedSignal { lines.append("portal's signal that its answer contradicts: \(deniedSignal)") }
    if let lastError {
      lines.append("portal's last error: \(lastError)" + (lastErrorAt.map { ", \(clockText($0, now: now))" } ?? ""))
    }
    return lines
  }
}

extension Diagnostics.File {
  fileprivate var report: String {
    guard let problem else { return path ?? "nowhere" }
    // Most problems begin with the path.
    if let path, Text(problem).hasPrefix(Text(path)) { return problem }
    return "\(path ?? "nowhere") (\(problem))"
  }
}

extension Diagnostics.Change {
  fileprivate func report(_ now: Int64) -> String {
    "\(clockText(time, now: now)) \(app.map { "\($0): " } ?? "")\(scheme.rawValue)"
      + (theme.map { ", theme \($0)" } ?? "") + " (cause: \(cause); desktop: \(desktop.rawValue))"
  }
}
