internal import Glibc
internal import ThemedInterface
internal import ThemedSystem

/// The program `themed-tray`, either as a program of its own or as the installed `themed` under another name.
package enum TrayProgram {
  /// The exit status for an invalid command line (`sysexits.h`).
  private static let usageError: CInt = 64

  private static let help = """
    Usage: themed-tray [--help | --version]

    An icon in the panel that shows whether light or dark is shown, and says why. A
    click switches until the next switch; the menu has light, dark, automatic and the
    themes. It needs a panel with a tray (StatusNotifierItem): Plasma, Xfce, Waybar,
    or GNOME with the AppIndicator extension. Runs in the foreground; SIGTERM and
    SIGINT make it exit. To start it with your session:
    systemctl --user enable --now themed-tray

    Exit status: 0 after SIGTERM or SIGINT, or if the session bus has ended; 1 if it
    cannot run; 64 if the command line is invalid; 69 if another themed-tray runs.

    """

  /// Does what the command line asks for; runs until a signal or the end of the session bus.
  package static func run() {
    // Before anything opens a descriptor.
    openStandardStreams()
    signal(SIGPIPE, SIG_IGN)
    keepMemorySmall()
    if let missingCommandLine { fail(Log("themed-tray"), missingCommandLine, 1) }
    switch CommandLine.arguments.dropFirst().map({ Text($0) }) {
    case []: serve()
    case ["--version"]: print("themed-tray \(themedVersion)")
    case ["--help"], ["-h"]: print(help, terminator: "")
    default: fail(Log("themed-tray"), "unexpected arguments; try 'themed-tray --help'", usageError)
    }
  }

  private static func serve() -> Never {
    // Before the log's thread, which would receive them.
    SignalWatch.hold([SIGTERM, SIGINT])
    let log = Log("themed-tray")
    do {
      let status = try TrayService(log).run()
      log.finish()
      exit(status)
    } catch { fail(log, "\(error)", 1) }
  }

  private static func fail(_ log: Log, _ reason: String, _ status: CInt) -> Never {
    log.error(reason)
    exit(status)
  }
}
