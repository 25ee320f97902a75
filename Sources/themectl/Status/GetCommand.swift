import ArgumentParser
import Glibc
import ThemeApps
import ThemedClientCore
internal import ThemedInterface
import ThemedModel
import ThemeSetup
import ThemedSystem
import ThemedVarlink

/// The options of the commands that print a state.
struct StateOptions: ParsableArguments {
  @Flag(help: "Print all fields, including the theme's colours, images and values (settings for individual programs).")
  var details = false

  @OptionGroup var daemon: Daemon
  @OptionGroup var audience: Audience
  @OptionGroup var format: Format

  /// Refuses --details together with the name of a field.
  func check(besides fields: [StateField], of command: String) throws {
    guard !details || fields.isEmpty else {
      throw ValidationError(
        "--details prints all fields, so do not name a field; try: themectl \(command) --details; "
          + "themectl \(command) palette.background")
    }
  }
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
        themectl get assets.wallpaper values.bat   the theme's wallpaper, and the theme's setting for bat
        themectl get --details                     all fields

      If a field has no value, the command prints a hyphen ('-') and exits with 1. With --details, it prints a line for \
      each field: the field's name, a tab and the value. Then the exit status is 0 even if a field has no value.

      The field 'desktop' is what the desktop asks for, even if an override or the schedule wins. The field 'source' says \
      who asks: the desktop, or 'upstream', which is another themed that this one follows. The field 'transition' is the \
      length of the fade from one scheme to the other, in milliseconds.
      """)

  @Argument(help: "The fields to print; without a field, light or dark.")
  var fields: [StateField] = []

  @OptionGroup var options: StateOptions

  func validate() throws { try options.check(besides: fields, of: "get") }

  func run() throws {
    let (app, json) = (options.audience.app, options.format.json)
    guard options.details else { return try get(fields, socket: options.daemon.socket, app: app, json: json) }
    let state = try options.daemon.call { (theme) throws(CallError) in
      try theme.call(.state(app: app, details: true))
    }
    try say(json ? state.json : state.detailedLines.joined(separator: "\n"))
  }
}

/// Prints the values of these fields; without fields, light or dark.
///
/// Exits with 1 if a field has no value.
func get(_ fields: [StateField] = [], socket: String? = nil, app: String? = nil, json: Bool = false) throws {
  let state = try callDaemon(at: socket) { (theme) throws(CallError) in
    try theme.call(.state(app: app, details: fields.contains(where: \.isDetail)))
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
    let state = try daemon.call { (theme) throws(CallError) in try theme.call(.state(app: audience.app)) }
    guard state.scheme == scheme else { throw ExitCode.failure }
  }
}

/// The form of the lines that `monitor` prints.
enum LineFormat: String, CaseIterable, ExpressibleByArgument {
  case words, json, waybar
}

extension State {
  /// The object for a custom module of Waybar, which reads text and tooltip as markup.
  fileprivate func waybarLine(_ fields: [StateField], app: Text?) -> String {
    func markup(_ text: String) -> JSON { .string(Text(decoding: text.utf8.flatMap(\.escapedForHTML))) }
    // Silent about the desktop: if it is kept in step, it shows something else than it asked for.
    let sentence = StateSentence(self, app: app, desktop: "").text(now: wallClock())
    let rule = resolution.origins["scheme"].map { JSON.string($0.rule.rawValue) }
    return JSON.object([
      "text": markup(fields.line(of: self, json: false)), "alt": .word(scheme.rawValue), "tooltip": markup(sentence),
      "class": .array([.word(scheme.rawValue)] + (rule.map { [$0] } ?? [])),
    ]).text
  }
}

struct Monitor: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "monitor",
    abstract: "Print whether light or dark is shown, or other fields, now and after each change.",
    discussion: """
      For example:
        themectl monitor                      light or dark
        themectl monitor scheme theme         both, with a tab in between
        themectl monitor palette.background   a colour of the theme, by its role
        themectl monitor --details            all fields, and then an empty line
        themectl monitor --json --details     the state as JSON, with all colours
        themectl monitor --format waybar      light or dark, and the reason, for the status bar Waybar

      If a field has no value, the command prints a hyphen ('-') for it. With --json and without a field, the command \
      prints the state as JSON; add --details for the theme's colours, images and values. If themed is not running, the \
      command waits; if themed restarts, the command reconnects.

      With --format waybar, each line is an object for a custom module of Waybar with 'return-type' set to 'json': \
      'text' has the fields, 'alt' is light or dark, 'tooltip' is the state and its reason in one sentence, and 'class' \
      has light or dark and the rule that decided, such as 'override' or 'schedule'.

      To run a program at each change, put it into $XDG_CONFIG_HOME/themed/hooks.d; see themed-apply(1).
      """)

  @Argument(help: "The fields to print, as for 'get'; without a field, light or dark.")
  var fields: [StateField] = []

  @Option(help: "The format of each line; 'json' is the same as --json.")
  var format: LineFormat?

  @OptionGroup var options: StateOptions

  func validate() throws {
    try options.check(besides: fields, of: "monitor")
    guard !options.format.json || format ?? .json == .json else {
      throw ValidationError("--json and --format \(form.rawValue) cannot be used together")
    }
    guard !options.details || form != .waybar else {
      throw ValidationError(
        "--details cannot be used with --format waybar; try: themectl monitor --format waybar theme")
    }
  }

  private var form: LineFormat { format ?? (options.format.json ? .json : .words) }

  func run() throws {
    var theme = try connected()
    var printed: Text?
    while let state = try next(&theme) {
      let text = text(of: state)
      guard Text(text) != printed else { continue }
      try say(text)
      printed = Text(text)
    }
  }

  private func text(of state: State) -> String {
    switch form {
    case .json where fields.isEmpty: state.json
    case .waybar: state.waybarLine(fields, app: options.audience.name)
    case .words where options.details: (state.detailedLines + [""]).joined(separator: "\n")
    default: fields.line(of: state, json: form == .json)
    }
  }

  private func connected() throws -> StateMonitor {
    let socket = options.daemon.socket
    do throws(CallError) {
      var theme = try StateMonitor(
        app: options.audience.app, details: options.details || fields.contains(where: \.isDetail), socket: socket)
      // A status bar may start before the daemon and waits for it; a person wants to know why nothing is printed.
      do throws(CallError) { try theme.connect() } catch {
        if error.code == .otherUser { throw error }
        complain("waiting: \(FailedUnits(explaining: error, at: socket)?.text ?? error.advice(at: socket))")
      }
      return theme
    } catch { throw ended(by: error, at: socket) }
  }

  /// Exits when its reader does: the next word may be hours away, and only writing it would show that the reader is
  /// gone.
  private func next(_ theme: inout StateMonitor) throws -> State? {
    do throws(CallError) { return try theme.next(whileOpen: STDOUT_FILENO) } catch {
      throw ended(by: error, at: options.daemon.socket)
    }
  }
}
