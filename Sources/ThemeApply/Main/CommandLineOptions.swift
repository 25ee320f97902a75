internal import Glibc
public import ThemedText

/// The command line, as it was read.
public enum CommandLineOptions: Sendable, Equatable {
  /// To serve.
  case serve(isVerbose: Bool, isOnce: Bool)
  /// To print this.
  case print(Text)
  /// To refuse what is none of ours.
  case refuse(Text)

  /// Reads the words behind the program's name.
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
      themed-apply [OPTION…] - have programs follow that cannot subscribe

    Follows themed for the apps that 'themectl app enable' has enabled: writes their
    files, tells them to read these, and starts the user's hooks. Stays while nothing
    is enabled, and waits. Runs in the foreground and logs to standard error. SIGHUP
    has it do everything again, SIGTERM and SIGINT end it.

    Options:
      -h, --help     Show help options
      -v, --verbose  Log more than changes and problems
      --once         Do everything once, and end
      --version      Print the version

    Files and variables:
      $XDG_CONFIG_HOME/themed/apps.enabled    the apps that are enabled
      $XDG_CONFIG_HOME/themed/apps/           app files of your own
      $XDG_CONFIG_HOME/themed/templates/      templates of your own
      $XDG_CONFIG_HOME/themed/hooks.d/        programs to start at each change
      $XDG_CONFIG_HOME/themed/apply.conf      settings of hooks
      $XDG_RUNTIME_DIR/themed-apply/status.json  what came of it
      THEMED_SOCKET                           another path of themed's socket
      THEMED_APPS                             other directories of apps and templates

    Exit status: 0 after a signal that ends it, or with --once when all is done; 1 if
    it cannot start (another one runs, say), or if something failed with --once; 64
    if the command line cannot be understood.

    """
}
