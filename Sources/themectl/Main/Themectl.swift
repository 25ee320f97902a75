import ArgumentParser
import Glibc
import ThemeClientCore
import ThemeInterface
import ThemeModel
import ThemedSystem

@main
enum Main {
  static func main() {
    // Else a socket would take the place of a standard output that was closed, and be written to.
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      _ = unsafe open("/dev/null", O_RDWR)
    }
    // Who reads our output may stop reading: then writing fails, and no signal ends us.
    _ = signal(SIGPIPE, SIG_IGN)
    if let missingCommandLine {
      complain(missingCommandLine)
      exit(ExitCode.failed.rawValue)
    }
    FileWaits.watch {
      complain("waiting for \($0)")
    } end: {
      giveUp(on: $0)
    }
    do {
      // Asked most often, by scripts, prompts and people: reading the command line would take most of the time.
      if isCalled("get") { return try get() }
      if CommandLine.argc == 1 || isCalled("status") { return try showStatus(Style(ofOutput: .auto)) }
      try run()
    } catch { end(by: error) }
  }

  /// Exits if a file does not respond: the call that this thread waits for may never return.
  private static func giveUp(on path: String) -> Never {
    complain(
      "\(path) does not respond; if it is on a network mount whose server is gone ('findmnt' lists mounts), "
        + "'umount -l' detaches the mount")
    _exit(ExitCode.failed.rawValue)
  }

  /// Whether this word alone follows the program's name.
  private static func isCalled(_ word: String) -> Bool {
    guard CommandLine.argc == 2, let argument = unsafe CommandLine.unsafeArgv[1] else { return false }
    return unsafe strcmp(argument, word) == 0
  }

  private static func run() throws {
    let typed = CommandLine.arguments.dropFirst().map { Text($0) }
    // What bars and prompts ask for is not parsed either.
    if typed.first == "get", let fields = [StateField](words: typed.dropFirst()) { return try get(fields) }
    let words = CommandWords.arranged(CommandWords.tied(typed))
    if let mistake = CommandWords.mistake(in: words) {
      end(by: ValidationError(mistake), in: CommandWords.command(in: words))
    }
    var command = try Themectl.parseAsRoot(words.map(\.string))
    if let command = command as? any WritingCommand { try type(of: command).refuseForeignHome() }
    do { try command.run() } catch let error as ValidationError { end(by: error, in: type(of: command)) }
  }

  /// Exits as after a mistake in the command line: with the usage of this command.
  private static func end(by error: ValidationError, in command: any ParsableCommand.Type) -> Never {
    let name = Themectl.path(to: command)?.joined(separator: " ") ?? "themectl"
    let usage = Themectl.usageString(for: command).split(separator: "\n").joined(separator: "\n       ")
    let lines = [
      "Error: \(printable(error.message))", "Usage: \(usage)",
      "  See '\(name) --help' for more information.",
    ]
    let text = Array((lines.joined(separator: "\n") + "\n").utf8)
    _ = unsafe text.withUnsafeBytes { unsafe Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    Themectl.exit(withError: ExitCode.validationFailure)
  }

  /// Exits as ArgumentParser does, with its message in our style, and without control characters, which a copied
  /// command line may contain.
  private static func end(by error: any Error) -> Never {
    let code = Themectl.exitCode(for: error)
    guard code == .validationFailure else {
      if code == .success, let help = HelpText(of: error) {
        print(help.wrapped)
        Themectl.exit()
      }
      Themectl.exit(withError: error)
    }
    let message = plainMessage(Themectl.fullMessage(for: error))
    let lines = message.split(separator: "\n", omittingEmptySubsequences: false)
    let text = Array((lines.map(printable).joined(separator: "\n") + "\n").utf8)
    _ = unsafe text.withUnsafeBytes { unsafe Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    Themectl.exit(withError: code)
  }
}

/// A message of ArgumentParser in our style: its first line begins in lower case, and is one sentence.
func plainMessage(_ message: String) -> String {
  guard let rest = Text(message).dropping(prefix: "Error: ") else { return message }
  let lines = rest.split("\n", maxSplits: 1)
  let sentences: [Text] = (lines.first ?? "").split(".")
  // What it quotes is the user's, and stays as it is.
  let request = sentences.lastIndex { $0.hasPrefix(" Please provide one of") }
  var first = sentences.prefix(request ?? sentences.count).map(\.string).joined(separator: ".")
  if let request {
    let rest = Text(sentences.dropFirst(request).map(\.string).joined(separator: "."))
    let values = rest.dropping(prefix: " Please provide one of") ?? rest
    let words = (values.dropping(suffix: ".") ?? values).split(" ")
    // It writes 'and' between two values, but 'or' before the last of three.
    let choice: Text = words.map { $0 == "and" ? "or" : $0 }.joined(separator: " ")
    first += "; use\(values.hasPrefix(" the following") ? " one of" : "")\(choice)"
  }
  first = first.prefix(1).lowercased() + first.dropFirst()
  return (["Error: \(first)"] + lines.dropFirst().map(\.string)).joined(separator: "\n")
}

struct Themectl: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "themectl",
    abstract: "Switch between light and dark, manage themes, and make your programs switch too.",
    discussion: """
      For example:
        themectl                         what is shown, and why
        themectl set dark                dark, whatever the desktop asks for
        themectl set dark --for 2h30m    also --until 07:30, --until sunrise,
                                         --until-changed
        themectl set light --app nvim    light for one app
        themectl set contrast high       also motion reduced, accent '#3584e4'
        themectl unset                   remove the overrides set for all apps;
                                         add --app nvim for those of one app

      Every command except 'portal' accepts --socket PATH, which wins over THEMED_SOCKET and the default socket. Most \
      commands accept --json.

      Exit status:
        0   success; for 'is': yes
        1   for 'is': no
            for 'get': the field has no value
            for 'doctor' and 'schedule': there is a problem
            for 'setup', 'app enable', 'portal enable' and 'portal disable': you did not agree to the plan
            for 'app enable', also: a setting of yours still overrides the new colours
            for 'portal status': browsers, GTK and Qt programs do not follow themed through the portal
            for 'config': themed.conf has a mistake or cannot be read
            for 'theme check' and 'app check': a file has a mistake or cannot be read
            for 'theme import': a theme could not be made
        2   the command failed, or the theme or app does not exist
        3   themed is not running
        4   the change applies, but is not saved: it is lost when themed exits
        64  the command line has a mistake
      """,
    version: themedVersion,
    subcommands: [
      Status.self, Doctor.self, Get.self, Is.self, Monitor.self, SetField.self, Toggle.self, Unset.self,
      ListOverrides.self, Setup.self, Schedule.self, Share.self, AppCommand.self, PortalCommand.self, Config.self,
      ThemeCommand.self, ChooseTheme.self,
      PreviewTheme.self,
    ],
    defaultSubcommand: Status.self)
}

