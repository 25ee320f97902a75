import ThemeInterface
import ArgumentParser
import ThemedText
import Glibc
import ThemeClient

struct AppCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "app",
    abstract: "See the programs that follow.",
    discussion: "What is overridden for them is listed by 'themectl overrides'.",
    subcommands: [ListApps.self], defaultSubcommand: ListApps.self)
}

struct ListApps: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the apps that are told of each change, by the names that they give themselves.",
    discussion:
      "Prints for each its name and the number of its connections, with a tab in between where no terminal reads.")

  @OptionGroup var daemon: Daemon
  @OptionGroup var format: Format

  func run() throws {
    let list = try daemon.call { (theme) throws(ThemeClientError) in try theme.listClients() }
    if list.omitted > 0 { complain("\(list.omitted) more clients monitor than one answer has room for") }
    if format.json { return try say(#"{"clients":[\#(list.clients.map(\.json).joined(separator: ","))]}"#) }
    var counts: [Text?: Int] = [:]
    for client in list.clients { counts[client.app, default: 0] += 1 }
    let names = [nil] + counts.keys.compactMap(\.self).sorted().map(Optional.some)
    let rows = names.compactMap { app in
      counts[app].map { [app.map { printable($0) } ?? "(without a name)", $0 == 1 ? "1 client" : "\($0) clients"] }
    }
    if rows.isEmpty, isatty(STDERR_FILENO) == 1 { complain("no app follows") }
    for line in lines(of: rows, Style(ofOutput: .auto)) { try say(line) }
  }
}
