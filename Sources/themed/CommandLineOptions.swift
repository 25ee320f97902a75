internal import CThemedGLib
internal import Glibc
internal import ThemeDaemon
internal import ThemedInterface
internal import ThemedSystem

/// The daemon's command line, read by GLib's option parser: a daemon without Foundation cannot have ArgumentParser.
enum CommandLineOptions {
  /// The exit status for an invalid command line (`sysexits.h`).
  private static let usageError: CInt = 64

  /// The command line's request.
  enum Command {
    /// Serve clients.
    case serve(Daemon.Options)
    /// Check the setup, and print the findings.
    case check(asJSON: Bool)
  }

  /// Reads the command line.
  ///
  /// Exits after printing the help or the version, or if the command line is invalid.
  static func parse() -> Command {
    var words = unsafe Words()
    // The usual case for a service: GLib's option parser would leave memory behind.
    guard CommandLine.argc > 1 else { return unsafe command(words) }
    var error: UnsafeMutablePointer<GError>? = nil
    var argumentCount = CommandLine.argc
    var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = unsafe CommandLine.unsafeArgv
    let context = unsafe g_option_context_new("- follow the desktop's light or dark setting and serve it to programs")
    defer { unsafe g_option_context_free(context) }
    unsafe g_option_context_set_summary(
      context,
      """
      Follows the colour scheme of the settings portal and the schedule in
      themed.conf, applies the user's overrides, and sends every change to its
      clients over a local socket. Runs in the foreground and logs to standard
      error. SIGHUP makes it read its configuration again; SIGTERM and SIGINT make
      it exit.
      """)
    unsafe g_option_context_set_description(
      context,
      """
      Files and variables:
        $XDG_CONFIG_HOME/themed/themed.conf     configuration
        $XDG_STATE_HOME/themed/overrides.json   saved overrides
        $XDG_RUNTIME_DIR/themed/\(ThemeInterface.name)  the socket
        $XDG_RUNTIME_DIR/themed/readonly/       directory of the read-only socket
        THEMED_SOCKET                           another path for the socket

      Exit status:
        0   after SIGTERM or SIGINT
        1   themed cannot start, for example because another themed is running;
            or --check found a problem
        64  the command line is invalid
        69  '--upstream -' is given, but another themed on this machine already
            follows a desktop
      """)
    unsafe withUnsafeMutablePointer(to: &words) { words in
      let entries = unsafe [
        entry("socket", "s", G_OPTION_ARG_FILENAME, words.pointer(to: \.socket), "Listen at this path", "PATH"),
        entry(
          "ready-fd", nil, G_OPTION_ARG_INT, words.pointer(to: \.readyDescriptor),
          "Write a newline to descriptor N when ready, then close it", "N"),
        entry(
          "upstream", nil, G_OPTION_ARG_FILENAME, words.pointer(to: \.upstream),
          "Follow another themed, at this socket, instead of a desktop; '-' means standard input", "PATH"),
        entry(
          "verbose", "v", G_OPTION_ARG_NONE, words.pointer(to: \.isVerbose),
          "Also log details, not only changes and problems"),
        entry(
          "check", nil, G_OPTION_ARG_NONE, words.pointer(to: \.isCheck),
          "Only check the session and the portal, and print what is wrong"),
        entry(
          "json", nil, G_OPTION_ARG_NONE, words.pointer(to: \.asJSON),
          "With --check, print one line of JSON for each finding"),
        entry("version", nil, G_OPTION_ARG_NONE, words.pointer(to: \.showsVersion), "Print the version"),
        GOptionEntry(),
      ]
      unsafe g_option_context_add_main_entries(context, entries, nil)
      _ = unsafe g_option_context_parse(context, &argumentCount, &arguments, &error)
    }
    if let error = unsafe error { unsafe refuse(String(cString: error.pointee.message)) }
    if argumentCount > 1, let extra = unsafe arguments?[1] {
      unsafe refuse("unexpected argument '\(String(cString: extra))'")
    }
    return unsafe command(words)
  }

  /// The value if `--ready-fd` is not given.
  private static let noDescriptor = gint.min

  /// The options as GLib fills them in; its booleans are numbers.
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
    if unsafe words.asJSON != 0 { refuse("--json needs --check") }
    var options = Daemon.Options()
    options.socket = unsafe words.socket.map { unsafe String(cString: $0) }
    options.upstream = unsafe words.upstream.map { unsafe UpstreamPlace(String(cString: $0)) }
    if case .socket(let path)? = options.upstream, path.isEmpty {
      refuse("--upstream needs the path of a socket, or '-' for standard input")
    }
    options.isVerbose = unsafe words.isVerbose != 0
    let descriptor = unsafe words.readyDescriptor
    if descriptor != noDescriptor {
      guard descriptor > 0, descriptor != STDERR_FILENO else {
        refuse(
          "--ready-fd cannot use descriptor \(descriptor); give a descriptor that is open for writing, other than 0 and 2"
        )
      }
      options.readyDescriptor = descriptor
    }
    return .serve(options)
  }

  private static func refuse(_ text: String) -> Never {
    Log().error("\(text); try 'themed --help'")
    exit(usageError)
  }

  /// An option for GLib.
  ///
  /// Its texts live as long as the program.
  private static func entry(
    _ name: String, _ letter: Character?, _ kind: GOptionArg, _ target: UnsafeMutableRawPointer?, _ text: String,
    _ argument: String? = nil
  ) -> GOptionEntry {
    unsafe GOptionEntry(
      long_name: g_intern_string(name), short_name: gchar(letter?.asciiValue ?? 0), flags: 0, arg: kind,
      arg_data: target, description: g_intern_string(text), arg_description: g_intern_string(argument))
  }
}
