internal import Glibc
public import ThemedSystem

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
      --once         Do everything once, and exit
      --version      Print the version

    Files and variables:
      $XDG_CONFIG_HOME/themed/apps.enabled    the apps that are enabled
      $XDG_CONFIG_HOME/themed/apps/           app files of your own
      $XDG_CONFIG_HOME/themed/templates/      templates of your own
      $XDG_CONFIG_HOME/themed/hooks.d/        programs to start at each change
      $XDG_CONFIG_HOME/themed/apply.conf      settings of hooks
      $XDG_RUNTIME_DIR/themed-apply/status.json  the results
      THEMED_SOCKET                           another path for themed's socket
      THEMED_APPS                             other directories of apps and templates

    Exit status: 0 if a signal stopped it, or with --once if everything is done; 1 if
    it cannot start (for example, another one is running), or if something failed with
    --once; 64 if the command line is invalid.

    """
}
