import ArgumentParser
import Glibc
import ThemeClientCore
import ThemeModel
import ThemedSystem

struct ListOverrides: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "overrides",
    abstract: "List the overrides, the app that each is for, and when it ends.",
    discussion: """
      Prints the app, what is overridden, and when that ends, or a hyphen ('-') if it has no end. Overrides for all apps \
      come first. If the overrides of an app end at different times, each has its own line. Outside a terminal, tabs \
      separate the columns. If nothing is overridden, the command prints nothing and exits with 0.

      For example:
        themectl overrides --app nvim    only the overrides of this app
      """)

  @OptionGroup var daemon: Daemon
  @OptionGroup var audience: Audience
  @OptionGroup var format: Format

  func run() throws {
    let all = try daemon.call { (theme) throws(ThemeClientError) in try theme.listOverrides() }
    let overrides = all.filter { audience.name == nil || $0.app == audience.name }
    if format.json { return try say(#"{"overrides":[\#(overrides.map(\.json).joined(separator: ","))]}"#) }
    let now = wallClock()
    if overrides.isEmpty, isatty(STDERR_FILENO) == 1 { complain("nothing is overridden") }
    for line in lines(of: overrides.map { $0.row(now: now) }, Style(ofOutput: .auto)) { try say(line) }
  }
}

extension Override {
  /// The app, the settings and the end, as cells of a table.
  func row(now: Int64) -> [String] {
    var endless = self
    (endless.expiresAt, endless.untilDesktopChanges) = (nil, nil)
    let end = Override(expiresAt: expiresAt, untilDesktopChanges: untilDesktopChanges).words(now: now)
    return [app.map { printable($0) } ?? "(all apps)", endless.words(now: now), end.isEmpty ? "-" : end]
  }
}
