import ArgumentParser
import Glibc
import ThemeApps
import ThemedClientCore
import ThemedInterface
import ThemeSetup
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
      ListApps.self, EnableApp.self, DisableApp.self, UseApp.self, ShowApp.self, AddApp.self, CheckApps.self,
    ], defaultSubcommand: ListApps.self)
}

/// Tells the user that there is no app of this name, and suggests similar names.
func unknownApp(_ name: Text, in places: AppPlaces) -> ExitCode {
  let near = words(near: name, among: places.names).map { "'\($0)'" }
  complain(
    "no app file for '\(name)'; "
      + (near.isEmpty
        ? "'themectl app list' lists all apps" : "did you mean \(near.joined(separator: " or "))?"))
  return .failed
}

struct ListApps: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the programs that are connected to themed, and all that have an app file.",
    discussion: """
      Prints the name of each connected program and the number of its connections. Then it prints a line for each app \
      file: its name, and whether the program follows now, may follow if you have made a setting, can be enabled, or does \
      not follow, with the reason or the command to type. If the output is not a terminal, tabs separate the columns.
      """)

  @OptionGroup var daemon: Daemon
  @OptionGroup var format: Format

  func run() throws {
    let places = AppPlaces()
    var listing = AppListing(places)
    if let problem = listing.problem { complain(problem) }
    do throws(CallError) {
      var theme = try ThemeConnection(socket: daemon.socket, timeout: .toRead)
      listing.clients = try theme.call(.clients)
    } catch {
      // The app files can be listed without the daemon.
      if format.json { try say(listing.json) } else { try show(listing) }
      throw ended(by: error, at: daemon.socket)
    }
    if case let omitted = listing.clients.omitted, omitted > 0 {
      complain("the list is too long for one reply: \(omitted) more clients are not shown")
    }
    if format.json { return try say(listing.json) }
    if listing.rows(isForPeople: false).isEmpty, isatty(STDERR_FILENO) == 1 { complain("no app follows") }
    try show(listing)
  }

  private func show(_ listing: AppListing) throws {
    let style = Style(ofOutput: .auto)
    for line in lines(of: listing.rows(isForPeople: style.isForPeople), style) { try say(line) }
    let enabled = listing.apps.filter { $0.kind == .enabled }.compactMap(\.examination?.app)
    for note in EnvironmentComparison.notes(about: enabled) { complain(note) }
  }
}

extension AppListing {
  /// The programs of the connections that gave no name, as far as the system shows them.
  private var namelessPrograms: String {
    let processes = clients.filter { $0.app == nil }.compactMap { Int32(exactly: $0.processID) }
    let names = Set(processes.compactMap { commandName($0) }).sorted()
    return names.isEmpty ? "" : ": " + names.map { printable($0) }.joined(separator: ", ")
  }

  /// A row for each app; for people, the programs that are not installed share one row.
  func rows(isForPeople: Bool) -> [[String]] {
    let counts: [Text?: Int] = clients.reduce(into: [:]) { $0[$1.app, default: 0] += 1 }
    let names = [nil] + counts.keys.compactMap(\.self).sorted().map(Optional.some)
    let now = wallClock()
    let hooks = hooks.map { ["\(printable($0.name)) (hook)", $0.entry.words(now)] }
    let absent = isForPeople ? listed.filter { $0.kind == .notInstalled } : []
    let present = listed.filter { !isForPeople || $0.kind != .notInstalled }
    // A client with an app file has its row below.
    let presentNames = Set(present.map(\.name))
    let connected = names.filter { $0.map { !presentNames.contains($0) } ?? true }.compactMap { app in
      counts[app].map { count in
        let programs = app == nil && isForPeople ? namelessPrograms : ""
        let clients = count == 1 ? "1 client" : "\(count) clients"
        return [app.map { printable($0) } ?? "(without a name)", "follows (\(clients)\(programs))"]
      }
    }
    return hooks + connected
      + present.map { app in
        let count = counts[app.name] ?? 0
        let words = app.words(isConnected: count > 0, now: now)
        // For an enabled app, one of the clients is themed-apply.
        let isFollowed = app.entry != nil && app.examination?.app?.needsApplying == true
        let others = isFollowed ? count - 1 : count
        let clients = others < 1 ? "" : others == 1 ? " (1 client)" : " (\(others) clients)"
        return [printable(app.name), words + clients]
      }
      + (absent.isEmpty ? [] : [["not installed", absent.map { printable($0.name) }.joined(separator: ", ")]])
  }

  var json: String {
    let list = clients.map(\.json).joined(separator: ",")
    let now = wallClock()
    let known = apps.map { app in
      var object = app.object
      object["words"] = .word(app.words(isConnected: isConnected(app.name), now: now))
      return JSON.object(object).text
    }.joined(separator: ",")
    let hooks = hooks.map { $0.entry.json.text }.joined(separator: ",")
    return #"{"clients":[\#(list)],"apps":[\#(known)],"hooks":[\#(hooks)]}"#
  }
}