extension ParsableCommand {
  /// The words that name this command or one below it.
  fileprivate static func path(to command: any ParsableCommand.Type) -> [String]? {
    if command == Self.self { return [name.string] }
    return configuration.subcommands.lazy.compactMap { $0.path(to: command) }.first.map { [name.string] + $0 }
  }
}

/// The exit statuses for failures.
extension ExitCode {
  static let failed = ExitCode(2)
  static let noDaemon = ExitCode(3)
  static let notSaved = ExitCode(4)

  init(_ error: ThemeClientError) {
    switch error.code {
    case .noDaemon, .noSocketPath: self = .noDaemon
    default: self = .failed
    }
  }
}

/// The option for the daemon's socket, for every command.
struct Daemon: ParsableArguments {
  @Option(
    help: ArgumentHelp("The daemon's socket, if it is not the default one.", valueName: "path"), completion: .file())
  var socket: String?

  /// Makes one or more calls; if one fails, complains and exits.
  func call<Value>(
    _ patience: Patience = .toRead, isReport: Bool = false,
    _ body: (inout ThemeConnection) throws(ThemeClientError) -> Value
  ) throws -> Value {
    try callDaemon(at: socket, patience, isReport: isReport, body)
  }
}

/// How long to wait for each answer.
struct Patience {
  /// For calls that the daemon answers at once: a prompt that asks must not hang with a daemon that does.
  static let toRead = Patience(time: .seconds(2))
  /// For calls that the daemon answers once it has written a file, or has read the files of themes.
  static let toChange = Patience(time: .seconds(25))

  let time: Duration
}

