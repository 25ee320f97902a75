internal import Glibc
internal import ThemeInterface
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
      var keeper = OutputKeeperProcess(CommandLine.arguments.dropFirst().first)
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
