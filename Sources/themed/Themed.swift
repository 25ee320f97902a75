internal import Glibc
internal import ThemeApply
internal import ThemeDaemon
internal import ThemedInterface
internal import ThemePortal
internal import ThemeTray
internal import ThemedSystem

@main
enum Themed {
  // It belongs to no actor and only makes a call: a closure in it would link the concurrency runtime, to check its
  // actor.
  nonisolated static func main() { start() }

  /// Four programs are installed as one file, and the name that it was started by decides which one runs: so the Swift
  /// runtime, most of each program, is on disk and in memory only once.
  private static func start() {
    let path = CommandLine.arguments.first.map { Text($0) } ?? ""
    switch path.splitAtLast("/")?.behind ?? path {
    case "themed-apply", ApplyProgram.secondName: ApplyProgram.run()
    case "themed-portal": PortalProgram.run()
    case "themed-tray": TrayProgram.run()
    default: run()
    }
  }

  private static func run() {
    // Before anything opens a descriptor.
    openStandardStreams()
    // A write to a closed pipe, or beyond a file size limit (`ulimit -f`), must be an error of that write, not the end
    // of the daemon.
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    // The service manager aborts a daemon that hangs. Swift's backtracer, if it is installed, would catch that signal
    // and continue.
    signal(SIGABRT, SIG_DFL)
    keepMemorySmall()
    if let missingCommandLine {
      Log().error(missingCommandLine)
      exit(1)
    }
    switch CommandLineOptions.parse() {
    case .serve(let options): serve(options)
    case .check(let asJSON): check(asJSON)
    }
  }

  private static func serve(_ options: Daemon.Options) {
    if let relay = UpstreamRelay(options) { return relay.run() }
    do throws(StartFailure) {
      try Daemon(options).run()
    } catch {
      guard error.isTaken, case .standardInput? = options.upstream else {
        Log().error("\(error)")
        exit(1)
      }
      // A daemon that another share is just starting cannot be reached at once.
      if let relay = UpstreamRelay.waiting(options) { return relay.run() }
      Log().error(UpstreamRelay.refusal)
      exit(UpstreamGreeting.refusedStatus)
    }
  }

  private static func check(_ asJSON: Bool) {
    FileWaits.watch(told: { _ in }) { path in
      let finding = Finding(unanswered: path)
      print(asJSON ? finding.json : finding.text)
      fflush(nil)
      _exit(1)
    }
    let findings = SetupCheck().run()
    for finding in findings where asJSON || !finding.isForPrograms {
      print(asJSON ? finding.json : finding.text)
    }
    if findings.contains(where: \.isProblem) { exit(1) }
  }
}
