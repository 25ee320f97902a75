import ArgumentParser
import Glibc
import ThemeApps
import ThemeClientCore
import ThemeInterface
import ThemedText
import ThemedVarlink

struct AppCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "app",
    abstract: "See the programs that follow, and let others follow that cannot by themselves.",
    discussion: """
      A program that cannot follow by itself does so by an app file, NAME.app, as themed.app(5) describes it: enabled, \
      its file of colors is written anew at each change, and it is told to read that. What is overridden for programs \
      is listed by 'themectl overrides'.
      """,
    subcommands: [
      ListApps.self, EnableApp.self, DisableApp.self, ShowApp.self, AddApp.self, CheckApps.self,
    ], defaultSubcommand: ListApps.self)
}

struct ListApps: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the programs that are told of each change, and those that app files are for.",
    discussion: """
      Prints the name that each connected program gives itself and the number of its connections; then each app file's \
      name and how that program follows, or can, in the version that is installed, and what came of its last change. In \
      between is a tab where no terminal reads.
      """)

  @OptionGroup var daemon: Daemon
  @OptionGroup var format: Format

  func run() throws {
    let places = AppPlaces()
    var listing = AppListing(places)
    if let problem = listing.problem { complain(problem) }
    do throws(ThemeClientError) {
      var theme = try ThemeConnection(socket: daemon.socket, timeout: Patience.toRead.time)
      listing.clients = try theme.listClients()
    } catch {
      // Files can be listed without it.
      if format.json { try say(listing.json) } else { try show(listing) }
      throw ended(by: error, at: daemon.socket)
    }
    if let omitted = listing.clients?.omitted, omitted > 0 {
      complain("\(omitted) more clients monitor than one answer has room for")
    }
    if format.json { return try say(listing.json) }
    if listing.rows(isForPeople: false).isEmpty, isatty(STDERR_FILENO) == 1 { complain("no app follows") }
    try show(listing)
  }

  private func show(_ listing: AppListing) throws {
    let style = Style(ofOutput: .auto)
    for line in lines(of: listing.rows(isForPeople: style.isForPeople), style) { try say(line) }
    EnvironmentComparison.warn(of: listing.apps.filter { $0.kind == .enabled }.compactMap(\.examination?.app))
  }
}
