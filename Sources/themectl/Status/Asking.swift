import ArgumentParser
import ThemeClientCore
import ThemeModel
import ThemedSystem

struct Status: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Say whether light or dark is shown, and why.")

  @Flag(
    help: "Also show the state of the session bus and the portal, the paths of themed's files, and the last changes.")
  var verbose = false

  @Flag(
    help:
      "With --json, also print the theme's colours, images and values (settings for individual programs).")
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
        daemon.call(isReport: true) { (theme) throws(ThemeClientError) in
          let state = try theme.getState(app: audience.app, details: details).json
          return verbose ? #"{"state":\#(state),"diagnostics":\#(try theme.getDiagnostics().json)}"# : state
        })
    }
    try showStatus(of: audience.name, socket: daemon.socket, verbose: verbose, colors.style)
  }
}

/// Prints for people what is shown, and why.
func showStatus(of app: Text? = nil, socket: String? = nil, verbose: Bool = false, _ style: Style) throws {
  let (note, report, more) = try callDaemon(at: socket, isReport: true) { (theme) throws(ThemeClientError) in
    let (note, report) = (try theme.noteOfStranger(app), try Report(&theme, app: app))
    return (note, report, verbose ? try theme.getDiagnostics() : nil)
  }
  if let note { complain(note) }
  let now = wallClock()
  try say(report.text(style, now: now))
  if let more { try say(more.report(now: now)) }
}

struct Get: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "get",
    abstract: "Print whether light or dark is shown, or other fields, such as the theme.",
    discussion: """
      For example:
        themectl get                               light or dark
        themectl get theme contrast                two fields, with a tab in between
        themectl get palette.background            a colour of the theme, by its role
        themectl get assets.wallpaper values.bat   the theme's wallpaper, and its value for the program bat
        themectl get --details                     all fields

      If a field has no value, the command prints a hyphen ('-') and exits with 1. With --details, it prints a line for \
      each field: the field's name, a tab and the value. Then the exit status is 0 even if a field has no value.

      'desktop' is what the desktop asks for, even if an override or the schedule wins. 'source' is 'desktop', or \
      'upstream' if themed follows another themed instead. 'transition' is the length of the fade from one scheme to \
      the other, in milliseconds.
      """)

  @Argument(help: "The fields to print; without a field, light or dark.")
  var fields: [StateField] = []

  @Flag(help: "Print all fields, including the theme's colours, images and values (settings for individual programs).")
  var details = false

  @OptionGroup var daemon: Daemon
  @OptionGroup var audience: Audience
  @OptionGroup var format: Format

  func validate() throws {
    guard !details || fields.isEmpty else { throw ValidationError(detailsWithFields("get")) }
  }

  func run() throws {
    guard details else { return try get(fields, socket: daemon.socket, app: audience.app, json: format.json) }
    let state = try daemon.call { (theme) throws(ThemeClientError) in
      try theme.getState(app: audience.app, details: true)
    }
    try say(format.json ? state.json : state.detailedLines.joined(separator: "\n"))
  }
}

/// The message that --details cannot be combined with the name of a field.
func detailsWithFields(_ command: String) -> String {
  "--details prints all fields, so do not name a field; try: themectl \(command) --details; "
    + "themectl \(command) palette.background"
}

/// Prints the values of these fields; without fields, light or dark.
///
/// Exits with 1 if a field has no value.
func get(_ fields: [StateField] = [], socket: String? = nil, app: String? = nil, json: Bool = false) throws {
  let state = try callDaemon(at: socket) { (theme) throws(ThemeClientError) in
    try theme.getState(app: app, details: fields.contains(where: \.isDetail))
  }
  try say(fields.line(of: state, json: json))
  for mistake in fields.compactMap({ $0.mistake(in: state) }) { complain(mistake) }
  guard fields.allSatisfy({ $0.word(of: state) != nil }) else { throw ExitCode.failure }
}

struct Is: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "is",
    abstract: "Test whether the named scheme, light or dark, is shown: exit with 0 if so, and with 1 if not.")

  @Argument(help: "The scheme: light or dark.")
  var scheme: ColorScheme

  @OptionGroup var daemon: Daemon
  @OptionGroup var audience: Audience

  func run() throws {
    let state = try daemon.call { (theme) throws(ThemeClientError) in try theme.getState(app: audience.app) }
    guard state.scheme == scheme else { throw ExitCode.failure }
  }
}
