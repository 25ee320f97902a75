internal import Glibc
internal import ThemedClientCore
internal import ThemedInterface
internal import ThemedDBus
internal import ThemedSystem

/// The program `themed-portal`, either as a program of its own or as the installed `themed` under another name.
package enum PortalProgram {
  /// The exit status for an invalid command line (`sysexits.h`).
  private static let usageError: CInt = 64

  private static let help = """
    Usage: themed-portal [--help | --version]

    A backend of the settings portal. While an override, the schedule or the
    configuration decides, programs that ask the portal for light or dark get
    what themed shows; otherwise they get what the desktop asks for.
    Runs in the foreground; SIGTERM and SIGINT make it exit. To make the portal
    ask it, run 'themectl portal enable'.

    Exit status: 0 after SIGTERM or SIGINT, 1 if it cannot serve, 64 if the command
    line is invalid, 69 if another themed-portal runs.
    """

  /// Does what the command line asks for; serves until a signal ends it.
  package static func run() {
    // Before anything opens a descriptor.
    openStandardStreams()
    signal(SIGPIPE, SIG_IGN)
    keepMemorySmall()
    if let missingCommandLine { fail(missingCommandLine) }
    let words = CommandLine.arguments.dropFirst().map { Text($0) }
    switch words {
    case []: serve()
    case _ where words.first == Watchdog.word: watch(words.dropFirst())
    case ["--version"]: print("themed-portal \(themedVersion)")
    case ["--help"], ["-h"]: print(help)
    default: misunderstand()
    }
  }

  private static func misunderstand() -> Never {
    log("unexpected arguments; try 'themed-portal --help'")
    finishLog()
    exit(usageError)
  }

  /// The watchdog process, which users need not know about.
  private static func watch(_ words: ArraySlice<Text>) {
    guard let process = WatchdogProcess(words) else { misunderstand() }
    process.run()
    finishLog()
  }

  private static func serve() {
    SignalWatch.hold([SIGTERM, SIGINT])
    beginLog()
    do {
      let status = try Service().run()
      finishLog()
      exit(status)
    } catch {
      fail("\(error)")
    }
  }

  private static func fail(_ reason: String) -> Never {
    log(reason)
    finishLog()
    exit(1)
  }
}

/// Writes the log to standard error, which other processes share and may not read: a thread waits for it.
private let lines = LineThread(to: STDERR_FILENO) { "\($0) lines of the log could not be written\n" }

/// Makes sure that no line ever waits, even if descriptors run out later.
func beginLog() { lines.begin() }

func log(_ text: String) { _ = lines.write(Array((Text(text).shown(atMost: Limits.logLine) + "\n").utf8)) }

/// Waits a moment for the last lines, if necessary; call this at the end.
func finishLog() { lines.finish(withinMilliseconds: Limits.lastLines) }
