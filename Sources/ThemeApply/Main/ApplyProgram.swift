internal import Glibc
internal import ThemedInterface
public import ThemedSystem

/// The program `themed-apply`, which is the installed `themed` under another name.
public enum ApplyProgram {
  /// The name of its second process, which users do not have to know.
  public static let secondName: Text = OutputKeeper.processName

  /// Handles the command line, and runs until it is stopped.
  public static func run() {
    // Before anything opens a descriptor.
    openStandardStreams()
    // A reader that is gone is an error of that write, never the end of this program.
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    keepMemorySmall()
    if CommandLine.arguments.first.map({ Text($0) }) == secondName,
      let keeper = OutputKeeperProcess(CommandLine.arguments.dropFirst().first)
    {
      return keeper.run()
    }
    let log = Log("themed-apply")
    if let missingCommandLine { end(log, missingCommandLine, 1) }
    switch CommandLineOptions(CommandLine.arguments.dropFirst().map { Text($0) }, version: themedVersion) {
    case .print(let text): print(text, terminator: "")
    case .refuse(let text): end(log, text.string, 64)
    case .serve(let isVerbose, let isOnce):
      var options = Applier.Options()
      (options.isVerbose, options.isOnce) = (isVerbose, isOnce)
      do throws(StartFault) { exit(try Applier(options, log).run()) } catch { end(log, "\(error)", 1) }
    }
  }

  private static func end(_ log: Log, _ text: String, _ status: CInt) -> Never {
    log.error(text)
    exit(status)
  }
}

/// The parsed command line.
public enum CommandLineOptions: Sendable, Equatable {
  /// Run with these options.
  case serve(isVerbose: Bool, isOnce: Bool)
  /// Print this text.
  case print(Text)
  /// Refuse an unknown argument.
  case refuse(Text)

  /// Parses the words after the program's name.
  public init(_ words: [Text], version: String) {
    var (isVerbose, isOnce) = (false, false)
    for word in words {
      switch word {
      case "-h", "--help": self = .print(Self.help); return
      case "--version": self = .print(Text("themed-apply \(version)\n")); return
      case "-v", "--verbose": isVerbose = true
      case "--once": isOnce = true
      default: self = .refuse("Unexpected argument '\(word.shown(atMost: 200))'; try 'themed-apply --help'"); return
      }
    }
    self = .serve(isVerbose: isVerbose, isOnce: isOnce)
  }

  private static let help: Text = """
    Usage:
      themed-apply [OPTION…] - make programs follow that cannot subscribe to themed

    Follows themed on behalf of the apps that you enabled with 'themectl app enable':
    writes their files, makes them read these, and starts your hooks. If nothing is
    enabled, it waits. Runs in the foreground and logs to standard error. SIGHUP makes
    it do everything again; SIGTERM and SIGINT stop it.

    Options:
      -h, --help     Show help options
      -v, --verbose  Log more than changes and problems
      --once         Do everything once for the current state, except for the settings
                     of the desktop, and exit
      --version      Print the version

    Files and variables:
      $XDG_CONFIG_HOME/themed/apps.enabled    the apps that are enabled
      $XDG_CONFIG_HOME/themed/apps/           app files of your own
      $XDG_CONFIG_HOME/themed/templates/      templates of your own
      $XDG_CONFIG_HOME/themed/hooks.d/        programs to start at each change
      $XDG_CONFIG_HOME/themed/themed.conf     settings of hooks, and your own files
      $XDG_RUNTIME_DIR/themed-apply/status.json  the results
      THEMED_SOCKET                           another path for themed's socket
      THEMED_APPS                             other directories of apps and templates

    Exit status: 0 if a signal stopped it, or with --once if everything is done; 1 if
    it cannot start (for example, another one is running), or if something failed with
    --once; 64 if the command line is invalid.

    """
}
