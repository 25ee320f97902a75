import ArgumentParser
import Glibc
import ThemedClientCore
import ThemedInterface
import ThemedModel
import ThemeSetup
import ThemedSystem

@main
enum Main {
  static func main() {
    openStandardStreams()
    // If the reader of our output exits, writing fails, and no signal kills this command.
    _ = signal(SIGPIPE, SIG_IGN)
    if let missingCommandLine {
      complain(missingCommandLine)
      exit(ExitCode.failed.rawValue)
    }
    Picture.decodeIfAsked(CommandLine.arguments)
    FileWaits.watch {
      complain("waiting for \($0)")
    } end: {
      giveUp(on: $0)
    }
    Notices.listen { complain($0) }
    do {
      // Scripts, prompts and people run these most often, and parsing the command line would take most of the time.
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

  private static func isCalled(_ word: String) -> Bool {
    guard CommandLine.argc == 2, let argument = unsafe CommandLine.unsafeArgv[1] else { return false }
    return unsafe strcmp(argument, word) == 0
  }

  private static func run() throws {
    let typed = CommandLine.arguments.dropFirst().map { Text($0) }
    // Bars and prompts ask for fields, so that is not parsed either.
    if typed.first == "get", let fields = [StateField](words: typed.dropFirst()) { return try get(fields) }
    // Nor is what keys and scripts switch with.
    if typed == ["toggle"] { return try toggle() }
    if typed.count == 2, typed[0] == "set", let scheme = ColorScheme(word: typed[1]) { return try set(scheme) }
    let words = CommandWords.withFieldLast(CommandWords.withOptionsLast(CommandWords.joiningNegativeValues(typed)))
    if let mistake = CommandWords.mistake(in: words) {
      end(by: ValidationError(mistake.message), in: mistake.command)
    }
    var command = try Themectl.parseAsRoot(words.map(\.string))
    if command is any WritingCommand { try ForeignHome.refuse() }
    do {
      if var telling = command as? any TellingCommand { try telling.runTelling() } else { try command.run() }
    } catch let error as ValidationError {
      end(by: error, in: type(of: command))
    } catch let error as Refusal { throw failed(error) }
  }

  /// Exits as after a mistake in the command line: with the usage of this command.
  private static func end(by error: ValidationError, in command: any ParsableCommand.Type) -> Never {
    let name = Themectl.path(to: command)?.joined(separator: " ") ?? "themectl"
    let usage = Themectl.usageString(for: command).split(separator: "\n").joined(separator: "\n       ")
    writeToStandardError([
      "Error: \(printable(error.message))", "Usage: \(usage)", "  See '\(name) --help' for more information.",
    ])
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
    writeToStandardError(message.split(separator: "\n", omittingEmptySubsequences: false).map(printable))
    Themectl.exit(withError: code)
  }
}

/// A message of ArgumentParser in our style: its first line begins in lower case, and is one sentence.
func plainMessage(_ message: String) -> String {
  guard let rest = Text(message).dropping(prefix: "Error: ") else { return message }
  let lines = rest.split("\n", maxSplits: 1)
  // It suggests any option that has few letters, such as '--yes' for '--at'; `CommandWords` suggests better ones.
  let sentences: [Text] = (lines.first ?? "").split(".").filter { !$0.hasPrefix(" Did you mean") }
  // Quoted words are the user's and stay as they are.
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
                                         --until changed
        themectl set theme mint          also --light mint --dark outrun
        themectl set light --app nvim    light for one app
        themectl set contrast high       also motion reduced, accent '#3584e4'
        themectl unset                   remove the overrides set for all apps;
                                         add --app nvim for those of one app

      Every command except 'portal' accepts --socket PATH, which wins over THEMED_SOCKET and the default socket. Most \
      commands accept --json.

      Exit status:
        0   success; for 'is': yes
        1   for 'is': no
            for 'get' and 'config get': the field or setting has no value
            for 'doctor' and 'schedule': there is a problem
            for 'setup', 'portal disable' and every 'enable': you did not agree to the plan
            for 'desktop enable' and 'desktop status': the desktop does not turn
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
      ListOverrides.self, Setup.self, DesktopCommand.self, Schedule.self, Share.self, AppCommand.self,
      PortalCommand.self, ConfigCommand.self, ThemeCommand.self,
    ],
    defaultSubcommand: Status.self)
}

extension ParsableCommand {
  fileprivate static func path(to command: any ParsableCommand.Type) -> [String]? {
    if command == Self.self { return [name.string] }
    return configuration.subcommands.lazy.compactMap { $0.path(to: command) }.first.map { [name.string] + $0 }
  }
}

extension ExitCode {
  static let failed = ExitCode(2)
  static let noDaemon = ExitCode(3)
  static let notSaved = ExitCode(4)
}