/// Makes one or more calls of the daemon at `socket`, or at the usual one with nil; a report explains a failure fully.
func callDaemon<Value>(
  at socket: String?, _ patience: Patience = .toRead, isReport: Bool = false,
  _ body: (inout ThemeConnection) throws(ThemeClientError) -> Value
) throws -> Value {
  do throws(ThemeClientError) {
    var connection = try ThemeConnection(socket: socket, timeout: patience.time)
    return try body(&connection)
  } catch {
    // Programs that ask often, and read no complaint, are not to wait for systemctl.
    if isReport || isatty(STDERR_FILENO) == 1,
      let reason = FailedUnits(explaining: error, at: socket)?.text ?? error.lostSocket(at: socket)
    {
      complain(reason)
      throw ExitCode.noDaemon
    }
    throw ended(by: error, at: socket)
  }
}

/// Tells the user of an error that ends the command.
func ended(by error: ThemeClientError, at socket: String?) -> ExitCode {
  complain(error.advice(at: socket))
  return ExitCode(error)
}

extension ThemeClientError {
  /// The error and the advice for it, also if the wrong user runs this command.
  func advice(at socket: String?) -> String {
    switch code {
    case .noDaemon, .noSocketPath:
      if let user = Self.userBehindRoot {
        return "root has no themed; run this as \(user), without sudo"
      }
      // The unit listens at the usual place, and is started by a manager.
      guard code == .noDaemon, let path, let reason, !FailedUnits.isForUnits(socket) else { return "\(self)" }
      guard !FailedUnits.isUsual(socket) else {
        return "themed is not running: no daemon at \(path) (\(reason)); run 'themed' in a terminal"
      }
      let cure = socket == nil ? "unset \(ThemeInterface.socketVariable)" : "leave out --socket"
      return "no daemon listens at \(path) (\(reason)); "
        + "\(cure), or run 'themed --socket \(Text(path).asWord)' in a terminal"
    default: return "\(self)"
    }
  }

  /// The message that the daemon runs but its socket's file is gone; nil if that is not the case.
  func lostSocket(at socket: String?) -> String? {
    guard code == .noDaemon, let path, unsafe access(path, F_OK) != 0, FailedUnits.isServiceActive(at: socket) else {
      return nil
    }
    return "themed is running, but its socket \(path) was removed; run 'themectl doctor'"
  }

  /// Whether the daemon belongs to another user than the one who runs this command.
  var isAnothers: Bool {
    switch code {
    case .anotherUsers: true
    case .noDaemon, .noSocketPath: Self.userBehindRoot != nil
    default: false
    }
  }

  /// The user who has become root by sudo.
  private static var userBehindRoot: String? {
    guard geteuid() == 0, let user = environment("SUDO_USER"), Text(user) != "root" else { return nil }
    return printable(user)
  }
}

/// The option for the app, or for all apps.
struct Audience: ParsableArguments {
  @Option(
    help: ArgumentHelp("For this app only; 'themectl app' lists the names.", valueName: "name"),
    completion: .custom { words, _, _ in knownApps(socket: socket(in: words)) })
  var app: String?

  /// The app, as the daemon's answers name it.
  var name: Text? { app.map { Text($0) } }

  func validate() throws {
    guard let app else { return }
    guard isAppName(Text(app)) else {
      throw ValidationError(
        "invalid app name: it must have 1 to 255 bytes and no control characters; try: --app nvim")
    }
  }
}

/// The socket in a command line that is not parsed yet.
func socket(in words: [String]) -> String? {
  zip(words, words.dropFirst()).first { $0.0 == "--socket" }?.1
}

/// The names that a running daemon knows, for the shell to complete.
private func knownApps(socket: String?) -> [String] {
  do throws(ThemeClientError) {
    var theme = try ThemeConnection(socket: socket, timeout: .seconds(1))
    let names = try theme.listClients().clients.compactMap(\.app) + theme.listOverrides().compactMap(\.app)
    return Set(names).filter(\.isCandidate).sorted().map(\.string)
  } catch {
    return []
  }
}

extension Text {
  /// Whether it is safe as a completion: bash expands variables and commands in it, and every shell would split it into
  /// words.
  var isCandidate: Bool {
    !isEmpty && !hasPrefix("-")
      && utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "._+-@/".utf8.contains(byte)
        }
      }
  }
}

extension Text {
  /// The text as one word of a command for the user to type.
  var asWord: String { isCandidate ? string : quotedForShell }
}

/// The option to print JSON for programs.
struct Format: ParsableArguments {
  @Flag(help: "Print JSON; each line is a complete object.")
  var json = false
}
