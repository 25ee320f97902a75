internal import CThemedGLib
internal import Glibc
internal import ThemeDaemon
internal import ThemeInterface
internal import ThemedLog

/// The daemon's command line, read by GLib's option parser: a daemon without Foundation cannot have ArgumentParser.
enum CommandLineOptions {
  /// The exit status of a command line that cannot be understood (`sysexits.h`).
  private static let usageError: CInt = 64

  /// What the command line asks for.
  enum Command {
    /// To serve.
    case serve(Daemon.Options)
    /// To look at the setup, and print the findings.
    case check(asJSON: Bool)
  }

  /// Reads the command line.
  ///
  /// Ends the program where it asks for help or the version, or cannot be understood.
  static func parse() -> Command {
    var words = unsafe Words()
    // As a service has it: what GLib makes to read options stays behind in memory.
    guard CommandLine.argc > 1 else { return unsafe command(words) }
    var error: UnsafeMutablePointer<GError>? = nil
    var argumentCount = CommandLine.argc
    var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = unsafe CommandLine.unsafeArgv
    let context = unsafe g_option_context_new("- follow the desktop's light or dark setting, and tell whoever asks")
    defer { unsafe g_option_context_free(context) }
    unsafe g_option_context_set_summary(
      context,
      """
      Follows the settings portal's color scheme over D-Bus, merges it with what the
      user overrides, and tells subscribers of every change over a local socket.
      Runs in the foreground and logs to standard error. SIGHUP has it read its
      configuration again, SIGTERM and SIGINT end it.
      """)
    unsafe g_option_context_set_description(
      context,
      """
      Files and variables:
        $XDG_CONFIG_HOME/themed/themed.conf     configuration
        $XDG_STATE_HOME/themed/overrides.json   the overrides, kept
        $XDG_RUNTIME_DIR/themed/\(ThemeInterface.name)  the socket
        $XDG_RUNTIME_DIR/themed/readonly/       one for reading only, beside it
        THEMED_SOCKET                           another path of the socket

      Exit status: 0 after a signal that ends it, 1 if it cannot start (another
      themed is running, say) or --check finds a problem, 64 if the command line
      cannot be understood, 69 if with '--upstream -' there is a themed that
      follows a desktop.
      """)
    unsafe withUnsafeMutablePointer(to: &words) { words in
      let entries = unsafe [
        entry("socket", "s", G_OPTION_ARG_FILENAME, words.pointer(to: \.socket), "Listen here instead", "PATH"),
        entry(
          "ready-fd", nil, G_OPTION_ARG_INT, words.pointer(to: \.readyDescriptor),
          "Write a newline to descriptor N once it serves, and close it", "N"),
        entry(
          "upstream", nil, G_OPTION_ARG_FILENAME, words.pointer(to: \.upstream),
          "Follow another themed and no desktop: at its socket, or '-': on standard input", "PATH"),
        entry("verbose", "v", G_OPTION_ARG_NONE, words.pointer(to: \.isVerbose), "Log more than changes and problems"),
        entry(
          "check", nil, G_OPTION_ARG_NONE, words.pointer(to: \.isCheck),
          "Serve nobody: say what is wrong with the session and the portal"),
        entry(
          "json", nil, G_OPTION_ARG_NONE, words.pointer(to: \.asJSON),
          "With --check, print a line of JSON for each finding"),
        entry("version", nil, G_OPTION_ARG_NONE, words.pointer(to: \.showsVersion), "Print the version"),
        GOptionEntry(),
      ]
      unsafe g_option_context_add_main_entries(context, entries, nil)
      _ = unsafe g_option_context_parse(context, &argumentCount, &arguments, &error)
    }
    if let error = unsafe error { unsafe refuse(String(cString: error.pointee.message)) }
    if argumentCount > 1, let extra = unsafe arguments?[1] {
      unsafe refuse("Unexpected argument '\(String(cString: extra))'")
    }
    return unsafe command(words)
  }

  /// Where `--ready-fd` is not given.
  private static let noDescriptor = gint.min

  /// What GLib fills in; its truth values are numbers.
  @unsafe private struct Words {
    var socket: UnsafeMutablePointer<CChar>? = nil
    var upstream: UnsafeMutablePointer<CChar>? = nil
    var isVerbose: gboolean = 0
    var showsVersion: gboolean = 0
    var isCheck: gboolean = 0
    var asJSON: gboolean = 0
    var readyDescriptor = noDescriptor
  }

  private static func command(_ words: Words) -> Command {
    if unsafe words.showsVersion != 0 {
      print("themed \(themedVersion)")
      exit(0)
    }
    if unsafe words.isCheck != 0 { return .check(asJSON: unsafe words.asJSON != 0) }
    if unsafe words.asJSON != 0 { refuse("--json goes with --check") }
    var options = Daemon.Options()
    options.socket = unsafe words.socket.map { unsafe String(cString: $0) }
    options.upstream = unsafe words.upstream.map { unsafe UpstreamPlace(String(cString: $0)) }
    if case .socket(let path)? = options.upstream, path.isEmpty {
      refuse("--upstream takes a socket, or '-' for standard input")
    }
    options.isVerbose = unsafe words.isVerbose != 0
    let descriptor = unsafe words.readyDescriptor
    if descriptor != noDescriptor {
      guard descriptor > 0, descriptor != STDERR_FILENO else {
        refuse("--ready-fd takes a descriptor to write to, which 0 and 2 are not")
      }
      options.readyDescriptor = descriptor
    }
    return .serve(options)
  }

  private static func refuse(_ text: String) -> Never {
    Log().error("\(text); try 'themed --help'")
    exit(usageError)
  }

  /// An option.
  ///
  /// Its texts live as long as the program does.
  private static func entry(
    _ name: String, _ letter: Character?, _ kind: GOptionArg, _ target: UnsafeMutableRawPointer?, _ text: String,
    _ argument: String? = nil
  ) -> GOptionEntry {
    unsafe GOptionEntry(
      long_name: g_intern_string(name), short_name: gchar(letter?.asciiValue ?? 0), flags: 0, arg: kind,
      arg_data: target, description: g_intern_string(text), arg_description: g_intern_string(argument))
  }
}
