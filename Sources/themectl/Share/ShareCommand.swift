import ArgumentParser
import Glibc
import ThemeClientCore
import ThemedText
import ThemedUnix

struct Share: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "share",
    abstract: "Have another machine show what this one does, over ssh.",
    discussion: """
      For example:
        themectl share server                 as 'ssh server' would reach it
        themectl share server -- -p 2222      with options for ssh
        systemctl --user enable --now themed-share@server

      It runs 'themed --upstream -' there and tells it of each change: nothing is forwarded, and what that machine sends \
      back is never a call. Programs there follow as they do here, and overrides there stay there. It connects again \
      when the network has changed or this machine has slept, and until then what was last told holds there.

      Exit status, besides those of all commands:
        0   ended by Ctrl-C, or by a signal
        2   the machine, or ssh, refuses: a password, a host key, a full disk
        3   no themed is there that can be shared with
        5   with --once: it cannot be reached
        6   another share with it runs, or was heard there in this one's place
      """)

  @Argument(help: "The machine, as ssh takes it.", completion: .shellCommand(knownHosts))
  var host: String

  @Option(help: ArgumentHelp("What themed is called there, where ssh does not find it.", valueName: "path"))
  var remoteCommand = "themed"

  @Option(help: ArgumentHelp("Where themed is to listen there, where ssh gives no XDG_RUNTIME_DIR.", valueName: "path"))
  var remoteSocket: String?

  @Flag(help: "Do not connect again: end when the connection does.")
  var once = false

  @OptionGroup var daemon: Daemon

  @Argument(parsing: .postTerminator, help: ArgumentHelp("What ssh is told besides.", valueName: "ssh-option"))
  var sshOptions: [String] = []

  /// The names in ssh's configuration.
  private static let knownHosts =
    "sed -n 's/^[[:space:]]*[Hh]ost[[:space:]][[:space:]]*//p' ~/.ssh/config 2> /dev/null | tr -s '[:space:]' '\\n' "
    + "| grep -v '[*?!]'"

  func validate() throws {
    guard ShareCall.isHost(Text(host)) else {
      throw ValidationError("'\(printable(host))' is no machine. For example: themectl share server")
    }
    guard !remoteCommand.isEmpty, Text(remoteCommand).string.unicodeScalars.allSatisfy(\.isVisible) else {
      throw ValidationError("--remote-command takes a program's name or path. For example: ~/.local/bin/themed")
    }
    let place = remoteSocket.map { Text($0) }
    guard place.map({ $0.hasPrefix("/") || $0.hasPrefix("~/") }) != false,
      place?.string.unicodeScalars.allSatisfy(\.isVisible) != false
    else { throw ValidationError("--remote-socket takes a path from / or ~/ on. For example: ~/.cache/themed.socket") }
  }

  func run() throws {
    let name = Text(host)
    let lock: ShareLock
    // A daemon at a place of its own may be there where no session is.
    let directory = BaseDirectory.runtime.map { $0 + "/themed" } ?? daemon.socket.map(parent)
    let call = ShareCall(
      host: name, program: Text(remoteCommand), socket: remoteSocket.map { Text($0) },
      more: sshOptions.map { Text($0) }, mayAsk: Self.isInForeground)
    do throws(ShareLock.Failure) { lock = try ShareLock(call, in: directory) } catch {
      switch error {
      case .held:
        complain("another 'themectl share \(name.asWord)' runs already, and one is enough for all terminals")
        throw ExitCode.sharedAlready
      case .impossible(let reason):
        complain(reason)
        throw ExitCode.failed
      }
    }
    try withExtendedLifetime(lock) { try Sharing(call, once: once, socket: daemon.socket).run() }
  }

  /// Whether somebody sits at the terminal who can be asked.
  static var isInForeground: Bool {
    let terminal = unsafe open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
    guard terminal >= 0 else { return false }
    defer { close(terminal) }
    return tcgetpgrp(terminal) == getpgrp()
  }
}
