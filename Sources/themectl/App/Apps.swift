import ArgumentParser
import Glibc
import ThemeApps
import ThemeClientCore
import ThemeInterface
import ThemedSystem
import ThemedVarlink

struct AppCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "app",
    abstract: "List the programs that switch between light and dark, and make others do so.",
    discussion: """
      A program that cannot switch by itself needs an app file, NAME.app; themed.app(5) describes the format. Once the \
      app is enabled, themed-apply writes the program's colours to a file at each change and makes the program read \
      the file. 'themectl overrides' lists what is overridden for individual programs.
      """,
    subcommands: [
      ListApps.self, EnableApp.self, DisableApp.self, ShowApp.self, AddApp.self, CheckApps.self,
    ], defaultSubcommand: ListApps.self)
}

struct ListApps: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the programs that are connected to themed, and all that have an app file.",
    discussion: """
      Prints the name of each connected program and the number of its connections. Then it prints a line for each app \
      file: its name, how the installed version of the program switches between light and dark (or could do so), and \
      whether the last switch worked. If the output is not a terminal, tabs separate the columns.
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
      // The app files can be listed without the daemon.
      if format.json { try say(listing.json) } else { try show(listing) }
      throw ended(by: error, at: daemon.socket)
    }
    if let omitted = listing.clients?.omitted, omitted > 0 {
      complain("the list is too long for one reply: \(omitted) more clients are not shown")
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
