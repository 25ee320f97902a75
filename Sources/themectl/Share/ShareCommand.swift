import ArgumentParser
import Glibc
import ThemedClientCore
import ThemedSystem

struct Share: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "share",
    abstract: "Make another machine follow this one, over ssh.",
    discussion: """
      For example:
        themectl share server                 the machine that 'ssh server' reaches
        themectl share server -- -p 2222      with options for ssh
        systemctl --user enable --now themed-share@server
            permanently, if ssh needs no password

      It runs 'themed --upstream -' on the other machine and sends it each change. No socket is forwarded, and the other \
      machine cannot change anything here. Programs on the other machine switch as they do here, unless you set an \
      override there. That override has no effect here. When the network changes, and after a suspend, it reconnects. Until then the other \
      machine keeps the last state.

      Exit status of this command; 'themectl --help' lists the others:
        0   stopped by Ctrl-C or a signal
        2   ssh cannot log in, or something fails on the other machine, such as a full disk
        3   themed is not running here, or the other machine has no themed that can follow this one
        5   with --once: the other machine cannot be reached
        6   another share to that machine was running when this one started, or a later one replaced it
      """)

  @Argument(help: "The machine's name, as you would type it after 'ssh'.", completion: .shellCommand(knownHosts))
  var host: String

  @Option(help: ArgumentHelp("The path of themed on that machine, if ssh does not find it.", valueName: "path"))
  var remoteCommand = "themed"

  @Option(
    help: ArgumentHelp(
      "The path of themed's socket on that machine, if ssh sets no XDG_RUNTIME_DIR there.", valueName: "path"))
  var remoteSocket: String?

  @Flag(help: "Exit when the connection ends, instead of connecting again.")
  var once = false

  @OptionGroup var daemon: Daemon

  @Argument(parsing: .postTerminator, help: ArgumentHelp("Further options for ssh.", valueName: "ssh-option"))
  var sshOptions: [String] = []

  /// The names in ssh's configuration.
  private static let knownHosts =
    "sed -n 's/^[[:space:]]*[Hh]ost[[:space:]][[:space:]]*//p' ~/.ssh/config 2> /dev/null | tr -s '[:space:]' '\\n' "
    + "| grep -v '[*?!]'"

  func validate() throws {
    guard ShareCall.isHost(Text(host)) else {
      throw ValidationError("invalid machine name '\(printable(host))'; try: themectl share server")
    }
    guard !remoteCommand.isEmpty, Text(remoteCommand).string.unicodeScalars.allSatisfy(\.isVisible) else {
      throw ValidationError("--remote-command takes the name or path of a program; for example: ~/.local/bin/themed")
    }
    let place = remoteSocket.map { Text($0) }
    guard place.map({ $0.hasPrefix("/") || $0.hasPrefix("~/") }) != false,
      place?.string.unicodeScalars.allSatisfy(\.isVisible) != false
    else {
      throw ValidationError(
        "--remote-socket takes a path that begins with / or ~/; for example: ~/.cache/themed.socket")
    }
  }

  func run() throws {
    let name = Text(host)
    let lock: ShareLock
    // A daemon at another socket may run without a session.
    let directory = BaseDirectory.runtime.map { $0 + "/themed" } ?? daemon.socket.map(parent)
    let call = ShareCall(
      host: name, program: Text(remoteCommand), socket: remoteSocket.map { Text($0) },
      more: sshOptions.map { Text($0) }, mayAsk: Self.isInForeground)
    do throws(ShareLock.Failure) { lock = try ShareLock(call, in: directory) } catch {
      switch error {
      case .held:
        complain("another 'themectl share \(name.asWord)' is already running; one is enough for all terminals")
        throw ExitCode.sharedAlready
      case .impossible(let reason):
        complain(reason)
        throw ExitCode.failed
      }
    }
    try withExtendedLifetime(lock) { try Sharing(call, once: once, socket: daemon.socket).run() }
  }

  /// Whether this runs in the foreground of a terminal, so that ssh can ask for a password.
  static var isInForeground: Bool {
    let terminal = unsafe open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
    guard terminal >= 0 else { return false }
    defer { close(terminal) }
    return tcgetpgrp(terminal) == getpgrp()
  }
}
